#include "formulation/significant_terms.hpp"

#include <gtest/gtest.h>

#include "lookup/term_selection.hpp"
#include "lookup/torque_error.hpp"
#include "model/canonical_model.hpp"
#include "parid/engine.hpp"
#include "runtime/method/evaluation.hpp"
#include "scalar/dual.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

TorqueError error_of(const Robot& robot, const TermSelection& selection) {
  const States s = random_states(state_box(robot), 200, 7);
  std::vector<double> exact(s.rows * robot.nv());
  Engine(robot, {.threads = 1, .kernel = KernelKind::generic})
      .inverse_dynamics(s.rows, s.q, s.v, s.a, exact);
  SignificantTerms<double> f(robot.canonical().mechanism, selection);
  return torque_error(robot.nv(), torques_along(robot, f, s.rows, s.q, s.v, s.a), exact);
}

TEST(SignificantTerms, AllTermsAreExact) {
  Rng rng(1981);
  for (int n = 1; n <= 6; ++n) {
    const Robot chain(random_chain(rng, n, {.prismatic = 0.4, .tips = true}));
    EXPECT_LE(error_of(chain, TermSelection::all(n)).max_relative, 1e-12);
    const Robot tree(random_tree(rng, n, {.prismatic = 0.4, .tips = true}));
    EXPECT_LE(error_of(tree, TermSelection::all(n)).max_relative, 1e-12);
  }
}

TEST(SignificantTerms, ShareZeroDropsOnlyZeros) {
  for (const char* name : {"puma560", "stanford", "scara", "panda"}) {
    const Robot robot = Robot::load(name);
    const TermSelection s = significant_terms(robot, state_box(robot), {.share = 0});
    EXPECT_EQ(s.kept(), s.nonzero) << name;
    EXPECT_LE(error_of(robot, s).max_relative, 1e-11) << name;
  }
}

// Nothing turns about the vertical first axis's own gravity; the PUMA's figures are full of zeros.
TEST(SignificantTerms, LargerSharesKeepLessAndLoseMore) {
  const Robot robot = Robot::load("puma560");
  int kept = 1000;
  double error = 0;
  for (const double share : {0.0, 0.001, 0.01, 0.05, 0.2}) {
    const TermSelection s = significant_terms(robot, state_box(robot), {.share = share});
    EXPECT_LT(s.kept(), kept) << share;
    kept = s.kept();
    const double now = error_of(robot, s).rms_relative;
    EXPECT_GT(now, error) << share;
    error = now;
  }
  EXPECT_GT(kept, 0);
}

TEST(SignificantTerms, TheSameEveryTime) {
  const Robot robot = Robot::load("stanford");
  const StateBox box = state_box(robot);
  EXPECT_EQ(significant_terms(robot, box).keep, significant_terms(robot, box).keep);
}

// Over any number type: the derivative of the torque by an acceleration is the inertia that was
// kept.
TEST(SignificantTerms, Differentiates) {
  using D = Dual<1>;
  Rng rng(3);
  const Robot robot(random_chain(rng, 3));
  const Mechanism<D> m(robot.canonical().mechanism);
  State<D> at(m);
  D a(2.0);
  a.d[0] = 1;
  for (int i = 1; i <= 3; ++i) at.set(i, D(0.3 * i), D(0.1), i == 2 ? a : D(0.0));
  at.place(m);
  CoefficientSweep<D> sweep(m);
  std::vector<D> c(sweep.layout().size()), tau(4);
  sweep.coefficients(m, at, c.data());
  SignificantTerms<D>(m, TermSelection::all(3)).torque(m, at, tau.data());
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(tau[i + 1].d[0], c[sweep.layout().J(i, 1)].value, 1e-12);
}

}  // namespace
}  // namespace parid::test
