#include "graph/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "graph/passes.hpp"

namespace parid::graph {
namespace {

// Tolerance for coefficients that cancel or should be equal. Larger differences belong to the
// robot: an angle of 1.5708 instead of a right angle leaves 1e-11.
constexpr double rounding = 1e-14;

// A coefficient, and the largest number that contributed to it: a remainder of cancellation is
// rounding.
struct Weight {
  double value = 0, size = 0;
  bool gone() const { return std::abs(value) <= rounding * size; }
};
Weight operator*(const Weight& a, const Weight& b) { return {a.value * b.value, a.size * b.size}; }
Weight weight_of(double x) { return {x, std::abs(x)}; }

using Sum = std::map<Monomial, Weight>;

void add_to(Sum& s, const Monomial& m, const Weight& w) {
  Weight& at = s[m];
  at.value += w.value;
  at.size = std::max({at.size, w.size, std::abs(at.value)});
}
void prune(Sum& s) {
  std::erase_if(s, [](const auto& t) { return t.second.gone(); });
}
Sum number(double x) { return x == 0 ? Sum{} : Sum{{{}, weight_of(x)}}; }
Sum atom(const Atom& a) { return {{{{a, 1}}, {1, 1}}}; }

bool reducible(const std::pair<const Atom, int>& f) {
  return f.first.kind == Atom::Kind::sine && f.second > 1;
}

// The angles of which all others are composed: inputs, or, for joints with parallel axes, sums of
// an input with the previous angle.
struct Basis {
  std::map<int, int> before;  // input → the angle that is added to it

  // The multiple of each angle in a sum of inputs and numbers.
  std::map<int, double> parts(const Sum& of) const {
    std::map<int, double> all;
    for (const auto& [m, w] : of) {
      if (m.empty()) continue;
      if (m.size() != 1 || m.begin()->second != 1 || m.begin()->first.kind != Atom::Kind::input)
        throw NotExpandable(
            "there is no closed form as a trigonometric polynomial: the argument of a sine is not "
            "a sum of inputs");
      const int input = m.begin()->first.angle[0].first;
      all[input] += w.value;
      if (const auto b = before.find(input); b != before.end()) all[b->second] -= w.value;
    }
    std::erase_if(all, [](const auto& p) { return std::abs(p.second) < 1e-12; });
    return all;
  }
  std::vector<std::pair<int, double>> inputs(int angle, double times) const {
    std::vector<std::pair<int, double>> all{{angle, times}};
    for (auto b = before.find(angle); b != before.end(); b = before.find(b->second))
      all.insert(all.begin(), {b->second, times});
    return all;
  }
};

class Expanding {
 public:
  Expanding(const Graph& g, const Basis& basis, std::size_t limit)
      : g_(g), basis_(basis), limit_(limit), value_(g.size()) {
    std::vector<bool> needed(g.size());
    for (const Named& o : g.outputs()) needed[o.id] = true;
    for (Id id = static_cast<Id>(g.size()); id-- > 0;)
      if (needed[id])
        for (const Id a : g[id].operands()) needed[a] = true;
    for (Id id = 0; id < g.size(); ++id)
      if (needed[id]) value_[id] = made(id);
  }
  const Sum& operator[](Id id) const { return value_[id]; }

 private:
  Sum made(Id id) {
    const Node& n = g_[id];
    auto in = [&](int k) -> const Sum& { return value_[n.in[k]]; };
    switch (n.op) {
      case Op::constant: return number(n.value());
      case Op::input: return atom({Atom::Kind::input, {{static_cast<int>(n.in[0]), 1.0}}});
      case Op::add: return plus(in(0), in(1), 1);
      case Op::sub: return plus(in(0), in(1), -1);
      case Op::neg: return plus({}, in(0), -1);
      case Op::mul: return times(in(0), in(1));
      case Op::sin: return turned(in(0)).first;
      case Op::cos: return turned(in(0)).second;
      default:
        throw NotExpandable(
            fmt::format("there is no closed form as a trigonometric polynomial: the graph contains "
                        "the operation '{}'",
                        row(n.op).name));
    }
  }

  Sum plus(const Sum& a, const Sum& b, double sign) {
    Sum s = a;
    for (const auto& [m, w] : b) add_to(s, m, {sign * w.value, w.size});
    prune(s);
    bounded(s);
    return s;
  }
  Sum times(const Sum& a, const Sum& b) {
    if (a.size() * b.size() > 500 * limit_) refuse(a.size() * b.size());
    Sum s;
    for (const auto& [m, w] : a)
      for (const auto& [k, u] : b) {
        Monomial both = m;
        for (const auto& [f, power] : k) both[f] += power;
        put(s, std::move(both), w * u);
      }
    prune(s);
    bounded(s);
    return s;
  }
  // With sin² replaced by 1 − cos².
  void put(Sum& s, Monomial m, const Weight& w) {
    const auto i = std::find_if(m.begin(), m.end(), reducible);
    if (i == m.end()) return add_to(s, m, w);
    const Atom sine = i->first;
    if ((i->second -= 2) == 0) m.erase(i);
    put(s, m, w);
    m[{Atom::Kind::cosine, sine.angle}] += 2;
    put(s, std::move(m), {-w.value, w.size});
  }

  // Sine and cosine of a sum of inputs times numbers, in the angles of the basis.
  std::pair<Sum, Sum> turned(const Sum& of) {
    auto clean = [](double x) { return std::abs(x) < 1e-15 ? 0.0 : x; };
    const auto constant = of.find({});
    const double offset = constant == of.end() ? 0 : constant->second.value;
    Sum sine = number(clean(std::sin(offset))), cosine = number(clean(std::cos(offset)));
    for (const auto& [angle, c] : basis_.parts(of)) {
      const auto inputs = basis_.inputs(angle, std::abs(c));
      const Sum s = atom({Atom::Kind::sine, inputs}), co = atom({Atom::Kind::cosine, inputs});
      const Sum turn = plus(times(sine, co), times(cosine, s), c < 0 ? -1 : 1);
      cosine = plus(times(cosine, co), times(sine, s), c < 0 ? 1 : -1);
      sine = turn;
    }
    return {sine, cosine};
  }

  void bounded(const Sum& s) const {
    if (s.size() > limit_) refuse(s.size());
  }
  [[noreturn]] void refuse(std::size_t terms) const {
    throw NotExpandable(
        fmt::format("the closed form is too large: an expression has {} terms; the limit is {}",
                    terms, limit_));
  }

  const Graph& g_;
  const Basis& basis_;
  const std::size_t limit_;
  std::vector<Sum> value_;
};

// ---- combining terms ----

using Terms = std::map<Monomial, double>;

Monomial without(Monomial m, const Atom& a) {
  const auto i = m.find(a);
  if (--i->second == 0) m.erase(i);
  return m;
}
Monomial with(Monomial m, const Atom& a) {
  ++m[a];
  return m;
}
bool alike(double a, double b) {
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

// cos or sin of a + sign·b, and the sign that comes out of a sine.
std::pair<Atom, double> joined(Atom::Kind kind, const Atom& a, const Atom& b, double sign) {
  std::map<int, double> sum(a.angle.begin(), a.angle.end());
  for (const auto& [k, c] : b.angle) sum[k] += sign * c;
  std::erase_if(sum, [](const auto& p) { return std::abs(p.second) < 1e-12; });
  const bool turn = !sum.empty() && sum.begin()->second < 0;  // the first angle counts forwards
  if (turn)
    for (auto& p : sum) p.second = -p.second;
  return {{kind, {sum.begin(), sum.end()}}, turn && kind == Atom::Kind::sine ? -1.0 : 1.0};
}

class Joining {
 public:
  explicit Joining(Terms terms) : terms_(std::move(terms)) {}
  Terms run() {
    for (bool any = true; any;) {
      any = false;
      std::vector<Monomial> keys;
      for (const auto& t : terms_) keys.push_back(t.first);
      for (const Monomial& m : keys)
        if (const auto at = terms_.find(m); at != terms_.end()) any |= taken_up(m, at->second);
    }
    return terms_;
  }

 private:
  bool taken_up(const Monomial& m, double c) {
    for (auto i = m.begin(); i != m.end(); ++i) {
      if (i->first.kind == Atom::Kind::input) continue;
      if (square(m, c, i->first)) return true;
      for (auto j = std::next(i); j != m.end(); ++j)
        if (j->first.kind != Atom::Kind::input && pair(m, c, i->first, j->first)) return true;
    }
    return false;
  }
  static Atom other(const Atom& a) {
    return {a.kind == Atom::Kind::sine ? Atom::Kind::cosine : Atom::Kind::sine, a.angle};
  }

  // r − r cos² a → r sin² a
  bool square(const Monomial& m, double c, const Atom& a) {
    if (a.kind != Atom::Kind::cosine || m.at(a) < 2) return false;
    const Monomial rest = without(without(m, a), a);
    const auto at = terms_.find(rest);
    if (at == terms_.end() || !alike(at->second, -c)) return false;
    const Monomial made = with(with(rest, other(a)), other(a));
    return replace(m, rest, made, -c);
  }
  // The other term has the other function of each.
  bool pair(const Monomial& m, double c, const Atom& a, const Atom& b) {
    if (a.angle == b.angle) return false;
    const Monomial rest = without(without(m, a), b);
    const Monomial partner = with(with(rest, other(a)), other(b));
    const auto at = terms_.find(partner);
    if (at == terms_.end()) return false;
    const double d = at->second;
    const bool same = alike(c, d);
    if (!same && !alike(c, -d)) return false;
    if (a.kind == b.kind) {  // cc ∓ ss, seen from either
      const double leading = a.kind == Atom::Kind::cosine ? c : d;
      const auto [atom, sign] = joined(Atom::Kind::cosine, a, b, same ? -1 : 1);
      return replace(m, partner, placed(rest, atom), leading * sign);
    }
    // sin x cos y ± cos x sin y, x the one whose sine is in m
    const Atom &x = a.kind == Atom::Kind::sine ? a : b, &y = a.kind == Atom::Kind::sine ? b : a;
    const auto [atom, sign] = joined(Atom::Kind::sine, x, y, same ? 1 : -1);
    return replace(m, partner, placed(rest, atom), c * sign);
  }
  static Monomial placed(const Monomial& rest, const Atom& a) {
    return a.angle.empty() ? rest : with(rest, a);
  }
  bool replace(const Monomial& gone, const Monomial& and_this, const Monomial& made, double c) {
    terms_.erase(gone);
    terms_.erase(and_this);
    double& at = terms_[made];
    at += c;
    if (std::abs(at) < rounding * std::abs(c)) terms_.erase(made);
    return true;
  }

  Terms terms_;
};

}  // namespace

std::vector<Expanded> expanded(const Graph& g, std::size_t limit) {
  auto by = [&](const Basis& basis) {
    const Expanding sums(g, basis, limit);
    std::vector<Expanded> all;
    for (const Named& o : g.outputs()) {
      Terms terms;
      for (const auto& [m, w] : sums[o.id]) terms[m] = w.value;
      Expanded e{o.name, {}};
      for (const auto& [m, c] : Joining(std::move(terms)).run()) e.terms.push_back({c, m});
      all.push_back(std::move(e));
    }
    return all;
  };
  Basis basis;
  std::vector<Expanded> best = by(basis);
  // Adds each input to the previous angle if that leaves fewer terms.
  std::set<int> turning;
  for (const Expanded& e : best)
    for (const ExpandedTerm& t : e.terms)
      for (const auto& [a, power] : t.factors)
        if (a.kind != Atom::Kind::input)
          for (const auto& [k, c] : a.angle) turning.insert(k);
  for (auto i = turning.begin(); i != turning.end() && cost(best).terms < 2000; ++i) {
    if (i == turning.begin()) continue;
    Basis other = basis;
    other.before[*i] = *std::prev(i);
    try {
      if (auto all = by(other); cost(all).terms < cost(best).terms) {
        best = std::move(all);
        basis = std::move(other);
      }
    } catch (const NotExpandable&) {  // the result would be too large
    }
  }
  return best;
}

ExpandedCost cost(const std::vector<Expanded>& all) {
  ExpandedCost n;
  std::set<std::vector<std::pair<int, double>>> angles;
  for (auto i = all.begin(); i != all.end(); ++i) {
    const Expanded& e = *i;
    if (std::any_of(all.begin(), i, [&](const Expanded& o) { return o.terms == e.terms; }))
      continue;
    n.terms += static_cast<long>(e.terms.size());
    n.additions += std::max(0L, static_cast<long>(e.terms.size()) - 1);
    for (const ExpandedTerm& t : e.terms) {
      long factors = std::abs(t.coefficient) != 1 ? 1 : 0;
      for (const auto& [a, power] : t.factors) {
        factors += power;
        if (a.kind != Atom::Kind::input && angles.insert(a.angle).second)
          n.additions += static_cast<long>(a.angle.size()) - 1;
      }
      n.multiplications += std::max(0L, factors - 1);
    }
  }
  return n;
}

Graph collected(const Graph& of, const std::vector<Expanded>& all) {
  Graph g(of.limit());
  std::vector<Expr> x;
  for (const Named& i : of.inputs()) x.push_back(input(g, i.name));
  auto atom = [&](const Atom& a) {
    Expr angle(0.0);
    for (const auto& [k, c] : a.angle) angle = angle + Expr(c) * x[static_cast<std::size_t>(k)];
    if (a.kind == Atom::Kind::input) return angle;
    const SinCos<Expr> pair = sin_cos(angle);
    return a.kind == Atom::Kind::sine ? pair.sin : pair.cos;
  };
  for (const Expanded& e : all) {
    Expr sum(0.0);
    for (const ExpandedTerm& t : e.terms) {
      Expr product(t.coefficient);
      for (const auto& [a, power] : t.factors)
        for (int k = 0; k < power; ++k) product = product * atom(a);
      sum = sum + product;
    }
    output(g, e.name, sum);
  }
  return simplify(g);
}

double value(const Expanded& e, const std::vector<double>& inputs) {
  double sum = 0;
  for (const ExpandedTerm& t : e.terms) {
    double product = t.coefficient;
    for (const auto& [a, power] : t.factors) {
      double x = 0;
      for (const auto& [k, c] : a.angle) x += c * inputs[static_cast<std::size_t>(k)];
      if (a.kind == Atom::Kind::sine) x = std::sin(x);
      if (a.kind == Atom::Kind::cosine) x = std::cos(x);
      for (int k = 0; k < power; ++k) product *= x;
    }
    sum += product;
  }
  return sum;
}

}  // namespace parid::graph
