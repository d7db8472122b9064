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

namespace parid::kinematics {

namespace detail {
// Calls slide(column, scale, joint, e) and turn(column, scale, joint, e) for every coordinate that
// moves mechanism link i.
template <Scalar T, class Slide, class Turn>
void each_freedom(const CanonicalModel& c, const Frames<T>& frames, int i, const Slide& slide,
                  const Turn& turn) {
  for (; i > 0; i = c.topology.parent[i]) {
    const JointPlace& j = c.joint[i];
    const Mat3<T>& R = frames[i].R;
    switch (c.topology.kind[i]) {
      case JointKind::revolute: turn(j.velocity, j.scale, i, R.column(2)); break;
      case JointKind::prismatic: slide(j.velocity, j.scale, i, R.column(2)); break;
      case JointKind::spherical:
        for (int k = 0; k < 3; ++k) turn(j.velocity + k, 1.0, i, R.column(k));
        break;
      case JointKind::floating:
        for (int k = 0; k < 3; ++k) slide(j.velocity + k, 1.0, i, R.column(k));
        for (int k = 0; k < 3; ++k) turn(j.velocity + 3 + k, 1.0, i, R.column(k));
        break;
    }
  }
}
}  // namespace detail

// Of the point p, given in the world, that is fixed to mechanism link i. J has nv columns.
template <Scalar T>
void jacobian(const CanonicalModel& c, const Frames<T>& frames, int i, const Vec3<T>& p,
              Twist<T>* J) {
  for (int k = 0; k < c.nv; ++k) J[k] = {};
  auto add = [&](int column, double scale, const Twist<T>& x) {
    J[column] = J[column] + T(scale) * x;
  };
  detail::each_freedom(
      c, frames, i,
      [&](int column, double scale, int, const Vec3<T>& e) {
        add(column, scale, {e, {}});
      },
      [&](int column, double scale, int joint, const Vec3<T>& e) {
        add(column, scale, {cross(e, p - frames[joint].p), e});
      });
}

template <Scalar T>
void jacobian_rate(const CanonicalModel& c, const Frames<T>& frames, const Rates<T>& rates, int i,
                   const Vec3<T>& p, Twist<T>* Jd) {
  for (int k = 0; k < c.nv; ++k) Jd[k] = {};
  auto add = [&](int column, double scale, const Twist<T>& x) {
    Jd[column] = Jd[column] + T(scale) * x;
  };
  const Vec3<T> pd = velocity_at(rates.velocity(i), p - frames[i].p).linear;
  detail::each_freedom(
      c, frames, i,
      [&](int column, double scale, int joint, const Vec3<T>& e) {
        add(column, scale, {cross(rates.velocity(joint).angular, e), {}});
      },
      [&](int column, double scale, int joint, const Vec3<T>& e) {
        const Twist<T>& u = rates.velocity(joint);
        const Vec3<T> ed = cross(u.angular, e);
        add(column, scale, {cross(ed, p - frames[joint].p) + cross(e, pd - u.linear), ed});
      });
}

}  // namespace parid::kinematics
