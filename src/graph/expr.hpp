// A Scalar that writes down what is done to it.
//
// An Expr is a node of a graph, or a number that belongs to no graph: T(0.0) must mean something
// before any input has been met. Numbers among themselves are worked out at once, in double, as
// `prepare` does; everything that touches a node is written down as it stands, 0·x included. What
// follows from zeros and ones is for simplify to find.
//
//   Graph g;
//   const Expr x = input(g, "x");
//   output(g, "y", x * x + Expr(1.0));
//
// An Expr points to its graph: the graph must stay where it is while Exprs live.

#pragma once

#include <cassert>

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

class Expr {
 public:
  Expr() = default;  // 0
  explicit Expr(double number) : number_(number) {}
  Expr(Graph& g, Id id) : graph_(&g), id_(id) {}

  Graph* graph() const { return graph_; }  // none: a number
  bool is_number() const { return !graph_; }
  double number() const { return assert(!graph_), number_; }
  Id id() const { return assert(graph_), id_; }
  Id in(Graph& g) const {  // a number becomes a constant where it meets a graph
    assert(!graph_ || graph_ == &g);
    return graph_ ? id_ : g.constant(number_);
  }
  bool same(const Expr& e) const {
    return graph_ == e.graph_ && (graph_ ? id_ == e.id_ : number_ == e.number_);
  }

 private:
  Graph* graph_ = nullptr;
  union {
    double number_ = 0;
    Id id_;
  };
};

struct ExprMask {  // 1 or 0, or a node `less`
  Expr truth;
};

inline Expr input(Graph& g, const std::string& name) { return {g, g.input(name)}; }
inline void output(Graph& g, const std::string& name, const Expr& x) { g.output(name, x.in(g)); }

// The operation written down; among numbers, its result.
inline Expr record(Op op, const Expr& a) {
  if (a.is_number()) return Expr(apply(op, a.number(), 0.0, 0.0));
  return {*a.graph(), a.graph()->operation(op, a.id())};
}
inline Expr record(Op op, const Expr& a, const Expr& b) {
  Graph* g = a.graph() ? a.graph() : b.graph();
  if (!g) return Expr(apply(op, a.number(), b.number(), 0.0));
  const Id ia = a.in(*g), ib = b.in(*g);  // in this order, whatever the compiler
  return {*g, g->operation(op, ia, ib)};
}

inline Expr operator+(const Expr& a, const Expr& b) { return record(Op::add, a, b); }
inline Expr operator-(const Expr& a, const Expr& b) { return record(Op::sub, a, b); }
inline Expr operator*(const Expr& a, const Expr& b) { return record(Op::mul, a, b); }
inline Expr operator/(const Expr& a, const Expr& b) { return record(Op::div, a, b); }
inline Expr operator-(const Expr& a) { return record(Op::neg, a); }
inline Expr sqrt(const Expr& a) { return record(Op::sqrt, a); }
inline Expr abs(const Expr& a) { return record(Op::abs, a); }
inline Expr atan2(const Expr& y, const Expr& x) { return record(Op::atan2, y, x); }
inline SinCos<Expr> sin_cos(const Expr& x) {
  const Expr s = record(Op::sin, x), c = record(Op::cos, x);
  return {s, c};
}
inline ExprMask operator<(const Expr& a, const Expr& b) { return {record(Op::less, a, b)}; }
inline Expr select(const ExprMask& mask, const Expr& a, const Expr& b) {
  if (mask.truth.is_number()) return mask.truth.number() != 0 ? a : b;
  Graph& g = *mask.truth.graph();
  const Id ia = a.in(g), ib = b.in(g);
  return {g, g.operation(Op::select, mask.truth.id(), ia, ib)};
}

static_assert(Scalar<Expr>);

}  // namespace parid::graph
