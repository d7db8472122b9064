// Lathrop's and Lee and Chang's figures, measured on our text of their algorithms.

#include <gtest/gtest.h>

#include <array>

#include "formulation/all.hpp"
#include "math/network.hpp"
#include "parid/error.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/parallel_evaluation.hpp"
#include "parid/torque_method.hpp"
#include "runtime/cost/formulation_graph.hpp"
#include "runtime/cost/parallel_cost.hpp"
#include "scalar/counted.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

void expect_depth(const Depth& d, int multiplications, int additions, const char* what, int n) {
  EXPECT_EQ(d.multiplications, multiplications) << what << ", n = " << n;
  EXPECT_EQ(d.additions, additions) << what << ", n = " << n;
}

TEST(LathropFigures, DepthOfTheLogarithmicForm) {
  expect_depth(lathrop_depth(6, divided_scan).torque, 11, 28, "Table 1", 6);
  for (int n : {5, 6, 7, 9, 12, 15, 31}) {
    const int L = ceil_log2(n + 1);
    expect_depth(lathrop_depth(n, divided_scan).torque, 2 * L + 5, 6 * L + 10, "Eq. (2)", n);
    EXPECT_LE(lathrop_depth(n, recursive_doubling).torque.total(), 8 * L + 15) << n;
  }
  // With as many links as a power of two the base that does not move spares a level.
  expect_depth(lathrop_depth(8, divided_scan).torque, 11, 28, "fixed", 8);
}

TEST(LathropFigures, DepthOfTheLinearForm) {
  using Tip = LathropCharging::Tip;
  for (int n : {4, 6, 9, 20}) {
    // What Table 4 takes on a fixed base; and each printed figure by the charges that give it.
    expect_depth(lathrop_depth_linear(n).torque, 2 * n + 4, 6 * n + 6, "fixed base", n);
    expect_depth(lathrop_depth_linear(n, {.tip = Tip::with_force}).torque, 2 * n + 5, 6 * n + 9,
                 "Eq. (5)", n);
    expect_depth(
        lathrop_depth_linear(n, {.moving_base = true, .tip = Tip::known, .dot_product = false})
            .torque,
        2 * n + 3, 6 * n + 7, "Eq. (1)", n);
    // The combining forms take joint 1 in its own coordinates: a rotation less.
    expect_depth(lathrop_depth(n, serial_scan).torque, 2 * n + 3, 6 * n + 4, "serial scan", n);
  }
}

// Eq. (4): each variable trails the one before by so much, however long the chain. MV is a
// multiplication and two additions, VC one and one, VA one addition.
TEST(LathropFigures, AvailabilityOffsets) {
  for (int n : {5, 10, 20}) {
    const LathropDepth d = lathrop_depth(n, serial_scan, {.moving_base = true});
    EXPECT_EQ(d.w.total(), 4 * n) << n;               // MV + VA a link
    EXPECT_EQ(d.wd.total() - d.w.total(), 3) << n;    // VC + VA
    EXPECT_EQ(d.pdd.total() - d.w.total(), 7) << n;   // 2 VC + 3 VA
    EXPECT_EQ(d.pdd.total() - d.wd.total(), 4) << n;  // VC + 2 VA
    EXPECT_EQ(d.n.total() - d.f.total(), 3) << n;     // VC + VA
  }
}

TEST(LathropFigures, Table6) {
  const LathropProcessors p = lathrop_processors(6);
  EXPECT_EQ(p.linear_backward, 22);
  EXPECT_EQ(p.linear_forward, 8);
  EXPECT_EQ(p.logarithmic_backward, 36);
  EXPECT_EQ(p.logarithmic_forward, 13);
  EXPECT_EQ(p.nodes, 13);
  EXPECT_EQ(p.tier, 3);
  EXPECT_EQ(p.linear_backward * 6, 132);
  EXPECT_EQ(p.linear_forward * 6, 48);
  EXPECT_EQ(p.logarithmic_backward * p.tier, 108);
  EXPECT_EQ(p.logarithmic_forward * p.tier, 39);
  EXPECT_EQ(p.logarithmic_backward * p.nodes, 468);
  EXPECT_EQ(p.logarithmic_forward * p.nodes, 169);
}

TEST(LeeChangFigures, OperationsOfAProcessor) {
  const LeeChangOperations six = lee_chang_operations(6);
  EXPECT_EQ(six.between.multiplications, 135);
  EXPECT_EQ(six.between.additions, 98);
  EXPECT_EQ(six.rotations.multiplications, 27 * 3 - 19);
  EXPECT_EQ(six.rotations.additions, 18 * 3 - 14);
  EXPECT_EQ(six.all().multiplications, 197);
  EXPECT_EQ(six.all().additions, 183);
  for (int n = 2; n <= 128; ++n) {
    const ProcessorOperations o = lee_chang_operations(n).all();
    const int l = ceil_log2(n), l1 = ceil_log2(n + 1);
    EXPECT_EQ(o.multiplications, 27 * l + 116) << n;
    EXPECT_EQ(o.additions, 24 * l + 9 * l1 + 84) << n;
  }
  EXPECT_EQ(lee_chang_operations(12).all().multiplications - 197, 27);
  EXPECT_EQ(lee_chang_operations(12).all().additions - 183, 33);
}

// The same formulation with any plan: torques differ only by rounding, depth depends on the plan.
template <template <class> class F>
void expect_agreement(const Robot& robot, Rng& rng) {
  Workspace workspace(robot);
  Evaluation<F, double> e(robot.canonical());
  std::vector<double> want(robot.nv()), got(robot.nv());
  const RandomState s = random_state(rng, robot.description());
  inverse_dynamics(robot, workspace, s.q, s.v, s.a, want);
  e.torque(s.q.data(), s.v.data(), s.a.data(), got.data());
  double scale = 0;
  for (double x : want) scale = std::max(scale, std::abs(x));
  for (int k = 0; k < robot.nv(); ++k)
    EXPECT_NEAR(got[k], want[k], 1e-12 * scale) << robot.name() << ", " << robot.nv();
}

ScanPlan three_fold(int n) { return p_fold_scan(n, 3); }
template <class T>
using LathropSerial = Lathrop<T, serial_scan>;
template <class T>
using LathropTree = Lathrop<T, tree_scan>;
template <class T>
using LathropFold = Lathrop<T, three_fold>;
template <class T>
using LeeChangLinear = LeeChang<T, serial_scan>;
template <class T>
using LeeChangFold = LeeChang<T, three_fold>;

template <class T>
using LagrangeDivided = LathropLagrangian<T, divided_scan>;
template <class T>
using LagrangeFold = LathropLagrangian<T, three_fold>;

// Lathrop's remark: the Lagrangian reaches the same bounds, with more work.
TEST(ParallelFormulations, TheLagrangianIsAScanToo) {
  Rng rng(2);
  for (int n = 1; n <= 40; n += n < 8 ? 1 : 7) {
    const Robot robot(random_chain(rng, n, {.revolute = 0.6, .prismatic = 0.4}));
    expect_agreement<LagrangeDivided>(robot, rng);
    expect_agreement<LagrangeFold>(robot, rng);
  }
  std::vector<int> deep;
  for (int n : {8, 16, 32, 64}) {
    const Robot robot = Robot::load("chain:" + std::to_string(n));
    deep.push_back(depth(trace<LagrangeDivided>(robot.canonical(),
                                                {.placements_given = true, .rotors = false}))
                       .total());
  }
  for (std::size_t k = 1; k < deep.size(); ++k) EXPECT_EQ(deep[k] - deep[k - 1], 8) << k;
}

// Table 4 as a formulation: MV + VA for each link, outward and inward.
TEST(ParallelFormulations, TheLinearFormTakesEightOperationsMoreForEachLink) {
  const TraceOptions given{.placements_given = true, .rotors = false};
  auto at = [&](int n) {
    const Robot robot = Robot::load("chain:" + std::to_string(n));
    return depth(trace<LathropLinear>(robot.canonical(), given)).total();
  };
  for (const int n : {6, 12, 24}) EXPECT_EQ(at(n + 1) - at(n), 8) << n;
}

// Appendix B: every joint is one combination more, of the same form as all others.
TEST(ParallelFormulations, TheUnifiedFormHasOneKindOfNode) {
  Rng rng(5);
  for (const int n : {1, 2, 6, 7}) {
    const Robot robot(random_chain(rng, n, {.revolute = 1}));
    auto operations = [&]<template <class> class F>() {
      Evaluation<F, Counted> e(robot.canonical());
      auto some = [](int k) { return Counted(0.1 * (k + 1)); };
      e.load(some, some, some);
      e.place();
      Counted::reset();
      e.run();
      return Counted::count().of(VectorOp::matrix_vector);
    };
    // A combination outward turns six vectors and multiplies matrices (3), one inward turns three
    // and multiplies matrices; each link has two products with its inertia.
    const long outward = 9 * divided_scan(n + 1).work(), inward = 6 * divided_scan(n).work();
    EXPECT_EQ(operations.operator()<LathropLogarithmic>(), outward + inward + 2 * n) << n;
    EXPECT_EQ(operations.operator()<LathropUnified>(), outward + inward + (2 + 9 + 6) * n) << n;
  }
}

TEST(PFold, TorquesAgreeForEveryNumberOfProcessors) {
  Rng rng(11);
  for (const int n : {1, 2, 3, 5, 6, 7, 10, 13}) {
    const Robot robot(random_chain(rng, n, {.revolute = 0.6, .prismatic = 0.4}));
    Workspace workspace(robot);
    std::vector<double> want(robot.nv()), got(robot.nv());
    const RandomState s = random_state(rng, robot.description());
    inverse_dynamics(robot, workspace, s.q, s.v, s.a, want);
    double scale = 0;
    for (const double x : want) scale = std::max(scale, std::abs(x));
    for (int p = 1; p <= n; ++p) {
      TorqueMethod(robot, "lee_chang_pfold", {.processors = p}).torque(s.q, s.v, s.a, got);
      for (int k = 0; k < robot.nv(); ++k)
        EXPECT_NEAR(got[k], want[k], 1e-12 * scale) << n << " links, p = " << p;
    }
  }
}

TEST(PFold, OperationsOfEachProcessor) {
  for (const int n : {6, 8, 12, 24}) {
    const Robot robot = Robot::load("chain:" + std::to_string(n));
    const long per_link_m = 135, per_link_a = 98, product_m = 27, product_a = 18, sum = 3;
    for (int p = 1; p <= n; ++p) {
      const ParallelEvaluation c = parallel_evaluation(robot, p);
      const int s = (n + p - 1) / p;
      // A short last block is completed, not doubled, where no initial value precedes.
      const long L = ceil_log2(n / s), L1 = ceil_log2(c.used + 1);
      EXPECT_EQ(c.links_per_processor, s);
      EXPECT_EQ(c.local.multiplications, per_link_m * s);
      EXPECT_EQ(c.local.additions, per_link_a * s);
      if (p > 1) {
        EXPECT_EQ(c.within.multiplications, product_m * (s - 1));
        EXPECT_EQ(c.doubling.multiplications, product_m * L);
        EXPECT_EQ(c.doubling.additions, (product_a + 2 * sum) * L + 3 * sum * L1);
      }
      // Nothing is lost: the processors do what the formulation does, and the time is at least
      // what the busiest does and the bound.
      Evaluation<LeeChangPFold, Counted> e(robot.canonical(), p);
      auto some = [](int k) { return Counted(0.1 * (k + 1)); };
      e.load(some, some, some);
      e.place();
      Counted::reset();
      e.run();
      ProcessorOperations all;
      for (const ProcessorOperations& o : c.processor) {
        all.multiplications += o.multiplications;
        all.additions += o.additions;
        EXPECT_LE(o.multiplications, c.time.multiplications);
        EXPECT_LE(o.additions, c.time.additions);
      }
      const OperationCount& whole = Counted::count();
      EXPECT_EQ(whole.multiplications - all.multiplications, 18) << p;  // p̈ of the first joint
      EXPECT_EQ(whole.additions - all.additions, 15 + 2 * sum) << p;    // and ω0, ω̇0
      EXPECT_LE(c.bound.multiplications, c.time.multiplications) << n << ", " << p;
      EXPECT_LE(c.bound.additions, c.time.additions) << n << ", " << p;
      EXPECT_LE(c.over_bound, 1.21) << n << ", " << p;  // P5 combines every element again
    }
  }
  // On n processors: section 3 of the paper, with every product a full one.
  const ParallelEvaluation six = parallel_evaluation(Robot::load("chain:6"), 6);
  EXPECT_EQ(six.time.multiplications, 197 + 19);
  EXPECT_EQ(six.time.additions, 183 + 14);
  EXPECT_EQ(six.over_bound, 1.0);
  EXPECT_EQ(parallel_evaluation(Robot::load("chain:6"), 1).over_bound, 1.0);
}

TEST(PFold, MatrixMultiplierChips) {
  const Robot robot = Robot::load("chain:16");
  const ParallelEvaluation plain = parallel_evaluation(robot, 16);
  for (const auto& [cells, m, a] : {std::array{1, 27, 18}, {3, 9, 6}, {9, 3, 2}, {27, 1, 2}}) {
    const ParallelEvaluation c = parallel_evaluation(robot, 16, cells);
    EXPECT_EQ(plain.time.multiplications - c.time.multiplications, 4 * (27 - m)) << cells;
    EXPECT_EQ(plain.time.additions - c.time.additions, 4 * (18 - a)) << cells;
  }
}

TEST(PFold, WordsOverTheNetworks) {
  const int n = 16;
  const Robot robot = Robot::load("chain:16");
  const ParallelEvaluation c = parallel_evaluation(robot, n);
  ASSERT_EQ(c.networks.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const ParallelNetwork& w = c.networks[k];
    const Wiring wiring = networks[k];
    EXPECT_EQ(w.network, name_of(wiring));
    const Routing r = routing(wiring, n);
    ASSERT_EQ(w.recurrences.size(), 6u);
    for (const ParallelTransfer& t : w.recurrences) {
      EXPECT_EQ(t.width, t.equation == "(15)" ? 9 : 3);
      // (19) reads ω of the link before, (29) f of the link after.
      const bool neighbour = t.equation == "(18)" || t.equation == "(28)";
      EXPECT_EQ(t.passes, r.passes + neighbour) << t.equation;
      EXPECT_EQ(t.shuffles, r.deals) << t.equation;
    }
    EXPECT_GE(w.links, links(wiring, n));
    EXPECT_LE(w.links, links(wiring, n) + n - 1);  // inward, to the processor before
  }
  // On a cascade of 16, round k passes 16 − h values in hop h: 15 + 15 + 14 + … for each.
  long values = 0;
  for (const int distance : {1, 2, 4, 8})
    for (int hop = 1; hop <= distance; ++hop) values += n - hop;
  EXPECT_EQ(c.networks[0].words, (9 + 5 * 3) * values + 2 * 3 * (n - 1));
  EXPECT_EQ(c.networks[0].links, 2 * (n - 1));
  // One processor moves nothing.
  for (const ParallelNetwork& w : parallel_evaluation(robot, 1).networks) {
    EXPECT_EQ(w.words, 0);
    EXPECT_EQ(w.links, 0);
  }
}

TEST(PFold, RefusesWhatItCannotDo) {
  const Robot robot = Robot::load("chain:4");
  EXPECT_THROW(parallel_evaluation(robot, 0), Error);
  EXPECT_THROW(parallel_evaluation(robot, 5), Error);
  EXPECT_THROW(parallel_evaluation(Robot::load("humanoid"), 2), Error);
  EXPECT_THROW(parallel_evaluation(robot, 2, -1), Error);
  EXPECT_THROW(TorqueMethod(robot, "newton_euler_link", {.processors = 2}), Error);
  EXPECT_THROW(TorqueMethod(robot, "lee_chang_pfold", {.processors = 5}), Error);
  EXPECT_THROW(TorqueMethod(robot, "lee_chang_pfold", {.processors = -1}), Error);
  EXPECT_THROW(TorqueMethod(robot, "lee_chang_fold"), Error);
  TorqueMethod method(robot, "lathrop_unified");
  std::vector<double> four(4), three(3);
  EXPECT_THROW(method.torque(four, four, three, four), Error);
  EXPECT_TRUE(method.exact());
}

TEST(ParallelFormulations, AgreeWhateverThePlan) {
  Rng rng(1);
  for (int n = 1; n <= 40; n += n < 8 ? 1 : 7) {
    const Robot robot(random_chain(rng, n, {.revolute = 0.6, .prismatic = 0.4}));
    expect_agreement<LathropSerial>(robot, rng);
    expect_agreement<LathropTree>(robot, rng);
    expect_agreement<LathropFold>(robot, rng);
    expect_agreement<LeeChangLinear>(robot, rng);
    expect_agreement<LeeChangFold>(robot, rng);
  }
}

TEST(ParallelFormulations, DepthGrowsWithTheLogarithm) {
  std::vector<int> lathrop, lee_chang, serial;
  for (int n : {8, 16, 32, 64}) {
    const Robot robot = Robot::load("chain:" + std::to_string(n));
    const TraceOptions given{.placements_given = true, .rotors = false};
    lathrop.push_back(depth(trace<LathropLogarithmic>(robot.canonical(), given)).total());
    lee_chang.push_back(depth(trace<LeeChangDoubling>(robot.canonical(), given)).total());
    serial.push_back(depth(trace<LathropSerial>(robot.canonical(), given)).total());
  }
  for (std::size_t k = 1; k < lathrop.size(); ++k) {
    EXPECT_EQ(lathrop[k] - lathrop[k - 1], 8);  // MV + VA out, and again in
    EXPECT_LE(lee_chang[k] - lee_chang[k - 1], 8);
    EXPECT_EQ(serial[k] - serial[k - 1], (8 << k) / 2 * 8);
  }
}

}  // namespace
}  // namespace parid::test
