// Programs of small robots, byte for byte: tests/golden/ROBOT_WHAT.txt and the like are what
// `parid generate ROBOT WHAT` writes. A change that is meant to change them is followed by ./run
// golden.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/emit/targets.hpp"
#include "codegen/trace/generate.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The output of that name; "" if it is not a target.
std::string written(const Program& p, const std::string& name) {
  for (const Target& t : targets())
    for (const EmittedFile& f : t.emit(p, {}))
      if (f.name == name) return f.text;
  return "";
}

TEST(Golden, ProgramsAreWhatTheyWere) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden")) {
    const std::string name = entry.path().filename().string(), stem = entry.path().stem().string();
    const std::size_t end = stem.find('_');
    ASSERT_NE(end, std::string::npos) << name << ": a name is ROBOT_WHAT";
    const Robot robot = Robot::load(stem.substr(0, end));
    const Program p = generate(robot, quantity(stem.substr(end + 1))).program;
    EXPECT_EQ(written(p, name), content(entry.path()))
        << name << ": if this is meant, ./run golden";
    ++files;
  }
  EXPECT_GE(files, 6);
}

}  // namespace
}  // namespace parid::test
