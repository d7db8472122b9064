// Derivatives of inverse dynamics, ∂τ/∂q, ∂τ/∂v, ∂τ/∂a, by recursion; and wᵀ times them
// without the matrices, in O(n).
//
// Source   Singh, Russell, Wensing: Efficient analytical derivatives of rigid-body dynamics using
//          spatial vector algebra, IEEE Robotics and Automation Letters 7 (2022) 1776-1783; the
//          matrices B are held in the twelve numbers of ground.hpp.
// Symbols  S Ṡ       axis of a freedom, and how its own link carries it
//          P P̈       v × S and a × S + v × (v × S) with the motion of the link before
//          I B f     of link i with all beyond it
//
//   for b on link i, a between b and the base:
//     ∂τ_a/∂q_b = S_a·(2B P_b + I P̈_b + S_b × f)      ∂τ_b/∂q_a = (2Bᵀ S_b)·P_a + (I S_b)·P̈_a
//      ∂τ_a/∂v_b = S_a·(2B S_b + I (P_b + Ṡ_b))
//      ∂τ_b/∂v_a = (2Bᵀ S_b)·S_a + (I S_b)·(P_a + Ṡ_a)
//   within one joint the first of each, without S_b × f.
//
// Of a joint whose coordinate is a function f of its leader's, v_b = f' v and a_b = f' a + f" v²
// depend on the leader's position too, and its torque enters the leader's with the factor f':
//
//   ∂τ/∂q += f'_a (f"_b v ∂τ_a/∂v_b + (f"_b a + f"'_b v²) ∂τ_a/∂a_b) + f"_a τ_a
//   ∂τ/∂v += f'_a 2 f"_b v ∂τ_a/∂a_b
//
// For joints with quaternions ∂q is along the velocities, in the velocity's
// coordinates.

#pragma once

#include <algorithm>

#include "dynamics/layer.hpp"
#include "dynamics/world_frame_sweep.hpp"
#include "scalar/packed_row.hpp"

namespace parid::dynamics {

template <Scalar T>
class InverseGradient {
  using Row = PackedRow<T>;
  using Wide = typename Row::type;

 public:
  explicit InverseGradient(const CanonicalModel& c, Origin origin = Origin::tip)
      : at(c),
        ground_(c, origin),
        P_(c.freedom.size()),
        PP_(c.freedom.size()),
        PS_(c.freedom.size()),
        stride_(padded<T>(static_cast<int>(c.freedom.size()))),
        side_(static_cast<std::size_t>(side_numbers * stride_), T(0.0)),
        row_(static_cast<std::size_t>(5 * stride_), T(0.0)),
        by_a_(c.freedom.size()),
        by_parent_(c.freedom.size()),
        before_(c.topology.n + 1),
        beyond_(c.topology.n + 1),
        freedoms_before_(c.topology.n + 1),
        freedoms_beyond_(c.topology.n + 1),
        reverse_(c.topology.n + 1) {
    for (int i = 1; i <= c.topology.n; ++i)
      for (int a = c.freedom[c.first[i]].parent; a >= 0; a = c.freedom[a].parent) {
        add_register(before_[i], a);
        freedoms_before_[i].push_back({a, c.freedom[a].column});
        const int above = c.freedom[a].link;
        if (a != c.first[above]) continue;
        for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
          add_register(beyond_[above], b);
          freedoms_beyond_[above].push_back({b, c.freedom[b].column});
        }
      }
  }

  // Row-major (nv, nv): row k holds the derivatives of τ_k.
  void operator()(const T* q, const T* v, const T* a, T* dq, T* dv, T* da) {
    at.load(q, v, a);
    evaluate(dq, dv, da);
  }
  void evaluate(T* dq, T* dv, T* da) {
    const CanonicalModel& c = at.c;
    sweep();
    for (int k = 0; k < c.nv * c.nv; ++k) dq[k] = dv[k] = da[k] = T(0.0);
    const auto& S = ground_.axis;
    const T two(2.0);
    auto add = [&](int a, int b, const T& by_q, const T& by_v) {
      add_entry(c, at.motion, dq, a, b, by_q);
      add_entry(c, at.motion, dv, a, b, by_v);
    };
    for (int i = 1; i <= c.topology.n; ++i) {
      const WorldFrameLink<T>& x = ground_.link[i];
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        if (const Freedom& f = c.freedom[b]; f.coupling >= 0) [[unlikely]] {
          T& own = dq[f.column * c.nv + f.column];  // the torque's own factor f' changes with q
          own = own + at.motion.coupled[f.coupling].d2 * torque(b);
        }
        const Wrench<T> by_q = two * x.carried.times(P_[b]) + x.body * PP_[b];
        const Wrench<T> by_v = two * x.carried.times(S[b]) + x.body * PS_[b];
        const Wrench<T> by_a = x.body * S[b];
        for (int a = c.first[i]; a < c.first[i + 1]; ++a) {
          const T v = dot(S[a], by_v), own = dot(S[a], by_a),
                  mass = a == b ? own + T(c.freedom[a].rotor_inertia) : own;
          add(a, b, dot(S[a], by_q), v);
          add_entry(c, at.motion, da, a, b, mass);
          if (c.freedom[b].coupling >= 0) [[unlikely]]
            add_coupled(a, b, v, mass, dq, dv);
        }
        put_beside(b, 21, by_q + cross(S[b], x.force));
        put_beside(b, 27, by_v);
        by_a_[b] = by_a;
        by_parent_[b] = two * x.carried.transposed_times(S[b]).n;  // its force is zero
      }
    }
    const T *before_q = row_.data(), *before_v = before_q + stride_, *both = before_v + stride_,
            *beyond_q = both + stride_, *beyond_v = beyond_q + stride_;
    for (int i = 1; i <= c.topology.n; ++i)
      for (int k = c.first[i]; k < c.first[i + 1]; ++k) {
        for (const int first : before_[i]) before(k, first);
        for (const int first : beyond_[i]) beyond(k, first);
        if (!c.has_mimic) [[likely]] {
          const int column = c.freedom[k].column;
          T *q = dq + column * c.nv, *v = dv + column * c.nv, *m = da + column * c.nv;
          T* down = da + column;
          for (const auto& [a, j] : freedoms_before_[i]) {
            q[j] = before_q[a];
            v[j] = before_v[a];
            m[j] = down[j * c.nv] = both[a];
          }
          for (const auto& [b, j] : freedoms_beyond_[i]) {
            q[j] = beyond_q[b];
            v[j] = beyond_v[b];
          }
          continue;
        }
        for (const auto& [a, column] : freedoms_before_[i]) {
          add(k, a, before_q[a], before_v[a]);
          add_entry(c, at.motion, da, k, a, both[a]);
          add_entry(c, at.motion, da, a, k, both[a]);
          if (c.freedom[a].coupling >= 0) [[unlikely]]
            add_coupled(k, a, before_v[a], both[a], dq, dv);
        }
        for (const auto& [b, column] : freedoms_beyond_[i]) {
          add(k, b, beyond_q[b], beyond_v[b]);
          if (c.freedom[b].coupling >= 0) [[unlikely]]
            add_coupled(k, b, beyond_v[b], dot(S[k], by_a_[b]), dq, dv);
        }
      }
  }

  // gq = wᵀ ∂τ/∂q, gv = wᵀ ∂τ/∂v, ga = wᵀ ∂τ/∂a; nv numbers each.
  //
  // The reverse of Newton and Euler's recursion, in the links' frames. V, A, F: velocity,
  // acceleration and force of a link; S: a freedom; u = S v of its joint; X takes motions from the
  // parent to the link; × and ×* are the cross products of motions with motions and with forces.
  //
  //   V = X V + u        A = X A + S a + V × u        F = I A + V ×* I V        f = F + Σ Xᵀ f
  //
  // Σ w·τ is Σ W·F with W = X W + S w. Its derivatives by A and V of a link are the wrenches
  //
  //   by_A = I W + Σ Xᵀ by_A,   by_V = −W ×* I V − I (V × W) + u ×* by_A + Σ Xᵀ by_V
  void vector_product(const T* q, const T* v, const T* a, const T* w, T* gq, T* gv, T* ga) {
    const CanonicalModel& c = at.c;
    at.load(q, v, a);
    for (int k = 0; k < c.nv; ++k) gq[k] = gv[k] = ga[k] = T(0.0);
    reverse_[0].V = {{}, at.motion.base.w};
    reverse_[0].A = {-at.motion.gravity, at.motion.base.wd};
    reverse_[0].W = {};
    for (int i = 1; i <= c.topology.n; ++i) outwards(i, w);
    for (int i = c.topology.n; i >= 1; --i) {
      Reverse& x = reverse_[i];
      x.by_V = x.by_V + cross(x.u, x.by_A);
      const Wrench<T> turned =
          cross(x.V_before, x.by_V) + cross(x.A_before, x.by_A) + cross(x.W_before, x.f);
      const Wrench<T> faster = x.by_V - cross(x.V, x.by_A);
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        const Freedom& freedom = c.freedom[b];
        const int k = freedom.column;
        const T scale = scale_of(at.motion, freedom), rotor = T(freedom.rotor_inertia);
        const T own_q = -component(turned, freedom.axis), own_v = component(faster, freedom.axis),
                own_a = component(x.by_A, freedom.axis) + rotor * scale * w[k];
        gq[k] = gq[k] + scale * own_q;
        gv[k] = gv[k] + scale * own_v;
        ga[k] = ga[k] + scale * own_a;
        if (freedom.coupling >= 0) [[unlikely]] {
          const CoupledJoint<T>& f = at.motion.coupled[freedom.coupling];
          const T torque = component(x.f, freedom.axis) + rotor * (f.d1 * f.a + f.drift());
          gq[k] = gq[k] + (f.d2 * f.v) * own_v + (f.d2 * f.a + f.d3 * (f.v * f.v)) * own_a +
                  (f.d2 * w[k]) * torque;
          gv[k] = gv[k] + T(2.0) * ((f.d2 * f.v) * own_a);
        }
      }
      const int j = c.topology.parent[i];
      if (j == 0) continue;
      Reverse& y = reverse_[j];
      const Mat3<T> R = at.motion.R(i);
      const Vec3<T> p = at.motion.p(i);
      y.f = y.f + on_parent(R, p, x.f);
      y.by_A = y.by_A + on_parent(R, p, x.by_A);
      y.by_V = y.by_V + on_parent(R, p, x.by_V);
    }
  }

  ModelState<T> at;

 private:
  // What freedom b of a coupled joint adds to row a besides f' ∂τ/∂(q, v, a): its velocity f' v and
  // its acceleration f' a + f'' v² change with its leader's position, the latter with its velocity.
  void add_coupled(int a, int b, const T& by_v, const T& by_a, T* dq, T* dv) const {
    const CanonicalModel& c = at.c;
    const CoupledJoint<T>& f = at.motion.coupled[c.freedom[b].coupling];
    const T scale = scale_of(at.motion, c.freedom[a]), turned = f.d2 * f.v;
    const int entry = c.freedom[a].column * c.nv + c.freedom[b].column;
    dq[entry] = dq[entry] + scale * (turned * by_v + (f.d2 * f.a + f.d3 * (f.v * f.v)) * by_a);
    dv[entry] = dv[entry] + scale * (T(2.0) * (turned * by_a));
  }
  // Of a freedom of a coupled joint, its rotor's included.
  T torque(int b) const {
    const Freedom& f = at.c.freedom[b];
    const CoupledJoint<T>& x = at.motion.coupled[f.coupling];
    return dot(ground_.axis[b], ground_.link[f.link].force) +
           T(f.rotor_inertia) * (x.d1 * x.a + x.drift());
  }

  static void add_register(std::vector<int>& all, int freedom) {
    const int first = freedom / Row::numbers * Row::numbers;
    if (std::find(all.begin(), all.end(), first) == all.end()) all.push_back(first);
  }
  // Numbers of freedom k beside those of its neighbours.
  template <class Six>
  void put_beside(int k, int from, const Six& x) {
    const auto& [first, second] = x;
    put_three(k, from, first);
    put_three(k, from + 3, second);
  }
  void put_three(int k, int from, const Vec3<T>& x) {
    T* to = &side_[static_cast<std::size_t>(from * stride_ + k)];
    to[0] = x.x;
    to[stride_] = x.y;
    to[2 * stride_] = x.z;
  }
  // Of the register of freedoms that starts with `first`.
  Vec3<Wide> beside(int first, int from) const {
    const T* x = &side_[static_cast<std::size_t>(from * stride_ + first)];
    return {Row::load(x), Row::load(x + stride_), Row::load(x + 2 * stride_)};
  }
  static Vec3<Wide> spread(const Vec3<T>& x) {
    return {Row::spread(x.x), Row::spread(x.y), Row::spread(x.z)};
  }
  // Entries of row k with freedoms between its link and the base, and with those beyond its link.
  void before(int k, int first) {
    const Wrench<Wide> by_a{spread(by_a_[k].f), spread(by_a_[k].n)};
    const Vec3<Wide> row = spread(by_parent_[k]);
    const Twist<Wide> S{beside(first, 0), beside(first, 3)};
    T* to = &row_[static_cast<std::size_t>(first)];
    Row::store(to, dot(row, beside(first, 6)) +
                       dot(Twist<Wide>{beside(first, 9), beside(first, 12)}, by_a));
    Row::store(to + stride_,
               dot(row, S.angular) + dot(Twist<Wide>{beside(first, 15), beside(first, 18)}, by_a));
    Row::store(to + 2 * stride_, dot(S, by_a));
  }
  void beyond(int k, int first) {
    const Twist<T>& axis = ground_.axis[k];
    const Twist<Wide> S{spread(axis.linear), spread(axis.angular)};
    T* to = &row_[static_cast<std::size_t>(3 * stride_ + first)];
    Row::store(to, dot(S, Wrench<Wide>{beside(first, 21), beside(first, 24)}));
    Row::store(to + stride_, dot(S, Wrench<Wide>{beside(first, 27), beside(first, 30)}));
  }

  void sweep() {
    const CanonicalModel& c = at.c;
    ground_.sweep(at.mechanism, at.motion);
    ground_.gather();
    for (int i = 1; i <= c.topology.n; ++i) {
      const WorldFrameLink<T>&parent = ground_.link[c.topology.parent[i]], &x = ground_.link[i];
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        P_[b] = cross(parent.v, ground_.axis[b]);
        PP_[b] = cross(parent.a, ground_.axis[b]) + cross(parent.v, P_[b]);
        PS_[b] = P_[b] + cross(x.v, ground_.axis[b]);
        put_beside(b, 0, ground_.axis[b]);
        put_three(b, 6, P_[b].angular);
        put_beside(b, 9, PP_[b]);
        put_beside(b, 15, PS_[b]);
      }
    }
  }

  // Motions and wrenches of a link in its frame, for vector_product().
  struct Reverse {
    Twist<T> V_before, A_before, W_before;  // the parent's
    Twist<T> V, A, W, u;
    Wrench<T> f, by_V, by_A;
  };
  void outwards(int i, const T* w) {
    const CanonicalModel& c = at.c;
    const Reverse& parent = reverse_[c.topology.parent[i]];
    Reverse& x = reverse_[i];
    const Mat3<T> R = at.motion.R(i);
    const Vec3<T> p = at.motion.p(i);
    auto seen = [&](const Twist<T>& y) {
      return Twist<T>{transposed_times(R, y.linear + cross(y.angular, p)),
                      transposed_times(R, y.angular)};
    };
    x.V_before = seen(parent.V);
    x.A_before = seen(parent.A);
    x.W_before = seen(parent.W);
    x.V = x.V_before;
    x.A = x.A_before;
    x.W = x.W_before;
    x.u = {};
    for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
      const Freedom& f = c.freedom[b];
      add_along(f.axis, joint_velocity(at.mechanism, at.motion, i, f.axis), x.u);
      add_along(f.axis, joint_acceleration(at.mechanism, at.motion, i, f.axis), x.A);
      add_along(f.axis, scale_of(at.motion, f) * w[f.column], x.W);
    }
    x.V = x.V + x.u;
    x.A = x.A + cross(x.V, x.u);
    const auto body = at.mechanism.body[i];
    const Moments<T> I{body[0], body.vec(1), body.sym(4)};
    const Wrench<T> h = I * x.V;
    x.f = I * x.A + cross(x.V, h);
    if (at.motion.external) x.f = x.f - at.motion.external[i];
    x.by_A = I * x.W;
    x.by_V = -T(1.0) * (cross(x.W, h) + I * cross(x.V, x.W));
  }
  static void add_along(int axis, const T& x, Twist<T>& to) {
    switch (axis) {
      case 0: to.linear.x = to.linear.x + x; return;
      case 1: to.linear.y = to.linear.y + x; return;
      case 2: to.linear.z = to.linear.z + x; return;
      case 3: to.angular.x = to.angular.x + x; return;
      case 4: to.angular.y = to.angular.y + x; return;
      default: to.angular.z = to.angular.z + x;
    }
  }

  WorldFrameSweep<T> ground_;
  std::vector<Twist<T>> P_, PP_, PS_;  // P, P̈, P + Ṡ
  // Of each freedom, number by number in rows of stride_: S, P's angular part, P̈, P + Ṡ, the
  // derivatives by q with S × f and by v; and one row of entries, by q, v and a with freedoms before
  // it and by q and v with those beyond it.
  static constexpr int side_numbers = 33;
  int stride_;
  std::vector<T, math::detail::CacheLineAllocator<T>> side_, row_;
  std::vector<Wrench<T>> by_a_;
  std::vector<Vec3<T>> by_parent_;
  // Of each link: first freedoms of the registers before and beyond it, and the freedoms beyond.
  std::vector<std::vector<int>> before_, beyond_;
  struct Column {
    int freedom, column;
  };
  std::vector<std::vector<Column>> freedoms_before_, freedoms_beyond_;
  std::vector<Reverse> reverse_;  // [0..n]
};

}  // namespace parid::dynamics
