// The rate of coordinates u about a configuration while the robot moves with v: positions are
// integrate(base, u) (manifold.hpp), and with velocities in the links' frames
//
//   u̇ = v + ½ [u, v] + 1/12 [u, [u, v]] − 1/720 [u, [u, [u, [u, v]]]] + …
//
// For joints whose positions are numbers the brackets vanish, and u̇ = v. Five orders of u are kept
// (the odd ones above the first are zero), enough for methods of order 5 and for any step that
// resolves a turn.

#pragma once

#include "math/vec3.hpp"
#include "model/joint/coordinates.hpp"
#include "model/layer.hpp"

namespace parid::model {

namespace detail {

template <class T>
struct Screwing {  // linear, angular
  Vec3<T> v, w;
  friend Screwing operator+(const Screwing& a, const Screwing& b) { return {a.v + b.v, a.w + b.w}; }
  friend Screwing operator*(const T& s, const Screwing& a) { return {s * a.v, s * a.w}; }
};
template <class T>
Screwing<T> bracket(const Screwing<T>& a, const Screwing<T>& b) {
  return {cross(a.w, b.v) + cross(a.v, b.w), cross(a.w, b.w)};
}

}  // namespace detail

// All of nv numbers.
template <class T>
void chart_rate(const Description& d, const T* u, const T* v, T* du) {
  for (const JointDescription& j : d.joints) {
    if (j.mimic) continue;
    const int n = velocity_count(j.type);
    for (int k = 0; k < n; ++k) du[k] = v[k];
    if (position_count(j.type) != n) {
      const int p = n - 3;  // 3 for a floating joint
      auto read = [p](const T* x) {
        detail::Screwing<T> s;
        if (p == 3) s.v = {x[0], x[1], x[2]};
        s.w = {x[p], x[p + 1], x[p + 2]};
        return s;
      };
      const auto U = read(u), V = read(v), one = bracket(U, V), two = bracket(U, one),
                 four = bracket(U, bracket(U, two));
      const auto r = V + T(0.5) * one + T(1. / 12) * two + T(-1. / 720) * four;
      if (p == 3) {
        du[0] = r.v.x;
        du[1] = r.v.y;
        du[2] = r.v.z;
      }
      du[p] = r.w.x;
      du[p + 1] = r.w.y;
      du[p + 2] = r.w.z;
    }
    u += n;
    v += n;
    du += n;
  }
}

}  // namespace parid::model
