// The one idea, held to: every formulation gives the same torque in every number type, and every
// kernel gives it on every instruction set that this machine has.

#include <gtest/gtest.h>

#include "model/format/load.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/kernel.hpp"
#include "scalar/counted.hpp"
#include "scalar/dual.hpp"
#include "scalar/pack.hpp"
#include "tests/layer.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

// Robots with canonical frames that are twists and turns only, and others.
std::vector<Robot> robots() {
  std::vector<Robot> all;
  for (const char* name : {"puma560", "stanford", "panda", "ur5", "scara", "planar2", "quadruped",
                           "humanoid", "chain:1", "chain:12", "orthogonal:7"})
    all.push_back(Robot::load(name));
  Rng rng(1);
  for (int n : {2, 5, 9, 17}) {
    all.emplace_back(random_tree(rng, n,
                                 {.prismatic = 0.3,
                                  .fixed = 0.3,
                                  .planar = 0.2,
                                  .spherical = 0.2,
                                  .floating_base = n > 5,
                                  .tips = true}));
    all.emplace_back(random_chain(rng, n, {.prismatic = 0.3}));
  }
  Description led = random_chain(rng, 6, {.prismatic = 0.3});
  led.name = "mimic";
  led.joints[1].mimic = Mimic{"joint5", -0.7, 0.3};
  all.emplace_back(led);
  return all;
}

RandomState rounded_to_float(RandomState s) {
  for (auto* part : {&s.q, &s.v, &s.a})
    for (double& x : *part) x = static_cast<float>(x);
  return s;
}

// A base that moves and a wrench on the tip, so that these too go through every number type.
ExternalLoads something_going_on(const Robot& robot) {
  ExternalLoads around;
  around.set_base_motion(robot, {0.3, -0.2, 0.5}, {1, 2, -1.5}, {-1, 0.5, 2});
  around.add_wrench(robot, robot.tip(), {5, -7, 3}, {0.5, 1, -2});
  return around;
}

// ---- kernels
// ---------------------------------------------------------------------------------------

template <class Real>
void expect_kernel(const KernelSet& set,
                   std::unique_ptr<Kernel<Real>> (*make)(const CanonicalModel&), const Robot& robot,
                   double tolerance) {
  const auto kernel = make(robot.canonical());
  const ExternalLoads external_loads[] = {ExternalLoads{}, something_going_on(robot),
                                          ExternalLoads{}};
  Rng rng(2);
  for (const ExternalLoads& around : external_loads) {
    kernel->set_base_motion(around.base);
    kernel->set_external(around.external);
    for (int rows = 1; rows <= kernel->lanes(); ++rows) {
      std::vector<Real> q, v, a, tau(rows * robot.nv(), Real(NAN));
      std::vector<Torques> expected;
      for (int r = 0; r < rows; ++r) {
        RandomState s = random_state(rng, robot.description());
        if (sizeof(Real) == sizeof(float)) s = rounded_to_float(s);
        q.insert(q.end(), s.q.begin(), s.q.end());
        v.insert(v.end(), s.v.begin(), s.v.end());
        a.insert(a.end(), s.a.begin(), s.a.end());
        expected.push_back(reference_torques(robot, s, around));
      }
      kernel->inverse_dynamics(q.data(), v.data(), a.data(), tau.data(), rows);
      for (int r = 0; r < rows; ++r)
        EXPECT_LE(relative_error(
                      Torques(tau.begin() + r * robot.nv(), tau.begin() + (r + 1) * robot.nv()),
                      expected[r]),
                  tolerance)
            << set.name << ", " << robot.name() << ", row " << r << " of " << rows;
    }
  }
}

TEST(Kernels, OfEveryInstructionSetGiveTheReferencesTorques) {
  ASSERT_FALSE(kernel_sets<KernelSet>().empty());
  EXPECT_STREQ(kernel_sets<KernelSet>().front().name, "baseline");
  for (const KernelSet& set : kernel_sets<KernelSet>())
    for (const Robot& robot : robots()) {
      expect_kernel<double>(set, set.single, robot, 1e-12);
      expect_kernel<double>(set, set.batch, robot, 1e-12);
      expect_kernel<float>(set, set.single_float, robot, 1e-4);
      expect_kernel<float>(set, set.batch_float, robot, 1e-4);
    }
}

TEST(Kernels, TakeARowAtATimeOrARegisterOfRows) {
  const Robot robot = Robot::load("puma560");
  for (const KernelSet& set : kernel_sets<KernelSet>()) {
    const int bytes = set.name == std::string("avx512") ? 64
                      : set.name == std::string("avx2") ? 32
                                                        : 16;
    EXPECT_EQ(set.single(robot.canonical())->lanes(), 1);
    EXPECT_EQ(set.batch(robot.canonical())->lanes(), bytes / 8);
    EXPECT_EQ(set.single_float(robot.canonical())->lanes(), 1);
    EXPECT_EQ(set.batch_float(robot.canonical())->lanes(), bytes / 4);
  }
}

// ---- formulations
// ----------------------------------------------------------------------------------

template <class T>
struct As {  // coordinates in type T, and T's value back; packs carry another state in each lane
  static T number(const std::vector<RandomState>& s, std::vector<double> RandomState::*part,
                  int k) {
    return T((s[0].*part)[k]);
  }
  static double value(const T& x, int) { return static_cast<double>(x); }
  static constexpr int lanes = 1;
};
template <>
struct As<Counted> {
  static Counted number(const std::vector<RandomState>& s, std::vector<double> RandomState::*part,
                        int k) {
    return Counted((s[0].*part)[k]);
  }
  static double value(const Counted& x, int) { return x.value; }
  static constexpr int lanes = 1;
};
template <int N, class R>
struct As<Dual<N, R>> {
  static Dual<N, R> number(const std::vector<RandomState>& s,
                           std::vector<double> RandomState::*part, int k) {
    Dual<N, R> x;
    x.value = As<R>::number(s, part, k);
    return x;
  }
  static double value(const Dual<N, R>& x, int lane) { return As<R>::value(x.value, lane); }
  static constexpr int lanes = As<R>::lanes;
};
template <int W, class R, class I>
struct As<Pack<W, R, I>> {
  static Pack<W, R, I> number(const std::vector<RandomState>& s,
                              std::vector<double> RandomState::*part, int k) {
    Pack<W, R, I> x;
    for (int lane = 0; lane < W; ++lane) x.set(lane, static_cast<R>((s[lane].*part)[k]));
    return x;
  }
  static double value(const Pack<W, R, I>& x, int lane) { return x[lane]; }
  static constexpr int lanes = W;
};

// The most general case of formulation F: a rotating base with a wrench, or an accelerating base.
template <template <class> class F>
ExternalLoads as_much_as(const Robot& robot) {
  ExternalLoads around = something_going_on(robot);
  if (!F<double>::scope.turning_base) around.set_base_motion(robot, {}, {}, {-1, 0.5, 2});
  if (!F<double>::scope.wrenches) around.external.clear();
  return around;
}

template <template <class> class F>
bool covers(const Robot& robot) {
  return outside(F<double>::scope, robot.canonical().topology).empty();
}

template <template <class> class F, class T>
void expect_formulation(const Robot& robot, double tolerance) {
  Rng rng(3);
  std::vector<RandomState> states;
  for (int k = 0; k < As<T>::lanes; ++k)
    states.push_back(rounded_to_float(random_state(rng, robot.description())));
  auto read = [&](std::vector<double> RandomState::*part) {
    return [&, part](int k) { return As<T>::number(states, part, k); };
  };
  const ExternalLoads around = as_much_as<F>(robot);
  const std::vector<T> tau = torques_in<F, T>(robot.canonical(), read(&RandomState::q),
                                              read(&RandomState::v), read(&RandomState::a), around);
  for (int lane = 0; lane < As<T>::lanes; ++lane) {
    Torques ours;
    for (const T& x : tau) ours.push_back(As<T>::value(x, lane));
    EXPECT_LE(relative_error(ours, reference_torques(robot, states[lane], around)), tolerance)
        << F<T>::id << ", " << robot.name() << ", lane " << lane;
  }
}

TEST(Formulations, GiveTheSameTorqueInEveryNumberType) {
  for (const Robot& robot : robots())
    Formulations::each([&]<template <class> class F>() {
      if (!F<double>::exact || !covers<F>(robot)) return;
      expect_formulation<F, double>(robot, 1e-12);
      expect_formulation<F, float>(robot, 1e-4);
      expect_formulation<F, Counted>(robot, 1e-12);
      expect_formulation<F, Pack<1>>(robot, 1e-12);
      expect_formulation<F, Pack<2>>(robot, 1e-12);
      expect_formulation<F, Pack<4>>(robot, 1e-12);
      expect_formulation<F, Pack<8>>(robot, 1e-12);
      expect_formulation<F, Pack<8, float>>(robot, 1e-4);
      expect_formulation<F, Dual<1>>(robot, 1e-12);
      expect_formulation<F, Dual<2, Pack<4>>>(robot, 1e-12);
    });
}

TEST(Formulations, CountOperationsThatDoNotDependOnTheState) {
  for (const Robot& robot : robots())
    Formulations::each([&]<template <class> class F>() {
      if (!covers<F>(robot)) return;
      OperationCount counts[2];
      for (int seed : {0, 1}) {
        Rng rng(seed);
        const std::vector<RandomState> s{random_state(rng, robot.description())};
        auto read = [&](std::vector<double> RandomState::*part) {
          return [&, part](int k) { return As<Counted>::number(s, part, k); };
        };
        Counted::reset();
        torques_in<F, Counted>(robot.canonical(), read(&RandomState::q), read(&RandomState::v),
                               read(&RandomState::a));
        counts[seed] = Counted::count();
      }
      EXPECT_EQ(counts[0], counts[1]) << F<double>::id << ", " << robot.name();
      EXPECT_GT(counts[0].multiplications, 0) << F<double>::id << ", " << robot.name();
    });
}

// By hand, for a chain of hinges, each link: to and from the mechanism 1m 2a; its place 12m 6a;
// outward 44m 40a; its own force and moment 42m 39a; inward 24m 24a. Gravity at the base is 3a.
TEST(Formulations, NewtonEulerCostsWhatItsEquationsSay) {
  for (int n : {1, 2, 7, 12}) {
    const Robot robot = Robot::load("chain:" + std::to_string(n));
    Rng rng(5);
    const std::vector<RandomState> s{random_state(rng, robot.description())};
    auto read = [&](std::vector<double> RandomState::*part) {
      return [&, part](int k) { return As<Counted>::number(s, part, k); };
    };
    Counted::reset();
    torques_in<NewtonEulerLinkDense, Counted>(robot.canonical(), read(&RandomState::q),
                                              read(&RandomState::v), read(&RandomState::a));
    const OperationCount c = Counted::count();
    EXPECT_EQ(c.multiplications, 120 * n);
    EXPECT_EQ(c.additions, 111 * n + 3);
    EXPECT_EQ(c.sin_cos, n);
    EXPECT_EQ(c.divisions + c.square_roots + c.atan2, 0);
    EXPECT_EQ(c.of(VectorOp::matrix_vector), 7 * n);
    EXPECT_EQ(c.of(VectorOp::cross), 2 * n);
    EXPECT_EQ(c.of(VectorOp::add), 6 * n + 1);
    EXPECT_EQ(c.of(VectorOp::scale), n);
    EXPECT_EQ(c.of(VectorOp::dot), 0);
  }
}

// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a by dual numbers against differences.
TEST(Formulations, AreDifferentiatedByDualNumbers) {
  Rng rng(4);
  for (const char* name : {"puma560", "stanford", "panda"}) {
    const Robot robot = Robot::load(name);
    const RandomState s = random_state(rng, robot.description());
    double size = 0;
    for (auto part : {&RandomState::q, &RandomState::v, &RandomState::a})
      for (int i = 0; i < robot.nv(); ++i) {
        auto read = [&](std::vector<double> RandomState::*p) {
          return [&, p](int k) {
            return p == part && k == i ? Dual<1>::variable((s.*p)[k], 0) : Dual<1>((s.*p)[k]);
          };
        };
        const auto tau = torques_in<NewtonEulerLinkDense, Dual<1>>(
            robot.canonical(), read(&RandomState::q), read(&RandomState::v), read(&RandomState::a));
        const double h = 1e-5;
        RandomState more = s, less = s;
        (more.*part)[i] += h;
        (less.*part)[i] -= h;
        const Torques up = reference_torques(robot, more), down = reference_torques(robot, less);
        for (int k = 0; k < robot.nv(); ++k) {
          EXPECT_NEAR(tau[k].d[0], (up[k] - down[k]) / (2 * h), 1e-6 * (1 + std::abs(up[k])));
          size = std::max(size, std::abs(tau[k].d[0]));
        }
      }
    EXPECT_GT(size, 1) << name;
  }
}

}  // namespace
}  // namespace parid::test
