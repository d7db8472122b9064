// Shared by the Lagrangian formulations with 4x4 matrices: poses, their derivatives with respect to
// the joint, pseudo-inertias, and the forward recursion.
//
// In Craig's frames a joint acts on the right of its pose: A = B·motion(q), so A' = A·Q, where Q
// only moves and negates columns, which is free.

#pragma once

#include "formulation/layer.hpp"
#include "math/mat4.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <class T>
Mat4<T> pose_of(const State<T>& at, int i) {
  return homogeneous(Pose<T>{at.R(i), at.p(i)});
}

// A' = ∂A/∂q and A'' = ∂²A/∂q².
template <class T>
Mat4<T> first_derivative(JointKind kind, const Mat4<T>& A) {
  Mat4<T> D;
  for (int r = 0; r < 3; ++r) {
    if (kind == JointKind::revolute) {
      D[r][0] = A[r][1];
      D[r][1] = -A[r][0];
    }
    if (kind == JointKind::prismatic) D[r][3] = A[r][2];
  }
  return D;
}
template <class T>
Mat4<T> second_derivative(JointKind kind, const Mat4<T>& A) {
  Mat4<T> D;
  for (int r = 0; r < 3; ++r)
    if (kind == JointKind::revolute) {
      D[r][0] = -A[r][0];
      D[r][1] = -A[r][1];
    }
  return D;
}

// ∫ r rᵀ dm over the link, r homogeneous.
template <class T>
Mat4<T> pseudo_inertia(const Mechanism<T>& m, int i) {
  const T mass = m.body[i][0];
  const Vec3<T> s = m.body[i].vec(1);
  const Sym3<T> K = m.body[i].sym(4);
  return {{Vec4<T>{K.xx, K.xy, K.xz, s.x}, Vec4<T>{K.xy, K.yy, K.yz, s.y},
           Vec4<T>{K.xz, K.yz, K.zz, s.z}, Vec4<T>{s.x, s.y, s.z, mass}}};
}
template <class T>
Vec4<T> centre_of(const Mechanism<T>& m, int i) {
  const Vec3<T> s = m.centre[i].vec(0);
  return {s.x, s.y, s.z, T(1.0)};
}
template <class T>
Vec4<T> gravity_of(const State<T>& at) {
  return {at.gravity.x, at.gravity.y, at.gravity.z, T(0.0)};
}
template <class T>
T dot(const Vec4<T>& a, const Vec4<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// W_j, Ẇ_j, Ẅ_j from the base out (Hollerbach 8 and 9, with W where Ẇ is printed):
//   W = W A,  Ẇ = Ẇ A + W A' q̇,  Ẅ = Ẅ A + 2 Ẇ A' q̇ + W A'' q̇² + W A' q̈
// Every product is computed where it appears, as the papers count; only products with the base,
// whose W is the identity and whose Ẇ and Ẅ are zero, are omitted.
template <class T>
struct Turning4 {
  Mat4<T> W, Wd, Wdd;

  Turning4 next(bool on_base, const Mat4<T>& A, const Mat4<T>& A1, const Mat4<T>& A2, const T& qd,
                const T& qdd) const {
    auto W_ = [&](const Mat4<T>& B) { return on_base ? B : W * B; };
    auto Wd_ = [&](const Mat4<T>& B) { return on_base ? Mat4<T>() : Wd * B; };
    auto Wdd_ = [&](const Mat4<T>& B) { return on_base ? Mat4<T>() : Wdd * B; };
    return {W_(A), Wd_(A) + qd * W_(A1),
            Wdd_(A) + (T(2.0) * qd) * Wd_(A1) + (qd * qd) * W_(A2) + qdd * W_(A1)};
  }
};

// A sum that starts with its first term instead of zero.
template <class T>
struct Sum {
  T value{0.0};
  bool empty = true;
  void add(const T& x) {
    value = empty ? x : value + x;
    empty = false;
  }
};

}  // namespace parid::formulation
