// A program as machine code of this process, made without a compiler: x86-64 with SSE2, with AVX2
// and FMA, or with AVX-512. It takes milliseconds where a compiler takes seconds.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"
#include "codegen/machine/executable_memory.hpp"
#include "codegen/machine/straight_code.hpp"

namespace parid::codegen {

// Longer programs are refused: their code would not fit into the caches of a CPU, and an
// interpreter is as fast.
inline constexpr std::size_t machine_operations_limit = 400'000;

class MachineCode {
 public:
  // Null, with the reason in `note`, on another kind of CPU, for a program that is too long or has
  // arc tangents, or if the system does not permit executing generated code.
  static std::unique_ptr<MachineCode> make(const Program&, const MachineTarget&, std::string& note);

  // Evaluates as many samples as a register has lanes. in and out hold one register per input and
  // output of the program, scratch scratch_bytes(); all are aligned to a register's size.
  using Block = void (*)(const void* in, void* out, void* scratch);
  Block block() const { return block_; }
  std::size_t scratch_bytes() const { return scratch_; }
  // Where in a page of 4096 bytes the scratch memory should begin, for speed.
  std::size_t scratch_offset() const { return scratch_offset_; }
  // One sample in double precision, as NAME_one of emit_simd(): returns whether an angle is beyond
  // plain_angle. Null in single precision.
  using One = int (*)(const double* const* in, double* const* out);
  One one() const { return one_; }

  std::size_t code_bytes() const { return memory_->size(); }

 private:
  MachineCode() = default;
  std::unique_ptr<ExecutableMemory> memory_;
  Block block_ = nullptr;
  One one_ = nullptr;
  std::size_t scratch_ = 0, scratch_offset_ = 0;
};

}  // namespace parid::codegen
