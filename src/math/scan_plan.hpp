// In which order to combine x0, x1, …, so that x[i] becomes x0 ∘ x1 ∘ … ∘ x[i], for any associative
// ∘.
//
// A plan is rounds of steps. Steps of one round wait for no other, so with as many processors as a
// round has steps it takes one unit of time, and a plan's depth is its number of rounds. A plan
// knows indices alone: scan.hpp does it to numbers, and whatever they are (doubles, lanes,
// expressions) the order is the plan's. So one formulation is linear or logarithmic by the plan it
// is given.

#pragma once

#include <vector>

#include "math/layer.hpp"

namespace parid::math {

struct ScanStep {  // x[to] = x[from] ∘ x[to]
  int from, to;
};

struct ScanPlan {
  int n = 0;
  // Steps read what stood before their round. They are listed so that doing them one after another
  // in place gives the same: what a step reads is not written before it in its round.
  std::vector<std::vector<ScanStep>> rounds;

  int depth() const { return static_cast<int>(rounds.size()); }
  long work() const;               // combinations in all
  int widest() const;              // most in one round
  int time(int processors) const;  // units on so many processors, all of which do the same thing
};

// One after another: n − 1 rounds.
ScanPlan serial_scan(int n);

// x[i] takes x[i − 1], then x[i − 2], x[i − 4], …: ⌈log2 n⌉ rounds, about n log2 n combinations.
// Kogge and Stone's; Lee and Chang's FOHRA.
ScanPlan recursive_doubling(int n);

// Each half by itself, then the left half's total onto all of the right: ⌈log2 n⌉ rounds, about
// n/2 log2 n combinations. Sklansky's; the graph that Lathrop draws in Fig. 5.
ScanPlan divided_scan(int n);

// Up a binary tree and down again: about 2 log2 n rounds, fewer than 2n combinations. Brent and
// Kung's.
ScanPlan tree_scan(int n);

// p blocks of ⌈n/p⌉, each by itself; a scan of the blocks' totals by recursive doubling; the totals
// onto the blocks. Lee and Chang's PFP, on p processors. The last block may be short or empty; the
// doubling takes its ⌈log2 p⌉ rounds all the same, as on their machine, where blocks are padded.
ScanPlan p_fold_scan(int n, int p);

// What p_fold_scan(n + 1, p) takes on p processors: Lee and Chang's T_p, their count of what is
// left to do after the doubling corrected for blocks that are short (theirs is a unit low from (n,
// p) = (10, 5)).
int p_fold_time(int n, int p);
// As they print it.
int p_fold_time_as_printed(int n, int p);

int ceil_log2(int n);  // 0 for n = 1

}  // namespace parid::math
