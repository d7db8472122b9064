// One step of damped least squares towards a pose, within limits: the core of numeric inverse
// kinematics. Over packs it advances one search per lane.
//
//   e = target − current pose, linear and angular       J: how coordinates move the link
//   δ = W Jᵀ y     where  (J W Jᵀ + λ I) y = e           6 × 6 whatever the number of joints
//
// Lengths are relative to the arm's size, so that metres and radians have similar weight. λ is a
// tenth of |e|² (after Sugihara, IEEE Trans. Robotics 27 (2011) 984-991): far away and near
// singular postures the step is short, near the goal it is a Newton step and converges
// quadratically; the matrix is always invertible. W is 1 for a coordinate that may move and 0 for
// one at a limit that would be exceeded; steps are clamped to the limits.
//
// The angular part of e is the remaining rotation, 2 sin(θ/2) times its axis. Near a half turn the
// axis is ill defined and the length is limited.

#pragma once

#include <cmath>
#include <vector>

#include "kinematics/layer.hpp"
#include "kinematics/path.hpp"
#include "math/per_link.hpp"
#include "math/quaternion.hpp"
#include "math/twist.hpp"
#include "scalar/angle.hpp"

namespace parid::kinematics {

template <Scalar T>
class DampedStep {
 public:
  explicit DampedStep(const Path& path)
      : path_(path),
        E_(path.joints.size()),
        p_(path.joints.size()),
        offset_(path.joints.size()),
        scale_(path.joints.size()),
        lower_(path.nv),
        upper_(path.nv),
        limited_(path.nv),
        origin_(path.joints.size()),
        R_(path.joints.size()),
        J_(path.nv) {
    base_ = {to<T>(path.base.R), to<T>(path.base.p)};
    tip_ = {to<T>(path.tip.R), to<T>(path.tip.p)};
    per_length_ = T(1 / path.extent);
    for (std::size_t i = 0; i < E_.size(); ++i) {
      const PathJoint& j = path.joints[i];
      E_[i] = to<T>(j.E);
      p_[i] = to<T>(j.p);
      offset_[i] = T(j.offset);
    }
    for (const PathFreedom& f : path.freedoms) {
      lower_[f.v] = T(f.lower);
      upper_[f.v] = T(f.upper);
      limited_[f.v] = std::isfinite(f.lower) || std::isfinite(f.upper);
    }
  }

  struct Distance {
    T position2, angle2;  // squares, of q; of angles up to 90° that of 2 sin(θ/2)
  };

  // From q to next, towards `target` in the world. `turning` is 1, or 0 to ignore
  // orientation.
  Distance step(const T* q, const Pose<T>& target, const T& turning, T* next) {
    const Pose<T> at = place(q);
    const auto [e, distance] = error(at, target, turning);
    differentiate(at.p, turning);
    const T damping = T(0.1) * norm2(e) + T(1e-15);

    T A[6][6];  // lower triangle
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c <= r; ++c) A[r][c] = r == c ? damping : T(0.0);
    for (const PathFreedom& f : path_.freedoms) {
      const int last = f.v + velocities(f.kind);
      for (int k = f.v; k < last; ++k) {
        Twist<T>& J = J_[k];
        if (limited_[k]) J = select_movable(J, e, q[f.q], lower_[k], upper_[k]);
        const T column[6] = {J.linear.x,  J.linear.y,  J.linear.z,
                             J.angular.x, J.angular.y, J.angular.z};
        for (int r = 0; r < 6; ++r)
          for (int c = 0; c <= r; ++c) A[r][c] = A[r][c] + column[r] * column[c];
      }
    }
    const Twist<T> y = solved(A, e);
    for (const PathFreedom& f : path_.freedoms) move(f, y, q, next);
    return distance;
  }

 private:
  static constexpr int velocities(JointKind kind) {
    return kind == JointKind::spherical ? 3 : kind == JointKind::floating ? 6 : 1;
  }
  static T norm2(const Twist<T>& a) { return dot(a, a); }
  static T dot(const Twist<T>& a, const Twist<T>& b) {
    return a.linear.x * b.linear.x + a.linear.y * b.linear.y + a.linear.z * b.linear.z +
           a.angular.x * b.angular.x + a.angular.y * b.angular.y + a.angular.z * b.angular.z;
  }

  Pose<T> place(const T* q) {
    Pose<T> at = base_;
    for (std::size_t i = 0; i < E_.size(); ++i) {
      const PathJoint& j = path_.joints[i];
      const Mat3<T> A = at.R * E_[i];
      at.p = at.p + at.R * p_[i];
      if (j.kind == JointKind::revolute) [[likely]] {
        const auto [s, c] = sin_cos(position(j, i, q));
        at.R = {turned(A.r0, s, c), turned(A.r1, s, c), turned(A.r2, s, c)};
      } else if (j.kind == JointKind::prismatic) {
        at.R = A;
        at.p = at.p + position(j, i, q) * A.column(2);
      } else {
        const T* x = q + j.q;
        if (j.kind == JointKind::floating) {
          at.p = at.p + A * Vec3<T>{x[0], x[1], x[2]};
          x += 3;
        }
        at.R = A * rotation_of_quaternion(x[0], x[1], x[2], x[3]);
      }
      origin_[i] = at.p;
      R_[i] = at.R;
    }
    return at * tip_;
  }
  T position(const PathJoint& j, std::size_t i, const T* q) {
    if (path_.has_mimic) {
      const PathPosition<T> at = position_of(j, q[j.q]);
      scale_[i] = at.d1;
      return at.value;
    }
    return angle_sum(q[j.q], offset_[i]);  // prismatic joints have no offset
  }
  static Vec3<T> turned(const Vec3<T>& r, const T& s, const T& c) {  // a row times Rz
    return {r.x * c + r.y * s, r.y * c - r.x * s, r.z};
  }

  struct Error {
    Twist<T> e;
    Distance distance;
  };
  // R* Rᵀ turns by θ about a: its antisymmetric part is sin θ a, its trace 1 + 2 cos θ.
  Error error(const Pose<T>& at, const Pose<T>& target, const T& turning) const {
    const Vec3<T> linear = target.p - at.p;
    const Mat3<T> R = target.R * transposed(at.R);
    const T trace = R.r0.x + R.r1.y + R.r2.z;
    const Vec3<T> twice{R.r2.y - R.r1.z, R.r0.z - R.r2.x, R.r1.x - R.r0.y};
    const T quarter = T(0.25) * (T(1.0) + trace);  // cos²(θ/2)
    const T cosine = sqrt(select(quarter < T(0.01), T(0.01), quarter));
    const Vec3<T> angular = (turning * T(0.5) / cosine) * twice;
    const T near = angular.x * angular.x + angular.y * angular.y + angular.z * angular.z;
    const T far = turning * (T(3.0) - trace);
    return {{per_length_ * linear, angular},
            {linear.x * linear.x + linear.y * linear.y + linear.z * linear.z,
             select(trace < T(1.0), far, near)}};
  }

  // Columns of the Jacobian of the point p.
  void differentiate(const Vec3<T>& p, const T& turning) {
    if (path_.has_mimic)
      for (Twist<T>& column : J_) column = {};
    for (std::size_t i = 0; i < E_.size(); ++i) {
      const PathJoint& j = path_.joints[i];
      const Vec3<T> r = per_length_ * (p - origin_[i]);
      auto turn = [&](const Vec3<T>& e) { return Twist<T>{cross(e, r), turning * e}; };
      if (j.kind == JointKind::revolute || j.kind == JointKind::prismatic) [[likely]] {
        const Vec3<T> z = R_[i].column(2);
        const Twist<T> x = j.kind == JointKind::revolute ? turn(z) : Twist<T>{per_length_ * z, {}};
        J_[j.v] = path_.has_mimic ? J_[j.v] + scale_[i] * x : x;
        continue;
      }
      const int angular = j.v + (j.kind == JointKind::floating ? 3 : 0);
      for (int k = 0; k < 3; ++k) {
        if (angular > j.v) J_[j.v + k] = {per_length_ * R_[i].column(k), {}};
        J_[angular + k] = turn(R_[i].column(k));
      }
    }
  }

  // The column, or zeros if the coordinate is at a limit that e would exceed.
  static Twist<T> select_movable(const Twist<T>& J, const Twist<T>& e, const T& q, const T& lower,
                                 const T& upper) {
    const T zero(0.0), one(1.0), drawn = dot(J, e);
    const T below = select(lower < q, one, select(drawn < zero, zero, one));
    const T above = select(q < upper, one, select(zero < drawn, zero, one));
    return (below * above) * J;
  }

  // A y = e by L D Lᵀ.
  static Twist<T> solved(T (&A)[6][6], const Twist<T>& e) {
    T x[6] = {e.linear.x, e.linear.y, e.linear.z, e.angular.x, e.angular.y, e.angular.z};
    T inverse[6];
    for (int k = 0; k < 6; ++k) {
      inverse[k] = T(1.0) / A[k][k];
      for (int r = k + 1; r < 6; ++r) {
        const T l = A[r][k] * inverse[k];
        for (int c = k + 1; c <= r; ++c) A[r][c] = A[r][c] - l * A[c][k];
        x[r] = x[r] - l * x[k];
      }
    }
    for (int k = 5; k >= 0; --k) {
      x[k] = x[k] * inverse[k];
      for (int r = 0; r < k; ++r) x[r] = x[r] - A[k][r] * x[k];
    }
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }

  void move(const PathFreedom& f, const Twist<T>& y, const T* q, T* next) const {
    if (velocities(f.kind) == 1) [[likely]] {
      const T x = q[f.q] + dot(J_[f.v], y);
      if (!limited_[f.v]) {
        next[f.q] = x;
        return;
      }
      const T above = select(x < lower_[f.v], lower_[f.v], x);
      next[f.q] = select(upper_[f.v] < above, upper_[f.v], above);
      return;
    }
    int k = f.q, l = f.v;
    auto delta = [&](int i) { return dot(J_[l + i], y); };
    const bool floating = f.kind == JointKind::floating;
    const T* x = q + k + (floating ? 3 : 0);
    if (floating) {  // along the moving axes
      const Vec3<T> d =
          rotation_of_quaternion(x[0], x[1], x[2], x[3]) * Vec3<T>{delta(0), delta(1), delta(2)};
      next[k] = q[k] + d.x;
      next[k + 1] = q[k + 1] + d.y;
      next[k + 2] = q[k + 2] + d.z;
      k += 3;
      l += 3;
    }
    // quaternion ∘ (δ/2, 1), brought back to unit length
    const Vec3<T> u{x[0], x[1], x[2]}, h = T(0.5) * Vec3<T>{delta(0), delta(1), delta(2)};
    const Vec3<T> v = u + x[3] * h + cross(u, h);
    const T w = x[3] - (u.x * h.x + u.y * h.y + u.z * h.z);
    const T scale = T(1.0) / sqrt(v.x * v.x + v.y * v.y + v.z * v.z + w * w);
    next[k] = scale * v.x;
    next[k + 1] = scale * v.y;
    next[k + 2] = scale * v.z;
    next[k + 3] = scale * w;
  }

  template <class X>
  using Array = std::vector<X, math::detail::CacheLineAllocator<X>>;

  const Path& path_;
  Array<Mat3<T>> E_;
  Array<Vec3<T>> p_;
  Array<T> offset_, scale_, lower_, upper_;
  std::vector<char> limited_;  // by velocity: some limit is finite
  Pose<T> base_, tip_;
  T per_length_;
  Array<Vec3<T>> origin_;
  Array<Mat3<T>> R_;
  Array<Twist<T>> J_;
};

}  // namespace parid::kinematics
