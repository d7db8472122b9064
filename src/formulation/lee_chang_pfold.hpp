// Newton-Euler inverse dynamics in base coordinates on p processors, each with a block of links.
//
// Source   Lee, Chang: Computational structures for robotic computations, section 3.1, algorithm
//          PFP, steps P1 to P5, applied to the six recurrences of lee_chang.
// Order    O(n) operations; on p processors O(k1 ⌈n/p⌉ + k2 ⌈log2 p⌉) deep, their Theorem 1.
// Symbols  as in lee_chang; s = ⌈n/p⌉ links for each processor.
// Differs  (22), (28) and (30) have n + 1 elements: p̈ of the base, or the wrench beyond the tip,
//          comes first. PFP as printed puts it into the first block, of ⌈(n + 1)/p⌉ elements; here
//          it is a block by itself (p_fold_scan_after), so that every link stays on its processor
//          in all six recurrences, and p = n gives the recurrences of section 3, on n processors.
//          Step P5 stays on the processors of the blocks; as printed, its terms are spread over all
//          p, which saves a pth of its steps and moves values to other processors and back. Links
//          are placed on as few processors as have room for ⌈n/p⌉ each; the others stay idle.

#pragma once

#include <algorithm>

#include "formulation/layer.hpp"
#include "formulation/lee_chang.hpp"

namespace parid::formulation {

// What a user gets who does not choose; fewer where the chain is shorter.
inline constexpr int default_processors = 4;

template <Scalar T>
class LeeChangPFold : public LeeChangScans<T> {
 public:
  static constexpr const char* id = "lee_chang_pfold";

  // 1 ≤ processors ≤ n, or 0 for the default; more than n are idle.
  explicit LeeChangPFold(const Mechanism<T>& m, int processors = 0)
      : LeeChangPFold(m, m.n, processors_for(m.n, processors)) {}

  static int processors_for(int n, int processors) {
    return std::clamp(processors > 0 ? processors : default_processors, 1, std::max(n, 1));
  }

 private:
  LeeChangPFold(const Mechanism<T>& m, int n, int p)
      : LeeChangScans<T>(m, n > 0 ? p_fold_scan(n, p_fold_blocks(n, p)) : ScanPlan{},
                         n > 0 ? p_fold_scan_after(n, p) : ScanPlan{},
                         n > 0 ? p_fold_scan_after(n, p, ShortBlock::first) : ScanPlan{}) {}
};

}  // namespace parid::formulation
