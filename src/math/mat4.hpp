// Homogeneous 4x4 matrices, as the Lagrangian papers use them.

#pragma once

#include <array>

#include "math/layer.hpp"
#include "math/pose.hpp"

namespace parid::math {

template <class T>
using Vec4 = std::array<T, 4>;

template <class T>
struct Mat4 {  // rows; the default constructor makes zero
  std::array<Vec4<T>, 4> row = {
      Vec4<T>{T(0.0), T(0.0), T(0.0), T(0.0)}, Vec4<T>{T(0.0), T(0.0), T(0.0), T(0.0)},
      Vec4<T>{T(0.0), T(0.0), T(0.0), T(0.0)}, Vec4<T>{T(0.0), T(0.0), T(0.0), T(0.0)}};

  Vec4<T>& operator[](int i) { return row[i]; }
  const Vec4<T>& operator[](int i) const { return row[i]; }
  static Mat4 identity() {
    Mat4 I;
    for (int i = 0; i < 4; ++i) I[i][i] = T(1.0);
    return I;
  }
};

template <class T>
Mat4<T> homogeneous(const Pose<T>& A) {
  const T o(0.0), one(1.0);
  return {{Vec4<T>{A.R.r0.x, A.R.r0.y, A.R.r0.z, A.p.x},
           Vec4<T>{A.R.r1.x, A.R.r1.y, A.R.r1.z, A.p.y},
           Vec4<T>{A.R.r2.x, A.R.r2.y, A.R.r2.z, A.p.z}, Vec4<T>{o, o, o, one}}};
}
template <class T>
Mat4<T> operator*(const Mat4<T>& A, const Mat4<T>& B) {
  Mat4<T> C;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j] + A[i][3] * B[3][j];
  return C;
}
template <class T>
Vec4<T> operator*(const Mat4<T>& A, const Vec4<T>& v) {
  auto row = [&](int i) {
    return A[i][0] * v[0] + A[i][1] * v[1] + A[i][2] * v[2] + A[i][3] * v[3];
  };
  return {row(0), row(1), row(2), row(3)};
}
template <class T>
Mat4<T> operator+(const Mat4<T>& A, const Mat4<T>& B) {
  Mat4<T> C;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) C[i][j] = A[i][j] + B[i][j];
  return C;
}
template <class T>
Mat4<T> operator*(const T& s, const Mat4<T>& A) {
  Mat4<T> C;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) C[i][j] = s * A[i][j];
  return C;
}
template <class T>
Mat4<T> transposed(const Mat4<T>& A) {
  Mat4<T> C;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) C[i][j] = A[j][i];
  return C;
}
template <class T>
T trace(const Mat4<T>& A) {
  return A[0][0] + A[1][1] + A[2][2] + A[3][3];
}

}  // namespace parid::math
