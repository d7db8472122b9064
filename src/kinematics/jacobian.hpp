// The geometric Jacobian of a point of a link, and its time derivative: 6 × nv, a Twist per column,
// in the world's axes. J v is the velocity of the point and the angular velocity of its link.
//
// A coordinate that turns about the axis e through o moves the point p by  e × (p − o), e; one that
// slides along e by  e, 0. Every such e is fixed to the link that its joint moves, so
//
//   ė = w × e     and     d/dt e × (p − o) = ė × (p − o) + e × (ṗ − ȯ).
//
// Joints beyond the link, and those on other branches, have zero columns. Mimic joints between the
// root and the link add to their leader's column.

#pragma once

#include "kinematics/layer.hpp"
#include "kinematics/rates.hpp"
#include "model/user_state.hpp"

namespace parid::kinematics {

namespace detail {
// Calls slide(column, scale, joint, e) and turn(column, scale, joint, e) for every coordinate that
// moves mechanism link i.
template <Scalar T, class Slide, class Turn>
void each_freedom(const CanonicalModel& c, const State<T>& at, const Frames<T>& frames, int i,
                  const Slide& slide, const Turn& turn) {
  for (; i > 0; i = c.topology.parent[i]) {
    const JointPlace& j = c.joint[i];
    const Mat3<T>& R = frames[i].R;
    switch (c.topology.kind[i]) {
      case JointKind::revolute: turn(j.velocity, scale_of(at, j), i, R.column(2)); break;
      case JointKind::prismatic: slide(j.velocity, scale_of(at, j), i, R.column(2)); break;
      case JointKind::spherical:
        for (int k = 0; k < 3; ++k) turn(j.velocity + k, T(1.0), i, R.column(k));
        break;
      case JointKind::floating:
        for (int k = 0; k < 3; ++k) slide(j.velocity + k, T(1.0), i, R.column(k));
        for (int k = 0; k < 3; ++k) turn(j.velocity + 3 + k, T(1.0), i, R.column(k));
        break;
    }
  }
}
}  // namespace detail

// Of the point p, given in the world, that is fixed to mechanism link i, in the state from which
// the frames are. J has nv columns.
template <Scalar T>
void jacobian(const CanonicalModel& c, const State<T>& at, const Frames<T>& frames, int i,
              const Vec3<T>& p, Twist<T>* J) {
  for (int k = 0; k < c.nv; ++k) J[k] = {};
  auto add = [&](int column, const T& scale, const Twist<T>& x) {
    J[column] = J[column] + scale * x;
  };
  detail::each_freedom(
      c, at, frames, i,
      [&](int column, const T& scale, int, const Vec3<T>& e) {
        add(column, scale, {e, {}});
      },
      [&](int column, const T& scale, int joint, const Vec3<T>& e) {
        add(column, scale, {cross(e, p - frames[joint].p), e});
      });
}

template <Scalar T>
void jacobian_rate(const CanonicalModel& c, const State<T>& at, const Frames<T>& frames,
                   const Rates<T>& rates, int i, const Vec3<T>& p, Twist<T>* Jd) {
  for (int k = 0; k < c.nv; ++k) Jd[k] = {};
  auto add = [&](int column, const T& scale, const Twist<T>& x) {
    Jd[column] = Jd[column] + scale * x;
  };
  // Of a coupled joint, the factor f' of its column changes by f" v.
  auto add_coupled = [&](int joint, const Twist<T>& x) {
    const JointPlace& j = c.joint[joint];
    if (j.coupling < 0) return;
    const CoupledJoint<T>& f = at.coupled[j.coupling];
    add(j.velocity, f.d2 * f.v, x);
  };
  const Vec3<T> pd = velocity_at(rates.velocity(i), p - frames[i].p).linear;
  detail::each_freedom(
      c, at, frames, i,
      [&](int column, const T& scale, int joint, const Vec3<T>& e) {
        add(column, scale, {cross(rates.velocity(joint).angular, e), {}});
        add_coupled(joint, {e, {}});
      },
      [&](int column, const T& scale, int joint, const Vec3<T>& e) {
        const Twist<T>& u = rates.velocity(joint);
        const Vec3<T> ed = cross(u.angular, e);
        add(column, scale, {cross(ed, p - frames[joint].p) + cross(e, pd - u.linear), ed});
        add_coupled(joint, {cross(e, p - frames[joint].p), e});
      });
}

}  // namespace parid::kinematics
