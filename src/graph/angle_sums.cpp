#include "graph/passes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace parid::graph {
namespace {

constexpr std::size_t longest = 24;  // terms or factors; longer ones are not searched

// Two angles, and whether their sum or their difference is needed.
struct Turn {
  Id a, b;
  bool difference;
  bool operator==(const Turn&) const = default;
  bool operator<(const Turn& t) const {
    return std::tie(a, b, difference) < std::tie(t.a, t.b, t.difference);
  }
};

// Σ ± product of factors, down to parts of the sum that have other users.
struct Term {
  bool minus;
  std::vector<Id> factors;  // rising
};

// Two terms of one sum that combine into one.
struct Match {
  Turn turn;
  std::size_t i, j;      // the terms
  std::vector<Id> rest;  // the common factors
  bool sine, minus;      // the result: ± rest · sin or cos
};

class Finding {
 public:
  explicit Finding(const Graph& g) : g_(g), uses_(g.size()), inside_(g.size()) {
    for (const Node& n : g.nodes())
      for (const Id a : n.operands()) ++uses_[a];
    for (const Named& o : g.outputs()) ++uses_[o.id];
    for (const Node& n : g.nodes())
      if (is_sum(n.op))
        for (const Id a : n.operands())
          inside_[a] = inside_[a] || (uses_[a] == 1 && is_sum(g[a].op));
  }

  // A sum that is not part of another sum.
  bool is_root(Id id) const {
    return (g_[id].op == Op::add || g_[id].op == Op::sub) && !inside_[id];
  }

  std::vector<Term> terms(Id root) const {
    std::vector<Term> all;
    add_terms(root, false, true, all);
    return all;
  }

  std::vector<Match> matches(const std::vector<Term>& terms) const {
    std::vector<Match> found;
    if (terms.size() > longest) return found;
    std::map<std::tuple<std::vector<Id>, Id, Id, int>, std::size_t> seen;  // rest, angles, kind
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (const Split& s : splits(terms[i].factors)) {
        // cos a cos b pairs with sin a sin b, and sin a cos b with cos a sin b
        const int partner = s.kind == 0 ? 1 : s.kind == 1 ? 0 : s.kind == 2 ? 3 : 2;
        const auto at = seen.find({s.rest, s.a, s.b, partner});
        if (at != seen.end() && at->second != i) found.push_back(made(terms, at->second, i, s));
        seen.emplace(std::tuple(s.rest, s.a, s.b, s.kind), i);
      }
    return found;
  }

 private:
  enum Kind { cos_cos, sin_sin, sin_cos, cos_sin };
  struct Split {
    std::vector<Id> rest;
    Id a, b;  // a ≤ b
    int kind;
  };

  static bool is_sum(Op op) { return op == Op::add || op == Op::sub || op == Op::neg; }

  void add_terms(Id id, bool minus, bool top, std::vector<Term>& all) const {
    const Node& n = g_[id];
    if (is_sum(n.op) && (top || uses_[id] == 1) && all.size() <= longest) {
      add_terms(n.in[0], minus != (n.op == Op::neg), false, all);
      if (n.op != Op::neg) add_terms(n.in[1], minus != (n.op == Op::sub), false, all);
      return;
    }
    Term t{minus, {}};
    add_factors(id, t.factors);
    std::sort(t.factors.begin(), t.factors.end());
    all.push_back(std::move(t));
  }
  void add_factors(Id id, std::vector<Id>& all) const {
    const Node& n = g_[id];
    if (n.op != Op::mul || all.size() > longest) return all.push_back(id);
    add_factors(n.in[0], all);
    add_factors(n.in[1], all);
  }

  std::vector<Split> splits(const std::vector<Id>& factors) const {
    std::vector<Split> all;
    auto turns = [&](Id id) { return g_[id].op == Op::sin || g_[id].op == Op::cos; };
    for (std::size_t i = 0; i < factors.size(); ++i)
      for (std::size_t j = i + 1; turns(factors[i]) && j < factors.size(); ++j) {
        if (!turns(factors[j])) continue;
        const Node &x = g_[factors[i]], &y = g_[factors[j]];
        const bool swapped = y.in[0] < x.in[0];
        const Node &u = swapped ? y : x, &v = swapped ? x : y;
        Split s{{}, u.in[0], v.in[0], 0};
        s.kind = u.op == v.op ? (u.op == Op::cos ? cos_cos : sin_sin)
                              : (u.op == Op::sin ? sin_cos : cos_sin);
        for (std::size_t k = 0; k < factors.size(); ++k)
          if (k != i && k != j) s.rest.push_back(factors[k]);
        all.push_back(std::move(s));
      }
    return all;
  }

  // ± (cc ∓ ss) and ± (sc ± cs); the sign is that of cos a cos b, or of sin a cos b.
  static Match made(const std::vector<Term>& terms, std::size_t before, std::size_t i,
                    const Split& s) {
    const bool same = terms[before].minus == terms[i].minus;
    const bool sine = s.kind == sin_cos || s.kind == cos_sin;
    const std::size_t leading = s.kind == cos_cos || s.kind == sin_cos ? i : before;
    return {{s.a, s.b, sine != same}, before, i, s.rest, sine, terms[leading].minus};
  }

  const Graph& g_;
  std::vector<int> uses_;
  std::vector<bool> inside_;
};

Expr plus(const Expr& sum, const Expr& term, bool minus, bool first) {
  if (first) return minus ? -term : term;
  return minus ? sum - term : sum + term;
}
Expr product(Graph& g, const std::vector<Id>& factors, const std::vector<Id>& now) {
  Expr p(1.0);
  for (std::size_t k = 0; k < factors.size(); ++k)
    p = k == 0 ? Expr(g, now[factors[k]]) : p * Expr(g, now[factors[k]]);
  return p;
}

// The graph with every such pair of terms replaced by one.
Graph with(const Graph& g, const Finding& finding, const Turn& turn) {
  Graph r(g.limit());
  std::vector<Id> now(g.size());
  for (const Named& i : g.inputs()) now[i.id] = r.input(i.name);
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.op == Op::input) continue;
    if (n.op == Op::constant) {
      now[id] = r.constant(n.value());
      continue;
    }
    std::vector<Match> here;
    std::vector<Term> terms;
    if (finding.is_root(id)) {
      terms = finding.terms(id);
      for (Match& m : finding.matches(terms))
        if (m.turn == turn) here.push_back(std::move(m));
    }
    if (here.empty()) {
      auto in = [&](int k) { return k < row(n.op).arity ? now[n.in[k]] : Id{0}; };
      now[id] = r.operation(n.op, in(0), in(1), in(2));
      continue;
    }
    std::set<std::size_t> gone;
    Expr sum;
    bool first = true;
    const Expr a(r, now[turn.a]), b(r, now[turn.b]);
    for (const Match& m : here) {
      if (gone.contains(m.i) || gone.contains(m.j)) continue;
      gone.insert({m.i, m.j});
      const SinCos<Expr> both = sin_cos(turn.difference ? a - b : a + b);
      const Expr turned = m.sine ? both.sin : both.cos;
      sum = plus(sum, product(r, m.rest, now) * turned, m.minus, first);
      first = false;
    }
    for (std::size_t k = 0; k < terms.size(); ++k)
      if (!gone.contains(k)) {
        sum = plus(sum, product(r, terms[k].factors, now), terms[k].minus, first);
        first = false;
      }
    now[id] = sum.in(r);
  }
  for (const Named& o : g.outputs()) r.output(o.name, now[o.id]);
  return simplify(r);
}

std::set<Turn> turns(const Graph& g, const Finding& finding) {
  std::set<Turn> all;
  for (Id id = 0; id < g.size(); ++id)
    if (finding.is_root(id))
      for (const Match& m : finding.matches(finding.terms(id))) all.insert(m.turn);
  return all;
}

// A sine-cosine pair costs as much as this many multiplications and additions.
constexpr long pair = 16;

bool leaner(const Graph& a, const Graph& b) {
  const Counts x = counts(a), y = counts(b);
  auto total = [](const Counts& n) { return n.multiplications + n.additions + pair * n.sin_cos; };
  return x.multiplications <= y.multiplications && x.additions <= y.additions &&
         total(x) < total(y);
}

}  // namespace

Graph angle_sums(const Graph& g) {
  Graph best = simplify(g);
  for (bool again = true; again;) {
    again = false;
    const Finding finding(best);
    for (const Turn& t : turns(best, finding))
      if (Graph r = with(best, finding, t); leaner(r, best)) {
        best = std::move(r);
        again = true;
        break;  // the nodes have changed
      }
  }
  return best;
}

}  // namespace parid::graph
