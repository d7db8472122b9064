// From straight code to instructions: a register for every value while it is needed, memory for
// those that do not fit.
//
// Straight code has no branches, so that the next use of every value is known. If no register is
// free, the value whose next use is farthest away leaves its register. It is written to memory at
// most once. Inputs and constants are in memory from the start.

#pragma once

#include <cstdint>
#include <vector>

#include "codegen/layer.hpp"
#include "codegen/machine/straight_code.hpp"

namespace parid::codegen {

// Where functions find their arguments.
struct ArgumentPlaces {
  // Of inputs and outputs, by their index in the program: the array, and the element in it. For
  // blocks there is one array each, with one register per element.
  struct Element {
    std::int32_t array, element;
  };
  std::vector<Element> in, out;
};

// A function without its epilogue. Offsets in the pool belong to the constants of the same code.
struct MachineFunction {
  std::vector<std::uint8_t> code;
  std::vector<X86Encoder::Reference> references;
  std::vector<std::uint8_t> pool;
  std::int32_t memory = 0;  // bytes for values that do not fit, at register rdx
  std::int32_t far = -1;    // offset there of the angles that are too large, in one pack
};

MachineFunction with_registers(const StraightCode&, const MachineTarget&, const ArgumentPlaces&,
                               bool one_sample);

}  // namespace parid::codegen
