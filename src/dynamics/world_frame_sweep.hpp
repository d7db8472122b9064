// The robot in one non-rotating frame: poses, twists and moments of all links,
// which can be added directly. Matrices whose entries couple two links
// (gradients, Coriolis) are cheapest in this frame.
//
// Axes are those of frame 0; the origin is that of link 1 at this instant, so
// that a robot far from its base frame loses no digits; or, for a chain, that
// of its last link: the moments of light links at the tip then keep their
// digits, which a division by the mass matrix needs. Accelerations are spatial.

#pragma once

#include "dynamics/composite.hpp"
#include "dynamics/layer.hpp"
#include "math/twist.hpp"

namespace parid::dynamics {

template <class T>
Wrench<T> operator*(const Moments<T>& b, const Twist<T>& x) {  // inertia times twist: momentum
  const T trace = b.K.xx + b.K.yy + b.K.zz;
  return {b.m * x.linear + cross(x.angular, b.ms),
          trace * x.angular - b.K * x.angular + cross(b.ms, x.linear)};
}

// The rates of a body's moments: l = ∫ṙ dm, V = ∫ṙ rᵀ dm. With them the
// Coriolis forces (Christoffel) on a body with an additional twist x are B x
// = (x.angular × l, (tr V − V) x.angular): twelve numbers, which are
// additive over bodies, instead of the 36 of the 6x6 matrices in the
// literature.
template <class T>
struct Carried {
  Vec3<T> l;
  Mat3<T> V;

  Wrench<T> times(const Twist<T>& x) const {
    return {cross(x.angular, l), (V.r0.x + V.r1.y + V.r2.z) * x.angular - V * x.angular};
  }
  Wrench<T> transposed_times(const Twist<T>& x) const {
    return {{},
            cross(l, x.linear) + (V.r0.x + V.r1.y + V.r2.z) * x.angular -
                math::transposed_times(V, x.angular)};
  }
};

template <class T>
struct WorldFrameLink {
  Mat3<T> R;  // of the link's frame
  Vec3<T> o;  // its origin
  Twist<T> v, a;
  Moments<T> body;     // sum over this link and all links beyond
  Carried<T> carried;  // likewise
  Wrench<T> force;     // likewise: the wrench that the joint transmits
};

// Velocity and acceleration of joint i along one of its freedoms: 0-2 along, 3-5 about x, y, z.
template <class T>
T joint_velocity(const Mechanism<T>& m, const State<T>& at, int i, int axis) {
  const int free = m.topology->free_index[i];
  if (free < 0) return at.qd(i);
  return component(Wrench<T>{at.free[free].v, at.free[free].w}, axis);
}
template <class T>
T joint_acceleration(const Mechanism<T>& m, const State<T>& at, int i, int axis) {
  const int free = m.topology->free_index[i];
  if (free < 0) return at.qdd(i);
  return component(Wrench<T>{at.free[free].vd, at.free[free].wd}, axis);
}

enum class Origin { first, tip };

template <class T>
class WorldFrameSweep {
 public:
  // Of a tree the origin is that of link 1.
  explicit WorldFrameSweep(const CanonicalModel& c, Origin origin = Origin::first)
      : link(c.topology.n + 1),
        axis(c.freedom.size()),
        c_(c),
        from_tip_(origin == Origin::tip && is_chain(c)) {}

  // Outwards: all data of one link.
  void sweep(const Mechanism<T>& m, const State<T>& at) {
    place(m, at);
    WorldFrameLink<T>& base = link[0];
    const Vec3<T> shift = -base.o;  // the origin, in frame 0
    base.v = {cross(at.base.w, shift), at.base.w};
    base.a = {cross(at.base.wd, shift) - at.gravity, at.base.wd};
    for (int i = 1; i <= m.n; ++i) {
      const WorldFrameLink<T>& parent = link[m.parent(i)];
      WorldFrameLink<T>& x = link[i];
      Twist<T> joint, rate;  // its velocity relative to the parent; S q̈
      for (int k = c_.first[i]; k < c_.first[i + 1]; ++k) {
        const int direction = c_.freedom[k].axis;
        const Vec3<T> e = x.R.column(direction % 3);
        axis[k] = direction < 3 ? Twist<T>{e, {}} : Twist<T>{cross(x.o, e), e};
        joint = joint + joint_velocity(m, at, i, direction) * axis[k];
        rate = rate + joint_acceleration(m, at, i, direction) * axis[k];
      }
      x.v = parent.v + joint;
      x.a = parent.a + cross(x.v, joint) + rate;
      const auto body = m.body[i];
      x.body = moved(x.R, x.o, Moments<T>{body[0], body.vec(1), body.sym(4)});
      const Wrench<T> h = x.body * x.v;
      x.carried = {h.f, outer(x.v.linear, x.body.ms) + turned(x.v.angular, x.body.K)};
      x.force = x.body * x.a + cross(x.v, h);
      if (at.external) {
        const Wrench<T> w = on_parent(x.R, x.o, at.external[i]);
        x.force = x.force - w;
      }
    }
  }
  // Inwards: sums each link with those beyond it.
  void gather() {
    for (int i = c_.topology.n; i >= 1; --i)
      if (const int j = c_.topology.parent[i]; j > 0) {
        WorldFrameLink<T>& y = link[j];
        const WorldFrameLink<T>& x = link[i];
        y.body = y.body + x.body;
        y.carried = {y.carried.l + x.carried.l, y.carried.V + x.carried.V};
        y.force = y.force + x.force;
      }
  }

  std::vector<WorldFrameLink<T>> link;  // [0..n]
  std::vector<Twist<T>> axis;           // of each freedom

 private:
  static bool is_chain(const CanonicalModel& c) {
    for (int i = 1; i <= c.topology.n; ++i)
      if (c.topology.parent[i] != i - 1) return false;
    return true;
  }
  // Poses: positions from the origin on.
  void place(const Mechanism<T>& m, const State<T>& at) {
    link[0].R = Mat3<T>::identity();
    link[0].o = -at.p(1);
    for (int i = 1; i <= m.n; ++i) {
      const WorldFrameLink<T>& parent = link[m.parent(i)];
      link[i].R = parent.R * at.R(i);
      if (!from_tip_) link[i].o = parent.o + parent.R * at.p(i);
    }
    if (!from_tip_) return;
    link[m.n].o = {};
    for (int i = m.n; i >= 1; --i) link[i - 1].o = link[i].o - link[i - 1].R * at.p(i);
  }

  static Mat3<T> turned(const Vec3<T>& w, const Sym3<T>& K) {  // [w]× K
    return transposed(Mat3<T>{cross(w, Vec3<T>{K.xx, K.xy, K.xz}),
                              cross(w, Vec3<T>{K.xy, K.yy, K.yz}),
                              cross(w, Vec3<T>{K.xz, K.yz, K.zz})});
  }

  const CanonicalModel& c_;
  bool from_tip_;
};

// Adds an entry of the mechanism's freedoms (a, b) to the user's row-major (nv, nv) matrix.
template <class T>
void add_entry(const CanonicalModel& c, const State<T>& at, T* M, int a, int b, const T& x) {
  const Freedom &fa = c.freedom[a], &fb = c.freedom[b];
  T& entry = M[fa.column * c.nv + fb.column];
  entry = c.has_mimic ? entry + scale_of(at, fa, fb) * x : x;
}

}  // namespace parid::dynamics
