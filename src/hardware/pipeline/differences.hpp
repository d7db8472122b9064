// Linear programs whose constraints are all on differences: min Σ coefficient t with t[to] −
// t[from] ≥ least.
//
// The dual is a flow without capacities: a node with a negative coefficient sends so much, one with
// a positive takes it, along constraints or back along what flows already. A flow that uses tight
// constraints alone and leaves nothing over proves t the least. So, from a t that is feasible:
//
//   1. push what is over towards where it is wanted, along tight constraints (push-relabel, first
//      in first out, with labels from a search every so often and gaps closed);
//   2. where that is stuck, find how far each node is from one that still takes, by slack; later by
//      that much, each has a tight way again (and no constraint is broken, for distances obey them)
//
// until nothing is over. The figures are whole, so all is exact. Network simplex (LEMON) answers
// the same question from scratch; graphs of 10⁵ operations take it several times as long.

#pragma once

#include <vector>

#include "hardware/layer.hpp"

namespace parid::hardware {

struct Differences {
  struct Constraint {
    int from, to, least;
  };
  std::vector<long> coefficient;  // they sum to zero
  std::vector<Constraint> constraints;

  explicit Differences(int variables) : coefficient(variables, 0) {}

  void at_least(int from, int to, int least) { constraints.push_back({from, to, least}); }
  void pay(int from, int to, long weight) {  // for each unit of t[to] − t[from]
    coefficient[to] += weight;
    coefficient[from] -= weight;
  }
  int variable() {
    coefficient.push_back(0);
    return static_cast<int>(coefficient.size()) - 1;
  }
};

// From a feasible t. Throws std::logic_error where there is no least.
std::vector<int> solved(const Differences&, std::vector<int> feasible);
std::vector<int> solved_by_simplex(const Differences&);

}  // namespace parid::hardware
