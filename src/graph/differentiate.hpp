// Derivatives of a graph, as a graph.
//
// The chain rule can be taken from inputs to outputs or back. Forward mode gives one column of the
// Jacobian per sweep: the derivatives of all values by one input. Reverse mode gives one row per
// sweep: the derivatives of one output by all values. Rows and columns share common nodes; which
// mode is cheaper depends on the computation, so both are counted. One reverse sweep gives all
// derivatives of a weighted sum of outputs, at a small multiple of the cost of the computation: the
// vector-Jacobian product.
//
// A root has no derivative at zero; abs has its right derivative there; select is differentiated in
// its branches only.

#pragma once

#include "graph/expr.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

enum class ChainRule { leaner, forward, reverse };

// Within the graph of the values, for tracing. y, w and t may be numbers; x are inputs, or inner
// nodes that are treated as inputs. The result is not simplified.
std::vector<Expr> jacobian(const std::vector<Expr>& y, const std::vector<Expr>& x,
                           ChainRule);  // ∂y/∂x, row by row; ChainRule::leaner: by fewer sweeps
std::vector<Expr> vector_jacobian(const std::vector<Expr>& w, const std::vector<Expr>& y,
                                  const std::vector<Expr>& x);  // wᵀ ∂y/∂x
std::vector<Expr> jacobian_vector(const std::vector<Expr>& y, const std::vector<Expr>& x,
                                  const std::vector<Expr>& t);  // ∂y/∂x t

// The same as passes from graph to graph: the result has the graph's inputs and is simplified.
// Outputs and inputs are given by name (std::invalid_argument for an unknown one).

// Outputs "y/x", row by row. ChainRule::leaner: the mode with fewer operations after
// simplification.
Graph differentiate(const Graph&, const std::vector<std::string>& outputs,
                    const std::vector<std::string>& inputs, ChainRule = ChainRule::leaner);

// The derivatives of Σ w·y by each input, as outputs "w_/x"; the weights are new inputs after the
// others, each named `weight` and the output's name: "w_tau1".
Graph vector_jacobian_product(const Graph&, const std::vector<std::string>& outputs,
                              const std::vector<std::string>& inputs,
                              const std::string& weight = "w_");

}  // namespace parid::graph
