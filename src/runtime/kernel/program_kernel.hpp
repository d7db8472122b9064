// A robot-specific program that runs in this process: as code or by an interpreter. It
// contains arrays of numbers and no robot.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Not thread-safe; clone() makes one for another thread. One array per argument of the program, in
// its order, with contiguous rows. The bits of a row do not depend on its neighbours.
template <class Real>
class ProgramKernel {
 public:
  virtual ~ProgramKernel() = default;
  virtual std::unique_ptr<ProgramKernel> clone() const = 0;

  virtual void rows(std::size_t rows, const Real* const* in, Real* const* out) = 0;
  // Element k of sample r at [k·stride + r], if takes_columns().
  virtual bool takes_columns() const { return false; }
  virtual void columns(std::size_t, std::size_t, const Real* const*, Real* const*) {}
  // One sample at the lowest latency; its last bits may differ from those of rows(). Returns false
  // if an angle is too large: the outputs are then invalid.
  virtual bool one(const Real* const* in, Real* const* out) = 0;
  // The function behind one(), which returns 0 for true; null if there is none to call directly.
  using One = int (*)(const Real* const* in, Real* const* out);
  virtual One one_function() const { return nullptr; }
  // Whether some of these numbers are beyond ±limit, or NaN. A program adds angles and constants
  // before it computes sines, so that angles beyond plain_angle (scalar/angle.hpp) lose digits.
  virtual bool beyond(std::size_t n, const Real* x, Real limit) const = 0;
  // CompiledLibrary::build_fingerprint(), or empty.
  virtual std::string build_fingerprint() const { return ""; }
};

class SpecializedSource;

// Beyond this number of operations a function takes minutes to compile.
inline constexpr std::size_t compiled_operations_limit = 30000;

// Compiled for this machine, or loaded from the cache (codegen/compile/compile.hpp), in which case
// the program is not traced. Null if that is impossible, with the reason in `note`. `most` limits
// the operations of the program.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> compiled_kernel(SpecializedSource&, std::string& note,
                                                     std::size_t most = compiled_operations_limit);

// compiled_kernel() if it is in the cache: neither traces the program nor starts the compiler.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> ready_kernel(const SpecializedSource&,
                                                  std::size_t most = compiled_operations_limit);

// compiled_kernel() for a program that belongs to no robot: its name names the functions.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> compiled_kernel(const Program&, std::string& note);

// As machine code of the widest instruction set of this CPU, or the one named by PARID_ISA, without
// a compiler. Null if that is impossible, with the reason in `note`.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> machine_kernel(const Program&, std::string& note);

// By an interpreter over registers of samples, without a compiler.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> interpreted_program(const Program&);

}  // namespace parid::runtime
