// A computation as closed formulas: every output a sum of products of its inputs and of sines and
// cosines of them, a trigonometric polynomial.
//
// Each value is multiplied out, angles are taken apart into those of a basis and sin² becomes 1 −
// cos², which makes the sum unique: what cancels is gone. Then pairs of terms are put together
// again where two make one:
//
//   r cos a cos b ∓ r sin a sin b → r cos(a ± b)     r sin a cos b ± r cos a sin b → r sin(a ± b)
//   r − r cos² a → r sin² a
//
// The basis is the inputs, or sums of an input and the angle before it where that leaves fewer
// terms.
//
// This is how dynamics was written down before recursions, and it swells: compare `cost` with
// counts().

#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

// An input to itself, or a sine or cosine of a sum of inputs times numbers. Inputs by their
// numbers, rising.
struct Atom {
  enum class Kind : std::uint8_t { input, sine, cosine } kind;
  std::vector<std::pair<int, double>> angle;  // of an input just {input, 1}
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

// The outputs in their order. Throws NotExpandable where an operation is no polynomial of sines and
// cosines (divisions, roots, choices), and where a sum grows beyond `limit` terms; the message says
// which.
std::vector<Expanded> expanded(const Graph&, std::size_t limit = 20'000);

// Terms, and multiplications and additions as the formulas stand; equal sines are worked out once,
// and outputs that are the same are one.
struct ExpandedCost {
  long terms = 0, multiplications = 0, additions = 0;
};
ExpandedCost cost(const std::vector<Expanded>&);

// The formulas as a graph again, with the inputs of the one they are of.
Graph collected(const Graph& of, const std::vector<Expanded>&);

double value(const Expanded&, const std::vector<double>& inputs);

}  // namespace parid::graph
