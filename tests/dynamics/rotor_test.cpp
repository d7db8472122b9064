// The full rotor model, in which rotors spin on links: against the same robot with explicit rotor
// bodies on mimic joints, and against the reference dynamics, which have the equations of a
// gyrostat instead of bodies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/format/toml/toml.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/format/urdf/urdf_writer.hpp"
#include "model/joint/rotor.hpp"
#include "model/lint/check.hpp"
#include "parid/parid.hpp"
#include "tests/dynamics/batch_check.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

// On a base that may float, and is displaced: rotors on the parents of their joints, on the joint's
// own link, on a link elsewhere in the tree, and at a joint that mimics another.
Description spinning_tree(unsigned seed, bool floats) {
  Rng rng(seed);
  Description d = random_tree(rng, 6, {.prismatic = 0.3, .floating_base = floats, .tips = true});
  d.name = "spinning" + std::to_string(seed);
  for (JointDescription& j : d.joints) {
    if (velocity_count(j.type) != 1) continue;
    j.rotor_inertia = 0;
    const std::string links[] = {j.parent, j.parent, j.child, d.links[rng() % d.links.size()].name};
    Rotor r{.inertia = uniform(rng, 0.001, 0.01), .ratio = uniform(rng, -60, 60)};
    r.axis = uniform(rng, 0.5, 2) * random_direction(rng);
    r.link = links[rng() % 4];
    r.included = rng() % 2 == 0;
    j.rotor = r;
  }
  std::vector<int> one;
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k)
    if (velocity_count(d.joints[k].type) == 1) one.push_back(k);
  const std::string leader = d.joints[one[0]].name;
  if (seed % 2) d.joints[one[2]].mimic = Mimic{leader, -0.7, 0.2, {0.3, 0.1}};
  if (seed % 3 == 0) d.joints[one[3]].mimic = Mimic{leader, 1.5, 0.1};
  return d;
}

// The same with a body for each rotor, on a joint that mimics the driven one. Where a link's
// inertia contains the rotor's, it is taken out.
Description with_rotor_bodies(Description d) {
  const std::size_t count = d.joints.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (!d.joints[k].rotor) continue;
    const Rotor r = *d.joints[k].rotor;
    d.joints[k].rotor.reset();
    const Vec3<double> e = (1 / norm(r.axis)) * r.axis;
    const double J = r.inertia;
    const Sym3<double> own{J * e.x * e.x, J * e.y * e.y, J * e.z * e.z,
                           J * e.x * e.y, J * e.x * e.z, J * e.y * e.z};
    for (LinkDescription& l : d.links)
      if (l.name == r.link && r.included) {
        const auto& I = l.inertia->about_com;
        l.inertia->about_com = {I.xx - own.xx, I.yy - own.yy, I.zz - own.zz,
                                I.xy - own.xy, I.xz - own.xz, I.yz - own.yz};
      }
    JointDescription joint;
    joint.name = d.joints[k].name + " rotor";
    joint.type = JointType::continuous;
    joint.parent = r.link;
    joint.child = joint.name;
    joint.origin.p = {0.1, -0.2, 0.3};
    joint.axis = r.axis;
    joint.mimic = Mimic{d.joints[k].name, r.ratio, 0};
    LinkDescription link;
    link.name = joint.name;
    link.inertia = Inertia{0, {}, own};
    d.links.push_back(link);
    d.joints.push_back(joint);
  }
  return d;
}

class SpinningRotors : public testing::TestWithParam<unsigned> {
 protected:
  Description d = spinning_tree(GetParam(), GetParam() % 4 == 3);
};

TEST_P(SpinningRotors, EqualExplicitBodies) {
  const Robot robot(d), bodies(with_rotor_bodies(d));
  ASSERT_EQ(robot.nv(), bodies.nv());
  Rng rng(GetParam());
  const RandomState s = random_state(rng, d);
  const int n = robot.nv();
  Workspace w(robot), w_bodies(bodies);
  for (Workspace* each : {&w, &w_bodies}) {
    each->set_base_motion({0.3, -0.2, 0.5}, {1, 2, -1.5}, {-1, 0.5, 2});
    each->set_wrench(robot.tip(), {5, -7, 3}, {0.5, 1, -2});
  }
  Numbers tau(n), right(n), a(n);
  inverse_dynamics(robot, w, s.q, s.v, s.a, tau);
  inverse_dynamics(bodies, w_bodies, s.q, s.v, s.a, right);
  EXPECT_LT(relative_difference(tau, right), 1e-12);
  forward_dynamics(robot, w, s.q, s.v, tau, a);
  EXPECT_LT(relative_difference(a, s.a), 1e-9);

  Numbers M(n * n), M_right(n * n);
  mass_matrix(robot, w, s.q, M);
  mass_matrix(bodies, w_bodies, s.q, M_right);
  EXPECT_LT(relative_difference(M, M_right), 1e-12);

  std::vector<Numbers> D(3, Numbers(n * n)), D_right = D;
  inverse_gradient(robot, w, s.q, s.v, s.a, D[0], D[1], D[2]);
  inverse_gradient(bodies, w_bodies, s.q, s.v, s.a, D_right[0], D_right[1], D_right[2]);
  for (int k = 0; k < 3; ++k) EXPECT_LT(relative_difference(D[k], D_right[k]), 1e-11) << k;
  forward_gradient(robot, w, s.q, s.v, tau, D[0], D[1], D[2]);
  forward_gradient(bodies, w_bodies, s.q, s.v, tau, D_right[0], D_right[1], D_right[2]);
  for (int k = 0; k < 3; ++k) EXPECT_LT(relative_difference(D[k], D_right[k]), 1e-8) << k;

  const EnergyState e = energy(robot, w, s.q, s.v), f = energy(bodies, w_bodies, s.q, s.v);
  EXPECT_NEAR(e.kinetic, f.kinetic, 1e-12 * f.kinetic);
  EXPECT_NEAR(e.potential, f.potential, 1e-12 * (1 + std::abs(f.potential)));
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(e.angular_momentum[k], f.angular_momentum[k], 1e-11 * (1 + f.kinetic));

  Workspace still(robot), still_bodies(bodies);
  Numbers C(n * n), C_right(n * n);
  coriolis_matrix(robot, still, s.q, s.v, C);
  coriolis_matrix(bodies, still_bodies, s.q, s.v, C_right);
  EXPECT_LT(relative_difference(C, C_right), 1e-11);
}

// Links alone are in the regressor: the rest is what rotors take.
TEST_P(SpinningRotors, AreNoPartOfTheRegressor) {
  Description alone = d;
  for (LinkDescription& l : alone.links) l.inertia.reset();
  for (JointDescription& j : alone.joints)
    if (j.rotor) j.rotor->included = false;
  for (JointDescription& j : d.joints)
    if (j.rotor) j.rotor->included = false;
  const Robot robot(d), rotors(alone);
  Rng rng(GetParam());
  const RandomState s = random_state(rng, d);
  const int n = robot.nv();
  Workspace w(robot), w_rotors(rotors);
  const Numbers pi = regressor_parameters(robot);
  Numbers Y(n * pi.size()), tau(n), sum(n);
  regressor(robot, w, s.q, s.v, s.a, Y);
  inverse_dynamics(robot, w, s.q, s.v, s.a, tau);
  inverse_dynamics(rotors, w_rotors, s.q, s.v, s.a, sum);
  for (int r = 0; r < n; ++r)
    for (std::size_t k = 0; k < pi.size(); ++k) sum[r] += Y[r * pi.size() + k] * pi[k];
  EXPECT_LT(relative_difference(sum, tau), 1e-12);
}

TEST_P(SpinningRotors, EveryQuantityInBatches) {
  const Robot robot(d);
  for (const Quantity what : batched_quantities())
    EXPECT_LT(worst_in_batch(robot, what, KernelKind::generic, GetParam()), batch_bound(what))
        << name(what);
}

INSTANTIATE_TEST_SUITE_P(Trees, SpinningRotors, testing::Values(1u, 2u, 3u, 6u, 7u));

const char* const arm = R"(
name = "arm"
[base_link]
mass = 5
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "shoulder"
xyz = [0.1, 0.2, 0.4]
rpy = ["30 deg", 0, "-20 deg"]
axis = [0, 0, -1]
mass = 3
com = [0.1, 0, 0.05]
inertia = [0.03, 0.04, 0.05]
rotor = {inertia = 2e-4, ratio = 100}
[[joint]]
name = "elbow"
xyz = [0.4, 0, 0]
axis = [0, 1, 0]
mass = 2
com = [0.2, 0, 0]
inertia = [0.01, 0.03, 0.03]
rotor = {inertia = 1e-4, ratio = -80, link = "base", axis = [0, 0, 1], included = false}
)";

TEST(RotorFiles, SpecializedPrograms) {
  const Robot robot(parse_toml(arm, "arm.toml"));
  for (const Quantity what : batched_quantities())
    EXPECT_LT(worst_in_batch(robot, what, KernelKind::interpreted, 3), batch_bound(what))
        << name(what);
  EXPECT_LT(worst_in_batch(robot, Quantity::inverse_dynamics, KernelKind::compiled, 3), 1e-12);
}

TEST(RotorFiles, TomlKeepsThem) {
  const Description d = parse_toml(arm, "arm.toml");
  EXPECT_TRUE(check(d).empty());
  ASSERT_TRUE(d.joints[0].rotor && d.joints[1].rotor);
  EXPECT_EQ(d.joints[0].rotor->link, "base");
  EXPECT_LT(norm(d.joints[0].rotor->axis - d.joints[0].origin.R * Vec3<double>{0, 0, -1}), 1e-15);
  const Description again = parse_toml(to_toml(d), "again.toml");
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(again.joints[k].rotor->inertia, d.joints[k].rotor->inertia);
    EXPECT_EQ(again.joints[k].rotor->ratio, d.joints[k].rotor->ratio);
    EXPECT_EQ(again.joints[k].rotor->link, d.joints[k].rotor->link);
    EXPECT_EQ(again.joints[k].rotor->included, d.joints[k].rotor->included);
    EXPECT_EQ(norm(again.joints[k].rotor->axis - d.joints[k].rotor->axis), 0);
  }
  const UrdfText urdf = to_urdf(d);
  ASSERT_FALSE(urdf.notes.empty());
  EXPECT_NE(urdf.notes.back().find("reflected inertia"), std::string::npos);
  EXPECT_NEAR(parse_urdf(urdf.text, "arm.urdf").joints[0].rotor_inertia, 2, 1e-15);
}

TEST(RotorFiles, WhatIsWrongIsNamed) {
  auto codes = [](Description d, const auto& change) {
    change(*d.joints[1].rotor);
    std::vector<std::string> found;
    for (const Finding& f : check(d)) found.push_back(f.code + ":" + std::to_string(f.at.line));
    return found;
  };
  const Description d = parse_toml(arm, "arm.toml");
  using Found = std::vector<std::string>;
  EXPECT_EQ(codes(d, [](Rotor& r) { r.link = "nowhere"; }), Found{"rotor:22"});
  EXPECT_EQ(codes(d, [](Rotor& r) { r.axis = {0, 0, 0}; }), Found{"rotor:22"});
  EXPECT_EQ(codes(d, [](Rotor& r) { r.ratio = 0; }), Found{"rotor:22"});
  EXPECT_EQ(codes(d, [](Rotor& r) { r.inertia = -1; }), Found{"negative-rotor-inertia:22"});
  EXPECT_EQ(codes(d,
                  [](Rotor& r) {
                    r.inertia = 0.2;
                    r.included = true;
                  }),
            Found{"rotor-inertia:22"});
  EXPECT_EQ(codes(d, [](Rotor& r) { r.inertia = NAN; }), Found{"not-finite:22"});
  const std::string both = std::string(arm) + "rotor_inertia = 1\n";
  EXPECT_NE(message([&] { parse_toml(both, "arm.toml"); }).find("both rotor and rotor_inertia"),
            std::string::npos);
}

// A rotor on a fixed base has nothing to couple with: the reflected inertia is all of it.
TEST(RotorFiles, TheTwoModelsOfARotor) {
  const Robot robot = Robot::load("puma560"), full = robot.with_spinning_rotors();
  EXPECT_TRUE(full.description().joints[0].rotor);
  const Numbers q{0.1, 0.5, -0.3, 0.4, 0.5, 0.6};
  Workspace w(robot), w_full(full);
  Numbers M(36), M_full(36), tau(6), tau_full(6);
  mass_matrix(robot, w, q, M);
  mass_matrix(full, w_full, q, M_full);
  EXPECT_NEAR(M_full[0], M[0], 1e-11 * M[0]);
  // Joint 3's motor is on link 2, which joint 2 turns about a parallel axis.
  EXPECT_NEAR(std::abs(M_full[8] - M[8]), 0.83 / 53.7063, 1e-12);
  gravity(robot, w, q, tau);
  gravity(full, w_full, q, tau_full);
  EXPECT_LT(relative_difference(tau_full, tau), 1e-12);
  EXPECT_EQ(full.without_rotors().canonical().topology.n, 6);
  const Robot locked = full.with_locked({{"joint2", 0.3}});
  EXPECT_FALSE(locked.description().joints[1].rotor);
  EXPECT_EQ(locked.nv(), 5);
}

// Locked, a rotor is part of its link, whether the link's inertia contains it already or not.
TEST(RotorFiles, ALockedRotorIsHeld) {
  Description d = parse_toml(arm, "arm.toml");
  d.joints[0].rotor->included = false;
  d.joints[0].rotor->link = "link1";
  d.joints[0].rotor->axis = {0.3, 0.2, 1};
  d.joints[1].rotor->link = "link1";
  const Robot robot(d), locked = robot.with_locked({{"elbow", 0.4}});
  Workspace w(robot), w_locked(locked);
  const Numbers q{0.3, 0.4}, v{2, 0}, a{1, 0};
  Numbers tau(2), one(1);
  inverse_dynamics(robot, w, q, v, a, tau);
  inverse_dynamics(locked, w_locked, Numbers{0.3}, Numbers{2}, Numbers{1}, one);
  EXPECT_NEAR(one[0], tau[0], 1e-12 * std::abs(tau[0]));
}

}  // namespace
}  // namespace parid::test
