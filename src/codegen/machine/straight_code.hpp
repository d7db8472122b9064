// A program as a list of operations on vectors, for any number of registers: between a graph and
// the instructions of a CPU. Sines and cosines are expanded here.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"
#include "codegen/machine/x86_encoder.hpp"

namespace parid::codegen {

enum class VectorOp : std::uint8_t {
  add,
  sub,
  mul,
  div,
  sqrt,
  mul_add,      // a·b + c
  mul_sub,      // a·b − c
  sub_mul,      // c − a·b
  bit_and,      // of the bits, as the next ones
  bit_and_not,  // ~a & b
  bit_or,
  bit_xor,
  shift_left,  // of every lane's bits, by `immediate`
  shift_right,
  spread_sign,  // all bits of a lane become its sign bit: AVX-512
  int_add,      // of every lane's bits as an integer
  int_sub,
  less,        // a < b: all bits of a lane or none
  select,      // lanes of b where a's sign bit is set, of c elsewhere: AVX2
  choose,      // bits of b where a's are set, of c elsewhere: AVX-512
  xor_and,     // a ^ (b & c): AVX-512
  low,         // the lowest lane alone
  pair,        // the lowest lanes of a and b
  join,        // the lower halves of a and b: AVX2
  upper_half,  // AVX2
  odd,         // the second lane: the lowest one of the result
  store,       // to output `immediate`
};

// How many lanes an operation has. `one`, `half` and `pack` are for one sample: a scalar, 128 bits,
// and as many sines as are computed at once. `full` is one lane per sample of a block.
enum class Width : std::uint8_t { one, half, pack, full };

struct VectorStep {
  VectorOp op;
  Width width;
  std::uint32_t immediate = 0;
  std::uint32_t to = 0, a = 0, b = 0, c = 0;  // values
};
int operands_of(VectorOp);

struct Value {
  enum Home : std::uint8_t { none, input, constant } home = none;
  Width width = Width::one;
  std::uint32_t index = 0;   // of the input
  std::uint64_t number = 0;  // the constant's bits, of a lane
};

// The CPU and the number type that code is made for.
struct MachineTarget {
  VectorSet set = VectorSet::sse2;
  bool single_precision = false;

  int register_bytes() const {
    return set == VectorSet::sse2 ? 16 : set == VectorSet::avx2 ? 32 : 64;
  }
  int lanes() const { return register_bytes() / (single_precision ? 4 : 8); }
  int registers() const { return set == VectorSet::avx512 ? 32 : 16; }
};

struct StraightCode {
  std::vector<VectorStep> steps;
  std::vector<Value> values;
  // Of one sample: a value whose sign bits say which angles are too large. None: no_value.
  static constexpr std::uint32_t no_value = ~0u;
  std::uint32_t far = no_value;
};

// One lane per sample; or one sample in double precision. Empty steps, with the reason in `note`,
// for a program with an operation that has no such code (atan2).
StraightCode straight_code(const Graph&, const MachineTarget&, bool one_sample, std::string& note);

}  // namespace parid::codegen
