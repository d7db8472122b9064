#include <fmt/format.h>

#include "codegen/compile/compile.hpp"
#include "codegen/emit/languages.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/program_kernel.hpp"

namespace parid::runtime {
namespace {

// The functions of codegen/emit/languages.hpp and their library, shared by clones.
template <class Real>
class CompiledKernel final : public ProgramKernel<Real> {
 public:
  CompiledKernel(std::shared_ptr<const CompiledLibrary> library, const std::string& name)
      : library_(std::move(library)) {
    auto find = [&](auto& to, const char* what) {
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(library_->function(name + what));
    };
    find(rows_, "_rows");
    find(columns_, "_columns");
    find(one_, "_one");
    find(beyond_, "_beyond");
  }
  std::unique_ptr<ProgramKernel<Real>> clone() const override {
    return std::make_unique<CompiledKernel>(*this);
  }

  void rows(std::size_t rows, const Real* const* in, Real* const* out) override {
    rows_(static_cast<long>(rows), in, out);
  }
  void columns(std::size_t rows, std::size_t stride, const Real* const* in,
               Real* const* out) override {
    columns_(static_cast<long>(rows), static_cast<long>(stride), in, out);
  }
  bool takes_columns() const override { return true; }
  bool one(const Real* const* in, Real* const* out) override { return one_(in, out) == 0; }
  typename ProgramKernel<Real>::One one_function() const override { return one_; }
  bool beyond(std::size_t n, const Real* x, Real limit) const override {
    return beyond_(static_cast<long>(n), x, limit) != 0;
  }
  std::string build_fingerprint() const override { return library_->build_fingerprint(); }

 private:
  std::shared_ptr<const CompiledLibrary> library_;
  void (*rows_)(long, const Real* const*, Real* const*);
  void (*columns_)(long, long, const Real* const*, Real* const*);
  int (*one_)(const Real* const*, Real* const*);
  int (*beyond_)(long, const Real*, Real);
};

}  // namespace

template <class Real>
std::unique_ptr<ProgramKernel<Real>> compiled_kernel(const Program& program, std::string& note) {
  if (program.graph.size() > compiled_operations_limit) {
    note = fmt::format("{} has {} operations, too many for a compiler (limit {})", program.name,
                       program.graph.size(), compiled_operations_limit);
    return nullptr;
  }
  constexpr bool single = std::is_same_v<Real, float>;
  const std::string set = best_kernels<KernelSet>().name;
  const int lanes = set == "avx512" ? 8 : set == "avx2" ? 4 : 2;
  std::shared_ptr<const CompiledLibrary> library =
      compile(emit_simd(program, {single ? 2 * lanes : lanes, single}), note);
  if (!library) return nullptr;
  return std::make_unique<CompiledKernel<Real>>(std::move(library), program.name);
}

template std::unique_ptr<ProgramKernel<double>> compiled_kernel(const Program&, std::string&);
template std::unique_ptr<ProgramKernel<float>> compiled_kernel(const Program&, std::string&);

}  // namespace parid::runtime
