// The order in which to combine x0, x1, …, so that x[i] becomes x0 ∘ x1 ∘ … ∘ x[i], for
// associative ∘.
//
// A plan is a list of rounds of steps. The steps of a round are independent, so with as
// many processors as steps a round takes one unit of time, and the depth of a plan is its
// number of rounds. A plan holds indices only: scan.hpp applies it to values (doubles,
// lanes, expressions). So one formulation is linear or logarithmic, depending on its
// plan.

#pragma once

#include <vector>

#include "math/layer.hpp"

namespace parid::math {

struct ScanStep {  // x[to] = x[from] ∘ x[to]
  int from, to;
};

struct ScanPlan {
  int n = 0;
  // Steps read the values before their round. They are listed so that serial execution in place
  // gives the same result: a step's input is not written before it in its round.
  std::vector<std::vector<ScanStep>> rounds;

  int depth() const { return static_cast<int>(rounds.size()); }
  long work() const;               // total combinations
  int widest() const;              // most in one round
  int time(int processors) const;  // units of time on this many identical processors
};

// Serial: n − 1 rounds.
ScanPlan serial_scan(int n);

// x[i] takes x[i − 1], then x[i − 2], x[i − 4], …: ⌈log2 n⌉ rounds, about n log2 n combinations.
// Kogge and Stone; FOHRA of Lee and Chang.
ScanPlan recursive_doubling(int n);

// Each half separately, then the left half's total onto all of the right: ⌈log2 n⌉ rounds, about
// n/2 log2 n combinations. Sklansky; the graph of Fig. 5 of Lathrop (1985).
ScanPlan divided_scan(int n);

// Up a binary tree and down again: about 2 log2 n rounds, fewer than 2n combinations. Brent and
// Kung.
ScanPlan tree_scan(int n);

// p blocks of ⌈n/p⌉, each serially; a scan of the blocks' totals by recursive doubling; the totals
// onto the blocks. PFP of Lee and Chang, on p processors. The last block may be short or empty; the
// doubling still takes ⌈log2 p⌉ rounds, as on their machine, where blocks are padded.
ScanPlan p_fold_scan(int n, int p);

// The same of n elements after an initial one, x[0], that has no processor: p blocks of ⌈n/p⌉, each
// serially; a scan of x[0] and the blocks' totals by recursive doubling; what stands before a block
// onto it. With one processor, serially from x[0] on. The last block may be short; or the first,
// so that a scan from the end has the blocks of one from the start.
enum class ShortBlock { last, first };
ScanPlan p_fold_scan_after(int n, int p, ShortBlock = ShortBlock::last);

// Processors that get a block of ⌈n/p⌉: at most p.
int p_fold_blocks(int n, int p);

// The time of p_fold_scan(n + 1, p) on p processors: T_p of Lee and Chang, whose count of the
// terms after the doubling is corrected for short blocks (theirs is a unit low from (n, p) = (10,
// 5) on).
int p_fold_time(int n, int p);
// As printed.
int p_fold_time_as_printed(int n, int p);

// The least time in which p processors combine m elements into one, whatever the order: Σ min(p,
// 2^k) combinations fit into t steps, k = 0 … t − 1 counted from the last, and m − 1 are needed
// (Munro and Paterson). Lemma 1 of Lee and Chang gives its order, ⌈m/p⌉ + ⌈log2 p⌉.
int least_combining_time(int m, int p);

int ceil_log2(int n);  // 0 for n = 1

}  // namespace parid::math
