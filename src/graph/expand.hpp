// A graph as closed formulas: every output is a sum of products of its inputs and of
// their sines and cosines, a trigonometric polynomial.
//
// Each value is expanded, angles are expressed in a basis and sin² becomes 1 − cos²,
// which makes the sum unique and removes terms that cancel. Then pairs of terms are
// combined:
//
//   r cos a cos b ∓ r sin a sin b → r cos(a ± b)     r sin a cos b ± r cos a sin b → r sin(a ± b)
//   r − r cos² a → r sin² a
//
// The basis is the inputs, or sums of an input and the angle before it where that leaves
// fewer terms.
//
// This is how dynamics was written before recursive formulations. It is much larger:
// compare `cost` with counts().

#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

// An input, or a sine or cosine of a sum of inputs times numbers. Inputs by index,
// ascending.
struct Atom {
  enum class Kind : std::uint8_t { input, sine, cosine } kind;
  std::vector<std::pair<int, double>> angle;  // for an input {input, 1}
  bool operator==(const Atom&) const = default;
  bool operator<(const Atom& a) const { return std::tie(kind, angle) < std::tie(a.kind, a.angle); }
};
using Monomial = std::map<Atom, int>;  // powers, each at least 1

struct ExpandedTerm {
  double coefficient;
  Monomial factors;
  bool operator==(const ExpandedTerm&) const = default;
};
struct Expanded {
  std::string name;                 // the output's
  std::vector<ExpandedTerm> terms;  // none: zero
};

struct NotExpandable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The outputs in order. Throws NotExpandable if an operation is not a trigonometric polynomial
// (divisions, roots, select), or if a sum has more than `limit` terms; the message names the
// cause.
std::vector<Expanded> expanded(const Graph&, std::size_t limit = 20'000);

// Terms, and multiplications and additions of the formulas as written; equal sines are computed
// once, and equal outputs are counted once.
struct ExpandedCost {
  long terms = 0, multiplications = 0, additions = 0;
};
ExpandedCost cost(const std::vector<Expanded>&);

// The formulas as a graph, with the inputs of the original.
Graph collected(const Graph& of, const std::vector<Expanded>&);

double value(const Expanded&, const std::vector<double>& inputs);

}  // namespace parid::graph
