// A Scalar that records operations in a graph.
//
// An Expr is a node of a graph, or a number that belongs to no graph, because T(0.0) has no
// graph. Operations among numbers are evaluated at once, in double, as by `prepare`;
// operations on a node are recorded unchanged, 0·x included. simplify() removes zeros and
// ones.
//
//   Graph g;
//   const Expr x = input(g, "x");
//   output(g, "y", x * x + Expr(1.0));
//
// An Expr points to its graph: the graph must not move while Exprs exist.

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
  Id in(Graph& g) const {  // a number becomes a constant of the graph
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

// Records the operation; among numbers, returns the result.
inline Expr record(Op op, const Expr& a) {
  if (a.is_number()) return Expr(apply(op, a.number(), 0.0, 0.0));
  return {*a.graph(), a.graph()->operation(op, a.id())};
}
inline Expr record(Op op, const Expr& a, const Expr& b) {
  Graph* g = a.graph() ? a.graph() : b.graph();
  if (!g) return Expr(apply(op, a.number(), b.number(), 0.0));
  const Id ia = a.in(*g), ib = b.in(*g);  // in this order, with every compiler
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
