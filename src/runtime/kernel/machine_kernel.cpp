#include <string_view>

#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/machine_rows.hpp"
#include "runtime/kernel/program_kernel.hpp"
#include "runtime/kernel/specialized_program.hpp"

namespace parid::runtime {
namespace {

template <class Real>
class MachineKernel final : public ProgramKernel<Real> {
 public:
  MachineKernel(std::shared_ptr<const MachineProgram> program, const MachineSet& set)
      : program_(std::move(program)), set_(set) {
    if constexpr (std::is_same_v<Real, double>)
      rows_ = set.in_double(*program_);
    else
      rows_ = set.in_float(*program_);
  }
  std::unique_ptr<ProgramKernel<Real>> clone() const override {
    return std::make_unique<MachineKernel>(program_, set_);
  }
  void rows(std::size_t rows, const Real* const* in, Real* const* out) override {
    rows_->rows(rows, in, out);
  }
  bool takes_columns() const override { return true; }
  void columns(std::size_t rows, std::size_t stride, const Real* const* in,
               Real* const* out) override {
    rows_->columns(rows, stride, in, out);
  }
  bool one(const Real* const* in, Real* const* out) override {
    if constexpr (std::is_same_v<Real, double>) {
      return program_->code->one()(in, out) == 0;
    } else {
      rows_->rows(1, in, out);
      return true;
    }
  }
  typename ProgramKernel<Real>::One one_function() const override {
    if constexpr (std::is_same_v<Real, double>)
      return program_->code->one();
    else
      return nullptr;
  }
  bool beyond(std::size_t n, const Real* x, Real limit) const override {
    return rows_->beyond(n, x, limit);
  }

 private:
  std::shared_ptr<const MachineProgram> program_;
  MachineSet set_;
  std::unique_ptr<MachineRows<Real>> rows_;
};

VectorSet vector_set(std::string_view set) {
  return set == "avx512" ? VectorSet::avx512 : set == "avx2" ? VectorSet::avx2 : VectorSet::sse2;
}

}  // namespace

template <class Real>
std::unique_ptr<ProgramKernel<Real>> machine_kernel(const Program& program, const MachineSet& set,
                                                    std::string& note) {
  auto made = std::make_shared<MachineProgram>();
  made->code =
      MachineCode::make(program, {vector_set(set.name), std::is_same_v<Real, float>}, note);
  if (!made->code) return nullptr;
  for (const Argument& a : program.inputs) made->in.push_back(static_cast<std::size_t>(a.count));
  for (const Argument& a : program.outputs) made->out.push_back(static_cast<std::size_t>(a.count));
  return std::make_unique<MachineKernel<Real>>(std::move(made), set);
}

template <class Real>
std::unique_ptr<ProgramKernel<Real>> machine_kernel(const Program& program, std::string& note) {
  return machine_kernel<Real>(program, best_kernels<MachineSet>(), note);
}

template std::unique_ptr<ProgramKernel<double>> machine_kernel(const Program&, const MachineSet&,
                                                               std::string&);
template std::unique_ptr<ProgramKernel<float>> machine_kernel(const Program&, const MachineSet&,
                                                              std::string&);
template std::unique_ptr<ProgramKernel<double>> machine_kernel(const Program&, std::string&);
template std::unique_ptr<ProgramKernel<float>> machine_kernel(const Program&, std::string&);

}  // namespace parid::runtime
