// Closed forms: the printed formulas, evaluated, give the library's results.

#include "codegen/emit/languages.hpp"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "codegen/trace/generate.hpp"
#include "graph/expand.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

Numbers answer(const Robot& r, const std::string& what, const RandomState& s) {
  Workspace w(r);
  const std::size_t n = r.nv();
  Numbers x(what == "mass" ? n * n : n);
  if (what == "mass") mass_matrix(r, w, s.q, x);
  if (what == "bias") bias(r, w, s.q, s.v, x);
  if (what == "gravity") gravity(r, w, s.q, x);
  return x;
}
Numbers inputs(const std::string& what, const RandomState& s) {
  Numbers x = s.q;
  if (what == "bias") x.insert(x.end(), s.v.begin(), s.v.end());
  return x;
}

TEST(Equations, AreTheDynamics) {
  Rng rng(23);
  for (const char* name : {"planar2", "planar3", "puma560-3", "stanford-3", "scara", "puma560"})
    for (const char* what : {"mass", "bias", "gravity"}) {
      const Robot robot = Robot::load(name);
      const Program p = generate(robot, quantity(what)).program;
      const std::vector<Expanded> formulas = expanded(p.graph);
      for (int k = 0; k < 5; ++k) {
        const RandomState s = random_state(rng, robot.description());
        const Numbers wanted = answer(robot, what, s), x = inputs(what, s);
        double scale = 1e-3;
        for (const double w : wanted) scale = std::max(scale, std::abs(w));
        for (std::size_t i = 0; i < wanted.size(); ++i)
          EXPECT_NEAR(value(formulas[i], x), wanted[i], 1e-11 * scale) << name << " " << what;
      }
    }
}

// The printed formulas, evaluated by another program.
TEST(Equations, ReadAsTheyArePrinted) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "there is no python3";
  const Scratch scratch;
  Rng rng(29);
  for (const char* what : {"mass", "bias", "gravity"}) {
    const Robot robot = Robot::load("puma560-3");
    const Program p = generate(robot, quantity(what)).program;
    const RandomState s = random_state(rng, robot.description());
    const Numbers x = inputs(what, s), wanted = answer(robot, what, s);
    std::ofstream script(scratch.path("run.py"));
    script << "from math import sin, cos\n";
    for (std::size_t k = 0; k < x.size(); ++k)
      script << p.graph.inputs()[k].name << " = " << fmt::format("{:.17g}", x[k]) << "\n";
    std::string text = emit_equations(p);
    for (std::size_t at; (at = text.find('^')) != std::string::npos;) text.replace(at, 1, "**");
    script << text;
    const std::string base = p.outputs[0].name;
    const int n = static_cast<int>(robot.nv());
    for (int i = 1; i <= n; ++i)
      for (int j = 1; j <= (base == "M" ? n : 1); ++j)
        script << "print(repr(float(" << base << i << (base == "M" ? std::to_string(j) : "")
               << ")))\n";
    script.close();
    std::FILE* out = popen(("python3 " + scratch.path("run.py")).c_str(), "r");
    ASSERT_TRUE(out);
    Numbers found;
    for (double y = 0; std::fscanf(out, "%lf", &y) == 1;) found.push_back(y);
    EXPECT_EQ(pclose(out), 0);
    ASSERT_EQ(found.size(), wanted.size()) << what;
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], wanted[k], 1e-9 * (1 + std::abs(wanted[k]))) << what << k;
  }
}

TEST(Equations, OfTwoRods) {
  const Robot robot = Robot::load("planar2");
  const std::string mass = emit_equations(generate(robot, Quantity::mass_matrix).program);
  EXPECT_NE(mass.find("M11 = 1.66666666667 + cos(q2)\n"
                      "M12 = 0.333333333333 + 0.5*cos(q2)\n"
                      "M21 = M12\n"
                      "M22 = 0.333333333333\n"),
            std::string::npos)
      << mass;
  const std::string gravity = emit_latex(generate(robot, Quantity::gravity).program);
  EXPECT_NE(gravity.find("\\tau_{2} &= 4.905\\,\\cos(q_{1} + q_{2})"), std::string::npos)
      << gravity;
  for (const auto& [open, close] : {std::pair('{', '}'), {'(', ')'}})
    EXPECT_EQ(std::count(gravity.begin(), gravity.end(), open),
              std::count(gravity.begin(), gravity.end(), close));
}

// Terms of mass, bias and gravity: they may get fewer.
TEST(Equations, Swell) {
  auto terms = [](const char* name, const char* what) {
    return cost(expanded(generate(Robot::load(name), quantity(what)).program.graph)).terms;
  };
  EXPECT_LE(terms("puma560-3", "mass"), 14);
  EXPECT_LE(terms("puma560-3", "bias"), 26);
  EXPECT_LE(terms("puma560", "gravity"), 13);
  EXPECT_LE(terms("puma560", "mass"), 96);
  EXPECT_LE(terms("puma560", "bias"), 371);
}

TEST(Equations, BeyondReadingAreRefusedWithTheirCount) {
  const Program p = generate(Robot::load("humanoid"), Quantity::mass_matrix).program;
  try {
    emit_equations(p);
    FAIL();
  } catch (const Error& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("terms; the limit is 10000"), std::string::npos) << what;
    EXPECT_NE(what.find("multiplications"), std::string::npos) << what;
  }
  EXPECT_THROW(emit_latex(generate(Robot::load("planar2"), Quantity::forward_dynamics).program),
               Error);  // divides
}

}  // namespace
}  // namespace parid::test
