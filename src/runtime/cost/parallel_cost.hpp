// Costs of Lathrop's and Lee and Chang's algorithms in the units of their papers, measured on our
// implementations: the depth of Lathrop's with every input a symbol; his matrix-vector processors;
// and the operations of one of Lee and Chang's processors.

#pragma once

#include "graph/depth.hpp"
#include "math/scan_plan.hpp"
#include "parid/parallel_evaluation.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

using ScanStrategy = ScanPlan (*)(int);

// ---- Lathrop: the longest path to τ1 of n revolute joints. Rotations, z q̇ and z q̈ are inputs,
// so that all entries are general and nothing folds.

struct LathropDepth {
  Depth torque;      // of τ1, the last result, including its dot product with the axis
  Depth w, wd, pdd;  // of link n's motion
  Depth f, n;        // of link 1's force and moment
};

struct LathropCharging {
  bool moving_base = false;  // ω, ω̇ and p̈ of the base are inputs
  enum class Tip {
    free,
    known,
    with_force
  } tip = Tip::free;        // a wrench beyond link n: none; an
                            // input; one that comes when F_n does
  bool dot_product = true;  // of τ = z · n
};

// With the combining forms of Table 5 and any plan; a moving base is an element of the scan.
LathropDepth lathrop_depth(int n, ScanStrategy, const LathropCharging& = {});

// With Table 4, link by link in its order of operations.
LathropDepth lathrop_depth_linear(int n, const LathropCharging& = {});

// ---- Lathrop, Table 6: vector operations, one processor each. A product of matrices counts as
// three.

struct LathropProcessors {
  int linear_backward, linear_forward;            // of one node of Table 4
  int logarithmic_backward, logarithmic_forward;  // of one node of Table 5
  int nodes, tier;  // of the graph of Fig. 5: in all, in its widest tier
};
LathropProcessors lathrop_processors(int n);

// ---- Lee and Chang: operations of each processor for its link, on n processors.

struct LeeChangOperations {
  ProcessorOperations between;    // the recurrences: steps (16)-(31) of one link
  ProcessorOperations rotations;  // recurrence (15): a PUMA's zeros in the first round, none later
  ProcessorOperations sums;       // (18), (20), (22), (28), (30)
  ProcessorOperations all() const;
};
LeeChangOperations lee_chang_operations(int n);

}  // namespace parid::runtime
