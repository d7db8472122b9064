#include "parid/ir/differentiate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "parid/ir/simplify.hpp"

namespace parid {
namespace {

// Arithmetic that leaves out what zeros and ones make superfluous: most derivatives are zero, and writing
// them down would take longer than all else.
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
// t times the derivative by one operand. Divisors and roots come as 1/x, which all columns share.
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

// The sweeps over one graph as it stands when they begin; what they write comes after it.
class Sweeps {
 public:
  explicit Sweeps(Graph& g) : g_(g), size_(static_cast<Id>(g.size())) {}

  // ∂node/∂x · t of every node.
  std::vector<Expr> forward(const std::vector<Expr>& x, const std::vector<Expr>& t) {
    std::vector<Expr> d(size_);
    std::vector<bool> given(size_);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!x[k].is_number()) d[x[k].id()] = t[k], given[x[k].id()] = true;
    for (Id id = 0; id < size_; ++id) {
      if (given[id]) continue;
      const Node n = g_[id];
      Expr change;
      for (int k = 0; k < row(n.op).arity; ++k)
        if (!is(d[n.in[k]], 0)) change = sum(change, along(id, n, k, d[n.in[k]]));
      d[id] = change;
    }
    return d;
  }

  // Σ w ∂y/∂node of every node. Below x nothing is asked.
  std::vector<Expr> reverse(const std::vector<Expr>& y, const std::vector<Expr>& w,
                            const std::vector<bool>& needed, const std::vector<bool>& end) {
    std::vector<Expr> d(size_);
    for (std::size_t k = 0; k < y.size(); ++k)
      if (!y[k].is_number()) d[y[k].id()] = sum(d[y[k].id()], w[k]);
    for (Id id = size_; id-- > 0;) {
      if (is(d[id], 0) || end[id]) continue;
      const Node n = g_[id];
      for (int k = 0; k < row(n.op).arity; ++k)
        if (needed[n.in[k]]) d[n.in[k]] = sum(d[n.in[k]], along(id, n, k, d[id]));
    }
    return d;
  }

  // Which nodes are x, and which depend on them.
  std::vector<bool> ends(const std::vector<Expr>& x) const {
    std::vector<bool> e(size_);
    for (const Expr& v : x)
      if (!v.is_number()) e[v.id()] = true;
    return e;
  }
  std::vector<bool> depending(std::vector<bool> on) const {
    for (Id id = 0; id < size_; ++id)
      for (const Id a : g_[id].operands()) on[id] = on[id] || on[a];
    return on;
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
  const Id size_;
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

// The nodes of one graph in another, inputs first: where each stands now.
std::vector<Id> copied(const Graph& from, Graph& to) {
  to.reserve(4 * from.size());
  for (const Named& i : from.inputs()) to.input(i.name);
  std::vector<Id> now(from.size());
  for (Id id = 0; id < from.size(); ++id) {
    const Node& n = from[id];
    auto in = [&](int k) { return k < row(n.op).arity ? now[n.in[k]] : Id{0}; };
    now[id] = n.op == Op::constant ? to.constant(n.value())
              : n.op == Op::input  ? to.input(from.inputs()[n.in[0]].name)
                                   : to.operation(n.op, in(0), in(1), in(2));
  }
  return now;
}

std::vector<Expr> named(const std::vector<std::string>& names, const std::vector<Named>& all,
                        const char* kind, Graph& in, const std::vector<Id>& now) {
  std::vector<Expr> values;
  for (const std::string& name : names) {
    const auto i =
        std::find_if(all.begin(), all.end(), [&](const Named& n) { return n.name == name; });
    if (i == all.end())
      throw std::invalid_argument(
          fmt::format("differentiate: the graph has no {} '{}'", kind, name));
    const Id id = now[i->id];
    values.push_back(in[id].op == Op::constant ? Expr(in[id].value()) : Expr(in, id));
  }
  return values;
}

Graph differentiated(const Graph& g, const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs, ChainRule way) {
  Graph r(g.limit());
  const std::vector<Id> now = copied(g, r);
  const std::vector<Expr> y = named(outputs, g.outputs(), "output", r, now),
                          x = named(inputs, g.inputs(), "input", r, now), d = jacobian(y, x, way);
  std::size_t k = 0;
  for (const std::string& of : outputs)
    for (const std::string& by : inputs) output(r, of + "/" + by, d[k++]);
  return simplify(r);
}

}  // namespace

std::vector<Expr> jacobian(const std::vector<Expr>& y, const std::vector<Expr>& x, ChainRule way) {
  const std::size_t columns = x.size();
  std::vector<Expr> J(y.size() * columns);
  Graph* g = graph_of(x);
  if (!g) return J;
  Sweeps sweeps(*g);
  if (way == ChainRule::leaner) way = columns <= y.size() ? ChainRule::forward : ChainRule::reverse;
  if (way == ChainRule::forward) {
    for (std::size_t j = 0; j < columns; ++j) {
      std::vector<Expr> unit(columns);
      unit[j] = Expr(1.0);
      const std::vector<Expr> d = sweeps.forward(x, unit);
      for (std::size_t i = 0; i < y.size(); ++i) J[i * columns + j] = at(d, y[i]);
    }
  } else {
    const std::vector<bool> end = sweeps.ends(x), needed = sweeps.depending(end);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::vector<Expr> d = sweeps.reverse({y[i]}, {Expr(1.0)}, needed, end);
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
  Sweeps sweeps(*g);
  const std::vector<bool> end = sweeps.ends(x);
  const std::vector<Expr> d = sweeps.reverse(y, w, sweeps.depending(end), end);
  for (std::size_t j = 0; j < x.size(); ++j) r[j] = at(d, x[j]);
  return r;
}

std::vector<Expr> jacobian_vector(const std::vector<Expr>& y, const std::vector<Expr>& x,
                                  const std::vector<Expr>& t) {
  assert(t.size() == x.size());
  std::vector<Expr> r(y.size());
  Graph* g = graph_of(x);
  if (!g) return r;
  const std::vector<Expr> d = Sweeps(*g).forward(x, t);
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
  Graph r(g.limit());
  const std::vector<Id> now = copied(g, r);
  const std::vector<Expr> y = named(outputs, g.outputs(), "output", r, now),
                          x = named(inputs, g.inputs(), "input", r, now);
  std::vector<Expr> w;
  for (const std::string& of : outputs) w.push_back(input(r, weight + of));
  const std::vector<Expr> d = vector_jacobian(w, y, x);
  for (std::size_t k = 0; k < x.size(); ++k) output(r, weight + "/" + inputs[k], d[k]);
  return simplify(r);
}

}  // namespace parid
