// A program of a robot's (parid/generate) that can be run here: by code the system's compiler made
// of it, or by an interpreter. Knows arrays of numbers, nothing of robots.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Belongs to one thread; clone() makes one for another. Arrays are one per argument of the program,
// in its order; rows stand one after another. A row's bits do not depend on the rows beside it.
template <class Real>
class ProgramKernel {
 public:
  virtual ~ProgramKernel() = default;
  virtual std::unique_ptr<ProgramKernel> clone() const = 0;

  virtual void rows(std::size_t rows, const Real* const* in, Real* const* out) = 0;
  // Element k of sample r at [k·stride + r], where it takes_columns().
  virtual bool takes_columns() const { return false; }
  virtual void columns(std::size_t, std::size_t, const Real* const*, Real* const*) {}
  // One sample, as soon as possible; its last bits may differ from those that rows() gives. False
  // where an angle is beyond: then what was written is not to be trusted.
  virtual bool one(const Real* const* in, Real* const* out) = 0;
  // The function behind one(), which gives 0 for true; null where there is none to call directly.
  using One = int (*)(const Real* const* in, Real* const* out);
  virtual One one_function() const { return nullptr; }
  // Whether some of these numbers are beyond ±limit, or not numbers. A program adds angles and
  // constants before it takes their sines, so that angles beyond plain_angle (scalar/angle.hpp)
  // lose digits.
  virtual bool beyond(std::size_t n, const Real* x, Real limit) const = 0;
  // CompiledLibrary::build_fingerprint(), or empty.
  virtual std::string build_fingerprint() const { return ""; }
};

// Compiled for this machine, or from the cache (codegen/compile/compile.hpp). Null where that
// cannot be: `note` says why.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> compiled_kernel(const Program&, std::string& note);

// By an interpreter over registers of samples: no compiler is needed.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> interpreted_program(const Program&);

// A function of so many operations takes the compiler minutes.
inline constexpr std::size_t compiled_operations_limit = 30000;

}  // namespace parid::runtime
