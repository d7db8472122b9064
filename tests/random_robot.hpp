// Random robots and states, the same for the same seed on every machine.
//
// Inertias are those of solid boxes, rotated and shifted, so that all are physically consistent.

#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/joint/coordinates.hpp"
#include "tests/layer.hpp"

namespace parid::test {

using Rng = std::mt19937_64;

// Distributions of the standard library differ between implementations; this one does not.
inline double uniform(Rng& rng, double low, double high) {
  return low + (high - low) * 0x1p-53 * static_cast<double>(rng() >> 11);
}
inline Vec3<double> uniform_vector(Rng& rng, double reach) {
  return {uniform(rng, -reach, reach), uniform(rng, -reach, reach), uniform(rng, -reach, reach)};
}
inline Vec3<double> random_direction(Rng& rng) {
  for (;;) {
    const Vec3<double> v = uniform_vector(rng, 1);
    const double length = norm(v);
    if (length > 0.1 && length < 1) return (1 / length) * v;
  }
}

struct UnitQuaternion {
  double x, y, z, w;
};
inline UnitQuaternion random_quaternion(Rng& rng) {
  const Vec3<double> u = random_direction(rng);
  const double half = uniform(rng, -std::numbers::pi, std::numbers::pi) / 2;
  const double s = std::sin(half);
  return {s * u.x, s * u.y, s * u.z, std::cos(half)};
}
inline Mat3<double> random_rotation(Rng& rng) {
  const UnitQuaternion q = random_quaternion(rng);
  return rotation_of(q.x, q.y, q.z, q.w);
}
inline Pose<double> random_pose(Rng& rng, double reach) {
  const Mat3<double> R = random_rotation(rng);
  return {R, uniform_vector(rng, reach)};
}
inline Inertia random_inertia(Rng& rng) {
  const double m = uniform(rng, 0.5, 5), x = uniform(rng, 0.05, 0.5), y = uniform(rng, 0.05, 0.5),
               z = uniform(rng, 0.05, 0.5);  // edges of the box
  const Sym3<double> box{m / 12 * (y * y + z * z), m / 12 * (x * x + z * z),
                         m / 12 * (x * x + y * y)};
  return moved(random_pose(rng, 0.3), Inertia{m, {}, box});
}

struct RandomRobot {
  // How often a joint is of a type, by weight.
  double revolute = 1, prismatic = 0, fixed = 0, planar = 0, spherical = 0;
  bool floating_base = false;  // the first joint, and no joint beside it at the root
  bool tips = false;           // frames at the links' far ends, as in standard DH
  bool rotors = true;
};

inline JointType random_type(Rng& rng, const RandomRobot& o) {
  const std::pair<double, JointType> table[] = {{o.revolute, JointType::revolute},
                                                {o.prismatic, JointType::prismatic},
                                                {o.fixed, JointType::fixed},
                                                {o.planar, JointType::planar},
                                                {o.spherical, JointType::spherical}};
  double at = uniform(rng, 0, o.revolute + o.prismatic + o.fixed + o.planar + o.spherical);
  for (const auto& [weight, type] : table)
    if ((at -= weight) < 0) return type;
  return JointType::revolute;
}

// A link and the joint that carries it on link `parent`, with names from their number.
inline void add_random_link(Rng& rng, Description& d, const std::string& parent, JointType type,
                            const RandomRobot& o) {
  const std::string number = std::to_string(d.joints.size() + 1);
  JointDescription j;
  j.name = "joint" + number;
  j.type = type;
  j.parent = parent;
  j.child = "link" + number;
  j.origin = random_pose(rng, 0.5);
  if (o.tips) j.tip = random_pose(rng, 0.5);
  j.axis = random_direction(rng);
  if (o.rotors && velocity_count(type) == 1) j.rotor_inertia = uniform(rng, 0, 0.5);
  LinkDescription link;
  link.name = j.child;
  link.inertia = random_inertia(rng);
  d.links.push_back(link);
  d.joints.push_back(j);
}

inline Description random_base(Rng& rng, const std::string& name) {
  Description d;
  d.name = name;
  d.gravity = 9.81 * random_direction(rng);
  d.links.push_back({"link0", random_inertia(rng)});
  return d;
}

// n joints one after another.
inline Description random_chain(Rng& rng, int n, const RandomRobot& options = {}) {
  Description d = random_base(rng, "chain");
  for (int i = 0; i < n; ++i)
    add_random_link(
        rng, d, d.links.back().name,
        i == 0 && options.floating_base ? JointType::floating : random_type(rng, options), options);
  return d;
}

// n joints, each on any of the links before it.
inline Description random_tree(Rng& rng, int n, const RandomRobot& options = {}) {
  Description d = random_base(rng, "tree");
  for (int i = 0; i < n; ++i) {
    const bool floats = i == 0 && options.floating_base;
    const std::uint64_t first = options.floating_base && i > 0 ? 1 : 0;
    const std::string parent = d.links[first + rng() % (d.links.size() - first)].name;
    add_random_link(rng, d, parent, floats ? JointType::floating : random_type(rng, options),
                    options);
  }
  return d;
}

// A floating trunk, four legs of three hinges, a foot fixed to each: 18 degrees of freedom.
inline Description random_quadruped(Rng& rng) {
  Description d = random_base(rng, "quadruped");
  add_random_link(rng, d, "link0", JointType::floating, {});
  for (int leg = 0; leg < 4; ++leg) {
    std::string parent = "link1";
    for (JointType type :
         {JointType::revolute, JointType::revolute, JointType::revolute, JointType::fixed}) {
      add_random_link(rng, d, parent, type, {});
      parent = d.links.back().name;
    }
  }
  return d;
}

struct RandomState {
  std::vector<double> q, v, a;
};

// Positions within the limits where there are any; unit quaternions; rates and accelerations of a
// few units.
inline RandomState random_state(Rng& rng, const Description& d) {
  RandomState s;
  auto put_quaternion = [&] {
    const UnitQuaternion q = random_quaternion(rng);
    s.q.insert(s.q.end(), {q.x, q.y, q.z, q.w});
  };
  auto put = [&](double low, double high) { s.q.push_back(uniform(rng, low, high)); };
  for (const JointDescription& j : d.joints) {
    if (j.mimic) continue;
    const double reach = j.type == JointType::prismatic ? 1 : std::numbers::pi;
    switch (j.type) {
      case JointType::fixed: break;
      case JointType::revolute:
      case JointType::continuous:
      case JointType::prismatic:
        put(std::isfinite(j.limits.lower) ? j.limits.lower : -reach,
            std::isfinite(j.limits.upper) ? j.limits.upper : reach);
        break;
      case JointType::planar:
        put(-1, 1);
        put(-1, 1);
        put(-reach, reach);
        break;
      case JointType::spherical: put_quaternion(); break;
      case JointType::floating:
        put(-1, 1);
        put(-1, 1);
        put(-1, 1);
        put_quaternion();
        break;
    }
    for (int k = 0; k < velocity_count(j.type); ++k) {
      s.v.push_back(uniform(rng, -3, 3));
      s.a.push_back(uniform(rng, -10, 10));
    }
  }
  return s;
}

}  // namespace parid::test
