// Converts between the user's coordinates and a mechanism's state. Coordinates are read and written
// by functions of their index, so that one sample, a register of samples and a traced one use the
// same code.

#pragma once

#include "model/canonical_model.hpp"
#include "model/layer.hpp"
#include "model/state.hpp"
#include "scalar/angle.hpp"

namespace parid::model {

// q(k), v(k), a(k) return coordinate k as a T.
template <class T, class Q, class V, class A>
void load_state(const CanonicalModel& c, State<T>& motion, const Q& q, const V& v, const A& a) {
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointPlace& j = c.joint[i];
    const int k = j.position, l = j.velocity;
    if (const int free = c.topology.free_index[i]; free >= 0) [[unlikely]] {
      FreeMotion<T>& u = motion.free[free];
      const bool floating = c.topology.kind[i] == JointKind::floating;
      const int p = floating ? 3 : 0;
      if (floating) u.position = {q(k), q(k + 1), q(k + 2)};
      if (floating) u.v = {v(l), v(l + 1), v(l + 2)}, u.vd = {a(l), a(l + 1), a(l + 2)};
      for (int h = 0; h < 4; ++h) u.quaternion[h] = q(k + p + h);
      u.w = {v(l + p), v(l + p + 1), v(l + p + 2)}, u.wd = {a(l + p), a(l + p + 1), a(l + p + 2)};
    } else if (c.has_mimic) [[unlikely]] {
      const bool turns = c.topology.kind[i] == JointKind::revolute;
      motion.set(i,
                 turns ? mimic_angle(T(q(k)), j.scale, j.offset) : T(j.scale) * q(k) + T(j.offset),
                 T(j.scale) * v(l), T(j.scale) * a(l));
    } else {  // prismatic joints have no offset
      motion.set(i, angle_sum(T(q(k)), T(j.offset)), v(l), a(l));
    }
  }
}

// put(k, x) sets torque k; get(k) reads it back. joint[i] is the torque of joint i, free(i) the
// force and moment of one with several freedoms. Rotor inertia is added here, around the
// formulation: a rotor turns with its own joint only.
template <class T, class Free, class A, class Get, class Put>
void store_torque(const CanonicalModel& c, const T* joint, const Free& free, const A& a,
                  const Get& get, const Put& put) {
  if (c.has_mimic) [[unlikely]]
    for (int l = 0; l < c.nv; ++l) put(l, T(0.0));
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointPlace& j = c.joint[i];
    const int l = j.velocity;
    if (c.topology.free_index[i] >= 0) [[unlikely]] {
      const bool floating = c.topology.kind[i] == JointKind::floating;
      const auto [f, n] = free(i);
      if (floating) put(l, f.x), put(l + 1, f.y), put(l + 2, f.z);
      const int p = l + (floating ? 3 : 0);
      put(p, n.x), put(p + 1, n.y), put(p + 2, n.z);
    } else if (c.has_mimic) [[unlikely]] {
      put(l, get(l) + T(j.scale) * (joint[i] + T(j.rotor_inertia * j.scale) * a(l)));
    } else {
      put(l, joint[i] + T(j.rotor_inertia) * a(l));
    }
  }
}

// Bearing friction or drive losses: joint[i] of each joint with one freedom. put(k, x) and get(k)
// as above.
template <class T, class Get, class Put>
void store_friction(const CanonicalModel& c, const T* joint, const Get& get, const Put& put) {
  if (!c.in_order)
    for (int l = 0; l < c.nv; ++l) put(l, T(0.0));
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointPlace& j = c.joint[i];
    if (c.topology.free_index[i] >= 0) [[unlikely]]
      continue;
    if (c.has_mimic) [[unlikely]]
      put(j.velocity, get(j.velocity) + T(j.scale) * joint[i]);
    else
      put(j.velocity, joint[i]);
  }
}

}  // namespace parid::model
