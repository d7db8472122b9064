// Time of one evaluation of one long chain.
//
// Compares KDL, our serial sweep and three arrangements of a scan over SIMD lanes: ours
// (runtime/kernel/chain_kernel.hpp), Lee and Chang's, where every recursion is a prefix sum in base
// orientation, and Lathrop's, where neighbouring stretches are combined.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/layer.hpp"
#include "model/canonical_model.hpp"
#include "model/description.hpp"

namespace parid::bench {

struct ChainContestant {
  std::string name;
  int threads = 1;
  std::function<void(const double* q, const double* v, const double* a, double* tau)> run;
};
using ChainContestants = std::vector<ChainContestant>;

void add_kdl(ChainContestants&, const Description&);
void add_parid(ChainContestants&, const CanonicalModel&);
void add_arrangements(ChainContestants&, const CanonicalModel&);

}  // namespace parid::bench
