// The kernel, over its number type. Included only by the files that compile it for one instruction
// set each: what T names is part of every symbol here, so that none is shared between sets.

#pragma once

#include "parid/formulation/newton_euler_link.hpp"
#include "parid/run/kernel.hpp"
#include "parid/run/state.hpp"
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
    const int nq = c_.nq, nv = c_.nv;
    auto columns = [rows](const Real* x, int stride) { return [=](int k) { return column(x + k, stride, rows); }; };
    load_state(c_, motion_, columns(q, nq), columns(v, nv), columns(a, nv));
    motion_.place(mechanism_);
    formulation_.torque(mechanism_, motion_, tau_.data());
    store_torque(c_, tau_.data(), formulation_, columns(a, nv), columns(tau, nv), [=](int k, const T& x) {
      for (int r = 0; r < W; ++r)
        if (r < rows) tau[r * nv + k] = x[r];
    });
  }

  void set_base_motion(const BaseMotion<double>& b) override { motion_.base = {to<T>(b.w), to<T>(b.wd), to<T>(b.vd)}; }

  void set_external(const std::vector<Wrench<double>>& w) override {
    for (int i = 1; i <= n_ && !w.empty(); ++i) external_[i] = {to<T>(w[i].f), to<T>(w[i].n)};
    motion_.external = w.empty() ? nullptr : external_.data();
  }

 private:
  // One row per lane; rows beyond the last repeat it.
  static T column(const Real* x, int stride, int rows) {
    T y;
    for (int r = 0; r < W; ++r) y.set(r, x[(r < rows ? r : rows - 1) * stride]);
    return y;
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
