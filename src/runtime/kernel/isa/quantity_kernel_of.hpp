// The kernel of a quantity with an evaluator, as a template over its number type. Included only by
// the files that compile it for one instruction set each; see kernel_of.hpp.

#pragma once

#include <algorithm>

#include "dynamics/evaluator/evaluator_of.hpp"
#include "runtime/kernel/quantity_kernel.hpp"
#include "runtime/layer.hpp"
#include "scalar/packed_row.hpp"

namespace parid::runtime {

template <class T>
inline constexpr int lanes_in = 0;
template <int W, class Isa>
inline constexpr int lanes_in<Pack<W, double, Isa>> = W;

template <class T>
class QuantityKernelOf final : public QuantityKernel {
  static constexpr int W = lanes_in<T>;
  using Numbers = std::vector<T, math::detail::CacheLineAllocator<T>>;

 public:
  QuantityKernelOf(std::unique_ptr<dynamics::Evaluator<T>> evaluator,
                   const std::vector<std::size_t>& in, const std::vector<std::size_t>& out)
      : evaluator_(std::move(evaluator)) {
    for (const std::size_t n : in) in_.emplace_back(n, T(0.0));
    for (const std::size_t n : out) out_.emplace_back(n, T(0.0));
    for (const Numbers& x : in_) from_.push_back(x.data());
    for (Numbers& x : out_) to_.push_back(x.data());
  }

  int lanes() const override { return W; }

  // Lanes beyond the last row repeat it.
  void rows(int link, const double* const* in, double* const* out, int rows) override {
    for (std::size_t a = 0; a < in_.size(); ++a) {
      Numbers& to = in_[a];
      const std::size_t n = to.size();
      const double* row[W];
      for (int r = 0; r < W; ++r)
        row[r] = in[a] + static_cast<std::size_t>(std::min(r, rows - 1)) * n;
      for (std::size_t k = 0; k < n; ++k) {
        T x;
        for (int r = 0; r < W; ++r) x.set(r, row[r][k]);
        to[k] = x;
      }
    }
    (*evaluator_)(link, from_.data(), to_.data());
    for (std::size_t a = 0; a < out_.size(); ++a) {
      const Numbers& from = out_[a];
      const std::size_t n = from.size();
      if (rows == W) {
        double* row[W];
        for (int r = 0; r < W; ++r) row[r] = out[a] + static_cast<std::size_t>(r) * n;
        for (std::size_t k = 0; k < n; ++k) {
          const T x = from[k];
          for (int r = 0; r < W; ++r) row[r][k] = x[r];
        }
      } else {
        for (int r = 0; r < rows; ++r)
          for (std::size_t k = 0; k < n; ++k)
            out[a][static_cast<std::size_t>(r) * n + k] = from[k][r];
      }
    }
  }

  void set_base_motion(const BaseMotion<double>& b) override { evaluator_->set_base_motion(b); }
  void set_external(const std::vector<Wrench<double>>& w) override { evaluator_->set_external(w); }

 private:
  std::unique_ptr<dynamics::Evaluator<T>> evaluator_;
  std::vector<Numbers> in_, out_;
  std::vector<const T*> from_;
  std::vector<T*> to_;
};

// Null without an evaluator.
template <class T>
std::unique_ptr<QuantityKernel> quantity_kernel(std::unique_ptr<dynamics::Evaluator<T>> evaluator,
                                                const std::vector<std::size_t>& in,
                                                const std::vector<std::size_t>& out) {
  if (!evaluator) return nullptr;
  return std::make_unique<QuantityKernelOf<T>>(std::move(evaluator), in, out);
}

// In derivative_kernel.cpp, one of each per instruction set. Numbers with derivatives, rows in
// lanes; and gradients of one sample.
std::unique_ptr<QuantityKernel> directional_kernel(PARID_KERNEL_ISA, const Robot&, Quantity,
                                                   const RowLayout&,
                                                   const std::vector<std::size_t>& in,
                                                   const std::vector<std::size_t>& out);
std::unique_ptr<QuantityKernel> single_gradient_kernel(PARID_KERNEL_ISA, const Robot&, Quantity,
                                                       const std::vector<std::size_t>& in,
                                                       const std::vector<std::size_t>& out);

}  // namespace parid::runtime
