// The linearised loop against its definition: tracking errors and every stale variable as states,
// one period of the robot itself, differentiated by differences, and all eigenvalues.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "control/law.hpp"
#include "control/stability/spectral_radius.hpp"
#include "control/stability/stability.hpp"
#include "parid/dynamics.hpp"
#include "tests/control/arms.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

class OnePeriod {
 public:
  OnePeriod(const Robot& robot, const LawDesign& design, const std::vector<double>& pose,
            double period)
      : robot_(robot),
        workspace_(robot),
        law_(robot.canonical(), LawKind::computed_torque, design.gains),
        n_(robot.nv()),
        depth_(design.policy.depth()),
        period_(period),
        here_{pose, std::vector<double>(n_), std::vector<double>(n_)} {
    law_.set_policy(design.policy);
    std::vector<double> tau(n_);
    law_.start(here_, here_, here_.q.data(), here_.v.data(), tau.data());
  }

  // The state: q, v, then the recursion's past.
  VectorXd rest() {
    VectorXd x = VectorXd::Zero(2 * n_ + 3 * stale_variables * n_ * depth_);
    for (int k = 0; k < n_; ++k) x[k] = here_.q[k];
    past([&](double& y, int at) { x[at] = y; });
    return x;
  }
  VectorXd operator()(const VectorXd& x) {
    std::vector<double> q(x.data(), x.data() + n_), v(x.data() + n_, x.data() + 2 * n_), tau(n_),
        a(n_);
    past([&](double& y, int at) { y = x[at]; });
    law_.step(here_, here_, q.data(), v.data(), tau.data());
    // Runge and Kutta's midpoints, many.
    constexpr int steps = 40;
    const double h = period_ / steps;
    std::vector<double> mid_q(n_), mid_v(n_);
    for (int s = 0; s < steps; ++s) {
      forward_dynamics(robot_, workspace_, q, v, tau, a);
      for (int k = 0; k < n_; ++k) {
        mid_q[k] = q[k] + h / 2 * v[k];
        mid_v[k] = v[k] + h / 2 * a[k];
      }
      forward_dynamics(robot_, workspace_, mid_q, mid_v, tau, a);
      for (int k = 0; k < n_; ++k) {
        q[k] += h * mid_v[k];
        v[k] += h * a[k];
      }
    }
    VectorXd to = VectorXd::Zero(x.size());
    for (int k = 0; k < n_; ++k) {
      to[k] = q[k];
      to[n_ + k] = v[k];
    }
    past([&](double& y, int at) { to[at] = y; });
    return to;
  }

 private:
  template <class Use>
  void past(const Use& use) {
    int at = 2 * n_;
    for (int age = 0; age < depth_; ++age)
      for (int i = 1; i <= n_; ++i) {
        StaleLink<double>& link = law_.recursion.old(i, age);
        for (Vec3<double>* v :
             {&link.w, &link.wd, &link.alpha, &link.e, &link.ac, &link.f, &link.n})
          for (double* y : {&v->x, &v->y, &v->z}) {
            // The base is stationary: its values are not variables.
            const bool fixed = v == &link.e && robot_.canonical().topology.parent[i] == 0;
            if (!fixed) use(*y, at);
            ++at;
          }
      }
  }
  Robot robot_;
  Workspace workspace_;
  StaleLaw<double> law_;
  int n_, depth_;
  double period_;
  Desired here_;
};

TEST(Lifted, AllStaleVariablesAsStatesHaveTheSameRadius) {
  for (const auto& [name, pose] : {std::pair{"planar3", std::vector{0.5, 0.8, -0.6}},
                                   std::pair{"stanford-3", std::vector{0.4, -0.5, 0.4}}}) {
    const Robot robot = Robot::load(name);
    for (const char* id : {"exact", "binder_herzog", "binder_herzog_mixed", "buffered", "yamakita",
                           "yamakita:w.own=5,f.neighbour=3", "hamilton", "hamilton_boxes",
                           "binder_herzog_first", "binder_herzog_first:wd,alpha,e"})
      for (const double period : {2e-3, 8e-3}) {
        const LawDesign law = computed_torque(robot, id, 20);
        OnePeriod step(robot, law, pose, period);
        const VectorXd rest = step.rest();
        MatrixXd J(rest.size(), rest.size());
        constexpr double h = 1e-5;
        for (Eigen::Index k = 0; k < rest.size(); ++k) {
          const VectorXd by = h * VectorXd::Unit(rest.size(), k);
          J.col(k) = (step(rest + by) - step(rest - by)) / (2 * h);
        }
        const double expected = J.eigenvalues().cwiseAbs().maxCoeff();
        EXPECT_NEAR(LinearLoop(robot, law, pose).spectral_radius(period), expected, 2e-5 * expected)
            << name << " " << id << " " << period;
      }
  }
}

// Lifted loops are companion matrices with much that is zero; so are these.
TEST(Lifted, IterationFindsTheRadiusThatAllEigenvaluesHave) {
  std::srand(5);
  for (const int lags : {8, 14, 27}) {
    const int one = 12, size = one * lags;
    MatrixXd A = MatrixXd::Zero(size, size);
    A.topRows(one) = MatrixXd::Random(one, size) * 0.02;
    A.topLeftCorner(one, one) += 0.97 * MatrixXd::Identity(one, one);
    A.bottomLeftCorner(size - one, size - one).setIdentity();
    auto apply = [&](const double* x, double* y) {
      Eigen::Map<VectorXd>(y, size) = A * Eigen::Map<const VectorXd>(x, size);
    };
    const double expected = A.eigenvalues().cwiseAbs().maxCoeff();
    EXPECT_NEAR(spectral_radius(size, apply, 2 * lags + 20), expected, 1e-6 * expected) << lags;
  }
}

}  // namespace
}  // namespace parid::test
