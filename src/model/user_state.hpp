// Converts between the user's coordinates and a mechanism's state. Coordinates are read and written
// by functions of their index, so that one sample, a register of samples and a traced one use the
// same code.

#pragma once

#include "model/canonical_model.hpp"
#include "model/layer.hpp"
#include "model/state.hpp"
#include "scalar/angle.hpp"

namespace parid::model {

// The derivative of the mechanism's coordinate by the user's, of a joint or freedom.
template <class T, class Place>
T scale_of(const State<T>& motion, const Place& j) {
  return j.coupling < 0 ? T(j.scale) : motion.coupled[j.coupling].d1;
}
// The product of two.
template <class T, class Place>
T scale_of(const State<T>& motion, const Place& i, const Place& j) {
  return i.coupling < 0 && j.coupling < 0 ? T(i.scale * j.scale)
                                          : scale_of(motion, i) * scale_of(motion, j);
}

// Joint i from its leader's position, velocity and acceleration.
template <class T>
void load_coupled(const CanonicalModel& c, State<T>& motion, int i, const T& q, const T& v,
                  const T& a) {
  const JointPlace& j = c.joint[i];
  const CouplingValue<T> f = c.coupling[j.coupling](q);
  CoupledJoint<T>& x = motion.coupled[j.coupling];
  x = {f.d1, f.d2, f.d3, v, a};
  const T at = j.is_rotor ? T(0.0) : angle_sum(f.value, T(j.offset));
  motion.set(i, at, f.d1 * v, f.d1 * a + x.drift());
}

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
      if (floating) {
        u.v = {v(l), v(l + 1), v(l + 2)};
        u.vd = {a(l), a(l + 1), a(l + 2)};
      }
      for (int h = 0; h < 4; ++h) u.quaternion[h] = q(k + p + h);
      u.w = {v(l + p), v(l + p + 1), v(l + p + 2)};
      u.wd = {a(l + p), a(l + p + 1), a(l + p + 2)};
    } else if (c.has_mimic) [[unlikely]] {
      if (j.coupling >= 0) {
        load_coupled(c, motion, i, T(q(k)), T(v(l)), T(a(l)));
        continue;
      }
      const bool turns = c.topology.kind[i] == JointKind::revolute;
      const T at = j.is_rotor ? T(0.0)
                   : turns    ? mimic_angle(T(q(k)), j.scale, j.offset)
                              : T(j.scale) * q(k) + T(j.offset);
      motion.set(i, at, T(j.scale) * v(l), T(j.scale) * a(l));
    } else {  // prismatic joints have no offset
      motion.set(i, angle_sum(T(q(k)), T(j.offset)), v(l), a(l));
    }
  }
}

// put(k, x) sets torque k; get(k) reads it back. joint[i] is the torque of joint i, free(i) the
// force and moment of one with several freedoms. Rotor inertia is added here, around the
// formulation: a rotor turns with its own joint only. `rotors`: false to leave out what those of
// coupled joints take where their leaders do not accelerate.
template <class T, class Free, class A, class Get, class Put>
void store_torque(const CanonicalModel& c, const State<T>& motion, const T* joint, const Free& free,
                  const A& a, const Get& get, const Put& put, bool rotors = true) {
  if (c.has_mimic) [[unlikely]]
    for (int l = 0; l < c.nv; ++l) put(l, T(0.0));
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointPlace& j = c.joint[i];
    const int l = j.velocity;
    if (c.topology.free_index[i] >= 0) [[unlikely]] {
      const bool floating = c.topology.kind[i] == JointKind::floating;
      const auto [f, n] = free(i);
      if (floating) {
        put(l, f.x);
        put(l + 1, f.y);
        put(l + 2, f.z);
      }
      const int p = l + (floating ? 3 : 0);
      put(p, n.x);
      put(p + 1, n.y);
      put(p + 2, n.z);
    } else if (c.has_mimic) [[unlikely]] {
      if (j.coupling >= 0) {
        const CoupledJoint<T>& x = motion.coupled[j.coupling];
        const T drift = rotors ? x.drift() : T(0.0);
        put(l, get(l) + x.d1 * (joint[i] + T(j.rotor_inertia) * (x.d1 * T(a(l)) + drift)));
        continue;
      }
      put(l, get(l) + T(j.scale) * (joint[i] + T(j.rotor_inertia * j.scale) * a(l)));
    } else {
      put(l, joint[i] + T(j.rotor_inertia) * a(l));
    }
  }
}

// Bearing friction or drive losses: joint[i] of each joint with one freedom. put(k, x) and get(k)
// as above.
template <class T, class Get, class Put>
void store_friction(const CanonicalModel& c, const State<T>& motion, const T* joint, const Get& get,
                    const Put& put) {
  if (!c.in_order)
    for (int l = 0; l < c.nv; ++l) put(l, T(0.0));
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointPlace& j = c.joint[i];
    if (c.topology.free_index[i] >= 0) [[unlikely]]
      continue;
    if (c.has_mimic) [[unlikely]]
      put(j.velocity, get(j.velocity) + scale_of(motion, j) * joint[i]);
    else
      put(j.velocity, joint[i]);
  }
}

}  // namespace parid::model
