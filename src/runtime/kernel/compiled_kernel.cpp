#include <fmt/format.h>

#include "codegen/compile/compile.hpp"
#include "codegen/emit/languages.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/program_kernel.hpp"
#include "runtime/kernel/specialized_program.hpp"

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

// GCC orders instructions by register pressure before it assigns registers: the same bits, a fifth
// faster for short programs, slower for long ones.
constexpr std::size_t scheduled_operations_limit = 1500;

std::vector<std::string> flags_for(std::size_t operations) {
  if (operations > scheduled_operations_limit) return {};
  return {"-fschedule-insns", "-fsched-pressure"};
}

int lanes_of_doubles() {
  const std::string set = best_kernels<KernelSet>().name;
  return set == "avx512" ? 8 : set == "avx2" ? 4 : 2;
}

template <class Real>
std::shared_ptr<const CompiledLibrary> compiled_library(const Program& program, std::string& note) {
  constexpr bool single = std::is_same_v<Real, float>;
  const int lanes = lanes_of_doubles();
  return compile(emit_simd(program, {single ? 2 * lanes : lanes, single}), note,
                 flags_for(program.graph.size()));
}

}  // namespace

template <class Real>
std::unique_ptr<ProgramKernel<Real>> compiled_kernel(const Program& program, std::string& note) {
  std::shared_ptr<const CompiledLibrary> library = compiled_library<Real>(program, note);
  if (!library) return nullptr;
  return std::make_unique<CompiledKernel<Real>>(std::move(library), program.name);
}

namespace {

// What determines a kernel, for the cache; "" if there is no such text.
template <class Real>
std::string cache_text(const SpecializedSource& source, std::size_t most) {
  if (source.identity().empty()) return "";
  return fmt::format("{} {} {}\n{}", std::is_same_v<Real, float> ? "float" : "double",
                     lanes_of_doubles(), most, source.identity());
}

}  // namespace

template <class Real>
std::unique_ptr<ProgramKernel<Real>> ready_kernel(const SpecializedSource& source,
                                                  std::size_t most) {
  const std::string what = cache_text<Real>(source, most);
  if (what.empty()) return nullptr;
  std::shared_ptr<const CompiledLibrary> library = compiled_before(what);
  if (!library) return nullptr;
  return std::make_unique<CompiledKernel<Real>>(std::move(library), SpecializedSource::name);
}

template <class Real>
std::unique_ptr<ProgramKernel<Real>> compiled_kernel(SpecializedSource& source, std::string& note,
                                                     std::size_t most) {
  const char* const real = std::is_same_v<Real, float> ? "float" : "double";
  const std::string what = cache_text<Real>(source, most);
  std::shared_ptr<const CompiledLibrary> library;
  if (!what.empty()) library = compiled_before(what);
  if (!library) {
    const Program* program = source.program(note);
    if (!program) return nullptr;
    if (program->graph.size() > most) {
      note = fmt::format("{} has {} operations, too many for a compiled kernel (limit {})",
                         source.about(), program->graph.size(), most);
      return nullptr;
    }
    library = compiled_library<Real>(*program, note);
    if (!library) return nullptr;
    if (!what.empty()) remember(*library, what, source.about() + ", " + real);
  }
  return std::make_unique<CompiledKernel<Real>>(std::move(library), SpecializedSource::name);
}

template std::unique_ptr<ProgramKernel<double>> ready_kernel(const SpecializedSource&, std::size_t);
template std::unique_ptr<ProgramKernel<float>> ready_kernel(const SpecializedSource&, std::size_t);
template std::unique_ptr<ProgramKernel<double>> compiled_kernel(const Program&, std::string&);
template std::unique_ptr<ProgramKernel<float>> compiled_kernel(const Program&, std::string&);
template std::unique_ptr<ProgramKernel<double>> compiled_kernel(SpecializedSource&, std::string&,
                                                                std::size_t);
template std::unique_ptr<ProgramKernel<float>> compiled_kernel(SpecializedSource&, std::string&,
                                                               std::size_t);

}  // namespace parid::runtime
