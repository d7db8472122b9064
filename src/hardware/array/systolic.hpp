// Lathrop's arrays: Newton-Euler on matrix-vector processors, one for each vector operation.
//
// Source   Lathrop: Parallelism in manipulator dynamics, Int. J. Robotics Research 4 (1985) 80-102,
//          Tables 4 to 6. A product of a matrix and a vector takes 1 multiplication and 2
//          additions, a cross product 1 and 1, a sum 1 addition, a scaled vector 1 multiplication.
// Arrays   linear: a node per link, passed from the base to the tip and back
//          log:    the links combined in pairs, pairs in fours, …: ⌈log2 n⌉ tiers each way
// Rate     a value that is passed on takes one product and one sum per node or tier, 1
//          multiplication and 3 additions; that is the interval, because no processor is busy
//          longer
// Folded   one node (or one tier) instead of all, its results fed back: as many processors as a
//          node has (as the widest tier has), a sample every n (tiers) intervals
// Differs  frames as in our mechanisms, z of a link along its own joint; so p̈ is summed before it
//          is rotated. Counts per node are the paper's. The base is stationary.
// Sliding  a prismatic joint adds to p̈ what a revolute one adds to ω̇: on the linear array by the
//          same processors, on the logarithmic one as Q, the velocity along the joints of a stretch
//
// Links and joints appear only as names of inputs: an array is a Network of operations.

#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"
#include "parid/systolic_array.hpp"
#include "scalar/scalar.hpp"

namespace parid::hardware {

using VectorWord = std::array<double, 9>;  // a vector in the first three, or a matrix row by row

struct VectorClocks {
  int multiplication = 1, addition = 1;
  int load = 0;  // before each operation; 0 in the paper

  int of(VectorOp op) const {
    switch (op) {
      case VectorOp::matrix_vector:
      case VectorOp::dot: return load + multiplication + 2 * addition;
      case VectorOp::cross: return load + multiplication + addition;
      case VectorOp::add: return load + addition;
      case VectorOp::scale: return load + multiplication;
    }
    return 0;
  }
  int interval() const { return of(VectorOp::matrix_vector) + of(VectorOp::add); }
};
// Clocks of the processor that verilog/ writes (vector_processor.hpp), which loads its operands
// first.
inline constexpr VectorClocks emitted_clocks{1, 1, 1};

using ArrayKind = SystolicKind;

struct SystolicArray {
  ArrayKind kind = ArrayKind::linear;
  int links = 0;
  std::vector<bool> prismatic;  // by link
  VectorClocks clocks;
  Network network;
  struct Operation {
    VectorOp op;
    bool transposed = false;  // of a matrix_vector
    bool forward = false;     // belongs to the pass from the tip to the base
    int node = 0;             // link, or combination; work that a pass hands on
    int place = 0;            // which processor of its node
    int slot = 0;             // node of a tier that runs it when folded
  };
  std::vector<Operation> operations;  // as the network has them
  std::vector<int> columns;           // of a product of matrices which one, from 1; else 0
  // The nodes of Figs. 1 and 5. Variables are named signals of the network: "ω2", "f1", …, or of a
  // stretch "ω1,4"; links are counted from 1.
  struct Node {
    bool forward = false;
    int node = 0;                    // as operations have it
    std::string name = {};           // "Bkwd 2", "Fwd 2"; "X 1,4", "N 2", "Y 1,4"
    int first = 0, last = 0;         // links of its stretch
    int tier = 0;                    // on its way, from 0; of the linear array always 0
    bool combines = true;            // two stretches; not the force and moment of one link
    std::vector<int> hands_on = {};  // signals; some are its inputs, unchanged
  };
  std::vector<Node> nodes;
  Staging schedule;  // every operation on a processor of its own

  int interval() const { return clocks.interval(); }
  bool whole_first(int operation) const;  // the first matrix of a product is an input
  // Inputs: the base's acceleration minus gravity, for `log` rotated into link 1 (with z q̈ of link
  // 1 if that is prismatic), and the number 2; then by link 1…n A (link to parent), r (its origin
  // in the parent), z q̇, z q̈, s (centre of mass), J (about it), m. For `log` r is in the link,
  // and p follows m: the same in the parent. For a prismatic link of `linear`, 2 z q̇ and z q̈ in
  // the parent.
};

SystolicArray systolic_array(ArrayKind, const std::vector<bool>& prismatic, VectorClocks = {});
SystolicArray systolic_array(ArrayKind, int links, VectorClocks = {});  // all revolute
std::vector<VectorWord> execute(const SystolicArray&, int operation,
                                std::span<const VectorWord> ports);

// Processors of a general node (Table 6), counted on one that leaves nothing out.
struct NodeProcessors {
  int backward = 0, forward = 0;  // base to tip; tip to base
};
NodeProcessors node_processors(ArrayKind);

// Processors of the whole array and of the folded one, by the paper's formula: every node is a
// general one, so that leaves have the processors of combinations, and combinations those of
// leaves. The arrays here have fewer: built_processors.
struct ArrayProcessors {
  NodeProcessors node, folded, systolic;
  int nodes = 0, widest = 0;  // combinations and leaves; of one tier
};
ArrayProcessors array_processors(ArrayKind, int links);

// Processors of this array: one for each operation. FoldedArray has the count of a folded one.
NodeProcessors built_processors(const SystolicArray&);

// Wires for the two operands of each processor, by group of a general node; the paper bounds a
// group by 50 wires (7.1.2).
struct GroupWires {
  std::string group;  // the value that the group computes
  int processors = 0;
  int wires = 0;   // operands, without constants
  int within = 0;  // wires from a processor of the same group
};
std::vector<GroupWires> group_wires(ArrayKind);

// The linear array on one node, the logarithmic one on its widest tier: each processor does its
// operation of every node or tier in turn; results wait in buffers until they are fed back. The
// next sample enters when the busiest processor can have finished.
struct FoldedArray {
  Staging schedule;
  int interval = 0;
  int backward_processors = 0, forward_processors = 0;  // that have anything to do
};
FoldedArray folded(const SystolicArray&);
// Throws std::logic_error if a processor has two operations at once.
void check(const SystolicArray&, const FoldedArray&);

// Number of buffered vectors if a sample enters every `interval`.
struct ArrayBuffers {
  long internal = 0;       // between processors of one node
  long most_internal = 0;  // of the node that has most
  long external = 0;       // inputs, between nodes, from the outward to the inward pass
};
ArrayBuffers array_buffers(const SystolicArray&, const Staging&, int interval);
// Fraction of the time for which `processors` processors are busy, 0 to 1.
double utilisation(const SystolicArray&, int processors, int interval);

}  // namespace parid::hardware
