// parid table: a table built, saved, loaded and refused, as people do it.

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using nlohmann::json;

std::string refusal(const std::string& line) {
  const Ran ran = parid_line(line);
  EXPECT_EQ(ran.code, 2) << line << "\n" << ran.err;
  EXPECT_EQ(ran.out, "") << line;
  return ran.err;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(TableCommand, SavesAndLoads) {
  Scratch scratch;
  const std::string file = scratch.path("planar.table");
  const json built = json_of("table planar2 --points 17 -o " + file + " --json");
  const json loaded = json_of("table planar2 --load " + file + " --json");
  EXPECT_EQ(built["bytes"], loaded["bytes"]);
  EXPECT_EQ(built["error"], loaded["error"]);
  EXPECT_LT(built["error"]["rms_relative_error"], 0.05);
  EXPECT_TRUE(contains(refusal("table planar3 --load " + file), "planar.table"));
  // A payload makes a table wrong, however fine it is.
  const json heavy = json_of("table planar2 --load " + file + " --payload 1 --json");
  EXPECT_GT(heavy["error_with_payload"]["rms_relative_error"],
            5 * heavy["error"]["rms_relative_error"].get<double>());
}

TEST(TableCommand, Refuses) {
  Scratch scratch;
  EXPECT_TRUE(contains(refusal("table panda --points 33"), "TB"));
  EXPECT_NE(refusal("table quadruped"), "");
  EXPECT_NE(refusal("table planar2 --load " + scratch.path("nowhere")), "");
  EXPECT_NE(refusal("table planar2 --load " + scratch.file("junk", "not a table")), "");
  EXPECT_NE(refusal("table planar2 --points x"), "");
  EXPECT_NE(refusal("table planar2 --kind magic"), "");
  EXPECT_TRUE(contains(
      refusal("torque puma560 --method configuration_space --base-acceleration 1,0,0"), "gravity"));
}

}  // namespace
}  // namespace parid::test
