// Programs with inputs by chance and the values that their graphs have there: what generated code
// in languages of others must print.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/evaluate.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

struct ProgramValues {
  Program program;
  std::vector<std::vector<double>> in, want;  // one of each per sample
};

inline ProgramValues program_values(const Robot& robot, const std::string& what,
                                    const GenerateOptions& options, int samples) {
  ProgramValues v{generate(robot, quantity(what), options).program, {}, {}};
  Rng rng(5);
  for (int s = 0; s < samples; ++s) {
    std::vector<double> x(v.program.graph.inputs().size());
    for (double& y : x) y = uniform(rng, -1, 1);
    v.want.push_back(evaluate(v.program.graph, x));
    v.in.push_back(std::move(x));
  }
  return v;
}

// The next numbers of `printed`, one per line, are the values of one sample.
inline void expect_values(std::istream& printed, const std::vector<double>& want,
                          const std::string& who) {
  double scale = 1e-300;
  for (const double x : want) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < want.size(); ++i) {
    std::string line;
    ASSERT_TRUE(std::getline(printed, line)) << who << ": too few values";
    EXPECT_NEAR(std::stod(line), want[i], 1e-13 * scale) << who << ", value " << i;
  }
}

// Programs of robots that are built in and of others: trees, friction, selections, names that are
// no names in other languages.
inline std::vector<ProgramValues> programs_for_languages(int samples) {
  std::vector<ProgramValues> all;
  auto add = [&](const Robot& robot, const char* what, const GenerateOptions& options = {}) {
    all.push_back(program_values(robot, what, options, samples));
  };
  add(Robot::load("puma560"), "inverse", {.parameters = true, .payload = true, .friction = true});
  add(Robot::load("puma560-positioning"), "inverse", {.friction = true});
  add(Robot::load("puma560"), "ik");
  add(Robot::load("stanford"), "forward");
  add(Robot::load("scara"), "energy");
  Rng rng(11);
  Description chain = random_chain(rng, 4, {.revolute = 2, .prismatic = 1});
  chain.name = "2 arms; of, one'robot %d with a name that is longer than sixty-three characters";
  add(Robot(chain), "inverse", {.gravity = true, .wrench = true});
  Description tree = random_tree(rng, 6, {.revolute = 2, .prismatic = 1, .spherical = 1});
  tree.name = "end";
  add(Robot(tree), "mass");
  tree.links[1].name = "_Elbow";
  tree.joints[0].child = "_Elbow";
  for (JointDescription& j : tree.joints)
    if (j.parent == "link1") j.parent = "_Elbow";
  tree.links[2].name = "a link with a name that is much longer than sixty-three characters too";
  tree.joints[1].child = tree.links[2].name;
  for (JointDescription& j : tree.joints)
    if (j.parent == "link2") j.parent = tree.links[2].name;
  add(Robot(tree), "kinematics", {.link = "all"});
  return all;
}

}  // namespace parid::test
