#include "runtime/kernel/interpreted_kernel.hpp"
#include "runtime/kernel/program_kernel.hpp"

namespace parid::runtime {
namespace {

template <class Real>
class InterpretedProgram final : public ProgramKernel<Real> {
 public:
  explicit InterpretedProgram(std::shared_ptr<const RowTape> tape) : tape_(std::move(tape)) {
    if constexpr (std::is_same_v<Real, double>)
      kernel_ = interpreted_kernel(*tape_);
    else
      kernel_ = interpreted_kernel_float(*tape_);
  }
  std::unique_ptr<ProgramKernel<Real>> clone() const override {
    return std::make_unique<InterpretedProgram>(tape_);
  }
  void rows(std::size_t rows, const Real* const* in, Real* const* out) override {
    kernel_->rows(static_cast<long>(rows), in, out);
  }
  bool one(const Real* const* in, Real* const* out) override {
    kernel_->rows(1, in, out);
    return true;
  }
  bool beyond(std::size_t n, const Real* x, Real limit) const override {
    bool any = false;
    for (std::size_t k = 0; k < n; ++k) any |= !(x[k] <= limit && x[k] >= -limit);
    return any;
  }

 private:
  std::shared_ptr<const RowTape> tape_;
  std::unique_ptr<InterpretedKernel<Real>> kernel_;
};

}  // namespace

template <class Real>
std::unique_ptr<ProgramKernel<Real>> interpreted_program(const Program& program) {
  return std::make_unique<InterpretedProgram<Real>>(std::make_shared<const RowTape>(program));
}
template std::unique_ptr<ProgramKernel<double>> interpreted_program(const Program&);
template std::unique_ptr<ProgramKernel<float>> interpreted_program(const Program&);

}  // namespace parid::runtime
