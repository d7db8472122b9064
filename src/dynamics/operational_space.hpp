// The robot as its tip sees it: the inverse of the operational-space inertia, and the acceleration
// of a link that no torque acts on.
//
// Source   Khatib: A unified approach for motion and force control of robot manipulators, IEEE J.
//          Robotics and Automation 3 (1987) 43-53.
//
//   ẍ = Λ⁻¹ f + ẍ₀      Λ⁻¹ = J M⁻¹ Jᵀ      ẍ₀ = J̇ v − J M⁻¹ (bias)
//
// for a force and moment f at the link's origin. J is the Jacobian of kinematics/jacobian.hpp:
// linear rows first, axes of the root link. Λ⁻¹ is defined in singular poses and for robots with
// fewer than six axes too; Λ is not.

#pragma once

#include "dynamics/composite_forward.hpp"
#include "dynamics/layer.hpp"
#include "kinematics/jacobian.hpp"

namespace parid::dynamics {

// Frames, rates and the Jacobian of a link's origin.
template <Scalar T>
class LinkMotion {
 public:
  explicit LinkMotion(const CanonicalModel& c) : at(c), frames_(c), rates_(c), column_(c.nv) {}

  void load(const T* q, const T* v = nullptr, const T* a = nullptr) {
    at.load(q, v, a);
    frames_.place(at.mechanism, at.motion);
    if (v) rates_.sweep(at.mechanism, at.motion, frames_);
  }
  Pose<T> pose(int link) const { return kinematics::link_pose(at.c, frames_, link); }
  // Columns of the Jacobian of the origin of a link of the description.
  const std::vector<Twist<T>>& jacobian(int link) {
    kinematics::jacobian(at.c, at.motion, frames_, at.c.link[link].link, pose(link).p,
                         column_.data());
    return column_;
  }
  // The acceleration of its origin; with zero accelerations, J̇ v.
  Twist<T> acceleration(int link) const {
    const int i = at.c.link[link].link;
    return kinematics::acceleration_at(rates_.velocity(i), rates_.acceleration(i),
                                       pose(link).p - frames_[i].p);
  }

  ModelState<T> at;

 private:
  kinematics::Frames<T> frames_;
  kinematics::Rates<T> rates_;
  std::vector<Twist<T>> column_;
};

template <Scalar T>
class OperationalSpace {
 public:
  explicit OperationalSpace(const CanonicalModel& c)
      : forward(c), motion_(c), a_(c.nv), none_(c.nv, T(0.0)), row_(6 * c.nv), x_(c.nv) {}

  // inverse: (6, 6), row-major; free: 6 numbers, the acceleration without torques.
  void operator()(const T* q, const T* v, int link, T* inverse, T* free) {
    const int n = forward.at.c.nv;
    forward.acceleration(q, v, none_.data(), a_.data());
    motion_.load(q, v, a_.data());
    const Twist<T> x = motion_.acceleration(link);
    const T all[] = {x.linear.x, x.linear.y, x.linear.z, x.angular.x, x.angular.y, x.angular.z};
    for (int r = 0; r < 6; ++r) free[r] = all[r];
    const std::vector<Twist<T>>& J = motion_.jacobian(link);
    for (int k = 0; k < n; ++k) {
      const T column[] = {J[k].linear.x,  J[k].linear.y,  J[k].linear.z,
                          J[k].angular.x, J[k].angular.y, J[k].angular.z};
      for (int r = 0; r < 6; ++r) row_[r * n + k] = column[r];
    }
    for (int r = 0; r < 6; ++r) {
      for (int k = 0; k < n; ++k) x_[k] = row_[r * n + k];
      forward.solve(x_.data());
      for (int s = 0; s <= r; ++s) {
        T sum(0.0);
        for (int k = 0; k < n; ++k) sum = sum + row_[s * n + k] * x_[k];
        inverse[r * 6 + s] = inverse[s * 6 + r] = sum;
      }
    }
  }

  CompositeForward<T> forward;

 private:
  LinkMotion<T> motion_;
  std::vector<T> a_, none_, row_, x_;
};

}  // namespace parid::dynamics
