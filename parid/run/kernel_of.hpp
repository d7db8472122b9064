// The kernel, over its number type. Included only by the files that compile it for one instruction
// set each: what T names is part of every symbol here, so that none is shared between sets.

#pragma once

#include "parid/formulation/newton_euler_link.hpp"
#include "parid/run/kernel.hpp"
#include "parid/model/state.hpp"
#include "parid/scalar/pack.hpp"

namespace parid {

template <int W, class Real, class Isa, template <class> class Rotation>
class KernelOf final : public Kernel<Real> {
  using T = Pack<W, Real, Isa>;

 public:
  explicit KernelOf(const Canonical& c)
      : c_(c),
        n_(c.topology.n),
        mechanism_(c.mechanism),
        motion_(mechanism_),
        formulation_(mechanism_),
        tau_(n_ + 1),
        rotor_(n_ + 1),
        offset_(n_ + Abreast<T>::links),
        external_(n_ + 1) {
    for (int i = 1; i <= n_; ++i)
      rotor_[i] = T(c.joint[i].rotor_inertia), offset_[i - 1] = T(c.joint[i].offset);
  }

  int lanes() const override { return W; }

  void inverse_dynamics(const Real* q, const Real* v, const Real* a, Real* tau, int rows) override {
    const int nq = c_.nq, nv = c_.nv;
    auto columns = [rows](const Real* x, int stride) {
      return [=](int k) { return column(x + k, stride, rows); };
    };
    const bool direct = W == 1 && c_.in_order;
    if (direct) load_in_order(q, v, a);
    if (!direct) load_state(c_, motion_, columns(q, nq), columns(v, nv), columns(a, nv));
    motion_.place(mechanism_);
    formulation_.torque(mechanism_, motion_, tau_.data());
    if (direct)
      for (int i = 1; i <= n_; ++i) tau[i - 1] = (tau_[i] + rotor_[i] * T(a[i - 1]))[0];
    else
      store_torque(
          c_, tau_.data(),
          [this](int i) {
            return Wrench<T>{formulation_.f(i), formulation_.n(i)};
          },
          columns(a, nv), columns(tau, nv),
          [=](int k, const T& x) {
            for (int r = 0; r < W; ++r)
              if (r < rows) tau[r * nv + k] = x[r];
          });
  }

  void set_base_motion(const BaseMotion<double>& b) override {
    motion_.set_base(mechanism_, {to<T>(b.w), to<T>(b.wd), to<T>(b.vd)});
  }

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

  // One sample of a robot whose joints are the mechanism's, one after the other: positions go abreast
  // from register to register. Writing them one by one and reading them abreast would wait for memory.
  void load_in_order(const Real* q, const Real* v, const Real* a) {
    using Wide = typename Abreast<T>::type;
    constexpr int links = Abreast<T>::links;
    for (int i = 1; i <= n_; i += links) {
      Real some[links] = {};
      const Real* from = q + i - 1;
      if (i - 1 + links > n_) {
        for (int k = 0; k < links; ++k)
          if (i + k <= n_) some[k] = from[k];
        from = some;
      }
      Wide x;
      __builtin_memcpy(&x.lane, from, sizeof x.lane);
      motion_.set_positions_abreast(i, x + Abreast<T>::load(&offset_[i - 1]));
    }
    for (int i = 1; i <= n_; ++i) motion_.set_rates(i, T(v[i - 1]), T(a[i - 1]));
  }

  const Canonical& c_;
  const int n_;
  Mechanism<T> mechanism_;
  Motion<T> motion_;
  NewtonEulerLink<T, Rotation> formulation_;
  std::vector<T, detail::CacheLineAllocator<T>> tau_, rotor_;
  std::vector<T, detail::CacheLineAllocator<T>> offset_;  // of each joint's position, from joint 1
  std::vector<Wrench<T>, detail::CacheLineAllocator<Wrench<T>>> external_;
};

template <int W, class Real, class Isa>
std::unique_ptr<Kernel<Real>> make_kernel(const Canonical& c) {
  if (c.topology.all_twist_turns) return std::make_unique<KernelOf<W, Real, Isa, TwistTurn>>(c);
  return std::make_unique<KernelOf<W, Real, Isa, Mat3>>(c);
}

template <class Isa>
KernelSet kernel_set() {
  return {Isa::name, make_kernel<1, double, Isa>, make_kernel<lanes_of<Isa, double>, double, Isa>,
          make_kernel<1, float, Isa>, make_kernel<lanes_of<Isa, float>, float, Isa>};
}

}  // namespace parid
