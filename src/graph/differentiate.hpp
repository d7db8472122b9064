// Derivatives of a computation, as a computation.
//
// The chain rule can be taken from inputs to outputs or back. Forward, a column of the Jacobian at
// a time: how every value changes with one input. In reverse, a row at a time: how one output
// changes with every value. Rows and columns share what they have in common, since equal nodes are
// one; which way is leaner depends on the computation, so both are counted. A sum of outputs with
// weights has all its derivatives in one reverse sweep, at a small multiple of the computation's
// own cost: the vector-Jacobian product.
//
// A root has no derivative at zero and a magnitude has its right one there; a choice is followed,
// never derived.

#pragma once

#include "graph/expr.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

enum class ChainRule { leaner, forward, reverse };

// In the graph of the values themselves, for those who trace. y, w and t may be numbers; x are
// inputs, or values between that are taken for inputs. Nothing is simplified yet.
std::vector<Expr> jacobian(const std::vector<Expr>& y, const std::vector<Expr>& x,
                           ChainRule);  // ∂y/∂x, row by row; leaner: by fewer sweeps
std::vector<Expr> vector_jacobian(const std::vector<Expr>& w, const std::vector<Expr>& y,
                                  const std::vector<Expr>& x);  // wᵀ ∂y/∂x
std::vector<Expr> jacobian_vector(const std::vector<Expr>& y, const std::vector<Expr>& x,
                                  const std::vector<Expr>& t);  // ∂y/∂x t

// The same as passes from graph to graph: the result has the graph's inputs and is simplified.
// Outputs and inputs go by their names (std::invalid_argument for one that is not there).

// Outputs "y/x", row by row. Leaner: of both ways simplified, the one with fewer operations.
Graph differentiate(const Graph&, const std::vector<std::string>& outputs,
                    const std::vector<std::string>& inputs, ChainRule = ChainRule::leaner);

// The derivatives of Σ w·y by each input, as outputs "w_/x"; the weights are new inputs after the
// others, each named `weight` and the output's name: "w_tau1".
Graph vector_jacobian_product(const Graph&, const std::vector<std::string>& outputs,
                              const std::vector<std::string>& inputs,
                              const std::string& weight = "w_");

}  // namespace parid::graph
