// The forward kernel as a template over its number type. Included only by the files that compile it
// for one instruction set each; see kernel_of.hpp.

#pragma once

#include "dynamics/articulated_body.hpp"
#include "dynamics/composite_forward.hpp"
#include "runtime/kernel/forward_kernel.hpp"
#include "runtime/kernel/isa/row_lanes.hpp"
#include "runtime/layer.hpp"
#include "scalar/pack.hpp"

namespace parid::runtime {

// Method: CompositeForward or ArticulatedBody.
template <int W, class Isa, template <class> class Method>
class ForwardKernelOf final : public ForwardKernel {
  using T = Pack<W, double, Isa>;

 public:
  explicit ForwardKernelOf(const CanonicalModel& c)
      : c_(c), forward_(c), mass_(c), external_(c.topology.n + 1), M_(c.nv * c.nv) {}

  int lanes() const override { return W; }

  void forward_dynamics(const double* q, const double* v, const double* tau, double* a,
                        int rows) override {
    auto none = [](int) { return T(0.0); };
    load_state(c_, forward_.at.motion, columns(q, c_.nq, rows), columns(v, c_.nv, rows), none);
    forward_.at.motion.place(forward_.at.mechanism);
    const int nv = c_.nv;
    forward_.evaluate(columns(tau, nv, rows), [=](int k, const T& x) {
      for (int r = 0; r < W; ++r)
        if (r < rows) a[r * nv + k] = x[r];
    });
  }

  void mass_matrix(const double* q, double* M, int rows) override {
    auto none = [](int) { return T(0.0); };
    load_state(c_, mass_.at.motion, columns(q, c_.nq, rows), none, none);
    mass_.at.motion.place(mass_.at.mechanism);
    mass_.mass(M_.data());
    const int size = c_.nv * c_.nv;
    for (int r = 0; r < W; ++r)
      if (r < rows)
        for (int k = 0; k < size; ++k) M[r * size + k] = M_[k][r];
  }

  void set_base_motion(const BaseMotion<double>& b) override {
    forward_.at.motion.set_base(forward_.at.mechanism, {to<T>(b.w), to<T>(b.wd), to<T>(b.vd)});
  }
  void set_external(const std::vector<Wrench<double>>& w) override {
    for (int i = 1; i <= c_.topology.n && !w.empty(); ++i)
      external_[i] = {to<T>(w[i].f), to<T>(w[i].n)};
    forward_.at.motion.external = w.empty() ? nullptr : external_.data();
    rows_.values.set_constant(w);
  }
  void take_rows(const RowLayout& all) override { rows_.take(all, c_.topology.n); }
  void load_rows(const RowLayout& here, const double* const* in, int rows, bool mass) override {
    rows_.load(here, in, rows);
    rows_.values.act_on(here, mass ? mass_.at : forward_.at);
  }

 private:
  // One row per lane; lanes beyond the last row repeat it.
  static auto columns(const double* x, int stride, int rows) {
    return [=](int k) {
      T y;
      for (int r = 0; r < W; ++r) y.set(r, x[(r < rows ? r : rows - 1) * stride + k]);
      return y;
    };
  }

  const CanonicalModel& c_;
  Method<T> forward_;
  CompositeForward<T> mass_;
  RowLanes<W, double, Isa> rows_;
  std::vector<Wrench<T>, math::detail::CacheLineAllocator<Wrench<T>>> external_;
  std::vector<T, math::detail::CacheLineAllocator<T>> M_;
};

// Articulated bodies are faster for deep trees; they do not support mimic joints.
inline constexpr int articulated_from = 12;

template <int W, class Isa>
std::unique_ptr<ForwardKernel> make_forward_kernel(const CanonicalModel& c) {
  if (!c.has_mimic && c.topology.n >= articulated_from)
    return std::make_unique<ForwardKernelOf<W, Isa, ArticulatedBody>>(c);
  return std::make_unique<ForwardKernelOf<W, Isa, CompositeForward>>(c);
}

template <class Isa>
ForwardKernelSet forward_kernel_set() {
  return {Isa::name, make_forward_kernel<1, Isa>, make_forward_kernel<lanes_of<Isa, double>, Isa>};
}

}  // namespace parid::runtime
