// 3x3 matrices over any Scalar: rotations, inertias, and the symmetric ones in six numbers.

#pragma once

#include "math/layer.hpp"
#include "math/vec3.hpp"

namespace parid::math {

template <class T>
struct Mat3 {  // rows; the default constructor makes zero
  Vec3<T> r0, r1, r2;

  static Mat3 identity() {
    return {{T(1.0), T(0.0), T(0.0)}, {T(0.0), T(1.0), T(0.0)}, {T(0.0), T(0.0), T(1.0)}};
  }
  static Mat3 diagonal(T x, T y, T z) {
    return {{x, T(0.0), T(0.0)}, {T(0.0), y, T(0.0)}, {T(0.0), T(0.0), z}};
  }
  Vec3<T> column(int j) const {
    if (j == 0) return {r0.x, r1.x, r2.x};
    if (j == 1) return {r0.y, r1.y, r2.y};
    return {r0.z, r1.z, r2.z};
  }
};

// clang-format off
template <class T> Vec3<T> operator*(const Mat3<T>& A, const Vec3<T>& v) {
  VectorTally<T>::note(VectorOp::matrix_vector);
  return {A.r0.x * v.x + A.r0.y * v.y + A.r0.z * v.z,
          A.r1.x * v.x + A.r1.y * v.y + A.r1.z * v.z,
          A.r2.x * v.x + A.r2.y * v.y + A.r2.z * v.z};
}
template <class T> Vec3<T> transposed_times(const Mat3<T>& A, const Vec3<T>& v) {  // Aᵀ v
  VectorTally<T>::note(VectorOp::matrix_vector);
  return {A.r0.x * v.x + A.r1.x * v.y + A.r2.x * v.z,
          A.r0.y * v.x + A.r1.y * v.y + A.r2.y * v.z,
          A.r0.z * v.x + A.r1.z * v.y + A.r2.z * v.z};
}
// clang-format on
template <class T>
Mat3<T> transposed(const Mat3<T>& A) {
  return {A.column(0), A.column(1), A.column(2)};
}
template <class T>
Mat3<T> operator*(const Mat3<T>& A, const Mat3<T>& B) {
  return {transposed_times(B, A.r0), transposed_times(B, A.r1), transposed_times(B, A.r2)};
}
template <class T>
Mat3<T> operator+(const Mat3<T>& A, const Mat3<T>& B) {
  return {A.r0 + B.r0, A.r1 + B.r1, A.r2 + B.r2};
}
template <class T>
Mat3<T> operator-(const Mat3<T>& A, const Mat3<T>& B) {
  return {A.r0 - B.r0, A.r1 - B.r1, A.r2 - B.r2};
}
template <class T>
Mat3<T> operator*(const T& s, const Mat3<T>& A) {
  return {s * A.r0, s * A.r1, s * A.r2};
}
template <class T>
Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b, a.y * b, a.z * b};
}  // a bᵀ

template <class T>
Mat3<T> skew(const Vec3<T>& w) {  // skew(w) v = w × v
  return {{T(0.0), -w.z, w.y}, {w.z, T(0.0), -w.x}, {-w.y, w.x, T(0.0)}};
}
// [ω̇]× + [ω]×[ω]×: times r, the acceleration of the point at r that rotation adds. λ of Dhanaraj
// (1990), Eq. 2.27, with ω_x ω_z in entry (3,1), where ω_x ω_x is printed.
template <class T>
Mat3<T> turning(const Vec3<T>& w, const Vec3<T>& wd) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const T xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{-yy - zz, xy - wd.z, xz + wd.y},
          {xy + wd.z, -xx - zz, yz - wd.x},
          {xz - wd.y, yz + wd.x, -xx - yy}};
}
template <class T>
Mat3<T> rotation_x(const SinCos<T>& a) {
  return {{T(1.0), T(0.0), T(0.0)}, {T(0.0), a.cos, -a.sin}, {T(0.0), a.sin, a.cos}};
}
template <class T>
Mat3<T> rotation_y(const SinCos<T>& a) {
  return {{a.cos, T(0.0), a.sin}, {T(0.0), T(1.0), T(0.0)}, {-a.sin, T(0.0), a.cos}};
}
template <class T>
Mat3<T> rotation_z(const SinCos<T>& a) {
  return {{a.cos, -a.sin, T(0.0)}, {a.sin, a.cos, T(0.0)}, {T(0.0), T(0.0), T(1.0)}};
}
// The rotation of a unit quaternion x i + y j + z k + w.
template <class T>
Mat3<T> rotation_of(const T& x, const T& y, const T& z, const T& w) {
  const T one(1.0), two(2.0);
  return {{one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)},
          {two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)},
          {two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)}};
}

// A rotation about x, then one about z, as between neighbouring Denavit-Hartenberg frames. Its
// entry (0, 2) is zero, so applying it takes one multiplication and one addition less.
template <class T>
struct TwistTurn {
  T xx, xy, yx, yy, yz, zx, zy, zz;
};
template <class T>
Vec3<T> operator*(const TwistTurn<T>& A, const Vec3<T>& v) {
  VectorTally<T>::note(VectorOp::matrix_vector);
  return {A.xx * v.x + A.xy * v.y, A.yx * v.x + A.yy * v.y + A.yz * v.z,
          A.zx * v.x + A.zy * v.y + A.zz * v.z};
}
template <class T>
Vec3<T> transposed_times(const TwistTurn<T>& A, const Vec3<T>& v) {
  VectorTally<T>::note(VectorOp::matrix_vector);
  return {A.xx * v.x + A.yx * v.y + A.zx * v.z, A.xy * v.x + A.yy * v.y + A.zy * v.z,
          A.yz * v.y + A.zz * v.z};
}

template <class T, class S>
Mat3<T> to(const Mat3<S>& A) {
  return {to<T>(A.r0), to<T>(A.r1), to<T>(A.r2)};
}

template <class T>
struct Sym3 {  // symmetric
  T xx{0.0}, yy{0.0}, zz{0.0}, xy{0.0}, xz{0.0}, yz{0.0};
};
// clang-format off
template <class T> Vec3<T> operator*(const Sym3<T>& A, const Vec3<T>& v) {
  VectorTally<T>::note(VectorOp::matrix_vector);
  return {A.xx * v.x + A.xy * v.y + A.xz * v.z,
          A.xy * v.x + A.yy * v.y + A.yz * v.z,
          A.xz * v.x + A.yz * v.y + A.zz * v.z};
}
// clang-format on
// The vector of A·S's antisymmetric part: Σ r × A r where S = Σ r rᵀ.
template <class T>
Vec3<T> antisymmetric(const Mat3<T>& A, const Sym3<T>& S) {
  return {A.r2.x * S.xy - A.r1.x * S.xz + A.r2.y * S.yy - A.r1.z * S.zz + (A.r2.z - A.r1.y) * S.yz,
          A.r0.y * S.yz - A.r2.y * S.xy + A.r0.z * S.zz - A.r2.x * S.xx + (A.r0.x - A.r2.z) * S.xz,
          A.r1.z * S.xz - A.r0.z * S.yz + A.r1.x * S.xx - A.r0.y * S.yy + (A.r1.y - A.r0.x) * S.xy};
}
template <class T>
Sym3<T> symmetric(const Mat3<T>& A) {
  return {A.r0.x, A.r1.y, A.r2.z, A.r0.y, A.r0.z, A.r1.z};
}
template <class T, class S>
Sym3<T> to(const Sym3<S>& A) {
  return {T(A.xx), T(A.yy), T(A.zz), T(A.xy), T(A.xz), T(A.yz)};
}

}  // namespace parid::math
