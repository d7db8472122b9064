// Which products need no instruction of their own, where a machine has fused multiply-add.
//
// A sum takes in at most one product, a·b + c, a·b − c or c − a·b; a product vanishes where every
// one of its users takes it in. So compilers do it too, where they may contract: what is left is
// what counts on such a machine, its FMA slots.

#pragma once

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

inline constexpr int not_fused = -1;

// For each addition or subtraction the operand (0 or 1) whose product it takes in, or not_fused.
std::vector<int> fused_operands(const Graph&);
// For each node whether it is a product that all its users take in.
std::vector<bool> fused_products(const Graph&, const std::vector<int>& fused_operands);

// Multiplications and additions in fused instructions: multiplications + additions − fused
// products.
long fma_slots(const Graph&);

}  // namespace parid::graph
