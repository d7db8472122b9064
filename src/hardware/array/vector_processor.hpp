// Lathrop's matrix-vector processor: three datapath modules, one for each coordinate of the result.
//
// Source   Lathrop (1985), section 7.2 and Fig. 6. A module has registers for two operands of three
//          words, two multipliers, an adder, and two busses; multipliers read the registers beside
//          them, all other transfers use a bus. A dot product takes three steps: two products;
//          their sum and the third product; the sum of both.
// Floor    of module k: its first multiplier lies beside the registers of coordinate k + 1, its
//          second beside those of k + 2 (Fig. 6), so k's own go over the busses; the printed steps
//          are those of module 3
//
// The microcode below is the only description: the model runs it, verilog/ writes it, and the parts
// of a module are counted from it.

#pragma once

#include <array>
#include <vector>

#include "hardware/layer.hpp"
#include "scalar/fixed.hpp"

namespace parid::hardware {

enum class Adder { idle, products, difference, onward, operands };

// One step of a module; registers by coordinate: own, the next, the one after, or by number.
struct VectorStep {
  enum Register : int { first = 0, second = 1, third = 2, own = 3, next = 4, after = 5, none = 6 };
  Register a1 = none, b1 = none, a2 = none, b2 = none;  // into the multipliers
  Adder adder = Adder::idle;                            // on the values before the step
};

struct VectorProgram {
  std::vector<VectorStep> steps;
  bool from_multiplier = false;  // the result is that of the first multiplier, not of the adder
};
const VectorProgram& vector_program(VectorOp);

// Clocks for which the processor is busy: one to load operands, and one for each step. The result
// leaves in the clock in which the next operands may enter.
int processor_clocks(VectorOp);

// Words that module `own` (0 to 2) puts on busses in a step: operands that are not beside their
// multiplier, and both operands of the adder.
int busses(const VectorStep&, int own);

// Parts of a module for all programs, and of the processor of three modules.
struct ProcessorParts {
  int modules = 3;
  int multipliers = 0, adders = 0, registers = 0, busses = 0;  // of a module; registers in words
  int operand_wires = 0, result_wires = 0;                     // of the processor, in words
};
ProcessorParts processor_parts();

// The processor on words, step by step. `a` is a matrix row by row, or a vector in its first row.
class VectorProcessor {
 public:
  explicit VectorProcessor(FixedFormat f) : format_(f) {}

  void load(VectorOp, const std::array<Raw, 9>& a, const std::array<Raw, 3>& b);
  bool busy() const { return step_ < vector_program(op_).steps.size(); }
  void clock();  // one step of all three modules
  std::array<Raw, 3> result() const;

  // Loads the operands and clocks to the end.
  std::array<Raw, 3> run(VectorOp, const std::array<Raw, 9>& a, const std::array<Raw, 3>& b);

 private:
  struct Module {
    std::array<Raw, 3> a{}, b{};
    Raw product1 = 0, product2 = 0, sum = 0;
  };
  FixedFormat format_;
  VectorOp op_ = VectorOp::add;
  std::size_t step_ = 0;
  std::array<Module, 3> module_;
};

}  // namespace parid::hardware
