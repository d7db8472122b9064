// The moments of composite bodies: m, ms, K of a link and all links beyond it.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/model_state.hpp"

namespace parid::dynamics {

template <class T>
Moments<T> operator+(const Moments<T>& a, const Moments<T>& b) {
  return {a.m + b.m,
          a.ms + b.ms,
          {a.K.xx + b.K.xx, a.K.yy + b.K.yy, a.K.zz + b.K.zz, a.K.xy + b.K.xy, a.K.xz + b.K.xz,
           a.K.yz + b.K.yz}};
}

// R S Rᵀ
template <class T>
Sym3<T> rotated(const Mat3<T>& R, const Sym3<T>& S) {
  const Vec3<T> x = S * R.r0, y = S * R.r1, z = S * R.r2;
  return {dot(R.r0, x), dot(R.r1, y), dot(R.r2, z), dot(R.r0, y), dot(R.r0, z), dot(R.r1, z)};
}

// The moments in the frame in which their own frame has the pose R, p: every r becomes R r + p.
template <class T>
Moments<T> moved(const Mat3<T>& R, const Vec3<T>& p, const Moments<T>& b) {
  const Vec3<T> s = R * b.ms, ms = s + b.m * p, both = s + ms;
  const Sym3<T> K = rotated(R, b.K);
  return {
      b.m,
      ms,
      {K.xx + p.x * both.x, K.yy + p.y * both.y, K.zz + p.z * both.z, K.xy + s.x * p.y + p.x * ms.y,
       K.xz + s.x * p.z + p.x * ms.z, K.yz + s.y * p.z + p.y * ms.z}};
}

// Force and moment that accelerate a body at rest by one unit along or about an axis.
template <class T>
Wrench<T> unit_force(const Moments<T>& b, int axis) {
  const T o(0.0);
  const auto& [m, ms, K] = b;
  switch (axis) {
    case 0: return {{m, o, o}, {o, ms.z, -ms.y}};
    case 1: return {{o, m, o}, {-ms.z, o, ms.x}};
    case 2: return {{o, o, m}, {ms.y, -ms.x, o}};
    case 3: return {{o, -ms.z, ms.y}, {K.yy + K.zz, -K.xy, -K.xz}};
    case 4: return {{ms.z, o, -ms.x}, {-K.xy, K.xx + K.zz, -K.yz}};
    default: return {{-ms.y, ms.x, o}, {-K.xz, -K.yz, K.xx + K.yy}};
  }
}

// One per link.
template <class T>
class Composites {
 public:
  explicit Composites(int n) : x_(n) {}

  void gather(const Mechanism<T>& m, const State<T>& at) {
    for (int i = 1; i <= m.n; ++i)
      for (int k = 0; k < 10; ++k) x_[i].set(k, m.body[i][k]);
    for (int i = m.n; i >= 1; --i)
      if (const int j = m.parent(i); j > 0)
        set(j, (*this)[j] + moved(at.R(i), at.p(i), (*this)[i]));
  }

  Moments<T> operator[](int i) const { return {x_[i][0], x_[i].vec(1), x_[i].sym(4)}; }

 private:
  void set(int i, const Moments<T>& b) {
    x_[i].set(0, b.m);
    x_[i].set(1, b.ms);
    x_[i].set(4, b.K);
  }
  PerLink<T, 10> x_;
};

}  // namespace parid::dynamics
