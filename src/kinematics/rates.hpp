// The motion of every link of a mechanism: velocity and acceleration of its origin, angular
// velocity and acceleration, all in the world's axes. The world is stationary.
//
//   w  = w' + e ω            e: the joint's axis, or the link's three, in the world
//   v  = v' + w' × r + e ν   r: from the parent's origin to the link's
//   ẇ  = ẇ' + w' × e ω + e ω̇
//   v̇  = v̇' + ẇ' × r + w' × (w' × r) + 2 w' × e ν + ω × ν + e ν̇
//
// where ω and ν are the joint's rates, and ω × ν applies to floating joints only: their ν is along
// axes that rotate with ω.

#pragma once

#include <vector>

#include "kinematics/frames.hpp"
#include "kinematics/layer.hpp"
#include "math/twist.hpp"

namespace parid::kinematics {

template <Scalar T>
class Rates {
 public:
  explicit Rates(const CanonicalModel& c)
      : velocity_(c.topology.n + 1), acceleration_(c.topology.n + 1) {}

  void sweep(const Mechanism<T>& m, const State<T>& at, const Frames<T>& frames) {
    for (int i = 1; i <= m.n; ++i) {
      const int j = m.parent(i);
      const Twist<T>&u = velocity_[j], &ud = acceleration_[j];
      const Vec3<T> r = frames[i].p - frames[j].p;
      const auto [added, added_rate] = joint_motion(m, at, i, frames[i].R);
      const Vec3<T>&w = added.angular, &v = added.linear;
      velocity_[i] = {u.linear + cross(u.angular, r) + v, u.angular + w};
      acceleration_[i] = {ud.linear + turning(u.angular, ud.angular) * r +
                              T(2.0) * cross(u.angular, v) + cross(w, v) + added_rate.linear,
                          ud.angular + cross(u.angular, w) + added_rate.angular};
    }
  }

  const Twist<T>& velocity(int i) const { return velocity_[i]; }
  const Twist<T>& acceleration(int i) const { return acceleration_[i]; }

 private:
  struct Added {
    Twist<T> velocity, rate;
  };
  static Added joint_motion(const Mechanism<T>& m, const State<T>& at, int i, const Mat3<T>& R) {
    const Vec3<T> z = R.column(2);
    if (m.kind(i) == JointKind::revolute) return {{{}, at.qd(i) * z}, {{}, at.qdd(i) * z}};
    if (m.kind(i) == JointKind::prismatic) return {{at.qd(i) * z, {}}, {at.qdd(i) * z, {}}};
    const FreeMotion<T>& u = at.free[m.topology->free_index[i]];
    return {{R * u.v, R * u.w}, {R * u.vd, R * u.wd}};
  }

  std::vector<Twist<T>> velocity_, acceleration_;
};

// The same for a point fixed to link i: r leads there from the link's origin, in the world's axes.
template <Scalar T>
Twist<T> velocity_at(const Twist<T>& velocity, const Vec3<T>& r) {
  return {velocity.linear + cross(velocity.angular, r), velocity.angular};
}
template <Scalar T>
Twist<T> acceleration_at(const Twist<T>& velocity, const Twist<T>& acceleration, const Vec3<T>& r) {
  return {acceleration.linear + turning(velocity.angular, acceleration.angular) * r,
          acceleration.angular};
}

}  // namespace parid::kinematics
