#include "graph/differentiate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "graph/passes.hpp"

namespace parid::graph {
namespace {

// Arithmetic that omits operations with zeros and ones: most derivatives are zero, and recording
// them would take most of the time.
bool is(const Expr& e, double v) { return e.is_number() && e.number() == v; }
Expr sum(const Expr& a, const Expr& b) { return is(a, 0) ? b : is(b, 0) ? a : a + b; }
Expr minus(const Expr& a) { return is(a, 0) ? a : -a; }
Expr product(const Expr& a, const Expr& b) {
  if (is(a, 0) || is(b, 0)) return Expr(0.0);
  if (is(a, -1)) return minus(b);
  if (is(b, -1)) return minus(a);
  return is(a, 1) ? b : is(b, 1) ? a : a * b;
}
Expr chosen(const Expr& mask, const Expr& a, const Expr& b) {
  return a.same(b) ? a : select(ExprMask{mask}, a, b);
}

// An operation with its operands and its result.
struct At {
  Expr a, b, c, y;
};
// t times the derivative by one operand. Divisors and roots are used as 1/x, which all columns
// share.
using Rule = Expr (*)(const At&, const Expr& t);

struct RuleRow {
  Op op;
  std::array<Rule, 3> by;  // none: no change
};

Expr one_over(const Expr& x) { return Expr(1.0) / x; }
Expr one_over_square(const At& o) { return one_over(o.a * o.a + o.b * o.b); }

// clang-format off
constexpr Rule same = [](const At&, const Expr& t) { return t; };
constexpr Rule turned = [](const At&, const Expr& t) { return minus(t); };
constexpr std::array<RuleRow, op_rows.size()> rules = {{
    {Op::constant, {}},
    {Op::input,    {}},
    {Op::add,      {same, same}},
    {Op::sub,      {same, turned}},
    {Op::mul,      {[](const At& o, const Expr& t) { return product(t, o.b); },
                    [](const At& o, const Expr& t) { return product(t, o.a); }}},
    {Op::div,      {[](const At& o, const Expr& t) { return product(t, one_over(o.b)); },
                    [](const At& o, const Expr& t) { return minus(product(t, o.y * one_over(o.b))); }}},
    {Op::neg,      {turned}},
    {Op::sqrt,     {[](const At& o, const Expr& t) { return product(t, Expr(0.5) / o.y); }}},
    {Op::abs,      {[](const At& o, const Expr& t) { return chosen((o.a < Expr(0.0)).truth, minus(t), t); }}},
    {Op::sin,      {[](const At& o, const Expr& t) { return product(t, sin_cos(o.a).cos); }}},
    {Op::cos,      {[](const At& o, const Expr& t) { return minus(product(t, sin_cos(o.a).sin)); }}},
    {Op::atan2,    {[](const At& o, const Expr& t) { return product(t, o.b * one_over_square(o)); },
                    [](const At& o, const Expr& t) { return minus(product(t, o.a * one_over_square(o))); }}},
    {Op::less,     {}},
    {Op::select,   {nullptr,
                    [](const At& o, const Expr& t) { return chosen(o.a, t, Expr(0.0)); },
                    [](const At& o, const Expr& t) { return chosen(o.a, Expr(0.0), t); }}},
}};
// clang-format on

static_assert([] {
  for (std::size_t k = 0; k < rules.size(); ++k)
    if (static_cast<std::size_t>(rules[k].op) != k) return false;
  return true;
}());

// Sweeps over the nodes that y needs. The nodes that they append are not part of the computation
// for later sweeps.
class Sweeps {
 public:
  Sweeps(Graph& g, const std::vector<Expr>& y, const std::vector<Expr>& x) : g_(g), size_(0) {
    for (const std::vector<Expr>* all : {&y, &x})
      for (const Expr& e : *all)
        if (!e.is_number()) size_ = std::max(size_, e.id() + 1);
    end_.resize(size_);
    between_.resize(size_);
    for (const Expr& e : x)
      if (!e.is_number()) end_[e.id()] = true;
    for (Id id = 0; id < size_; ++id) {  // what depends on x
      between_[id] = end_[id];
      for (const Id a : g[id].operands()) between_[id] = between_[id] || between_[a];
    }
    std::vector<bool> asked(size_);  // and on which y depends
    for (const Expr& e : y)
      if (!e.is_number()) asked[e.id()] = true;
    for (Id id = size_; id-- > 0;) {
      if (asked[id] && !end_[id])
        for (const Id a : g[id].operands()) asked[a] = true;
      between_[id] = between_[id] && asked[id];
    }
  }

  // ∂node/∂x · t of every node in between.
  std::vector<Expr> forward(const std::vector<Expr>& x, const std::vector<Expr>& t) {
    std::vector<Expr> d(size_);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!x[k].is_number()) d[x[k].id()] = t[k];
    for (Id id = 0; id < size_; ++id) {
      if (!between_[id] || end_[id]) continue;
      const Node n = g_[id];
      for (int k = 0; k < row(n.op).arity; ++k)
        if (!is(d[n.in[k]], 0)) d[id] = sum(d[id], along(id, n, k, d[n.in[k]]));
    }
    return d;
  }

  // Σ w ∂y/∂node of every node in between.
  std::vector<Expr> reverse(const std::vector<Expr>& y, const std::vector<Expr>& w) {
    std::vector<Expr> d(size_);
    for (std::size_t k = 0; k < y.size(); ++k)
      if (!y[k].is_number()) d[y[k].id()] = sum(d[y[k].id()], w[k]);
    for (Id id = size_; id-- > 0;) {
      if (!between_[id] || end_[id] || is(d[id], 0)) continue;
      const Node n = g_[id];
      for (int k = 0; k < row(n.op).arity; ++k)
        if (between_[n.in[k]]) d[n.in[k]] = sum(d[n.in[k]], along(id, n, k, d[id]));
    }
    return d;
  }

 private:
  Expr along(Id id, const Node& n, int k, const Expr& t) {
    const Rule rule = rules[static_cast<int>(n.op)].by[k];
    if (!rule) return Expr(0.0);
    auto in = [&](int i) { return i < row(n.op).arity ? operand(n.in[i]) : Expr(); };
    return rule({in(0), in(1), in(2), Expr(g_, id)}, t);
  }
  Expr operand(Id id) { return g_[id].op == Op::constant ? Expr(g_[id].value()) : Expr(g_, id); }

  Graph& g_;
  Id size_;
  std::vector<bool> end_, between_;  // x; nodes that depend on x and on which y depends, x included
};

Graph* graph_of(const std::vector<Expr>& values) {
  for (const Expr& v : values)
    if (!v.is_number()) return v.graph();
  return nullptr;
}
Expr at(const std::vector<Expr>& d, const Expr& v) { return v.is_number() ? Expr(0.0) : d[v.id()]; }

long weight(const Graph& g) {
  const Counts n = counts(g);
  return n.multiplications + n.additions + 4 * n.divisions;
}

// A copy of a graph, to be extended, with the selected outputs and inputs.
struct Copied {
  Graph graph;
  std::vector<Expr> y, x;

  Copied(const Graph& g, const std::vector<std::string>& outputs,
         const std::vector<std::string>& inputs)
      : graph(g.limit()) {
    graph.reserve(4 * g.size());
    const std::vector<Expr> values = appended(g, graph);
    for (const std::string& name : outputs) y.push_back(values[place(g.outputs(), name, "output")]);
    for (const std::string& name : inputs)
      x.emplace_back(graph, graph.inputs()[place(g.inputs(), name, "input")].id);
  }
  Copied(const Copied&) = delete;  // expressions point to the graph
  Copied& operator=(const Copied&) = delete;

 private:
  static std::size_t place(const std::vector<Named>& all, const std::string& name,
                           const char* kind) {
    const auto i =
        std::find_if(all.begin(), all.end(), [&](const Named& n) { return n.name == name; });
    if (i == all.end())
      throw std::invalid_argument(
          fmt::format("differentiate: the graph has no {} '{}'", kind, name));
    return static_cast<std::size_t>(i - all.begin());
  }
};

Graph differentiated(const Graph& g, const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs, ChainRule way) {
  Copied c(g, outputs, inputs);
  const std::vector<Expr> d = jacobian(c.y, c.x, way);
  std::size_t k = 0;
  for (const std::string& of : outputs)
    for (const std::string& by : inputs) output(c.graph, fmt::format("{}/{}", of, by), d[k++]);
  return simplify(c.graph);
}

}  // namespace

std::vector<Expr> jacobian(const std::vector<Expr>& y, const std::vector<Expr>& x, ChainRule way) {
  const std::size_t columns = x.size();
  std::vector<Expr> J(y.size() * columns);
  Graph* g = graph_of(x);
  if (!g) return J;
  Sweeps sweeps(*g, y, x);
  if (way == ChainRule::leaner) way = columns <= y.size() ? ChainRule::forward : ChainRule::reverse;
  if (way == ChainRule::forward) {
    for (std::size_t j = 0; j < columns; ++j) {
      std::vector<Expr> unit(columns);
      unit[j] = Expr(1.0);
      const std::vector<Expr> d = sweeps.forward(x, unit);
      for (std::size_t i = 0; i < y.size(); ++i) J[i * columns + j] = at(d, y[i]);
    }
  } else {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::vector<Expr> d = sweeps.reverse({y[i]}, {Expr(1.0)});
      for (std::size_t j = 0; j < columns; ++j) J[i * columns + j] = at(d, x[j]);
    }
  }
  return J;
}

std::vector<Expr> vector_jacobian(const std::vector<Expr>& w, const std::vector<Expr>& y,
                                  const std::vector<Expr>& x) {
  assert(w.size() == y.size());
  std::vector<Expr> r(x.size());
  Graph* g = graph_of(x);
  if (!g) return r;
  Sweeps sweeps(*g, y, x);
  const std::vector<Expr> d = sweeps.reverse(y, w);
  for (std::size_t j = 0; j < x.size(); ++j) r[j] = at(d, x[j]);
  return r;
}

std::vector<Expr> jacobian_vector(const std::vector<Expr>& y, const std::vector<Expr>& x,
                                  const std::vector<Expr>& t) {
  assert(t.size() == x.size());
  std::vector<Expr> r(y.size());
  Graph* g = graph_of(x);
  if (!g) return r;
  const std::vector<Expr> d = Sweeps(*g, y, x).forward(x, t);
  for (std::size_t i = 0; i < y.size(); ++i) r[i] = at(d, y[i]);
  return r;
}

Graph differentiate(const Graph& g, const std::vector<std::string>& outputs,
                    const std::vector<std::string>& inputs, ChainRule way) {
  if (way != ChainRule::leaner) return differentiated(g, outputs, inputs, way);
  Graph forward = differentiated(g, outputs, inputs, ChainRule::forward);
  Graph reverse = differentiated(g, outputs, inputs, ChainRule::reverse);
  return weight(reverse) < weight(forward) ? reverse : forward;
}

Graph vector_jacobian_product(const Graph& g, const std::vector<std::string>& outputs,
                              const std::vector<std::string>& inputs, const std::string& weight) {
  Copied c(g, outputs, inputs);
  std::vector<Expr> w;
  for (const std::string& of : outputs) w.push_back(input(c.graph, weight + of));
  const std::vector<Expr> d = vector_jacobian(w, c.y, c.x);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    output(c.graph, fmt::format("{}/{}", weight, inputs[k]), d[k]);
  return simplify(c.graph);
}

}  // namespace parid::graph
