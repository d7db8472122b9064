// The same computation with fewer operations, by the rules of real arithmetic.
//
// Rules look one level deep and never reassociate or distribute, so every finite result stays the
// same to the last bit, but for the sign of a zero. Real, not IEEE, arithmetic: 0·x is 0 even where
// x is infinite. Signs move outward, towards the outputs, where additions swallow them: x·y, (−x)·y
// and x·(−y) become one product. No rule trades one kind of operation for another, so neither
// multiplications nor additions ever grow.

#pragma once

#include "graph/expr.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

Graph simplify(const Graph&);  // simplify(simplify(g)) == simplify(g)

// What the outputs need, and all inputs, for they are the signature: inputs first, then operands
// before their users, left before right, output by output. Tracing has no such order of its own,
// since C++ leaves open which side of a + b is worked out first; simplify keeps to it too.
Graph live(const Graph&);

// The values of a graph's outputs in another graph, to which it is added node by node as it is.
// Inputs of the same name are the same.
std::vector<Expr> appended(const Graph& from, Graph& to);

}  // namespace parid::graph
