// Torques as a matrix times inertial parameters, τ = Y(q, v, a) π, for identification.
//
// A link has ten parameters: m, ∫r dm (3), ∫r rᵀ dm (6: xx yy zz xy xz yz), including links
// fixed to it. The frame is the mechanism's, or the user's (with `in_user_frames`): that of
// the child link of the joint which moves it. Column 10 (i − 1) + k is parameter k of link
// i.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/model_state.hpp"
#include "formulation/newton_euler_link.hpp"
#include "math/twist.hpp"

namespace parid::dynamics {

// Angular velocity and acceleration of a link, and acceleration of its origin less gravity, in its
// frame.
template <class T>
struct LinkMotionIn {
  Vec3<T> w, wd, vd;

  Mat3<T> U() const { return turning(w, wd); }
  // In another frame of the link, with this pose in it.
  LinkMotionIn seen_in(const Pose<T>& frame) const {
    const Vec3<T> there = transposed_times(frame.R, vd + U() * frame.p);
    return {transposed_times(frame.R, w), transposed_times(frame.R, wd), there};
  }
};
template <class T>
Twist<T> seen_in(const Pose<T>& frame, const Twist<T>& x) {
  return {transposed_times(frame.R, x.linear + cross(x.angular, frame.p)),
          transposed_times(frame.R, x.angular)};
}
// The motion of a freedom in its link: 0-2 along, 3-5 about x, y, z.
template <class T>
Twist<T> unit_twist(int axis) {
  const T o(0.0), one(1.0);
  const Vec3<T> e{axis % 3 == 0 ? one : o, axis % 3 == 1 ? one : o, axis % 3 == 2 ? one : o};
  return axis < 3 ? Twist<T>{e, {}} : Twist<T>{{}, e};
}

// The power, along the twist x, of the force that moves a body for each of its ten parameters:
// f = m v̇ + U ms, n = antisymmetric(U, K) + ms × v̇.
template <class T>
void parameter_powers(const Mat3<T>& U, const Vec3<T>& vd, const Twist<T>& x, T* y) {
  const Vec3<T> along = transposed_times(U, x.linear) + cross(vd, x.angular);
  const Vec3<T>&r0 = U.r0, &r1 = U.r1, &r2 = U.r2;
  y[0] = dot(x.linear, vd);
  y[1] = along.x;
  y[2] = along.y;
  y[3] = along.z;
  y[4] = x.angular.z * r1.x - x.angular.y * r2.x;
  y[5] = x.angular.x * r2.y - x.angular.z * r0.y;
  y[6] = x.angular.y * r0.z - x.angular.x * r1.z;
  y[7] = x.angular.x * r2.x - x.angular.y * r2.y + x.angular.z * (r1.y - r0.x);
  y[8] = x.angular.y * (r0.x - r2.z) - x.angular.x * r1.x + x.angular.z * r1.z;
  y[9] = x.angular.x * (r2.z - r1.y) + x.angular.y * r0.y - x.angular.z * r0.z;
}

template <Scalar T>
class Regressor {
 public:
  // `frame[i]`: the pose of the parameters' frame in link i; empty: the mechanism's frames.
  explicit Regressor(const CanonicalModel& c, const std::vector<Pose<double>>& frame = {})
      : at(c),
        newton_euler_(at.mechanism),
        joint_torque_(c.topology.n + 1),
        seen_(static_cast<std::size_t>(c.links + 1) * c.freedom.size()) {
    for (const Pose<double>& f : frame) frame_.push_back({to<T>(f.R), to<T>(f.p)});
  }

  int columns() const { return 10 * at.c.links; }

  // Y: (nv, columns()), row-major. Rotors are not in it: their torque is rotor_inertia times the
  // acceleration of their joint.
  void operator()(const T* q, const T* v, const T* a, T* Y) {
    const CanonicalModel& c = at.c;
    at.load(q, v, a);
    newton_euler_.torque(at.mechanism, at.motion, joint_torque_.data());
    for (int k = 0; k < c.nv * columns(); ++k) Y[k] = T(0.0);
    const int m = static_cast<int>(c.freedom.size());
    for (int i = 1; i <= c.links; ++i) {
      // The motion of link i by each freedom between it and the base, in its frame.
      Twist<T>* here = &seen_[static_cast<std::size_t>(i) * m];
      const Twist<T>* there = &seen_[static_cast<std::size_t>(c.topology.parent[i]) * m];
      const Mat3<T> R = at.motion.R(i);
      const Vec3<T> p = at.motion.p(i);
      const int own = c.first[i];
      for (int b = c.freedom[own].parent; b >= 0; b = c.freedom[b].parent)
        here[b] = {transposed_times(R, there[b].linear + cross(there[b].angular, p)),
                   transposed_times(R, there[b].angular)};
      for (int b = own; b < c.first[i + 1]; ++b) here[b] = unit_twist<T>(c.freedom[b].axis);
      fill(i, here, Y);
    }
  }

  ModelState<T> at;

 private:
  // The rows of link i's ten columns.
  void fill(int i, const Twist<T>* here, T* Y) {
    const CanonicalModel& c = at.c;
    LinkMotionIn<T> motion{newton_euler_.w(i), newton_euler_.wd(i), newton_euler_.vd(i)};
    if (!frame_.empty()) motion = motion.seen_in(frame_[i]);
    const Mat3<T> U = motion.U();
    for (int b = c.first[i + 1] - 1; b >= 0; b = c.freedom[b].parent) {
      const Freedom& f = c.freedom[b];
      T y[10];
      parameter_powers(U, motion.vd, frame_.empty() ? here[b] : seen_in(frame_[i], here[b]), y);
      T* row = Y + f.column * columns() + 10 * (i - 1);
      const T scale = scale_of(at.motion, f);
      for (int k = 0; k < 10; ++k) row[k] = c.has_mimic ? row[k] + scale * y[k] : y[k];
    }
  }

  NewtonEulerLink<T, Mat3> newton_euler_;
  std::vector<T> joint_torque_;
  std::vector<Twist<T>> seen_;  // [link · freedoms + freedom]
  std::vector<Pose<T>> frame_;
};

}  // namespace parid::dynamics
