// Every quantity, by every kernel and formulation, on random robots, compared with independent
// dynamics in the file's frames (runtime/verify/reference_dynamics.hpp); also at angles of a
// million radians.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "codegen/trace/generate.hpp"
#include "graph/evaluate.hpp"
#include "lookup/methods.hpp"
#include "parid/inverse_kinematics.hpp"
#include "parid/parid.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/verify/reference_check.hpp"
#include "runtime/verify/reference_dynamics.hpp"
#include "runtime/verify/verifier.hpp"
#include "scalar/quad.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/oracle/odd_robot.hpp"

namespace parid::test {
namespace {

constexpr double reaches[] = {3, 60, 1e3, 1e6};

double bound(Quantity what) {
  const std::string name = parid::name(what);
  for (const char* derivative : {"gradient", "jvp", "vjp", "hvp"})
    if (name.find(derivative) != std::string::npos) return 1e-9;
  return 1e-12;
}

// Arrays of one sample of a quantity.
struct Sample {
  std::vector<std::vector<double>> in, out;
  std::vector<const double*> in_at, out_at;
  Sample(const Robot& robot, Quantity what, const RandomState& s) {
    const Shape shape = shape_of(robot, what);
    const std::vector<double>* given[] = {&s.q, &s.v, &s.a};
    for (std::size_t k = 0; k < shape.in.size(); ++k) {
      in.push_back(k < 3 ? *given[k] : s.a);
      if (k < 3) continue;
      in[k].resize(shape.in[k]);
      for (std::size_t i = 0; i < in[k].size(); ++i)  // weights and directions
        in[k][i] = std::sin(1.7 * static_cast<double>(7 * k + 3 * i));
    }
    for (const std::size_t n : shape.out) out.emplace_back(n, NAN);
    for (const auto& a : in) in_at.push_back(a.data());
    for (const auto& a : out) out_at.push_back(a.data());
  }
};

void by_engine(Engine& engine, Quantity what, const std::string& link, Sample& x) {
  std::vector<StridedInput> in;
  std::vector<StridedOutput> out;
  for (const auto& a : x.in) in.push_back({a.data(), a.size()});
  for (auto& a : x.out) out.push_back({a.data(), a.size()});
  engine.evaluate(what, 1, in, out, {}, link);
}

void by_workspace(const Robot& robot, Workspace& w, Quantity what, const std::string& link,
                  Sample& x) {
  auto& [in, out, in_at, out_at] = x;
  if (what == Quantity::inverse_dynamics) inverse_dynamics(robot, w, in[0], in[1], in[2], out[0]);
  if (what == Quantity::forward_dynamics) forward_dynamics(robot, w, in[0], in[1], in[2], out[0]);
  if (what == Quantity::mass_matrix) mass_matrix(robot, w, in[0], out[0]);
  if (what == Quantity::bias) bias(robot, w, in[0], in[1], out[0]);
  if (what == Quantity::gravity) gravity(robot, w, in[0], out[0]);
  if (what == Quantity::inverse_gradient)
    inverse_gradient(robot, w, in[0], in[1], in[2], out[0], out[1], out[2]);
  if (what == Quantity::forward_gradient)
    forward_gradient(robot, w, in[0], in[1], in[2], out[0], out[1], out[2]);
  if (what == Quantity::regressor) regressor(robot, w, in[0], in[1], in[2], out[0]);
  if (what == Quantity::energy) {
    const EnergyState e = energy(robot, w, in[0], in[1]);
    out[0][0] = e.kinetic;
    out[1][0] = e.potential;
    const std::array<double, 3>* three[] = {&e.centre, &e.centre_velocity, &e.linear_momentum,
                                            &e.angular_momentum};
    for (std::size_t k = 0; k < 4; ++k) out[2 + k].assign(three[k]->begin(), three[k]->end());
    for (std::size_t k = 0; k < 6; ++k) out_at[k] = out[k].data();
  }
  if (what == Quantity::kinematics || what == Quantity::jacobian) {
    Kinematics k(robot);
    k.set(in[0]);
    const int at = robot.find_link(link);
    if (what == Quantity::jacobian) return k.jacobian(at, out[0]);
    const LinkPose pose = k.pose(at);
    std::copy_n(pose.rotation.data(), 9, out[0].data());
    std::copy_n(pose.position.data(), 3, out[1].data());
    return;
  }
  if (std::isnan(out[0][0])) {  // none of the above
    std::vector<std::span<const double>> from(in.begin(), in.end());
    std::vector<std::span<double>> to(out.begin(), out.end());
    evaluate(robot, w, what, from, to, link.empty() ? -1 : robot.find_link(link));
  }
}

void by_workspace(const Robot& robot, Quantity what, const std::string& link, Sample& x) {
  Workspace w(robot);
  by_workspace(robot, w, what, link, x);
}

// If a quantity needs a link, any; else none.
std::string link_for(Rng& rng, const Robot& robot, Quantity what) {
  const std::vector<std::string> links = robot.link_names();
  return info(what).needs_link ? links[rng() % links.size()] : "";
}

std::vector<RandomState> states_of(Rng& rng, const Robot& robot) {
  std::vector<RandomState> states;
  for (const double reach : reaches) states.push_back(far_state(rng, robot.description(), reach));
  return states;
}

// The largest error of an answer at these states.
double worst(const Robot& robot, Quantity what, const std::string& link,
             const std::vector<RandomState>& states, const std::function<void(Sample&)>& answer) {
  PlainCheck check(robot, what, link);
  double most = 0;
  for (const RandomState& s : states) {
    Sample x(robot, what, s);
    answer(x);
    const double error = check.error(x.in_at.data(), x.out_at.data());
    most = std::isnan(error) ? INFINITY : std::max(most, error);
  }
  return most;
}
double worst_by_engine(const Robot& robot, Quantity what, const std::string& link,
                       const std::vector<RandomState>& states, KernelKind kind) {
  Engine engine(robot, {.threads = 1, .quantities = {}});
  engine.prepare(what, kind, link);
  return worst(robot, what, link, states, [&](Sample& x) { by_engine(engine, what, link, x); });
}

TEST(Oracle, EveryQuestionByTheLibrarysKernels) {
  for (int seed = 1; seed <= cases(24, 400); ++seed) {
    const Robot robot(odd_robot(static_cast<unsigned>(seed)));
    Rng rng(static_cast<unsigned>(seed));
    const std::vector<RandomState> states = states_of(rng, robot);
    for (const Quantity what : batched_quantities()) {
      const std::string link = link_for(rng, robot, what);
      EXPECT_LT(
          worst(robot, what, link, states, [&](Sample& x) { by_workspace(robot, what, link, x); }),
          bound(what))
          << robot.name() << ", " << parid::name(what) << ", one sample";
      EXPECT_LT(worst_by_engine(robot, what, link, states, KernelKind::generic), bound(what))
          << robot.name() << ", " << parid::name(what) << ", batch";
    }
  }
}

TEST(Oracle, EveryFormulation) {
  for (int seed = 1; seed <= cases(24, 400); ++seed) {
    const Robot robot(odd_robot(static_cast<unsigned>(seed)));
    Rng rng(static_cast<unsigned>(seed));
    const std::vector<RandomState> states = states_of(rng, robot);
    for (const MethodEntry& m : methods()) {
      if (!m.exact || m.why_not || !cannot(m, robot).empty()) continue;
      const std::unique_ptr<Method> method = make_method(m, robot, {});
      EXPECT_LT(worst(robot, Quantity::inverse_dynamics, "", states,
                      [&](Sample& x) {
                        method->torque(x.in[0].data(), x.in[1].data(), x.in[2].data(),
                                       x.out[0].data());
                      }),
                1e-12)
          << robot.name() << ", " << m.id;
    }
  }
}

TEST(Oracle, EveryQuestionByInterpretedPrograms) {
  for (int seed = 1; seed <= cases(8, 400); ++seed) {
    const Robot robot(odd_robot(static_cast<unsigned>(seed)));
    Rng rng(static_cast<unsigned>(seed));
    const std::vector<RandomState> states = states_of(rng, robot);
    for (const Quantity what : batched_quantities()) {
      // Gradients of four joints and more take long to trace.
      if (!full_tests() && robot.nv() > 3 && bound(what) > 1e-12) continue;
      const std::string link = link_for(rng, robot, what);
      EXPECT_LT(worst_by_engine(robot, what, link, states, KernelKind::interpreted), bound(what))
          << robot.name() << ", " << parid::name(what);
    }
  }
}

// To compile takes a second: inverse dynamics, and one more quantity by turns.
TEST(Oracle, CompiledPrograms) {
  const std::vector<Quantity> all = batched_quantities();
  for (int seed = 1; seed <= cases(2, 400); ++seed) {
    const Robot robot(odd_robot(static_cast<unsigned>(seed)));
    Rng rng(static_cast<unsigned>(seed));
    const std::vector<RandomState> states = states_of(rng, robot);
    const Quantity by_turns = all[1 + static_cast<std::size_t>(seed) % (all.size() - 1)];
    for (const Quantity what : {all[0], by_turns}) {
      const std::string link = link_for(rng, robot, what);
      EXPECT_LT(worst_by_engine(robot, what, link, states, KernelKind::compiled), bound(what))
          << robot.name() << ", " << parid::name(what);
      Workspace one(robot);
      ASSERT_TRUE(one.compile(what, link)) << one.note();
      ASSERT_TRUE(one.compiled(what));
      EXPECT_LT(worst(robot, what, link, states,
                      [&](Sample& x) { by_workspace(robot, one, what, link, x); }),
                bound(what))
          << robot.name() << ", " << parid::name(what) << ", one sample";
    }
  }
}

// Small robots, so that every quantity is compiled; wrenches turn to the generic kernels.
TEST(Oracle, EveryQuantityCompiledForOneSample) {
  for (int seed = 1; seed <= cases(1, 20); ++seed) {
    Rng rng(static_cast<unsigned>(seed));
    const Robot robot(random_tree(rng, 3, {}));
    const std::vector<RandomState> states = states_of(rng, robot);
    Workspace one(robot);
    for (const Quantity what : batched_quantities()) {
      const std::string link = link_for(rng, robot, what);
      EXPECT_FALSE(one.compiled(what));
      ASSERT_TRUE(one.compile(what, link)) << parid::name(what) << ": " << one.note();
      EXPECT_TRUE(one.compiled(what));
      EXPECT_LT(worst(robot, what, link, states,
                      [&](Sample& x) { by_workspace(robot, one, what, link, x); }),
                bound(what))
          << robot.name() << ", " << parid::name(what);
    }
    Workspace plain(robot);
    for (Workspace* w : {&one, &plain}) w->set_wrench(robot.tip(), {3, -2, 1}, {0.5, 0, 0.2});
    for (const Quantity what : {Quantity::inverse_dynamics, Quantity::forward_dynamics,
                                Quantity::inverse_gradient, Quantity::bias}) {
      Sample x(robot, what, states[0]), y(robot, what, states[0]);
      by_workspace(robot, one, what, "", x);
      by_workspace(robot, plain, what, "", y);
      EXPECT_EQ(x.out, y.out) << parid::name(what);
    }
  }
}

TEST(Oracle, NearlyRightAnglesInPrograms) {
  for (int seed = 1; seed <= cases(32, 400); ++seed) {
    const Robot robot(nearly_right_gimbal(static_cast<unsigned>(seed)));
    Rng rng(static_cast<unsigned>(seed));
    const std::vector<RandomState> states{far_state(rng, robot.description(), 3),
                                          far_state(rng, robot.description(), 3)};
    for (const Quantity what :
         {Quantity::inverse_dynamics, Quantity::gravity, Quantity::mass_matrix})
      EXPECT_LT(worst_by_engine(robot, what, "", states, KernelKind::interpreted), 1e-12)
          << robot.name() << ", " << parid::name(what);
  }
}

// Hinges whose zeros are shifted against each other, so that every frame has an offset.
Description shifted_zeros(int n) {
  Rng rng(7);
  Description d = random_base(rng, "shifted");
  for (int i = 0; i < n; ++i) {
    add_random_link(rng, d, d.links.back().name, JointType::revolute, {});
    JointDescription& j = d.joints.back();
    j.origin = {rotation_rpy({std::numbers::pi / 2, 0, 0.7}), {0.3, 0.1, 0}};
    j.axis = {0, 0, 1};
  }
  return d;
}

TEST(Oracle, HugeAnglesPlusOffsets) {
  Description follows = shifted_zeros(4);
  follows.joints[2].mimic = Mimic{follows.joints[1].name, -1.3, 0.2};
  follows.joints[3].mimic = Mimic{follows.joints[0].name, 1.0 / 3, 1000};
  for (const Description& d : {shifted_zeros(3), follows}) {
    const Robot robot(d);
    std::vector<RandomState> states;
    Rng rng(3);
    for (const double angle : {65.0, 1e4, 1e6, 1e9, 1e15, 1e300}) {
      // long double rounds multiplier · q, so that the reference is not good for larger ones
      if (angle > 1e6 && d.joints[2].mimic) continue;
      states.push_back(random_state(rng, d));
      for (double& x : states.back().q) x = angle;
    }
    for (const Quantity what : batched_quantities())
      EXPECT_LT(worst_by_engine(robot, what, "", states, KernelKind::generic), bound(what))
          << parid::name(what);
    for (const Quantity what : {Quantity::inverse_dynamics, Quantity::kinematics})
      EXPECT_LT(worst_by_engine(robot, what, "", states, KernelKind::interpreted), 1e-12)
          << parid::name(what);
    EXPECT_LT(worst_by_engine(robot, Quantity::inverse_dynamics, "", states, KernelKind::compiled),
              1e-12);
    Workspace own(robot);
    own.compile();
    EXPECT_LT(worst(robot, Quantity::inverse_dynamics, "", states,
                    [&](Sample& x) {
                      inverse_dynamics(robot, own, x.in[0], x.in[1], x.in[2], x.out[0]);
                    }),
              1e-12);
  }
}

// Multipliers times angles are not rounded: 113 bits hold the product of two doubles.
TEST(Oracle, FollowersOfHugeAngles) {
  Description d = shifted_zeros(4);
  d.joints[2].mimic = Mimic{d.joints[1].name, -1.3, 0.2};
  d.joints[3].mimic = Mimic{d.joints[0].name, 1.0 / 3, -1.5708};
  const Robot robot(d);
  ReferenceDynamics<Quad> plain(d);
  if (Quad::bits < 113) GTEST_SKIP() << "no numbers of 113 bits here";
  Workspace workspace(robot);
  for (const double angle : {1e3, 1e6, 1e9, 1e12}) {
    const std::vector<double> q{angle, -0.7 * angle}, v{0.3, -0.4}, a{1, 2};
    std::vector<double> tau(2);
    inverse_dynamics(robot, workspace, q, v, a, tau);
    auto quad = [](const std::vector<double>& x) { return std::vector<Quad>(x.begin(), x.end()); };
    const std::vector<Quad> right = plain.torque(quad(q), quad(v), quad(a));
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_NEAR(tau[k], static_cast<double>(right[k]), 1e-12 * 20) << angle;
  }
}

// Of the same rounded inputs. Angles of a million radians are no worse than others.
TEST(Oracle, SinglePrecisionAtLargeAngles) {
  for (const int n : {3, 6}) {
    const Robot robot(shifted_zeros(n));
    PlainCheck check(robot, Quantity::inverse_dynamics);
    for (const KernelKind kind :
         {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled}) {
      if (kind == KernelKind::compiled && n > 3) continue;
      Engine engine(robot, {.threads = 1, .kernel = kind, .single_precision = true});
      Rng rng(5);
      for (const double reach : {3.0, 60.0, 1e3, 1e6, 1e8}) {
        for (int round = 0; round < 10; ++round) {
          const RandomState s = far_state(rng, robot.description(), reach);
          const std::vector<float> q(s.q.begin(), s.q.end()), v(s.v.begin(), s.v.end()),
              a(s.a.begin(), s.a.end());
          std::vector<float> tau(static_cast<std::size_t>(n));
          engine.inverse_dynamics(1, q, v, a, tau);
          const std::vector<double> in[] = {{q.begin(), q.end()},
                                            {v.begin(), v.end()},
                                            {a.begin(), a.end()}},
                                    out(tau.begin(), tau.end());
          const double* in_at[] = {in[0].data(), in[1].data(), in[2].data()};
          const double* out_at[] = {out.data()};
          EXPECT_LT(check.error(in_at, out_at), 2e-6) << name(kind) << " " << n << " " << reach;
        }
      }
    }
  }
}

// One sample with its links in lanes, and a register of samples.
TEST(Oracle, LongChains) {
  const Robot robot(shifted_zeros(40));
  Rng rng(4);
  const std::vector<RandomState> states = states_of(rng, robot);
  EXPECT_LT(worst(robot, Quantity::inverse_dynamics, "", states,
                  [&](Sample& x) { by_workspace(robot, Quantity::inverse_dynamics, "", x); }),
            1e-12);
  EXPECT_LT(worst_by_engine(robot, Quantity::inverse_dynamics, "", states, KernelKind::generic),
            1e-12);
  EXPECT_LT(worst_by_engine(robot, Quantity::forward_dynamics, "", states, KernelKind::generic),
            1e-12);
}

TEST(Oracle, WhatActsFromOutside) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const Robot robot(odd_robot(seed));
    Rng rng(seed);
    ExternalLoads around;
    around.set_base_motion(robot, {0.1, 0.2, 0.3}, {0, 0, 1}, {1, 0, 0});
    for (const std::string& link : robot.link_names())
      around.add_wrench(robot, link, {1, 2, 3}, {4, -5, 6});
    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
    engine.set_external_loads(around);
    for (const Quantity what : {Quantity::inverse_dynamics, Quantity::forward_dynamics,
                                Quantity::bias, Quantity::gravity, Quantity::inverse_gradient}) {
      PlainCheck check(robot, what, "", around), without(robot, what);
      Sample x(robot, what, random_state(rng, robot.description()));
      by_engine(engine, what, "", x);
      EXPECT_LT(check.error(x.in_at.data(), x.out_at.data()), bound(what))
          << seed << " " << parid::name(what);
      EXPECT_GT(without.error(x.in_at.data(), x.out_at.data()), 1e-6)
          << seed << " " << parid::name(what);
    }
  }
}

// The reference by itself: forces that nothing but energy explains. Along any motion the power that
// torques put in is the rate at which energy changes.
TEST(Oracle, ThePlainTorquesArePower) {
  using D = Dual<1, long double>;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Description d = odd_robot(seed);
    Rng rng(seed);
    const RandomState s = random_state(rng, d);
    ReferenceDynamics<long double> plain(d);
    const std::vector<long double> q(s.q.begin(), s.q.end()), v(s.v.begin(), s.v.end()),
        a(s.a.begin(), s.a.end()), rate = plain.position_rates(q, v), tau = plain.torque(q, v, a);
    std::vector<D> at(q.size()), moving(v.size());
    for (std::size_t k = 0; k < q.size(); ++k) {
      at[k].value = q[k];
      at[k].d[0] = rate[k];
    }
    for (std::size_t k = 0; k < v.size(); ++k) {
      moving[k].value = v[k];
      moving[k].d[0] = a[k];
    }
    const PlainEnergy<D> e = ReferenceDynamics<D>(d).energy(at, moving);
    long double power = 0, size = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      power += tau[k] * v[k];
      size += std::abs(tau[k] * v[k]);
    }
    EXPECT_LT(std::abs(power - (e.kinetic.d[0] + e.potential.d[0])), 1e-13L * size) << d.name;
  }
}

// What generated programs compute, in double and in single precision, up to the angles that
// docs/accuracy.md gives for them.
TEST(Oracle, GeneratedProgramsWithinTheirAngles) {
  for (int seed = 0; seed <= cases(12, 400); ++seed) {
    const Robot robot(seed == 0 ? shifted_zeros(3) : odd_robot(static_cast<unsigned>(seed)));
    const Graph g = generate(robot, Quantity::inverse_dynamics).program.graph;
    Rng rng(static_cast<unsigned>(seed));
    const std::vector<RandomState> states{far_state(rng, robot.description(), 64)};
    EXPECT_LT(worst(robot, Quantity::inverse_dynamics, "", states,
                    [&](Sample& x) {
                      std::vector<double> in = x.in[0];
                      for (const auto* more : {&x.in[1], &x.in[2]})
                        in.insert(in.end(), more->begin(), more->end());
                      const std::vector<double> out = evaluate(g, in);
                      std::copy(out.begin(), out.end(), x.out[0].begin());
                    }),
              1e-12)
        << robot.name();
    RandomState s = far_state(rng, robot.description(), 8);
    std::vector<float> in;
    for (std::vector<double>* x : {&s.q, &s.v, &s.a})
      for (double& y : *x) {
        in.push_back(static_cast<float>(y));
        y = in.back();
      }
    const std::vector<float> out = evaluate<float>(g, in);
    EXPECT_LT(worst(robot, Quantity::inverse_dynamics, "", {s},
                    [&](Sample& x) { std::copy(out.begin(), out.end(), x.out[0].begin()); }),
              4e-6)
        << robot.name();
  }
}

// A finger on a mimic joint whose leader moves another one.
TEST(Oracle, InverseKinematicsThroughAFollowerAlone) {
  Rng rng(2);
  Description d = random_base(rng, "fingers");
  for (const char* parent : {"link0", "link0", "link2"})
    add_random_link(rng, d, parent, JointType::revolute, {});
  d.joints[1].mimic = Mimic{"joint1", -2.5, 0.4};
  const Robot robot(d);
  const std::vector<double> q{0.3, -0.5};
  const LinkPose wanted = link_pose(robot, q, "link3");
  InverseKinematics ik(robot, "link3");
  const IkSolution found = ik.solve(wanted);
  ASSERT_TRUE(found) << found.why;
  const LinkPose again = link_pose(robot, found.q, "link3");
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(again.position[k], wanted.position[k], 1e-8);
}

TEST(Oracle, VerificationNoticesAnAngleThatIsOffByTheLastDigitsOfALargeOne) {
  const Robot robot(shifted_zeros(3));
  Rng rng(1);
  RandomState s = far_state(rng, robot.description(), 3);
  for (double& x : s.q) x = 1e9;
  Sample x(robot, Quantity::inverse_dynamics, s);
  by_workspace(robot, Quantity::inverse_dynamics, "", x);
  Verifier verifier(robot);
  EXPECT_LT(verifier.error(x.in_at.data(), x.out_at.data()), 1e-12);
  // what adding the offset first makes of it
  for (double& y : s.q) y += 5e-8;
  Sample off(robot, Quantity::inverse_dynamics, {std::vector<double>(3, 1e9 + 1.2e-7), s.v, s.a});
  by_workspace(robot, Quantity::inverse_dynamics, "", off);
  EXPECT_GT(verifier.error(x.in_at.data(), off.out_at.data()),
            Verifier::tolerance(Quantity::inverse_dynamics, false));
}

}  // namespace
}  // namespace parid::test
