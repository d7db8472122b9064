// Evaluates a graph on any Scalar: one sample, a register of samples, or derivatives.

#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

// Inputs and outputs are in the graph's order. `scratch` holds at least graph.size() numbers;
// nothing is allocated.
template <Scalar T>
void evaluate(const Graph& graph, std::span<const T> inputs, std::span<T> outputs,
              std::span<T> scratch) {
  assert(inputs.size() == graph.inputs().size() && outputs.size() == graph.outputs().size());
  assert(scratch.size() >= graph.size());
  T* x = scratch.data();
  for (Id id = 0; id < graph.size(); ++id) {
    const Node& n = graph[id];
    if (n.op == Op::constant) {
      x[id] = T(n.value());
    } else if (n.op == Op::input) {
      x[id] = inputs[n.in[0]];
    } else if (n.op == Op::sin ||
               n.op == Op::cos) {  // computed with its partner, whichever is first
      const bool sine = n.op == Op::sin;
      const auto partner = graph.find(sine ? Op::cos : Op::sin, n.in[0]);
      if (partner && *partner < id) continue;
      using scalar::sin_cos;  // of built-in types too
      const auto [s, c] = sin_cos(x[n.in[0]]);
      x[id] = sine ? s : c;
      if (partner) x[*partner] = sine ? c : s;
    } else {
      x[id] = apply(n.op, x[n.in[0]], x[n.in[1]], x[n.in[2]]);
    }
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) outputs[k] = x[graph.outputs()[k].id];
}

template <Scalar T>
std::vector<T> evaluate(const Graph& graph, const std::vector<T>& inputs) {
  std::vector<T> scratch(graph.size(), T(0.0)), outputs(graph.outputs().size(), T(0.0));
  evaluate<T>(graph, inputs, outputs, scratch);
  return outputs;
}

}  // namespace parid::graph
