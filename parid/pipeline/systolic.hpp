// Lathrop's arrays: Newton-Euler on matrix-vector processors, one for each vector operation.
//
// Source   Lathrop: Parallelism in manipulator dynamics, Int. J. Robotics Research 4 (1985) 80-102,
//          Tables 4 to 6. A product of a matrix and a vector takes 1 multiplication and 2 additions, a
//          cross product 1 and 1, a sum 1 addition, a scaled vector 1 multiplication.
// Arrays   linear: a node per link, passed from the base to the tip and back
//          log:    the links combined in pairs, pairs in fours, …: ⌈log2 n⌉ tiers each way
// Rate     what is handed on passes one product and one sum per node or tier, 1 multiplication and 3
//          additions; that is the interval, for no processor is busy longer
// Folded   one node (or one tier) instead of all, its results fed back: as many processors as a node has
//          (as the widest tier has), a sample every n (tiers) intervals
// Differs  frames as our mechanisms have them, z of a link along its own joint; so p̈ is summed before it
//          is turned. Counts per node are the paper's. Joints are revolute, the base stands still.
//
// It knows links and joints as names of inputs alone: what an array computes is a Network of operations.

#pragma once

#include <array>
#include <span>

#include "parid/pipeline/balance.hpp"
#include "parid/scalar/scalar.hpp"

namespace parid {

using VectorWord = std::array<double, 9>;  // a vector in the first three, or a matrix row by row

struct VectorClocks {
  int multiplication = 1, addition = 1;

  int of(VectorOp op) const {
    switch (op) {
      case VectorOp::matrix_vector:
      case VectorOp::dot: return multiplication + 2 * addition;
      case VectorOp::cross: return multiplication + addition;
      case VectorOp::add: return addition;
      case VectorOp::scale: return multiplication;
    }
    return 0;
  }
  int interval() const { return multiplication + 3 * addition; }
};

enum class ArrayKind { linear, log };

struct SystolicArray {
  ArrayKind kind = ArrayKind::linear;
  int links = 0;
  VectorClocks clocks;
  Network network;
  struct Operation {
    VectorOp op;
    bool transposed = false;  // of a matrix_vector
    bool forward = false;     // belongs to the pass from the tip to the base
    int node = 0;             // link, or combination; handed-on work of a pass
    int place = 0;            // which processor of its node
  };
  std::vector<Operation> operations;  // as the network has them
  std::vector<int> columns;           // of a product of matrices which one, from 1; else 0
  Staging schedule;                   // every operation on a processor of its own

  int interval() const { return clocks.interval(); }
  bool whole_first(int operation) const;  // the first matrix of a product is an input
  // Inputs by link 1…n, in this order: A (link to parent), r (its origin in the parent; for `log` in the
  // link), z q̇, z q̈, s (centre of mass), J (about it), m; and before all of them the base's
  // acceleration against gravity. For `log` that is turned into link 1.
  static constexpr int inputs_per_link = 7;
};

SystolicArray systolic_array(ArrayKind, int links, VectorClocks = {});
std::vector<VectorWord> execute(const SystolicArray&, int operation,
                                std::span<const VectorWord> ports);

// What a general node takes (Table 6), counted on one with nothing left out.
struct NodeProcessors {
  int backward = 0, forward = 0;  // base to tip; tip to base
};
NodeProcessors node_processors(ArrayKind);

// Of the whole array and of the folded one.
struct ArrayProcessors {
  NodeProcessors node, folded, systolic;
  int nodes = 0, widest = 0;  // combinations and leaves; of a tier
};
ArrayProcessors array_processors(ArrayKind, int links);

// The linear array on one node: link i uses the processors of link i − 1 an interval later on the way
// out, and those of link i + 1 on the way back; the next sample enters after `links` intervals.
struct FoldedArray {
  Staging schedule;
  int interval = 0;
  int backward_processors = 0, forward_processors = 0;
};
FoldedArray folded(const SystolicArray&);
// Throws std::logic_error where a processor would be asked twice at once.
void check(const SystolicArray&, const FoldedArray&);

}  // namespace parid
