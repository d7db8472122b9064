// Random robots with the oddities of real files: right angles rounded to four or five digits, exact
// right angles, round lengths and zeros, mirrored axes, offset bases, frames at the far ends of
// links, mimic joints, rotors, and every type of joint, in chains and trees.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/frame.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

template <class T, std::size_t N>
T one_of(Rng& rng, const T (&all)[N]) {
  return all[rng() % N];
}

inline Pose<double> odd_pose(Rng& rng) {
  const double right = std::numbers::pi / 2;
  auto angle = [&] {
    const double of[] = {0,
                         0,
                         1.5708,
                         -1.5708,
                         3.1416,
                         0.7854,
                         -1.57079,
                         1.570796,
                         right,
                         -right,
                         2 * right,
                         0.3,
                         uniform(rng, -3, 3)};
    return one_of(rng, of);
  };
  auto length = [&] {
    const double of[] = {0, 0, 0.1, -0.25, 0.4318, uniform(rng, -0.5, 0.5)};
    return one_of(rng, of);
  };
  const Vec3<double> rpy{angle(), angle(), angle()};
  return {rotation_rpy(rpy), {length(), length(), length()}};
}

inline Vec3<double> odd_axis(Rng& rng) {
  const Vec3<double> of[] = {
      {0, 0, 1},  {0, 0, 1}, {0, 0, -1}, {0, 1, 0},     {0, -1, 0},
      {-1, 0, 0}, {1, 0, 0}, {0, 0, 2},  {1e-5, 0, -1}, random_direction(rng)};
  return one_of(rng, of);
}

inline JointType odd_type(Rng& rng) {
  const JointType of[] = {JointType::revolute,  JointType::revolute, JointType::continuous,
                          JointType::revolute,  JointType::revolute, JointType::continuous,
                          JointType::prismatic, JointType::fixed,    JointType::prismatic,
                          JointType::planar,    JointType::spherical};
  return one_of(rng, of);
}

inline bool turns(JointType t) { return t == JointType::revolute || t == JointType::continuous; }

// Joint n + 1 follows an earlier one of its kind that leads, now and then.
inline void follow(Rng& rng, Description& d) {
  JointDescription& j = d.joints.back();
  if (velocity_count(j.type) != 1 || rng() % 3 != 0) return;
  for (const JointDescription& leader : d.joints)
    if (&leader != &j && !leader.mimic && velocity_count(leader.type) == 1 &&
        turns(leader.type) == turns(j.type)) {
      const double by[] = {-1, 0.5, 2, -2.5, 1.3}, offset[] = {0, 0.3, -1.5708};
      const double multiplier = one_of(rng, by);
      j.mimic = Mimic{leader.name, multiplier, one_of(rng, offset)};
      return;
    }
}

inline Description odd_robot(unsigned seed) {
  Rng rng(seed);
  Description d;
  d.name = "odd" + std::to_string(seed);
  d.gravity = rng() % 4 == 0 ? 9.81 * random_direction(rng) : Vec3<double>{0, 0, -9.81};
  d.links.push_back({"link0", random_inertia(rng)});
  const int n = 2 + static_cast<int>(rng() % 5);
  const bool tree = rng() % 2 == 0, tips = rng() % 3 == 0, followers = rng() % 3 == 0;
  const bool floats = rng() % 6 == 0;
  for (int i = 0; i < n; ++i) {
    const std::size_t first = floats && i > 0 ? 1 : 0;  // nothing beside a floating base
    const std::string parent =
        d.links[tree ? first + rng() % (d.links.size() - first) : d.links.size() - 1].name;
    const JointType type = i > 0       ? odd_type(rng)
                           : floats    ? JointType::floating
                           : rng() % 3 ? JointType::revolute
                                       : odd_type(rng);
    add_random_link(rng, d, parent, type, {.rotors = rng() % 2 == 0});
    JointDescription& j = d.joints.back();
    j.origin = odd_pose(rng);
    if (tips) j.tip = odd_pose(rng);
    j.axis = odd_axis(rng);
    if (followers && i > 0) follow(rng, d);
  }
  // A robot that cannot move has nothing to check.
  if (std::all_of(d.joints.begin(), d.joints.end(),
                  [](const JointDescription& j) { return j.type == JointType::fixed; }))
    d.joints.back().type = JointType::revolute;
  return d;
}

// Three or four hinges in frames at nearly right angles, many through one point: what of their
// inertias the first joints feel hangs on the last digits of the angles.
inline Description nearly_right_gimbal(unsigned seed) {
  Rng rng(seed);
  Description d;
  d.name = "gimbal" + std::to_string(seed);
  d.links.push_back({"link0", {}});
  const int n = 2 + static_cast<int>(rng() % 3);
  const double off = one_of(rng, {1.5708, 1.57079, 1.5707963, 1.570796327, 1.57079633});
  for (int i = 0; i < n; ++i) {
    add_random_link(rng, d, d.links.back().name, JointType::revolute, {});
    JointDescription& j = d.joints.back();
    const double of[] = {0, off, -off, 2 * off, 0};
    const Vec3<double> rpy{one_of(rng, of), one_of(rng, of), one_of(rng, of)};
    const double length = one_of(rng, {0.0, 0.0, 0.4318});
    j.origin = {rotation_rpy(rpy), {length, 0, 0}};
    j.axis = one_of(rng, {Vec3<double>{0, 0, 1}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, -1}});
  }
  return d;
}

// Angles within ±reach, all else as in random_state.
inline RandomState far_state(Rng& rng, const Description& d, double reach) {
  RandomState s = random_state(rng, d);
  std::size_t at = 0;
  for (const JointDescription& j : d.joints) {
    if (j.mimic) continue;
    if (turns(j.type)) s.q[at] = uniform(rng, -reach, reach);
    if (j.type == JointType::planar) s.q[at + 2] = uniform(rng, -reach, reach);
    at += static_cast<std::size_t>(position_count(j.type));
  }
  return s;
}

}  // namespace parid::test
