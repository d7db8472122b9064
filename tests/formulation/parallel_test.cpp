// Lathrop's and Lee and Chang's figures, measured on our text of their algorithms.

#include <gtest/gtest.h>

#include "formulation/all.hpp"
#include "formulation/hollerbach3_scan.hpp"
#include "parid/inverse_dynamics.hpp"
#include "runtime/cost/formulation_graph.hpp"
#include "runtime/cost/parallel_cost.hpp"
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
using LathropLinear = Lathrop<T, serial_scan>;
template <class T>
using LathropTree = Lathrop<T, tree_scan>;
template <class T>
using LathropFold = Lathrop<T, three_fold>;
template <class T>
using LeeChangLinear = LeeChang<T, serial_scan>;
template <class T>
using LeeChangFold = LeeChang<T, three_fold>;

template <class T>
using LagrangeDivided = Hollerbach3Scan<T, divided_scan>;
template <class T>
using LagrangeFold = Hollerbach3Scan<T, three_fold>;

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
  for (std::size_t k = 1; k < deep.size(); ++k) EXPECT_LE(deep[k] - deep[k - 1], 12) << k;
}

TEST(ParallelFormulations, AgreeWhateverThePlan) {
  Rng rng(1);
  for (int n = 1; n <= 40; n += n < 8 ? 1 : 7) {
    const Robot robot(random_chain(rng, n, {.revolute = 0.6, .prismatic = 0.4}));
    expect_agreement<LathropLinear>(robot, rng);
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
    serial.push_back(depth(trace<LathropLinear>(robot.canonical(), given)).total());
  }
  for (std::size_t k = 1; k < lathrop.size(); ++k) {
    EXPECT_EQ(lathrop[k] - lathrop[k - 1], 8);  // MV + VA out, and again in
    EXPECT_LE(lee_chang[k] - lee_chang[k - 1], 8);
    EXPECT_EQ(serial[k] - serial[k - 1], (8 << k) / 2 * 8);
  }
}

}  // namespace
}  // namespace parid::test
