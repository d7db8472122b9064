// Poses, motions and energies of a robot's links, computed from its description by the chain rule
// alone: no recursion, no canonical frame, no Newton-Euler equations.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/joint/coordinates.hpp"
#include "scalar/dual.hpp"
#include "tests/layer.hpp"

namespace parid::test {

template <class T>
Pose<T> pose_in(const Pose<double>& A) {
  return {to<T>(A.R), to<T>(A.p)};
}

template <class T>
Mat3<T> rotation_about(const Vec3<double>& unit, const T& angle) {  // Rodrigues
  const auto [s, c] = sin_cos(angle);
  const Mat3<T> K = skew(to<T>(unit));
  return Mat3<T>::identity() + s * K + (T(1.0) - c) * (K * K);
}

// A joint's one coordinate as its leader's: q = scale · leader's q + offset.
struct MimicSource {
  int joint;
  double scale = 1, offset = 0;
};
inline MimicSource mimic_source(const Description& d, int joint) {
  MimicSource f{joint};
  while (const auto& m = d.joints[f.joint].mimic) {
    f.offset += f.scale * m->offset;
    f.scale *= m->multiplier;
    for (int k = 0; k < static_cast<int>(d.joints.size()); ++k)
      if (d.joints[k].name == m->joint) {
        f.joint = k;
        break;
      }
  }
  return f;
}

struct Coordinates {
  std::vector<int> q, v;  // where each joint's begin
  explicit Coordinates(const Description& d) {
    int nq = 0, nv = 0;
    for (const JointDescription& j : d.joints) {
      q.push_back(nq);
      v.push_back(nv);
      nq += position_count(j);
      nv += velocity_count(j);
    }
  }
};

template <class T>
Pose<T> joint_motion(const JointDescription& j, const T* q) {
  const Vec3<double> axis = norm(j.axis) > 0 ? (1 / norm(j.axis)) * j.axis : j.axis;
  switch (j.type) {
    case JointType::revolute:
    case JointType::continuous: return {rotation_about(axis, q[0]), {}};
    case JointType::prismatic: return {Mat3<T>::identity(), q[0] * to<T>(axis)};
    case JointType::planar: {
      const Mat3<double> plane = plane_axes(axis);
      return {rotation_about(axis, q[2]),
              q[0] * to<T>(plane.column(0)) + q[1] * to<T>(plane.column(1))};
    }
    case JointType::spherical: return {rotation_of(q[0], q[1], q[2], q[3]), {}};
    case JointType::floating: return {rotation_of(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
    default: return {};
  }
}

// Of every link, in the root link's frame. The root is any link that is no joint's child.
template <class T>
std::vector<Pose<T>> link_poses(const Description& d, const std::vector<T>& q) {
  const Coordinates at(d);
  std::map<std::string, int> link;
  for (int k = 0; k < static_cast<int>(d.links.size()); ++k) link[d.links[k].name] = k;
  std::vector<Pose<T>> pose(d.links.size());
  std::vector<bool> known(d.links.size(), true);
  for (const JointDescription& j : d.joints) known[link[j.child]] = false;
  for (bool again = true; again;) {
    again = false;
    for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
      const JointDescription& j = d.joints[k];
      if (known[link[j.child]] || !known[link[j.parent]]) continue;
      const MimicSource f = mimic_source(d, k);
      const T* mine = q.data() + at.q[f.joint];
      const T led = j.mimic ? T(f.scale) * *mine + T(f.offset) : T(0.0);
      pose[link[j.child]] = pose[link[j.parent]] * pose_in<T>(j.origin) *
                            joint_motion(j, j.mimic ? &led : mine) * pose_in<T>(j.tip);
      known[link[j.child]] = again = true;
    }
  }
  return pose;
}

// q̇ of a robot at q that moves with v.
template <class T>
std::vector<T> position_rates(const Description& d, const std::vector<T>& q,
                              const std::vector<T>& v) {
  const Coordinates at(d);
  std::vector<T> rate;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const JointDescription& j = d.joints[k];
    if (j.mimic) continue;
    const T *p = q.data() + at.q[k], *u = v.data() + at.v[k];
    if (j.type == JointType::floating) {
      const Vec3<T> pd = rotation_of(p[3], p[4], p[5], p[6]) * Vec3<T>{u[0], u[1], u[2]};
      rate.insert(rate.end(), {pd.x, pd.y, pd.z});
      p += 3;
      u += 3;
    }
    if (j.type == JointType::floating || j.type == JointType::spherical) {  // ½ q ∘ (w, 0)
      const Vec3<T> e{p[0], p[1], p[2]}, w{u[0], u[1], u[2]};
      const Vec3<T> ed = T(0.5) * (p[3] * w + cross(e, w));
      rate.insert(rate.end(), {ed.x, ed.y, ed.z, T(-0.5) * dot(e, w)});
    } else {
      rate.insert(rate.end(), u, u + velocity_count(j));
    }
  }
  return rate;
}

template <class T>
struct LinkMotion {
  Pose<T> pose;  // in the root's frame
  Vec3<T> v, w;  // of the link's origin, and angular; in the root's frame
};

template <class T>
std::vector<LinkMotion<T>> link_motions(const Description& d, const std::vector<T>& q,
                                        const std::vector<T>& v) {
  using D = Dual<1, T>;
  const std::vector<T> rate = position_rates(d, q, v);
  std::vector<D> moving(q.size());
  for (std::size_t k = 0; k < q.size(); ++k) {
    moving[k].value = q[k];
    moving[k].d[0] = rate[k];
  }
  auto value = [](const Vec3<D>& x) { return Vec3<T>{x.x.value, x.y.value, x.z.value}; };
  auto derivative = [](const Vec3<D>& x) { return Vec3<T>{x.x.d[0], x.y.d[0], x.z.d[0]}; };
  std::vector<LinkMotion<T>> out;
  for (const auto& [R, p] : link_poses(d, moving)) {
    const Mat3<T> at{value(R.r0), value(R.r1), value(R.r2)};
    const Mat3<T> W = Mat3<T>{derivative(R.r0), derivative(R.r1), derivative(R.r2)} *
                      transposed(at);  // Ṙ Rᵀ = [ω]×
    out.push_back({{at, value(p)},
                   derivative(p),
                   T(0.5) * Vec3<T>{W.r2.y - W.r1.z, W.r0.z - W.r2.x, W.r1.x - W.r0.y}});
  }
  return out;
}

// Of all links but those that the root carries; rotors turn with their own joint.
template <class T>
T kinetic_energy(const Description& d, const std::vector<T>& q, const std::vector<T>& v) {
  const std::vector<LinkMotion<T>> motion = link_motions(d, q, v);
  T energy(0.0);
  for (std::size_t k = 0; k < d.links.size(); ++k) {
    if (!d.links[k].inertia) continue;
    const Inertia& body = *d.links[k].inertia;
    const Vec3<T> c = motion[k].pose.R * to<T>(body.com);
    const Vec3<T> vc = motion[k].v + cross(motion[k].w, c),
                  w = transposed_times(motion[k].pose.R, motion[k].w);
    energy = energy + T(0.5 * body.mass) * dot(vc, vc) + T(0.5) * dot(w, to<T>(body.about_com) * w);
  }
  const Coordinates at(d);
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
    if (velocity_count(d.joints[k].type) != 1) continue;
    const MimicSource f = mimic_source(d, k);
    const T rate = T(f.scale) * v[at.v[f.joint]];
    energy = energy + T(0.5 * d.joints[k].rotor_inertia) * (rate * rate);
  }
  return energy;
}

template <class T>
T potential_energy(const Description& d, const std::vector<T>& q) {
  const std::vector<Pose<T>> pose = link_poses(d, q);
  T energy(0.0);
  for (std::size_t k = 0; k < d.links.size(); ++k)
    if (const auto& body = d.links[k].inertia)
      energy = energy - T(body->mass) * dot(to<T>(d.gravity), pose[k] * to<T>(body->com));
  return energy;
}

}  // namespace parid::test
