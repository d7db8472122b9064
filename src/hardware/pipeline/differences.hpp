// Linear programs with constraints on differences only: min Σ coefficient t with t[to] − t[from] ≥
// least.
//
// The dual is a flow without capacities: a node with a negative coefficient supplies that amount,
// one with a positive coefficient demands it; flow runs along constraints or back along existing
// flow. A flow that uses only tight constraints and leaves no excess proves that t is optimal. From
// a feasible t:
//
//   1. push excess towards demand along tight constraints (push-relabel, first in first out, with
//      periodic global relabelling and gap closing);
//   2. when no push is possible, compute each node's distance in slack to a node with demand and
//      shift it later by that distance. Each node then has a tight path again, and no constraint is
//      violated, because distances obey the constraints
//
// until there is no excess. All numbers are integers, so the result is exact. Network simplex
// (LEMON) solves the same problem without an initial solution; for graphs of 10⁵ operations it
// takes several times as long.

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
  void pay(int from, int to, long weight) {  // cost per unit of t[to] − t[from]
    coefficient[to] += weight;
    coefficient[from] -= weight;
  }
  int variable() {
    coefficient.push_back(0);
    return static_cast<int>(coefficient.size()) - 1;
  }
};

// Starts from a feasible t. Throws std::logic_error if there is no minimum.
std::vector<int> solved(const Differences&, std::vector<int> feasible);
std::vector<int> solved_by_simplex(const Differences&);

}  // namespace parid::hardware
