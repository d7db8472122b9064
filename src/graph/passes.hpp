// Passes: the same computation with fewer operations.

#pragma once

#include "graph/expr.hpp"
#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

// ---- The same computation with fewer operations, by the rules of real arithmetic.
//
// Rules look one level deep and never reassociate or distribute, so every finite result stays the
// same to the last bit, but for the sign of a zero. Real, not IEEE, arithmetic: 0·x is 0 even where
// x is infinite. Signs move outward, towards the outputs, where additions swallow them: x·y, (−x)·y
// and x·(−y) become one product. No rule trades one kind of operation for another, so neither
// multiplications nor additions ever grow.

Graph simplify(const Graph&);  // simplify(simplify(g)) == simplify(g)

// What the outputs need, and all inputs, for they are the signature: inputs first, then operands
// before their users, left before right, output by output. Tracing has no such order of its own,
// since C++ leaves open which side of a + b is worked out first; simplify keeps to it too.
Graph live(const Graph&);

// The values of a graph's outputs in another graph, to which it is added node by node as it is.
// Inputs of the same name are the same.
std::vector<Expr> appended(const Graph& from, Graph& to);

// ---- The same computation with fewer operations, by regrouping its sums.
//
// Every sum is taken apart into numbers times products, across as many additions and
// multiplications by numbers as it takes; what cancels is gone, numbers times numbers are one
// number. Then parts that several sums share, and numbers and operands that terms of a sum share,
// are taken out again, the most saving first. Sums are added up in the order that ends soonest.
//
// Values change by rounding only. No count ever rises: where regrouping does not pay, the graph
// comes back as it was.

Graph factor(const Graph&);

// ---- Sines and cosines of sums in place of their expansions, where that takes fewer operations.
//
//   r·cos a·cos b − r·sin a·sin b  →  r·cos(a + b)        r·sin a·cos b + r·cos a·sin b  →  r·sin(a
//                                     + b)
//   r·cos a·cos b + r·sin a·sin b  →  r·cos(a − b)        r·sin a·cos b − r·cos a·sin b  →  r·sin(a
//                                     − b)
//
// So joints on parallel axes turn what follows by the sum of their angles. Terms are found anywhere
// in a sum, factors anywhere in a product. With a = b the third is r: squares of a sine and its
// cosine make one.
//
// Neither multiplications nor additions get more. A pair of sine and cosine may come in addition
// where that saves as many of them as a pair takes time, about sixteen. Values change by rounding
// only.

Graph angle_sums(const Graph&);  // simplified

// ---- Which products need no instruction of their own, where a machine has fused multiply-add.
//
// A sum takes in at most one product, a·b + c, a·b − c or c − a·b; a product vanishes where every
// one of its users takes it in. So compilers do it too, where they may contract: what is left is
// what counts on such a machine, its FMA slots.

inline constexpr int not_fused = -1;

// For each addition or subtraction the operand (0 or 1) whose product it takes in, or not_fused.
std::vector<int> fused_operands(const Graph&);
// For each node whether it is a product that all its users take in.
std::vector<bool> fused_products(const Graph&, const std::vector<int>& fused_operands);

// Multiplications and additions in fused instructions: multiplications + additions − fused
// products.
long fma_slots(const Graph&);

}  // namespace parid::graph
