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
      for (int b = own; b < c.first[i + 1]; ++b) here[b] = unit(c.freedom[b].axis);
      fill(i, here, Y);
    }
  }

  ModelState<T> at;

 private:
  static Twist<T> unit(int axis) {
    const T o(0.0), one(1.0);
    const Vec3<T> e{axis % 3 == 0 ? one : o, axis % 3 == 1 ? one : o, axis % 3 == 2 ? one : o};
    return axis < 3 ? Twist<T>{e, {}} : Twist<T>{{}, e};
  }

  // The rows of link i's ten columns.
  void fill(int i, const Twist<T>* here, T* Y) {
    const CanonicalModel& c = at.c;
    Vec3<T> w = newton_euler_.w(i), wd = newton_euler_.wd(i), vd = newton_euler_.vd(i);
    Mat3<T> R = Mat3<T>::identity();
    Vec3<T> p;
    if (!frame_.empty()) {
      R = frame_[i].R;
      p = frame_[i].p;
      vd = transposed_times(R, vd + turning(w, wd) * p);
      w = transposed_times(R, w);
      wd = transposed_times(R, wd);
    }
    const Mat3<T> U = turning(w, wd);
    for (int b = c.first[i + 1] - 1; b >= 0; b = c.freedom[b].parent) {
      Twist<T> x = here[b];
      if (!frame_.empty())
        x = {transposed_times(R, x.linear + cross(x.angular, p)), transposed_times(R, x.angular)};
      const Freedom& f = c.freedom[b];
      // f = m v̇ + U ms, n = antisymmetric(U, K) + ms × v̇, one parameter at a time
      const Vec3<T> along = transposed_times(U, x.linear) + cross(vd, x.angular);
      const Vec3<T>&r0 = U.r0, &r1 = U.r1, &r2 = U.r2;
      const T y[10] = {dot(x.linear, vd),
                       along.x,
                       along.y,
                       along.z,
                       x.angular.z * r1.x - x.angular.y * r2.x,
                       x.angular.x * r2.y - x.angular.z * r0.y,
                       x.angular.y * r0.z - x.angular.x * r1.z,
                       x.angular.x * r2.x - x.angular.y * r2.y + x.angular.z * (r1.y - r0.x),
                       x.angular.y * (r0.x - r2.z) - x.angular.x * r1.x + x.angular.z * r1.z,
                       x.angular.x * (r2.z - r1.y) + x.angular.y * r0.y - x.angular.z * r0.z};
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
