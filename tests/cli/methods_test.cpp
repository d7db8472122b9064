#include "cli/methods.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "parid/motion/default_motion.hpp"
#include "parid/run/engine.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::cli {
namespace {

TEST(Methods, EveryOneGivesTheEnginesTorques) {
  EXPECT_TRUE(is_method(engines_method));
  EXPECT_FALSE(is_method("newton"));
  for (const Robot& robot : {Robot::load("puma560"), Robot::load("chain:6")}) {
    const Trajectory m = default_motion(robot, 21);
    Surroundings around;
    around.add_wrench(robot, robot.tip(), {1, 2, 3}, {0.1, 0.2, 0.3});
    Engine engine(robot, {1});
    engine.set_surroundings(around);
    std::vector<double> want(m.v.size());
    engine.inverse_dynamics(m.rows, m.q, m.v, m.a, want);
    std::string names = method_names();
    for (char& c : names)
      if (c == ',') c = ' ';
    std::istringstream all(names);
    for (std::string name; all >> name;) {
      const std::vector<double> got = torques_by(name, robot, around, m, [](double) {});
      ASSERT_EQ(got.size(), want.size()) << name;
      for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-9) << name;
    }
  }
}

TEST(Methods, FollowersAndFreeJointsToo) {
  const Robot robot = everything();
  const Trajectory m = default_motion(robot, 5);
  Engine engine(robot, {1});
  std::vector<double> want(m.v.size());
  engine.inverse_dynamics(m.rows, m.q, m.v, m.a, want);
  const auto got = torques_by(engines_method, robot, {}, m, [](double) {});
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-9);
}

}  // namespace
}  // namespace parid::cli
