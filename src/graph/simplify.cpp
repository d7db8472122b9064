#include "graph/passes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace parid::graph {
namespace {

// Rebuilds nodes unchanged.
class Copy {
 public:
  explicit Copy(Graph& g) : g_(g) {}

  Expr number(double v) const { return Expr(v); }
  Expr operation(Op op, const Expr& x, const Expr& y, const Expr& z) {
    const int arity = row(op).arity;
    auto operand = [&](int k, const Expr& e) { return k < arity ? e.in(g_) : Id{0}; };
    const Id a = operand(0, x), b = operand(1, y), c = operand(2, z);
    return Expr(g_, g_.operation(op, a, b, c));
  }

 private:
  Graph& g_;
};

// Rebuilds nodes by the rules. Operands are simplified already, and so is the result of a rule.
class Rules {
 public:
  explicit Rules(Graph& g) : g_(g) {}

  Expr number(double v) const { return Expr(v + 0.0); }  // −0 → 0
  Expr operation(Op op, const Expr& x, const Expr& y, const Expr& z) {
    // clang-format off
    switch (op) {
      case Op::add: return add(x, y);
      case Op::sub: return sub(x, y);
      case Op::mul: return mul(x, y);
      case Op::div: return div(x, y);
      case Op::neg: return neg(x);
      case Op::abs: return abs(x);
      case Op::sin: return sin(x);
      case Op::cos: return cos(x);
      case Op::less: return less(x, y);
      case Op::select: return select(x, y, z);
      case Op::sqrt: return record(op, x);
      case Op::atan2: return record(op, x, y);
      case Op::constant:
      case Op::input: break;
    }
    // clang-format on
    return x;
  }

 private:
  Expr add(const Expr& x, const Expr& y) {
    if (is(x, 0)) return y;  // 0 + y → y
    if (is(y, 0)) return x;  // x + 0 → x
    if (numbers(x, y)) return x + y;
    if (negative(y)) return sub(x, minus(y));  // x + (−y) → x − y
    if (negative(x)) return sub(y, minus(x));  // (−x) + y → y − x
    if (choose_alike(x, y)) {
      if (is_zero(x, 1) && is_zero(y, 2))
        return chosen(x, branch(y, 1), branch(x, 2));  // (m?0:b) + (m?a:0) → m?a:b
      if (is_zero(x, 2) && is_zero(y, 1))
        return chosen(x, branch(x, 1), branch(y, 2));  // (m?a:0) + (m?0:b) → m?a:b
    }
    return ordered(Op::add, x, y);
  }
  Expr sub(const Expr& x, const Expr& y) {
    if (is(x, 0)) return neg(y);  // 0 − y → −y
    if (is(y, 0)) return x;       // x − 0 → x
    if (numbers(x, y)) return x - y;
    if (x.same(y)) return Expr(0.0);                              // x − x → 0
    if (negative(y)) return add(x, minus(y));                     // x − (−y) → x + y
    if (negative(x)) return neg(add(minus(x), y));                // (−x) − y → −(x + y)
    if (const auto r = reversed(x, y)) return neg(Expr(g_, *r));  // x − y → −(y − x), if there
    return x - y;
  }
  Expr mul(const Expr& x, const Expr& y) {
    if (is(x, 0) || is(y, 0)) return Expr(0.0);  // 0 · y → 0
    if (is(x, 1)) return y;                      // 1 · y → y
    if (is(y, 1)) return x;                      // x · 1 → x
    if (numbers(x, y)) return x * y;
    if (negative(x)) return neg(mul(minus(x), y));  // (−x) · y → −(x · y)
    if (negative(y)) return neg(mul(x, minus(y)));  // x · (−y) → −(x · y)
    return ordered(Op::mul, x, y);
  }
  Expr div(const Expr& x, const Expr& y) {
    if (numbers(x, y)) return x / y;
    if (is(x, 0)) return Expr(0.0);                 // 0 / y → 0
    if (is(y, 1)) return x;                         // x / 1 → x
    if (negative(x)) return neg(div(minus(x), y));  // (−x) / y → −(x / y)
    if (negative(y)) return neg(div(x, minus(y)));  // x / (−y) → −(x / y)
    return x / y;
  }
  Expr neg(const Expr& x) {
    if (is(x, 0)) return Expr(0.0);       // −0 → 0
    if (is(x, Op::neg)) return minus(x);  // −(−x) → x
    return -x;
  }
  Expr abs(const Expr& x) {
    if (negative(x)) return abs(minus(x));  // |−x| → |x|
    if (is(x, Op::abs)) return x;           // ||x|| → |x|
    return record(Op::abs, x);
  }
  Expr sin(const Expr& x) {
    if (negative(x)) return neg(sin(minus(x)));  // sin(−x) → −sin x
    return record(Op::sin, x);
  }
  Expr cos(const Expr& x) {
    if (negative(x)) return cos(minus(x));  // cos(−x) → cos x
    return record(Op::cos, x);
  }
  Expr less(const Expr& x, const Expr& y) {
    if (x.same(y)) return Expr(0.0);  // x < x → no
    return record(Op::less, x, y);
  }
  Expr select(const Expr& mask, const Expr& x, const Expr& y) {
    if (x.same(y)) return x;                     // m ? x : x → x
    return graph::select(ExprMask{mask}, x, y);  // a known m chooses
  }

  bool is(const Expr& x, double v) const { return x.is_number() && x.number() == v; }
  bool is(const Expr& x, Op op) const { return !x.is_number() && g_[x.id()].op == op; }
  static bool numbers(const Expr& x, const Expr& y) { return x.is_number() && y.is_number(); }

  // Two selects with the same comparison, and their values.
  bool choose_alike(const Expr& x, const Expr& y) const {
    return is(x, Op::select) && is(y, Op::select) && g_[x.id()].in[0] == g_[y.id()].in[0];
  }
  Expr branch(const Expr& x, int k) const {
    const Id id = g_[x.id()].in[k];
    return g_[id].op == Op::constant ? Expr(g_[id].value()) : Expr(g_, id);
  }
  bool is_zero(const Expr& x, int k) const { return is(branch(x, k), 0); }
  Expr chosen(const Expr& like, const Expr& a, const Expr& b) {
    return select(Expr(g_, g_[like.id()].in[0]), a, b);
  }

  // A sign that can move outward: a negation, or a negative number.
  bool negative(const Expr& x) const { return x.is_number() ? x.number() < 0 : is(x, Op::neg); }
  Expr minus(const Expr& x) const {  // without it
    return x.is_number() ? Expr(-x.number()) : Expr(g_, g_[x.id()].in[0]);
  }

  // x∘y and y∘x are equal: the smaller key first.
  Expr ordered(Op op, const Expr& x, const Expr& y) {
    return key(y) < key(x) ? record(op, y, x) : record(op, x, y);
  }
  // A key that depends on the content of a node, not on its position, so that the order of operands
  // does not depend on node numbers. Numbers come first, then inputs, then operations by a hash of
  // their content.
  std::uint64_t key(const Expr& x) {
    if (x.is_number()) return 0;
    while (key_.size() < g_.size()) {
      const Node& n = g_[static_cast<Id>(key_.size())];
      std::uint64_t k = static_cast<std::uint64_t>(n.op) + 1;
      for (const Id a : n.operands()) k = mixed(k, key_[a]);
      if (n.op == Op::constant) k = mixed(k, std::bit_cast<std::uint64_t>(n.value()));
      key_.push_back(n.op == Op::input ? n.in[0] + 1 : k | std::uint64_t{1} << 63);
    }
    return key_[x.id()];
  }
  static std::uint64_t mixed(std::uint64_t k, std::uint64_t more) {
    k = (k ^ more) * 0x9e3779b97f4a7c15u;
    return k ^ k >> 29;
  }
  std::optional<Id> reversed(const Expr& x, const Expr& y) const {
    const Id ix = x.in(g_), iy = y.in(g_);
    return g_.find(Op::sub, iy, ix);
  }

  Graph& g_;
  std::vector<std::uint64_t> key_;
};

// The nodes that outputs need, depth first: operands left to right, then their user. Unlike the
// order of tracing, where C++ does not define which side of a + b comes first, this order is the
// same with every compiler.
std::vector<Id> depth_first(const Graph& g) {
  std::vector<Id> order, path;
  std::vector<bool> done(g.size());
  for (const Named& o : g.outputs()) {
    path.push_back(o.id);
    while (!path.empty()) {
      const Id id = path.back();
      const auto in = g[id].operands();
      const auto next = std::find_if(in.begin(), in.end(), [&](Id a) { return !done[a]; });
      if (next != in.end()) {
        path.push_back(*next);
        continue;
      }
      path.pop_back();
      if (!done[id]) order.push_back(id);
      done[id] = true;
    }
  }
  return order;
}

// A new graph of the nodes that the outputs of g need. All inputs come first, then the others depth
// first.
template <class Maker>
Graph rebuilt(const Graph& g) {
  Graph r(g.limit());
  r.reserve(g.size());
  Maker make(r);
  std::vector<Expr> now(g.size());
  for (const Named& i : g.inputs()) now[i.id] = input(r, i.name);
  for (const Id id : depth_first(g)) {
    const Node& n = g[id];
    if (n.op == Op::input) continue;
    now[id] = n.op == Op::constant ? make.number(n.value())
                                   : make.operation(n.op, now[n.in[0]], now[n.in[1]], now[n.in[2]]);
  }
  for (const Named& o : g.outputs()) output(r, o.name, now[o.id]);
  return r;
}

}  // namespace

Graph live(const Graph& g) { return rebuilt<Copy>(g); }

std::vector<Expr> appended(const Graph& from, Graph& to) {
  Copy make(to);
  std::vector<Expr> now(from.size());
  for (const Named& i : from.inputs()) now[i.id] = input(to, i.name);
  for (Id id = 0; id < from.size(); ++id) {
    const Node& n = from[id];
    if (n.op == Op::constant)
      now[id] = make.number(n.value());
    else if (n.op != Op::input)
      now[id] = make.operation(n.op, now[n.in[0]], now[n.in[1]], now[n.in[2]]);
  }
  std::vector<Expr> values;
  for (const Named& o : from.outputs()) values.push_back(now[o.id]);
  return values;
}

Graph simplify(const Graph& g) {
  Graph now = rebuilt<Rules>(g);
  for (;
       // nodes that a rule makes unnecessary disappear in the next round; there are rarely more
       // than three
       ;) {
    Graph next = rebuilt<Rules>(now);
    if (next == now) return next;
    now = std::move(next);
  }
}

}  // namespace parid::graph
