// Tapes, run here in the plainest way: the same values as the graph, in few slots.

#include "graph/tape.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "graph/text.hpp"
#include "tests/graph/random_graph.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::vector<double> played(const Tape& t, const std::vector<double>& in) {
  const double nothing = std::nan("");
  std::vector<double> slot(t.slots, nothing), out(t.outputs, nothing);
  slot.insert(slot.end(), t.constants.begin(), t.constants.end());
  for (const Instruction& i : t.instructions) {
    if (i.step == Step::load) {
      slot.at(i.to) = in.at(i.a);
      continue;
    }
    const double a = slot.at(i.a), b = slot.at(i.b), c = slot.at(i.c);
    if (i.step == Step::store) {
      out.at(i.to) = a;
      continue;
    }
    EXPECT_LT(i.to, t.slots);
    double& to = slot.at(i.to);
    // clang-format off
    switch (i.step) {
      case Step::add: to = a + b; break;
      case Step::sub: to = a - b; break;
      case Step::mul: to = a * b; break;
      case Step::div: to = a / b; break;
      case Step::neg: to = -a; break;
      case Step::sqrt: to = std::sqrt(a); break;
      case Step::abs: to = std::abs(a); break;
      case Step::atan2: to = std::atan2(a, b); break;
      case Step::less: to = a < b; break;
      case Step::select: to = a > 0 ? b : c; break;
      case Step::mul_add: to = a * b + c; break;
      case Step::mul_sub: to = a * b - c; break;
      case Step::sub_mul: to = c - a * b; break;
      case Step::sin_cos: to = std::sin(a);
 slot.at(i.also) = std::cos(a); break;
      default: ADD_FAILURE();
    }
    // clang-format on
  }
  return out;
}

TEST(Tape, PlaysTheGraph) {
  int compared = 0;
  for (int seed = 0; seed < 500; ++seed) {
    std::mt19937_64 rng(seed);
    const Graph g = random_graph(rng, seed % 10 == 0 ? 300 : 40);
    const Tape tape(g);
    std::vector<double> x;
    for (int k = 0; k < 5; ++k) x.push_back(4 * 0x1p-53 * static_cast<double>(rng() >> 11) - 2);
    const std::vector<double> wanted = evaluate<double>(g, x), r = played(tape, x);
    for (int k = 0; k < 4; ++k)
      if (std::isfinite(wanted[k])) {
        ASSERT_EQ(r[k], wanted[k]) << "seed " << seed << "\n" << text(g);
        ++compared;
      }
  }
  EXPECT_GT(compared, 1900);
}

TEST(Tape, UsesSlotsAgainAndFusesProducts) {
  Graph g;
  const Expr x = input(g, "x");
  Expr y = x;
  for (int k = 0; k < 100; ++k) y = y * x + Expr(k + 0.5);
  output(g, "y", y);
  const Tape tape(g);
  EXPECT_EQ(tape.slots, 2u);
  EXPECT_EQ(tape.constants.size(), 100u);
  EXPECT_EQ(tape.instructions.size(), 102u);  // load, a hundred fused, store
}

TEST(Tape, OfOutputsThatAreNothingElse) {
  Graph g;
  const Expr x = input(g, "x"), y = input(g, "y");
  output(g, "same", y);
  output(g, "number", Expr(3.0));
  output(g, "again", y);
  output(g, "cosine", sin_cos(x).cos);
  const std::vector<double> r = played(Tape(g), {0.5, 7});
  EXPECT_EQ(r, (std::vector<double>{7, 3, 7, std::cos(0.5)}));
}

}  // namespace
}  // namespace parid::test
