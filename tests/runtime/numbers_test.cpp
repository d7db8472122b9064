// Where numbers get hard: angles of a million radians, links of a microgram beside links of a
// megaton, long chains, single precision, mass matrices that hardly have an inverse.
// docs/accuracy.md states the bounds that are held here.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "parid/parid.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// τ(q) by generic kernels, one sample and batch, and by the robot's own program where there is a
// compiler.
class EveryKernel {
 public:
  explicit EveryKernel(const Robot& robot, bool compiled = true) : robot_(robot) {
    for (const KernelKind kind :
         {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled})
      if (kind != KernelKind::compiled || compiled)
        engines_.push_back(
            std::make_unique<Engine>(robot, EngineOptions{.threads = 1, .kernel = kind}));
  }
  std::vector<Torques> operator()(const RandomState& s) {
    std::vector<Torques> all{torques(robot_, s)};
    for (const auto& engine : engines_) {
      all.emplace_back(static_cast<std::size_t>(robot_.nv()));
      engine->inverse_dynamics(1, s.q, s.v, s.a, all.back());
    }
    return all;
  }

 private:
  const Robot& robot_;
  std::vector<std::unique_ptr<Engine>> engines_;
};

void make_heavier(LinkDescription& link, double factor) {
  if (!link.inertia) return;
  Sym3<double>& i = link.inertia->about_com;
  for (double* x : {&link.inertia->mass, &i.xx, &i.yy, &i.zz, &i.xy, &i.xz, &i.yz}) *x *= factor;
}

TEST(Numbers, AnglesOfAMillionRadians) {
  Rng rng(1);
  for (const char* name : {"puma560", "panda", "quadruped"}) {
    const Robot robot = Robot::load(name);
    EveryKernel by_every_kernel(robot);
    for (int round = 0; round < 20; ++round) {
      RandomState s = random_state(rng, robot.description());
      // The base of a quadruped is no angle.
      for (std::size_t k = s.q.size() - 6; k < s.q.size(); ++k) s.q[k] += uniform(rng, -1e6, 1e6);
      // The C library's sines take any double for exact; so does the reference.
      const Torques right = reference_torques(robot, s);
      for (const Torques& tau : by_every_kernel(s))
        EXPECT_LT(relative_error(tau, right), 1e-12) << name;
    }
  }
}

TEST(Numbers, HugeAnglesStayAnglesAndWhatIsNoNumberStaysNone) {
  const Robot robot = Robot::load("puma560");
  EveryKernel by_every_kernel(robot);
  for (const double angle : {1e9, 1e15, 1e300}) {
    RandomState s{std::vector<double>(6, angle), std::vector<double>(6, 1),
                  std::vector<double>(6, 1)};
    const Torques right = reference_torques(robot, s);
    for (const Torques& tau : by_every_kernel(s)) {
      for (const double t : tau) EXPECT_TRUE(std::isfinite(t)) << angle;
      EXPECT_LT(relative_error(tau, right), 1e-12) << angle;
    }
  }
  for (const double bad : {double(NAN), double(INFINITY)}) {
    RandomState s{std::vector<double>(6, 0.1), std::vector<double>(6, 1),
                  std::vector<double>(6, 1)};
    s.q[1] = bad;
    for (const Torques& tau : by_every_kernel(s)) EXPECT_TRUE(std::isnan(tau[1])) << bad;
  }
}

// Torques are linear in the bodies: a robot 2^30 times as heavy needs 2^30 times the torque, to the
// bit.
TEST(Numbers, MassesOfAllSizes) {
  Rng rng(2);
  for (int round = 0; round < 10; ++round) {
    const Description d = random_chain(rng, 7);
    const RandomState s = random_state(rng, d);
    const Torques tau = torques(Robot(d), s);
    for (const int power : {-30, 30}) {
      Description scaled = d;
      const double factor = std::ldexp(1.0, power);
      for (LinkDescription& l : scaled.links) make_heavier(l, factor);
      for (JointDescription& j : scaled.joints) j.rotor_inertia *= factor;
      const Torques other = torques(Robot(scaled), s);
      for (std::size_t k = 0; k < tau.size(); ++k) EXPECT_EQ(other[k], factor * tau[k]);
    }
  }
}

// Beside one another: every formulation agrees, measured by the largest torque there is.
TEST(Numbers, MicrogramsBesideMegatons) {
  Rng rng(3);
  for (int round = 0; round < 10; ++round) {
    Description d = random_chain(rng, 6);
    for (LinkDescription& l : d.links) make_heavier(l, std::pow(10.0, uniform(rng, -9, 9)));
    const Robot robot(d);
    EveryKernel by_every_kernel(robot, false);  // to compile each of them would take long
    const RandomState s = random_state(rng, d);
    const Torques right = reference_torques(robot, s);
    for (const Torques& tau : by_every_kernel(s)) EXPECT_LT(relative_error(tau, right), 1e-12);
  }
}

TEST(Numbers, AccelerationsGiveTheirTorquesBack) {
  Rng rng(4);
  for (const char* name : {"puma560", "panda", "humanoid", "chain:32"}) {
    const Robot robot = Robot::load(name);
    Workspace workspace(robot);
    const auto n = static_cast<std::size_t>(robot.nv());
    for (int round = 0; round < 5; ++round) {
      const RandomState s = random_state(rng, robot.description());
      Torques a(n), again(n);
      forward_dynamics(robot, workspace, s.q, s.v, s.a, a);
      inverse_dynamics(robot, workspace, s.q, s.v, a, again);
      // The mass matrix of a long chain has a condition of millions; torques still come back.
      EXPECT_LT(relative_error(again, s.a), 1e-9) << name;
    }
  }
}

TEST(Numbers, SinglePrecision) {
  Rng rng(5);
  struct Bound {
    const char* robot;
    double relative;
  };
  for (const Bound& bound :
       {Bound{"puma560", 2e-6}, {"panda", 2e-6}, {"humanoid", 1e-5}, {"chain:64", 1e-4}}) {
    const Robot robot = Robot::load(bound.robot);
    Workspace workspace(robot);
    double worst = 0;
    for (int round = 0; round < 200; ++round) {
      const RandomState s = random_state(rng, robot.description());
      const std::vector<float> q(s.q.begin(), s.q.end()), v(s.v.begin(), s.v.end()),
          a(s.a.begin(), s.a.end());
      std::vector<float> tau(static_cast<std::size_t>(robot.nv()));
      inverse_dynamics(robot, workspace, q, v, a, tau);
      // Of the same rounded inputs, in double.
      const RandomState rounded{{q.begin(), q.end()}, {v.begin(), v.end()}, {a.begin(), a.end()}};
      worst = std::max(worst, relative_error({tau.begin(), tau.end()}, torques(robot, rounded)));
    }
    EXPECT_LT(worst, bound.relative) << bound.robot;
    RecordProperty(bound.robot, std::to_string(worst));
  }
}

TEST(Numbers, LongChains) {
  Rng rng(6);
  const Robot robot = Robot::load("chain:512");
  const RandomState s = random_state(rng, robot.description());
  EXPECT_LT(relative_error(torques(robot, s), reference_torques(robot, s)), 512 * 10 * eps);
}

}  // namespace
}  // namespace parid::test
