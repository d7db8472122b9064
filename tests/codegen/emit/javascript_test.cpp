// Generated JavaScript as node runs it: the values of the graph it was written from.

#include "codegen/emit/languages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "codegen/trace/generate.hpp"
#include "graph/evaluate.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

void compare(const Robot& robot, const std::string& what, const GenerateOptions& options,
             const Scratch& scratch) {
  const Program p = generate(robot, quantity(what), options).program;
  std::mt19937_64 random(5);
  std::vector<double> inputs(p.graph.inputs().size());
  for (double& x : inputs) x = 2 * 0x1p-53 * static_cast<double>(random() >> 11) - 1;
  std::ostringstream call;
  call.precision(17);
  std::size_t k = 0;
  for (const Argument& a : p.inputs) {
    call << (k > 0 ? ", [" : "[");
    for (int i = 0; i < a.count; ++i) call << (i > 0 ? "," : "") << inputs[k++];
    call << "]";
  }
  const std::string path = scratch.file(
      p.name + ".mjs", emit_javascript(p) + "const out = " + p.name + "(" + call.str() +
                           ");\nfor (const x of Object.values(out).flat()) console.log(x);\n");
  std::istringstream lines(said("node " + path));
  const std::vector<double> want = evaluate(p.graph, inputs);
  double scale = 1e-300;
  for (const double x : want) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < want.size(); ++i) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line)) << p.name << ": too few values";
    EXPECT_NEAR(std::stod(line), want[i], 1e-13 * scale) << p.name << ", value " << i;
  }
}

TEST(JavaScript, GivesTheGraphsValuesUnderNode) {
  if (!there("node")) GTEST_SKIP() << "there is no node";
  Scratch scratch;
  compare(Robot::load("puma560"), "inverse", {.payload = true}, scratch);
  compare(Robot::load("puma560"), "inverse", {.payload = true, .friction = true}, scratch);
  compare(Robot::load("puma560-positioning"), "inverse", {.friction = true}, scratch);
  compare(Robot::load("quadruped"), "inverse", {.payload = true}, scratch);
  compare(Robot::load("stanford"), "forward", {}, scratch);
  compare(Robot::load("puma560"), "ik", {}, scratch);
}

}  // namespace
}  // namespace parid::test
