// A computation as data: a list of operations, each on earlier nodes.
//
// A Graph is only ever appended to, so the order of its nodes is an order to evaluate them in, and
// no cycle can be built. Equal nodes are stored once: a + b twice gives the same Id. Inputs and
// outputs have names and an order; together they are the graph's signature, which passes keep.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/layer.hpp"
#include "graph/op.hpp"

namespace parid::graph {

using Id = std::uint32_t;

struct Node {
  Op op;
  std::array<Id, 3> in{};  // operands; for an input its index; for a constant its bits

  std::span<const Id> operands() const {
    return {in.data(), static_cast<std::size_t>(row(op).arity)};
  }
  double value() const;                   // of a constant
  bool operator==(const Node& n) const {  // the compiler's version calls memcmp
    return op == n.op && in[0] == n.in[0] && in[1] == n.in[1] && in[2] == n.in[2];
  }
};

struct Named {
  std::string name;
  Id id;
  bool operator==(const Named&) const = default;
};

class GraphTooLarge : public std::runtime_error {
 public:
  explicit GraphTooLarge(std::size_t limit);
  std::size_t limit;  // in nodes
};

class Graph {
 public:
  static constexpr std::size_t default_limit = 5'000'000;

  explicit Graph(std::size_t limit = default_limit) : limit_(limit) {}

  // Each returns the node and creates it if needed. Throws GraphTooLarge beyond the limit.
  Id constant(double);
  Id input(const std::string& name);
  Id operation(Op, Id a, Id b = 0, Id c = 0);  // operands beyond the arity are 0
  std::optional<Id> find(Op, Id a, Id b = 0, Id c = 0) const;
  void output(const std::string& name, Id id) { outputs_.push_back({name, id}); }
  void reserve(std::size_t nodes);  // allocates memory for this many

  std::size_t size() const { return node_.size(); }
  std::size_t limit() const { return limit_; }
  const Node& operator[](Id id) const { return node_[id]; }
  const std::vector<Node>& nodes() const { return node_; }
  const std::vector<Named>& inputs() const { return inputs_; }
  const std::vector<Named>& outputs() const { return outputs_; }

  // Throws std::logic_error if an invariant is violated: operands precede their users and match the
  // operation's arity, comparisons are used by select only, equal nodes are stored once, constants
  // are finite, names of inputs and outputs are unique.
  void check() const;

  bool operator==(const Graph& g) const {
    return node_ == g.node_ && inputs_ == g.inputs_ && outputs_ == g.outputs_;
  }

 private:
  Id intern(const Node&);
  std::size_t slot_of(const Node&) const;  // its slot in the table, or the one for it
  void rehash(std::size_t slots);

  std::size_t limit_;
  std::vector<Node> node_;
  std::vector<Named> inputs_, outputs_;
  std::unordered_map<std::string, Id> input_by_name_;
  std::vector<Id> table_;  // open addressing, a power of two, at most half full
};

struct Counts {
  long multiplications = 0, additions = 0, divisions = 0, square_roots = 0, atan2 = 0;
  long sin_cos = 0;  // a sine and a cosine of the same number count once
  long nodes = 0;    // inputs and constants included

  bool operator==(const Counts&) const = default;
};

// Of the whole graph, needed by an output or not (simplify removes unneeded nodes).
Counts counts(const Graph&);

}  // namespace parid::graph
