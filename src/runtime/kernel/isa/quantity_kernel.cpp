#include "dynamics/evaluator.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "scalar/pack.hpp"

namespace parid::runtime {
namespace {

template <int W, class Isa>
class QuantityKernelOf final : public QuantityKernel {
  using T = Pack<W, double, Isa>;
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
      const std::size_t n = in_[a].size();
      for (int r = 0; r < W; ++r) {
        const double* x = in[a] + static_cast<std::size_t>(r < rows ? r : rows - 1) * n;
        for (std::size_t k = 0; k < n; ++k) in_[a][k].set(r, x[k]);
      }
    }
    (*evaluator_)(link, from_.data(), to_.data());
    for (std::size_t a = 0; a < out_.size(); ++a) {
      const std::size_t n = out_[a].size();
      for (int r = 0; r < rows; ++r) {
        double* x = out[a] + static_cast<std::size_t>(r) * n;
        for (std::size_t k = 0; k < n; ++k) x[k] = out_[a][k][r];
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

template <class Isa>
std::unique_ptr<QuantityKernel> make_quantity_kernel(const Robot& robot, Quantity which,
                                                     const RowLayout& rows,
                                                     const std::vector<std::size_t>& in,
                                                     const std::vector<std::size_t>& out) {
  constexpr int W = lanes_of<Isa, double>;
  auto evaluator = dynamics::make_evaluator<Pack<W, double, Isa>>(robot, which, &rows);
  if (!evaluator) return nullptr;
  return std::make_unique<QuantityKernelOf<W, Isa>>(std::move(evaluator), in, out);
}

}  // namespace

template <>
QuantityKernelSet kernels_for<QuantityKernelSet, PARID_KERNEL_ISA>() {
  return {PARID_KERNEL_ISA::name, make_quantity_kernel<PARID_KERNEL_ISA>};
}

}  // namespace parid::runtime
