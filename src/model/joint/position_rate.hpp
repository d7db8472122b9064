// The rate of the positions q for velocities v, also for joints whose positions are not vectors.

#pragma once

#include "model/joint/manifold.hpp"
#include "model/layer.hpp"

namespace parid::model {

// q: nq numbers, v: nv, rate: nq. The length of a quaternion does not change.
template <class T>
void position_rate(const Description& d, const T* q, const T* v, T* rate) {
  for (const JointDescription& j : d.joints) {
    if (j.mimic) continue;
    const int nq = position_count(j.type), nv = velocity_count(j.type);
    if (nq == nv) {
      for (int k = 0; k < nv; ++k) rate[k] = v[k];
    } else {
      const int p = nq - 4;  // 3 for a floating joint
      const auto turn = detail::quaternion(q + p);
      if (p == 3) {
        const Vec3<T> moved = detail::turned(turn, Vec3<T>{v[0], v[1], v[2]});
        rate[0] = moved.x;
        rate[1] = moved.y;
        rate[2] = moved.z;
      }
      const Vec3<T> half = T(0.5) * Vec3<T>{v[p], v[p + 1], v[p + 2]};
      detail::put(turn * detail::Quaternion<T>{half, T(0.0)}, rate + p);
    }
    q += nq;
    rate += nq;
    v += nv;
  }
}

}  // namespace parid::model
