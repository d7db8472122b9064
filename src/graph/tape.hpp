// A graph as a list of instructions over a few memory slots, for repeated execution.
//
// Every live value has a slot, and a slot is reused as soon as its value is no longer needed, so
// that the working set stays in cache even if each slot holds many samples. Inputs are loaded when
// first needed, and outputs stored as soon as they are known. A product that a sum absorbs is one
// instruction with it (fused.hpp), and so is a sine with its cosine.

#pragma once

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

enum class Step : std::uint8_t {
  load,     // to = input a
  store,    // output `to` = a
  add,      // to = a + b
  sub,      // a − b
  mul,      // a · b
  div,      // a / b
  neg,      // −a
  sqrt,     // √a
  abs,      // |a|
  atan2,    // the angle of (b, a)
  less,     // a < b: 1 or 0
  select,   // a > 0 ? b : c
  mul_add,  // a · b + c
  mul_sub,  // a · b − c
  sub_mul,  // c − a · b
  sin_cos,  // to = sin a, also = cos a
};

struct Instruction {
  Step step;
  std::uint32_t to = 0, a = 0, b = 0,
                c = 0;  // slots, except for the inputs and outputs of load and store
  std::uint32_t also = 0;
};

// Slots 0 … slots − 1 hold values; slot slots + k always holds constant k.
struct Tape {
  std::vector<Instruction> instructions;
  std::vector<double> constants;
  std::uint32_t slots = 0, inputs = 0, outputs = 0;

  explicit Tape(const Graph&);
};

}  // namespace parid::graph
