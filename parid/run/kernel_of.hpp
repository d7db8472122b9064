// The kernel, over its number type. Included only by the files that compile it for one instruction
// set each: what T names is part of every symbol here, so that none is shared between sets.

#pragma once

#include "parid/formulation/newton_euler_link.hpp"
#include "parid/run/kernel.hpp"
#include "parid/scalar/pack.hpp"

namespace parid {

template <int W, class Real, class Isa, template <class> class Rotation>
class KernelOf final : public Kernel<Real> {
  using T = Pack<W, Real, Isa>;

 public:
  explicit KernelOf(const Canonical& c)
      : c_(c), n_(c.topology.n), mechanism_(c.mechanism), motion_(mechanism_), formulation_(mechanism_), tau_(n_ + 1), external_(n_ + 1) {}

  int lanes() const override { return W; }

  void inverse_dynamics(const Real* q, const Real* v, const Real* a, Real* tau, int rows) override {
    load(q, v, a, rows);
    motion_.place(mechanism_);
    formulation_.torque(mechanism_, motion_, tau_.data());
    store(a, tau, rows);
  }

  void set_base_motion(const BaseMotion<double>& b) override { motion_.base = {to<T>(b.w), to<T>(b.wd), to<T>(b.vd)}; }

  void set_external(const std::vector<Wrench<double>>& w) override {
    for (int i = 1; i <= n_ && !w.empty(); ++i) external_[i] = {to<T>(w[i].f), to<T>(w[i].n)};
    motion_.external = w.empty() ? nullptr : external_.data();
  }

 private:
  // Column k of the rows, one row per lane; rows beyond the last repeat it.
  static T column(const Real* x, int k, int stride, int rows) {
    T y;
    for (int r = 0; r < W; ++r) y.set(r, x[(r < rows ? r : rows - 1) * stride + k]);
    return y;
  }
  static Vec3<T> columns(const Real* x, int k, int stride, int rows) {
    return {column(x, k, stride, rows), column(x, k + 1, stride, rows), column(x, k + 2, stride, rows)};
  }
  static void put(Real* y, int k, int stride, int rows, const T& x) {
    for (int r = 0; r < W; ++r)
      if (r < rows) y[r * stride + k] = x[r];
  }

  void load(const Real* q, const Real* v, const Real* a, int rows) {
    const int nq = c_.nq, nv = c_.nv;
    for (int i = 1; i <= n_; ++i) {
      const JointPlace& j = c_.joint[i];
      const int k = j.position, l = j.velocity;
      if (const int free = c_.topology.free_index[i]; free >= 0) [[unlikely]] {
        FreeMotion<T>& u = motion_.free[free];
        const int p = c_.topology.kind[i] == JointKind::floating ? 3 : 0;
        if (p) u.position = columns(q, k, nq, rows), u.v = columns(v, l, nv, rows), u.vd = columns(a, l, nv, rows);
        for (int h = 0; h < 4; ++h) u.quaternion[h] = column(q, k + p + h, nq, rows);
        u.w = columns(v, l + p, nv, rows), u.wd = columns(a, l + p, nv, rows);
      } else if (c_.follows) [[unlikely]] {
        const T s(j.scale);
        motion_.set(i, s * column(q, k, nq, rows) + T(j.offset), s * column(v, l, nv, rows), s * column(a, l, nv, rows));
      } else {
        motion_.set(i, column(q, k, nq, rows) + T(j.offset), column(v, l, nv, rows), column(a, l, nv, rows));
      }
    }
  }

  // Rotor inertia is added here, around the formulation: it turns with its own joint and no other.
  void store(const Real* a, Real* tau, int rows) {
    const int nv = c_.nv;
    if (c_.follows) [[unlikely]]
      for (int k = 0; k < rows * nv; ++k) tau[k] = Real(0);
    for (int i = 1; i <= n_; ++i) {
      const JointPlace& j = c_.joint[i];
      const int l = j.velocity;
      if (c_.topology.free_index[i] >= 0) [[unlikely]] {
        const bool floating = c_.topology.kind[i] == JointKind::floating;
        const Vec3<T> f = formulation_.f(i), n = formulation_.n(i);
        if (floating) put(tau, l, nv, rows, f.x), put(tau, l + 1, nv, rows, f.y), put(tau, l + 2, nv, rows, f.z);
        const int p = l + (floating ? 3 : 0);
        put(tau, p, nv, rows, n.x), put(tau, p + 1, nv, rows, n.y), put(tau, p + 2, nv, rows, n.z);
        continue;
      }
      T t = tau_[i] + T(j.rotor_inertia * j.scale) * column(a, l, nv, rows);
      if (c_.follows) [[unlikely]] t = T(j.scale) * t + column(tau, l, nv, rows);
      put(tau, l, nv, rows, t);
    }
  }

  const Canonical& c_;
  const int n_;
  Mechanism<T> mechanism_;
  Motion<T> motion_;
  NewtonEulerLink<T, Rotation> formulation_;
  std::vector<T, detail::CacheLineAllocator<T>> tau_;
  std::vector<Wrench<T>, detail::CacheLineAllocator<Wrench<T>>> external_;
};

template <int W, class Real, class Isa>
std::unique_ptr<Kernel<Real>> make_kernel(const Canonical& c) {
  if (c.topology.all_twist_turns) return std::make_unique<KernelOf<W, Real, Isa, TwistTurn>>(c);
  return std::make_unique<KernelOf<W, Real, Isa, Mat3>>(c);
}

template <class Isa>
KernelSet kernel_set() {
  return {Isa::name,
          make_kernel<1, double, Isa>,
          make_kernel<lanes_of<Isa, double>, double, Isa>,
          make_kernel<1, float, Isa>,
          make_kernel<lanes_of<Isa, float>, float, Isa>};
}

}  // namespace parid
