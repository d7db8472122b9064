// Compares two descriptions: their contents, and torques at random states.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "parid/inverse_dynamics.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

// With friction and without.
inline void same_torques(const Description& a, const Description& b) {
  Rng rng(3);
  const Robot before{a}, after{b};
  ASSERT_EQ(before.velocity_names(), after.velocity_names());
  ASSERT_EQ(before.position_names(), after.position_names());
  Workspace w(before), x(after);
  std::vector<double> tau(before.nv()), again(before.nv());
  auto compare = [&] {
    double size = 1;
    for (const double t : tau) size = std::max(size, std::abs(t));
    for (int i = 0; i < before.nv(); ++i) EXPECT_NEAR(tau[i], again[i], 1e-12 * size) << a.name;
  };
  for (int k = 0; k < 5; ++k) {
    const RandomState s = random_state(rng, a);
    inverse_dynamics(before, w, s.q, s.v, s.a, tau);
    inverse_dynamics(after, x, s.q, s.v, s.a, again);
    compare();
    inverse_dynamics_with_friction(before, w, s.q, s.v, s.a, tau);
    inverse_dynamics_with_friction(after, x, s.q, s.v, s.a, again);
    compare();
  }
}

template <class Part, class... Fields>
void same_part(const std::optional<Part>& a, const std::optional<Part>& b, Fields... fields) {
  ASSERT_EQ(a.has_value(), b.has_value());
  auto compare = [&](auto field) { EXPECT_EQ((*a).*field, (*b).*field); };
  if (a) (compare(fields), ...);
}

inline void same_friction(const JointDescription& x, const JointDescription& y) {
  SCOPED_TRACE(x.name);
  EXPECT_EQ(x.damping, y.damping);
  EXPECT_EQ(x.friction, y.friction);
  EXPECT_EQ(x.smoothing, y.smoothing);
  same_part(x.stribeck, y.stribeck, &Stribeck::breakaway, &Stribeck::velocity);
  using Journal = JournalBearing;
  same_part(x.journal, y.journal, &Journal::friction, &Journal::radius, &Journal::spacing,
            &Journal::at);
  same_part(x.linear, y.linear, &LinearBearing::friction, &LinearBearing::spacing,
            &LinearBearing::at);
  same_part(x.thrust, y.thrust, &ThrustBearing::friction, &ThrustBearing::radius);
  same_part(x.drive, y.drive, &Drive::breakaway, &Drive::rated, &Drive::efficiency,
            &Drive::interpolation);
}

// But for frames, of which torques tell.
inline void same_joints(const Description& a, const Description& b) {
  ASSERT_EQ(a.joints.size(), b.joints.size());
  EXPECT_EQ(a.name, b.name);
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const JointDescription &x = a.joints[j], &y = b.joints[j];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.parent, y.parent);
    EXPECT_EQ(x.child, y.child);
    EXPECT_EQ(x.limits.lower, y.limits.lower);
    EXPECT_EQ(x.limits.upper, y.limits.upper);
    EXPECT_EQ(x.limits.velocity, y.limits.velocity);
    EXPECT_EQ(x.limits.effort, y.limits.effort);
    EXPECT_EQ(x.gear_ratio, y.gear_ratio);
    EXPECT_NEAR(x.rotor_inertia, y.rotor_inertia, 1e-15 * x.rotor_inertia);
    same_part(x.mimic, y.mimic, &Mimic::joint, &Mimic::multiplier, &Mimic::offset);
    same_friction(x, y);
  }
}

inline void same_numbers(const Description& a, const Description& b) {
  same_joints(a, b);
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    EXPECT_EQ(a.joints[j].type, b.joints[j].type);
    EXPECT_EQ(a.joints[j].rotor_inertia, b.joints[j].rotor_inertia);
  }
  for (const LinkDescription& l : a.links)
    for (const LinkDescription& m : b.links)
      if (l.name == m.name) {
        ASSERT_EQ(l.inertia.has_value(), m.inertia.has_value()) << l.name;
        if (!l.inertia) continue;
        EXPECT_EQ(l.inertia->mass, m.inertia->mass) << l.name;
        EXPECT_EQ(l.inertia->com.x, m.inertia->com.x) << l.name;
        EXPECT_EQ(l.inertia->about_com.xz, m.inertia->about_com.xz) << l.name;
      }
}

}  // namespace parid::test
