// The robot as the page has it.

#include "cli/summary/report_parts.hpp"

#include <gtest/gtest.h>

#include "parid/robot.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// Nothing is timed here; were each link searched for among all, this would take many minutes.
TEST(ReportMotion, ManyLinksTakeTimeInProportion) {
  const int many = instrumented ? 5'000 : 100'000;
  const Robot robot = Robot::load("chain:" + std::to_string(many));
  const cli::Json joints = cli::robot_json(robot)["joints"];
  ASSERT_EQ(joints.size(), static_cast<std::size_t>(many));
  const int last = robot.find_link(robot.tip());
  EXPECT_EQ(joints.back()["child"], last);
  Visuals looks;
  looks.links.assign(10 * static_cast<std::size_t>(many), robot.tip());
  looks.links.emplace_back("nowhere");
  looks.unseen = {10 * many, 10 * many - 1};
  Visual sphere;
  sphere.kind = Visual::Kind::sphere;
  sphere.link = 7;
  looks.parts.push_back(sphere);
  const cli::Json json = cli::visuals_json(robot, looks);
  EXPECT_EQ(json["parts"][0]["link"], last);
  EXPECT_EQ(json["unseen"], (cli::Json{-1, last}));
}

}  // namespace
}  // namespace parid::test
