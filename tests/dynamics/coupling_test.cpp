// Couplings: joints whose position is a polynomial of another's, or the output angle of a four-bar
// linkage. Against the loop of the linkage's points, against the same robot without mimics, and
// against the reference dynamics in every quantity and by every kernel.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/format/mjcf/mjcf.hpp"
#include "model/format/mjcf/mjcf_writer.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/format/urdf/urdf_writer.hpp"
#include "model/joint/mimic.hpp"
#include "model/lint/check.hpp"
#include "parid/inverse_kinematics.hpp"
#include "parid/parid.hpp"
#include "parid/simulation.hpp"
#include "scalar/dual.hpp"
#include "tests/dynamics/batch_check.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;
constexpr double pi = std::numbers::pi;

constexpr FourBar crank_rocker{1, 0.4, 0.9, 0.8, 0.5, false};
constexpr FourBar double_crank{0.3, 0.8, 0.9, 0.75, -1, false};
constexpr FourBar triple_rocker{1, 0.7, 0.5, 0.4, 0.3, false};

// ---- laws

// Linkages by chance that close at zero, with a range of positions that stays off dead points.
template <class Use>
int each_linkage(const Use& use) {
  Rng rng(3);
  int count = 0;
  for (int trial = 0; trial < 300; ++trial) {
    auto length = [&] { return uniform(rng, 0.2, 1); };
    const FourBar f{length(), length(), length(), length(), uniform(rng, -7, 7), trial % 2 == 0};
    if (!problem_of(f).wrong.empty()) continue;
    const ClosureRange r = closure_range(f);
    const double low = std::isfinite(r.lower) ? r.lower : -20,
                 high = std::isfinite(r.upper) ? r.upper : 20, margin = 0.02 * (high - low);
    use(f, FourBarLaw(f), low + margin, high - margin);
    ++count;
  }
  return count;
}

TEST(Coupling, TheLoopOfAFourBarLinkageIsClosed) {
  int turning = 0;
  const int all =
      each_linkage([&](const FourBar& f, const FourBarLaw& law, double low, double high) {
        turning += law.turns != 0;
        EXPECT_NEAR(law(0.0).value, 0, 1e-14);
        double before = law(low).value;
        for (int k = 0; k <= 400; ++k) {
          const double x = low + (high - low) * k / 400, value = law(x).value;
          const double theta = x + f.angle, psi = value + law.zero;
          const double bx = f.input * std::cos(theta), by = f.input * std::sin(theta);
          const double cx = f.ground + f.output * std::cos(psi), cy = f.output * std::sin(psi);
          ASSERT_NEAR(std::hypot(bx - cx, by - cy), f.coupler, 1e-13);
          ASSERT_LT(std::abs(value - before), 2) << "it jumps";
          before = value;
        }
      });
  EXPECT_GT(all, 100);
  EXPECT_GT(turning, 10);  // some make whole turns with their input
}

TEST(Coupling, DerivativesAreExact) {
  using D = Dual<1, double>;
  auto expect_exact = [](const auto& law, double x) {
    const CouplingValue<D> y = law(D::variable(x, 0));
    const double size = 1 + std::abs(y.d3.value);
    ASSERT_NEAR(y.value.d[0], y.d1.value, 1e-12 * size);
    ASSERT_NEAR(y.d1.d[0], y.d2.value, 1e-12 * size);
    ASSERT_NEAR(y.d2.d[0], y.d3.value, 1e-12 * size);
  };
  each_linkage([&](const FourBar&, const FourBarLaw& law, double low, double high) {
    for (int k = 0; k <= 20; ++k) expect_exact(law, low + (high - low) * k / 20);
  });
  Coupling chain;  // a polynomial of a linkage of a polynomial
  chain = then(chain, {{}, {0.1, 0.7, -0.2, 0.05, 0.3}});
  chain = then(chain, {FourBarLaw(crank_rocker), {0.2, -1.5, 0.4}});
  chain = then(chain, {{}, {0.3, 2}});
  EXPECT_EQ(chain.steps.size(), 2u);  // the last one is merged
  for (const double x : {-0.6, -0.1, 0.0, 0.4, 0.8}) expect_exact(chain, x);
  const double u =
      FourBarLaw(crank_rocker)(0.1 + 0.7 * 0.5 - 0.2 * 0.25 + 0.05 * 0.125 + 0.3 * 0.0625).value;
  EXPECT_NEAR(chain(0.5).value, 0.3 + 2 * (0.2 - 1.5 * u + 0.4 * u * u), 1e-14);
}

TEST(Coupling, RangesEndAtDeadPoints) {
  EXPECT_FALSE(std::isfinite(closure_range(crank_rocker).upper));
  EXPECT_FALSE(std::isfinite(closure_range(double_crank).upper));
  const ClosureRange r = closure_range(triple_rocker);
  const FourBarLaw law(triple_rocker);
  for (const double inside : {r.lower + 1e-6, r.upper - 1e-6})
    EXPECT_GT(std::abs(law(inside).d1), 100);
  for (const double outside : {r.lower - 1e-6, r.upper + 1e-6})
    EXPECT_TRUE(std::isnan(law(outside).value));
  // At its end the coupler and the output link are in line.
  const double theta = r.upper + triple_rocker.angle;
  EXPECT_NEAR(std::hypot(0.7 * std::cos(theta) - 1, 0.7 * std::sin(theta)), 0.9, 1e-12);
}

TEST(Coupling, AParallelogramTurnsItsOutputAsItsInput) {
  const FourBar f{0.5, 0.2, 0.5, 0.2, pi / 2, false};
  const ClosureRange r = closure_range(f);
  EXPECT_NEAR(r.lower, -pi / 2, 1e-9);
  EXPECT_NEAR(r.upper, pi / 2, 1e-9);
  const FourBarLaw law(f);
  for (const double x : {-1.2, -0.3, 0.0, 0.7, 1.4}) {
    const CouplingValue<double> y = law(x);
    EXPECT_NEAR(y.value, x, 1e-14);
    EXPECT_NEAR(y.d1, 1, 1e-13);
    EXPECT_NEAR(y.d2, 0, 1e-12);
  }
}

TEST(Coupling, LinkagesThatDoNotCloseAreRefused) {
  auto why = [](const FourBar& f) { return problem_of(f).wrong; };
  EXPECT_NE(why({1, 0, 0.5, 0.8}).find("input link of length 0"), std::string::npos);
  EXPECT_NE(why({1, 0.2, NAN, 0.8}).find("coupler"), std::string::npos);
  EXPECT_NE(why({2, 0.2, 0.5, 0.8}).find("cannot be assembled"), std::string::npos);
  EXPECT_NE(why({1, 0.7, 0.5, 0.4, 3}).find("does not close"), std::string::npos);
  EXPECT_NE(problem_of({1, 0.7, 0.5, 0.4, 3}).remedy.find("deg"), std::string::npos);
  EXPECT_EQ(why(triple_rocker), "");
}

// ---- robots

// With a polynomial, a linkage that its leader can turn wholly, and a polynomial of the linkage.
Description coupled_tree(unsigned seed, bool floats = false) {
  Rng rng(seed);
  Description d = random_tree(
      rng, 8,
      {.prismatic = 0.3, .spherical = floats ? 0.3 : 0.0, .floating_base = floats, .tips = true});
  d.name = "coupled" + std::to_string(seed);
  std::vector<int> one;
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k)
    if (velocity_count(d.joints[k].type) == 1) one.push_back(k);
  auto mimic = [&](std::size_t k, std::size_t leader, Mimic m) {
    m.joint = d.joints[one[leader]].name;
    d.joints[one[k]].mimic = m;
  };
  if (one.size() < 5) return coupled_tree(seed + 1000, floats);
  mimic(1, 3, {"", -0.7, 0.2, {0.4, -0.3}});
  mimic(2, 0, {"", 1.3, 0.1, {}, seed % 2 ? crank_rocker : double_crank});
  mimic(4, 2, {"", 0.5, 0.1, {0.2}});
  return d;
}

// The same robot without mimics: its state, and how its velocities follow from the coupled ones.
struct Composition {
  Description free;
  RandomState state;
  std::vector<Numbers> J;  // [free velocity][coupled velocity]

  Composition(const Description& d, const RandomState& s) : free(d) {
    for (JointDescription& j : free.joints) j.mimic.reset();
    const std::vector<MimicChain> follow = mimic_chains(d);
    std::vector<int> at_q, at_v;
    int nq = 0, nv = 0;
    for (const JointDescription& j : d.joints) {
      at_q.push_back(nq);
      at_v.push_back(nv);
      nq += position_count(j);
      nv += velocity_count(j);
    }
    for (std::size_t k = 0; k < d.joints.size(); ++k) {
      const int leader = follow[k].leader, q = at_q[leader], v = at_v[leader];
      const int velocities = velocity_count(free.joints[k]);
      for (int h = 0; h < velocities; ++h) J.emplace_back(nv, 0.0);
      if (velocities == 1) {
        const CouplingValue<double> f = follow[k].at(s.q[q]);
        state.q.push_back(f.value);
        state.v.push_back(f.d1 * s.v[v]);
        state.a.push_back(f.d1 * s.a[v] + f.d2 * s.v[v] * s.v[v]);
        J.back()[v] = f.d1;
        continue;
      }
      for (int h = 0; h < position_count(free.joints[k]); ++h) state.q.push_back(s.q[q + h]);
      for (int h = 0; h < velocities; ++h) {
        state.v.push_back(s.v[v + h]);
        state.a.push_back(s.a[v + h]);
        J[J.size() - static_cast<std::size_t>(velocities - h)][v + h] = 1;
      }
    }
  }
  Numbers projected(const Numbers& tau, int nv) const {
    Numbers out(nv);
    for (std::size_t r = 0; r < J.size(); ++r)
      for (int k = 0; k < nv; ++k) out[k] += J[r][k] * tau[r];
    return out;
  }
};

class CoupledRobot : public testing::TestWithParam<unsigned> {};

TEST_P(CoupledRobot, EqualsTheExplicitComposition) {
  const Description d = coupled_tree(GetParam(), GetParam() % 3 == 2);
  const Robot robot(d);
  Rng rng(GetParam());
  const RandomState s = random_state(rng, d);
  const Composition c(d, s);
  const Robot apart(c.free);
  Workspace w(robot), w_apart(apart);
  const int n = robot.nv(), m = apart.nv();
  Numbers tau(n), tau_apart(m);
  inverse_dynamics(robot, w, s.q, s.v, s.a, tau);
  inverse_dynamics(apart, w_apart, c.state.q, c.state.v, c.state.a, tau_apart);
  EXPECT_LT(relative_difference(tau, c.projected(tau_apart, n)), 1e-12);

  Numbers M(n * n), M_apart(m * m), right(n * n);
  mass_matrix(robot, w, s.q, M);
  mass_matrix(apart, w_apart, c.state.q, M_apart);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      for (int r = 0; r < n; ++r)
        for (int k = 0; k < n; ++k) right[r * n + k] += c.J[i][r] * M_apart[i * m + j] * c.J[j][k];
  EXPECT_LT(relative_difference(M, right), 1e-12);

  Numbers a(n);
  forward_dynamics(robot, w, s.q, s.v, tau, a);
  EXPECT_LT(relative_difference(a, s.a), 1e-9);

  const EnergyState e = energy(robot, w, s.q, s.v),
                    f = energy(apart, w_apart, c.state.q, c.state.v);
  EXPECT_NEAR(e.kinetic, f.kinetic, 1e-12 * f.kinetic);
  EXPECT_NEAR(e.potential, f.potential, 1e-12 * std::abs(f.potential));
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(e.angular_momentum[k], f.angular_momentum[k], 1e-11 * (1 + f.kinetic));

  Kinematics here(robot), there(apart);
  here.set(s.q, s.v, s.a);
  there.set(c.state.q, c.state.v, c.state.a);
  const int tip = robot.find_link(robot.tip());
  Numbers J(6 * n), J_apart(6 * m), J_right(6 * n);
  here.jacobian(tip, J);
  there.jacobian(tip, J_apart);
  for (int r = 0; r < 6; ++r)
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < n; ++k) J_right[r * n + k] += J_apart[r * m + i] * c.J[i][k];
  EXPECT_LT(relative_difference(J, J_right), 1e-12);
  const LinkRate at = here.acceleration(tip), at_apart = there.acceleration(tip);
  Numbers J_rate(6 * n), sum(3);  // J a + J̇ v
  here.jacobian_rate(tip, J_rate);
  for (int r = 0; r < 3; ++r) {
    EXPECT_NEAR(at.linear[r], at_apart.linear[r], 1e-10);
    for (int k = 0; k < n; ++k) sum[r] += J[r * n + k] * s.a[k] + J_rate[r * n + k] * s.v[k];
    EXPECT_NEAR(sum[r], at.linear[r], 1e-9 * (1 + std::abs(at.linear[r])));
  }
}

// Of coupled robots, and of one base that moves and a wrench.
TEST_P(CoupledRobot, ProductsAndCoriolisFollowFromTheGradients) {
  const Description d = coupled_tree(GetParam(), GetParam() % 3 == 2);
  const Robot robot(d);
  Rng rng(GetParam());
  const RandomState s = random_state(rng, d);
  const int n = robot.nv();
  Workspace w(robot);
  Numbers dq(n * n), dv(n * n), da(n * n), weight, gq(n), gv(n), ga(n), rq(n), rv(n), ra(n);
  for (int k = 0; k < n; ++k) weight.push_back(uniform(rng, -1, 1));
  inverse_gradient(robot, w, s.q, s.v, s.a, dq, dv, da);
  inverse_vector_product(robot, w, s.q, s.v, s.a, weight, gq, gv, ga);
  auto by_rows = [&] {
    std::fill(rq.begin(), rq.end(), 0.0);
    rv = ra = rq;
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < n; ++k) {
        rq[k] += weight[r] * dq[r * n + k];
        rv[k] += weight[r] * dv[r * n + k];
        ra[k] += weight[r] * da[r * n + k];
      }
  };
  by_rows();
  EXPECT_LT(relative_difference(gq, rq), 1e-11);
  EXPECT_LT(relative_difference(gv, rv), 1e-11);
  EXPECT_LT(relative_difference(ga, ra), 1e-11);
  Numbers tau(n);
  inverse_dynamics(robot, w, s.q, s.v, s.a, tau);
  forward_gradient(robot, w, s.q, s.v, tau, dq, dv, da);
  forward_vector_product(robot, w, s.q, s.v, tau, weight, gq, gv, ga);
  by_rows();
  EXPECT_LT(relative_difference(gq, rq), 1e-8);
  EXPECT_LT(relative_difference(gv, rv), 1e-8);
  EXPECT_LT(relative_difference(ga, ra), 1e-8);

  Numbers C(n * n), h(n), g(n), Cv(n);
  coriolis_matrix(robot, w, s.q, s.v, C);
  bias(robot, w, s.q, s.v, h);
  gravity(robot, w, s.q, g);
  for (int r = 0; r < n; ++r) {
    Cv[r] = g[r];
    for (int k = 0; k < n; ++k) Cv[r] += C[r * n + k] * s.v[k];
  }
  EXPECT_LT(relative_difference(Cv, h), 1e-11);
  if (robot.nq() != n) return;
  // Ṁ = C + Cᵀ, by differences
  constexpr double step = 1e-6;
  Numbers ahead = s.q, behind = s.q, M(n * n), M_behind(n * n), sum(n * n), rate(n * n);
  for (int k = 0; k < n; ++k) {
    ahead[k] += step * s.v[k];
    behind[k] -= step * s.v[k];
  }
  mass_matrix(robot, w, ahead, M);
  mass_matrix(robot, w, behind, M_behind);
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k) {
      rate[r * n + k] = (M[r * n + k] - M_behind[r * n + k]) / (2 * step);
      sum[r * n + k] = C[r * n + k] + C[k * n + r];
    }
  EXPECT_LT(relative_difference(sum, rate), 1e-6);
}

TEST_P(CoupledRobot, EveryQuantityInBatches) {
  const Robot robot(coupled_tree(GetParam(), GetParam() % 3 == 2));
  for (const Quantity what : batched_quantities())
    EXPECT_LT(worst_in_batch(robot, what, KernelKind::generic, GetParam()), batch_bound(what))
        << name(what);
}

INSTANTIATE_TEST_SUITE_P(Trees, CoupledRobot, testing::Values(1u, 2u, 3u, 5u, 8u));

// A crank that drives a slider and a rocker with a lid on it: three coordinates of seven joints.
Description press() {
  return parse_toml(R"(
name = "press"
gravity = [0.5, 1, -9.5]
[[joint]]
name = "turntable"
xyz = [0.1, -0.2, 0.3]
rpy = ["20 deg", "-10 deg", 0]
axis = [0, 0, -1]
mass = 3
com = [0.01, 0.02, 0.1]
inertia = [0.04, 0.05, 0.03, 0.001, 0.002, -0.001]
[[joint]]
name = "crank"
link = "disc"
xyz = [0.2, 0, 0.1]
axis = [0, 1, 0]
mass = 1
com = [0.03, 0.01, 0]
inertia = [0.004, 0.005, 0.003]
rotor_inertia = 0.01
damping = 0.1
[[joint]]
name = "rocker"
link = "arm"
parent = "link1"
xyz = [0.5, 0, 0.1]
axis = [0, 1, 0]
mass = 0.8
com = [0.1, 0, 0.2]
inertia = [0.01, 0.012, 0.004]
rotor_inertia = 0.02
damping = 0.2
mimic = {joint = "crank", four_bar = {ground = 0.3, input = 0.12, coupler = 0.27, output = 0.24, angle = "35 deg"}}
[[joint]]
name = "slide"
type = "prismatic"
link = "ram"
parent = "arm"
xyz = [0, 0, 0.3]
axis = [0, 0, 1]
mass = 0.5
com = [0, 0.02, 0]
inertia = [0.001, 0.001, 0.002]
mimic = {joint = "rocker", polynomial = [0.05, 0.1, -0.04, 0.02]}
[[joint]]
name = "lid"
parent = "ram"
axis = [1, 0, 0]
mass = 0.3
com = [0, 0.1, 0]
inertia = [0.001, 0.0004, 0.001]
)",
                    "press.toml");
}

TEST(CoupledPrograms, EveryQuantityByInterpretedPrograms) {
  const Robot robot(press());
  ASSERT_EQ(robot.nv(), 3);
  for (const Quantity what : batched_quantities())
    EXPECT_LT(worst_in_batch(robot, what, KernelKind::interpreted, 4), batch_bound(what))
        << name(what);
}

TEST(CoupledPrograms, GeneratedCEqualsTheLibrary) {
  const Robot robot(press());
  for (const Quantity what : {Quantity::inverse_dynamics, Quantity::forward_dynamics,
                              Quantity::inverse_gradient, Quantity::jacobian})
    EXPECT_LT(worst_in_batch(robot, what, KernelKind::compiled, 5), batch_bound(what))
        << name(what);
}

// Power into the joints is what kinetic and potential energy gain, without damping.
TEST(CoupledPrograms, ASimulationKeepsItsEnergy) {
  const Robot robot(press());
  Workspace w(robot);
  Simulation s(robot, {.integrator = "rk4", .time = 0.5, .rate = 2000, .stop_at = StopAt::nothing});
  const Numbers still(3, 0.0);
  s.set_state(Numbers{0.3, 0.4, -0.2}, Numbers{1, 4, -1});
  const SimulationResult r = s.run(*open_loop(TorqueSamples{{0}, still}));
  auto total = [&](std::size_t row) {
    const EnergyState e = energy(robot, w, std::span(r.motion.q).subspan(3 * row, 3),
                                 std::span(r.motion.v).subspan(3 * row, 3));
    return e.kinetic + e.potential;
  };
  const double first = total(0), last = total(r.motion.rows - 1);
  EXPECT_GT(std::abs(r.motion.q[3 * (r.motion.rows - 1) + 1] - 0.4), 0.5) << "it hardly moved";
  EXPECT_NEAR(last, first, 1e-6 * (1 + std::abs(first)));
}

TEST(CoupledPrograms, InverseKinematicsThroughALinkage) {
  const Robot robot(press());
  const Numbers q{0.3, 0.6, -0.2};
  const LinkPose wanted = link_pose(robot, q, "ram");
  InverseKinematics ik(robot, "ram");
  const IkSolution found = ik.solve(wanted, Numbers{0.1, 0.4, 0});
  ASSERT_TRUE(found) << found.why;
  const LinkPose again = link_pose(robot, found.q, "ram");
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(again.position[k], wanted.position[k], 1e-8);
}

// ---- files, limits and changes

TEST(CoupledFiles, TomlKeepsLawsExactly) {
  Description d = press();
  d.joints[3].mimic->higher = {1.0 / 3, 0.1 + 0.2, -1e-17};
  d.joints[2].mimic->four_bar->crossed = true;
  d.joints[2].mimic->four_bar->angle = 0.61;
  const Description again = parse_toml(to_toml(d), "again.toml");
  EXPECT_EQ(again.joints[3].mimic->higher, d.joints[3].mimic->higher);
  EXPECT_EQ(again.joints[3].mimic->multiplier, d.joints[3].mimic->multiplier);
  EXPECT_TRUE(again.joints[2].mimic->four_bar == d.joints[2].mimic->four_bar);
}

TEST(CoupledFiles, MjcfKeepsPolynomialsAndOthersAreRefused) {
  Description d = press();
  EXPECT_NE(message([&] { to_mjcf(d); }).find("four-bar linkage, and MJCF"), std::string::npos);
  EXPECT_NE(message([&] { to_urdf(d); }).find("write TOML"), std::string::npos);
  d.joints[2].mimic = Mimic{"crank", 0.5, 0.1, {0.3, 0, -0.2}};
  EXPECT_NE(message([&] { to_urdf(d); }).find("<mimic> of URDF is linear"), std::string::npos);
  const Description again = parse_mjcf(to_mjcf(d).text, "again.xml");
  for (const JointDescription& j : again.joints)
    if (j.name == "rocker") {
      EXPECT_EQ(j.mimic->offset, 0.1);
      EXPECT_EQ(j.mimic->higher, (Numbers{0.3, 0, -0.2}));
    }
  const Numbers q{0.3, 0.4, -0.2}, v{1, -2, 0.5}, a{0.3, 2, 1};
  Numbers tau(3), tau_again(3);
  const Robot one(d), other(again);
  Workspace w(one), w_other(other);
  inverse_dynamics(one, w, q, v, a, tau);
  inverse_dynamics(other, w_other, q, v, a, tau_again);
  EXPECT_LT(relative_difference(tau_again, tau), 1e-12);
  d.joints[2].mimic->higher.assign(4, 0.1);
  EXPECT_NE(message([&] { to_mjcf(d); }).find("degree 4 at most"), std::string::npos);
}

std::vector<Finding> with_code(const Description& d, const std::string& code) {
  std::vector<Finding> found = check(d);
  std::erase_if(found, [&](const Finding& f) { return f.code != code; });
  return found;
}

TEST(CoupledFiles, CheckNamesWhatIsWrong) {
  Description d = press();
  EXPECT_TRUE(check(d).empty());
  EXPECT_EQ(d.joints[2].mimic_line, 33);
  d.joints[2].mimic->four_bar->ground = 0.9;
  ASSERT_EQ(with_code(d, "four-bar").size(), 1u);
  EXPECT_EQ(with_code(d, "four-bar")[0].at.line, 33);
  EXPECT_NE(message([&] { Robot{d}; }).find("cannot be assembled"), std::string::npos);

  d = press();
  d.joints[2].mimic->four_bar = triple_rocker;
  EXPECT_TRUE(with_code(d, "four-bar-range").empty());
  d.joints[1].limits = {-1, 2, 3, 4};
  d.joints[1].has_limits = true;
  ASSERT_EQ(with_code(d, "four-bar-range").size(), 1u);
  EXPECT_NO_THROW(Robot{d});
  d.joints[3].mimic->higher[0] = NAN;
  EXPECT_FALSE(with_code(d, "not-finite").empty());

  Rng rng(1);
  Description chain = random_chain(rng, 20);
  for (std::size_t k = 1; k < 20; ++k)
    chain.joints[k].mimic = Mimic{chain.joints[k - 1].name, 1, 0, {0.01}};
  EXPECT_EQ(with_code(chain, "mimic-chain").size(), 1u);
}

TEST(CoupledFiles, TomlRefusesWhatContradictsItself) {
  auto with = [](const std::string& mimic) {
    return message([&] {
      parse_toml(
          "[[joint]]\nname = \"a\"\naxis = [0, 0, 1]\nmass = 1\n[[joint]]\naxis = [1, 0, 0]\n"
          "mass = 1\nmimic = " +
              mimic + "\n",
          "r.toml");
    });
  };
  EXPECT_EQ(with("{joint = \"a\", polynomial = [0, 1, 2]}"), "");
  EXPECT_NE(with("{joint = \"a\", polynomial = []}").find("empty"), std::string::npos);
  EXPECT_NE(with("{joint = \"a\", polynomial = [0, 1], offset = 2}").find("r.toml:8"),
            std::string::npos);
  EXPECT_NE(with("{joint = \"a\", four_bar = {ground = 1, input = 1, output = 1}}").find("coupler"),
            std::string::npos);
}

TEST(CoupledFiles, LimitsAreThoseOfAllJoints) {
  Description d = press();
  d.joints[2].mimic->four_bar = triple_rocker;
  const ClosureRange r = closure_range(triple_rocker);
  Limits shared = shared_limits(d)[1];
  EXPECT_GT(shared.lower, r.lower);
  EXPECT_LT(shared.upper, r.upper);
  EXPECT_NEAR(shared.upper, 0.99 * r.upper, 1e-3);
  d.joints[3].limits.upper = 0.06;
  d.joints[3].limits.velocity = 0.01;
  shared = shared_limits(d)[1];
  const std::vector<MimicChain> follow = mimic_chains(d);
  const double at_end[] = {follow[3].at(shared.lower).value, follow[3].at(shared.upper).value};
  EXPECT_NEAR(std::max(at_end[0], at_end[1]), 0.06, 1e-9);
  for (int k = 0; k <= 10; ++k) {
    const double x = shared.lower + (shared.upper - shared.lower) * k / 10;
    EXPECT_LE(std::abs(follow[3].at(x).d1) * shared.velocity, 0.01 * (1 + 1e-9));
  }
}

TEST(CoupledFiles, RobotsAreMadeAndLocked) {
  const Robot robot = Robot::load("puma560");
  const Robot coupled = robot.with_mimic("joint3", {"joint2", {0.1, -1, 0.2}});
  EXPECT_EQ(coupled.nv(), 5);
  const Robot linked =
      robot.with_mimic("joint3", {"joint2", {0, 1}, FourBarLinkage{1, 0.4, 0.9, 0.8, 0.5, false}});
  const Robot locked = linked.with_locked({{"joint2", 0.7}});
  EXPECT_EQ(locked.nv(), 4);
  const Robot apart =
      robot.with_locked({{"joint2", 0.7}, {"joint3", FourBarLaw(crank_rocker)(0.7).value}});
  Workspace w(locked), w_apart(apart);
  const Numbers q{0.1, 0.2, 0.3, 0.4}, v{1, 2, -1, 0.5}, a{1, -1, 2, 3};
  Numbers tau(4), right(4);
  inverse_dynamics(locked, w, q, v, a, tau);
  inverse_dynamics(apart, w_apart, q, v, a, right);
  EXPECT_LT(relative_difference(tau, right), 1e-13);
  EXPECT_NE(message([&] { robot.with_mimic("joint9", {"joint2"}); }).find("joint9"),
            std::string::npos);
  EXPECT_NE(message([&] {
              robot.with_mimic("joint3", {"joint2", {0, 1}, FourBarLinkage{9, 1, 1, 1}});
            }).find("cannot be assembled"),
            std::string::npos);
  const Robot narrow =
      robot.with_mimic("joint3", {"joint2", {0, 1}, FourBarLinkage{1, 0.7, 0.5, 0.4, 0.3, false}});
  EXPECT_NE(message([&] {
              narrow.with_locked({{"joint2", 3}});
            }).find("does not close there"),
            std::string::npos);
}

}  // namespace
}  // namespace parid::test
