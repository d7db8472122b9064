// Names that mean harm. Robot files come from anywhere, and their names end up in programs, file names,
// equations, pages and messages.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "parid/emit/program.hpp"
#include "parid/emit/targets.hpp"
#include "parid/generate/generate.hpp"
#include "parid/model/robot.hpp"
#include "parid/model/toml.hpp"
#include "tests/cli/program.hpp"
#include "tests/io/scratch.hpp"
#include "tests/shell.hpp"

namespace parid {
namespace {

const char* const names[] = {
    "a */ int evil_symbol; /*",
    "line\nint evil_symbol;\n#include \"/etc/passwd\"",
    "ends with a backslash\\",
    "../../../outside",
    "; touch evil_symbol; `touch evil_symbol` $(touch evil_symbol)",
    "<script>evil_symbol()</script>",
    "\\input{/etc/passwd}%n%s",
};

// Two rods whose robot, links and joints all have the name.
std::string robot_file(const std::string& name) {
  std::string quoted;
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", c);
    else
      quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  const std::string joint = "mass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\n";
  return "name = \"" + quoted + "\"\nsource = \"" + quoted +
         "\"\nconvention = \"modified\"\n[[joint]]\nname = \"" + quoted +
         " 1\"\nalpha = \"pi/2\"\n" + joint + "[[joint]]\nname = \"" + quoted + " 2\"\na = 1\n" +
         joint;
}

TEST(Hostile, CommentsAreNotLeft) {
  EXPECT_EQ(comment_line("a */ b /* c"), "a * / b / * c");
  EXPECT_EQ(comment_line("**//"), "** //");
  EXPECT_EQ(comment_line("two\nlines\r\x7f"), "two lines  ");
  EXPECT_EQ(comment_line("c:\\"), "c:\\.");
  EXPECT_EQ(comment_line("plain, with ünïcode"), "plain, with ünïcode");
}

TEST(Hostile, GeneratedProgramsHoldNothingOfAName) {
  Scratch scratch;
  for (const char* name : names) {
    const std::string file = scratch.file("robot.toml", robot_file(name));
    const std::string out = scratch.path("out");
    for (const char* language : {"c", "cpp", "js", "dot", "text", "latex", "equations"}) {
      std::filesystem::remove_all(out);
      const Ran ran = parid_program({"generate", file, "inverse", "--lang", language, "-o", out});
      if (contains(name, "\n")) {
        EXPECT_EQ(ran.code, 2);
        EXPECT_TRUE(contains(ran.err, "control character, 0x0a")) << ran.err;
        continue;
      }
      ASSERT_EQ(ran.code, 0) << name << ": " << ran.err;
      for (const auto& entry : std::filesystem::directory_iterator(out)) {
        const std::string path = entry.path().string();
        EXPECT_EQ(path.find_first_of("\n`$;<>\\ "), std::string::npos) << path;
        if (path.ends_with(".c")) {
          const std::string symbols = said("cc -std=c99 -Wall -Werror -c -I '" + out + "' -o '" +
                                           out + "/o.o' '" + path + "' && nm '" + out + "/o.o'");
          // As a part of the function's own name it may stand there.
          EXPECT_EQ(symbols.find(" evil_symbol"), std::string::npos) << symbols;
        }
      }
    }
    EXPECT_LE(scratch.names().size(), 2u) << name;  // the robot and `out`: nothing else was written
  }
  EXPECT_FALSE(std::filesystem::exists("evil_symbol"));
}

TEST(Hostile, TerminalsAreNotWrittenTo) {
  Scratch scratch;
  const std::string name = "\x1b[2Jwiped\x07";
  const std::string toml = scratch.file("robot.toml", robot_file(name)),
                    urdf = scratch.file("robot.urdf",
                                        "<robot name=\"r\"><link name=\"" + name + "\"/></robot>"),
                    wrong = scratch.file("wrong.urdf", "<robot name=\"r\"><joint name=\"" + name +
                                                           "\" type=\"bent\"/></robot>");
  for (const std::string& file : {toml, urdf, wrong}) {
    const Ran ran = parid_program({"info", file});
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_FALSE(ran.err.empty());
    for (const char c : ran.out + ran.err)
      EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << ran.err;
  }
}

}  // namespace
}  // namespace parid
