// Passes: the same computation with fewer operations.

#pragma once

#include "graph/expr.hpp"
#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

// ---- The same computation with fewer operations, by the rules of real arithmetic.
//
// Rules look one level deep and never reassociate or distribute, so every finite result stays the
// same to the last bit, except for the sign of a zero. The arithmetic is real, not IEEE: 0·x is 0
// even if x is infinite. Signs move towards the outputs, where additions absorb them: x·y, (−x)·y
// and x·(−y) become one product. No rule replaces one kind of operation by another, so the numbers
// of multiplications and of additions never grow.

Graph simplify(const Graph&);  // simplify(simplify(g)) == simplify(g)

// The nodes that the outputs need, and all inputs, which are the signature: inputs first, then
// operands before their users, left before right, output by output. Tracing has no fixed order,
// because C++ does not define which side of a + b is evaluated first; simplify has this order too.
Graph live(const Graph&);

// Adds a graph to another one unchanged, node by node, and returns its outputs' values there.
// Inputs of the same name are identified.
std::vector<Expr> appended(const Graph& from, Graph& to);

// ---- The same computation with fewer operations, by regrouping its sums.
//
// Every sum is expanded into numbers times products, across all additions and multiplications by
// numbers; cancelling terms vanish, and products of numbers are evaluated. Then parts that several
// sums share, and numbers and operands that terms of a sum share, are factored out, the largest
// saving first. The terms of a sum are added in the order with the shortest path.
//
// Values change by rounding only. No count ever rises: if regrouping does not pay, the original
// graph is returned.

Graph factor(const Graph&);

// ---- Sines and cosines of sums instead of their expansions, if that takes fewer operations.
//
//   r·cos a·cos b − r·sin a·sin b  →  r·cos(a + b)
//   r·sin a·cos b + r·cos a·sin b  →  r·sin(a + b)
//   r·cos a·cos b + r·sin a·sin b  →  r·cos(a − b)
//   r·sin a·cos b − r·cos a·sin b  →  r·sin(a − b)
//
// So joints on parallel axes rotate later links by the sum of their angles. Terms are found
// anywhere in a sum, factors anywhere in a product. With a = b the third is r: squares of a sine
// and its cosine add to one.
//
// The numbers of multiplications and additions never grow. A sine-cosine pair is added only if it
// saves as many of them as a pair costs, about sixteen. Values change by rounding only.

Graph angle_sums(const Graph&);  // simplified

// ---- Products that need no separate instruction on a machine with fused multiply-add.
//
// A sum absorbs at most one product, a·b + c, a·b − c or c − a·b; a product vanishes if all of its
// users absorb it. Compilers that may contract do the same: the remaining instructions, the FMA
// slots, are the cost on such a machine.

inline constexpr int not_fused = -1;

// For each addition or subtraction the operand (0 or 1) whose product it absorbs, or not_fused.
std::vector<int> fused_operands(const Graph&);
// For each node whether it is a product that all its users absorb.
std::vector<bool> fused_products(const Graph&, const std::vector<int>& fused_operands);

// Multiplications and additions in fused instructions: multiplications + additions − fused
// products.
long fma_slots(const Graph&);

}  // namespace parid::graph
