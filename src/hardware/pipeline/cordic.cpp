#include "hardware/pipeline/cordic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "parid/error.hpp"

namespace parid::hardware {
namespace {

// sign · product of the factors; without factors, the constant.
struct Term {
  bool minus = false;
  Quad constant = 1;
  std::vector<Id> factors;
};

class Mapping {
 public:
  Mapping(const Graph& g, const CordicMapping& how) : g_(g), how_(how), value_(g.size()) {
    uses_.assign(g.size(), 0);
    for (Id id = 0; id < g.size(); ++id) {
      const auto operands = g[id].operands();
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (std::find(operands.begin(), operands.begin() + k, operands[k]) == operands.begin() + k)
          ++uses_[operands[k]];
    }
    for (const Named& o : g.outputs()) ++uses_[o.id];
    for (const Named& in : g.inputs()) {
      const bool sign = std::find(how.signs.begin(), how.signs.end(), in.name) != how.signs.end();
      d_.signals.push_back({-1, 'x', sign, in.name});
    }
  }

  BoxDesign mapped() {
    for (const Named& o : g_.outputs()) d_.outputs.push_back({o.name, value(o.id)});
    return sorted();
  }

 private:
  // ---- operands ----

  static BoxOperand constant(Quad c) { return {-1, c, false, {}}; }
  static BoxOperand with_sign(BoxOperand o, int sign) {  // twice is once not
    const auto at = std::lower_bound(o.signs.begin(), o.signs.end(), sign);
    if (at != o.signs.end() && *at == sign)
      o.signs.erase(at);
    else
      o.signs.insert(at, sign);
    return o;
  }
  static BoxOperand signed_as(const BoxOperand& o, bool minus) { return minus ? -o : o; }

  int ready(const BoxOperand& o) const {  // the stage without waiting
    if (o.is_constant() || d_.signals[o.signal].box < 0) return 0;
    return ready(d_.signals[o.signal].box);
  }
  int ready(int box) const {
    const BoxUse& b = d_.boxes[box];
    return 1 + std::max({ready(b.x), ready(b.y), ready(b.z)});
  }
  bool depends(const BoxOperand& o, int box) const {
    if (o.is_constant() || d_.signals[o.signal].box < 0) return false;
    const int from = d_.signals[o.signal].box;
    if (from == box) return true;
    const BoxUse& b = d_.boxes[from];
    return depends(b.x, box) || depends(b.y, box) || depends(b.z, box);
  }

  // ---- boxes, without duplicates ----

  int box(Box kind, const BoxOperand& x, const BoxOperand& y, const BoxOperand& z) {
    for (std::size_t b = 0; b < d_.boxes.size(); ++b)
      if (const BoxUse& u = d_.boxes[b]; u.box == kind && u.x == x && u.y == y && u.z == z)
        return static_cast<int>(b);
    d_.boxes.push_back({kind, x, y, z});
    angle_taken_.push_back(false);
    return static_cast<int>(d_.boxes.size()) - 1;
  }
  BoxOperand port(int box, char port) {
    for (std::size_t s = 0; s < d_.signals.size(); ++s)
      if (d_.signals[s].box == box && d_.signals[s].port == port)
        return {static_cast<int>(s), 0, false, {}};
    d_.signals.push_back({box, port, false, {}});
    return {static_cast<int>(d_.signals.size()) - 1, 0, false, {}};
  }

  // An existing circ2 of these two in any sign and order; its x is the same for all.
  std::optional<int> circ2_of(const BoxOperand& a, const BoxOperand& b) const {
    auto same = [](const BoxOperand& p, const BoxOperand& q) {
      return p.signal == q.signal && (!p.is_constant() || abs(p.constant) == abs(q.constant));
    };
    for (std::size_t k = 0; k < d_.boxes.size(); ++k)
      if (const BoxUse& u = d_.boxes[k];
          u.box == Box::circ2 && ((same(u.x, a) && same(u.y, b)) || (same(u.x, b) && same(u.y, a))))
        return static_cast<int>(k);
    return std::nullopt;
  }
  BoxOperand magnitude(const BoxOperand& a, const BoxOperand& b) {
    const auto known = circ2_of(a, b);
    return port(known ? *known : box(Box::circ2, a, b, constant(0)), 'x');
  }
  // start ± atan2(y, x), with the existing box of a root if its angle input is still free.
  BoxOperand angle(const BoxOperand& y, const BoxOperand& x, bool minus, const BoxOperand& start) {
    const BoxUse wanted{Box::circ2, x, signed_as(y, !minus), start};
    if (const auto known = circ2_of(x, y);
        known && !angle_taken_[*known] && !depends(start, *known)) {
      d_.boxes[*known] = wanted;
      angle_taken_[*known] = true;
      return port(*known, 'z');
    }
    const int b = box(Box::circ2, wanted.x, wanted.y, wanted.z);
    angle_taken_[b] = true;
    return port(b, 'z');
  }

  // ---- nodes ----

  bool is_constant(Id id) const { return g_[id].op == Op::constant; }
  Quad size_of(double c) const {
    const auto known = how_.finer.find(std::abs(c));
    return known == how_.finer.end() ? Quad(std::abs(c)) : known->second;
  }
  std::optional<int> sign_input(Id id) const {
    if (g_[id].op != Op::input || !d_.signals[g_[id].in[0]].sign) return std::nullopt;
    return static_cast<int>(g_[id].in[0]);
  }

  BoxOperand value(Id id) {
    if (!value_[id]) value_[id] = lowered(id);
    return *value_[id];
  }

  BoxOperand lowered(Id id) {
    const Node& n = g_[id];
    switch (n.op) {
      case Op::constant: return signed_as(constant(size_of(n.value())), n.value() < 0);
      case Op::input: return {static_cast<int>(n.in[0]), 0, false, {}};
      case Op::neg: return -value(n.in[0]);
      case Op::add:
      case Op::sub:
      case Op::mul: return sum(terms(id));
      case Op::div: return port(box(Box::lin2, value(n.in[1]), -value(n.in[0]), constant(0)), 'z');
      case Op::sqrt: return root(n.in[0]);
      case Op::sin: return -port(box(Box::circ1, constant(1), constant(0), value(n.in[0])), 'y');
      case Op::cos: return port(box(Box::circ1, constant(1), constant(0), value(n.in[0])), 'x');
      case Op::atan2: return angle(value(n.in[0]), value(n.in[1]), false, constant(0));
      case Op::abs:
      case Op::less:
      case Op::select: break;
    }
    throw Error(fmt::format("no CORDIC module computes '{}'; comparisons cannot be mapped",
                            row(n.op).name));
  }

  // ---- sums ----

  Term product(Id id) const {
    const Node& n = g_[id];
    if (n.op == Op::constant) return {n.value() < 0, size_of(n.value()), {}};
    if (n.op == Op::neg) {
      Term t = product(n.in[0]);
      t.minus = !t.minus;
      return t;
    }
    if (n.op != Op::mul) return {false, 1, {id}};
    Term a = product_operand(n.in[0]), b = product_operand(n.in[1]);
    a.minus ^= b.minus;
    a.constant = a.constant * b.constant;
    a.factors.insert(a.factors.end(), b.factors.begin(), b.factors.end());
    return a;
  }
  // Extracts constants and signs from a factor; a product with other readers stays a factor.
  Term product_operand(Id id) const {
    const Node& n = g_[id];
    const bool open =
        n.op == Op::constant || n.op == Op::neg || (n.op == Op::mul && uses_[id] == 1);
    return open ? product(id) : Term{false, 1, {id}};
  }

  std::vector<Term> terms(Id id) const {
    std::vector<Term> all;
    collect(id, false, true, false, all);
    return all;
  }
  // A sum with other readers is a single term, unless `through` is set: the terms under a root
  // cannot be shared.
  void collect(Id id, bool minus, bool top, bool through, std::vector<Term>& all) const {
    const Node& n = g_[id];
    const bool open = top || through || uses_[id] == 1;
    if ((n.op == Op::add || n.op == Op::sub) && open) {
      collect(n.in[0], minus, false, through, all);
      collect(n.in[1], minus != (n.op == Op::sub), false, through, all);
    } else if (n.op == Op::neg && open) {
      collect(n.in[0], !minus, top, through, all);
    } else {
      Term t = n.op == Op::mul && !open ? Term{false, 1, {id}} : product(id);
      t.minus ^= minus;
      all.push_back(t);
    }
  }

  // The factor that is a sine or cosine of an angle, if the term is that times one other factor.
  struct Turned {
    Id angle;
    bool cosine, minus;
    BoxOperand of;
  };
  std::optional<Turned> turned(const Term& t) {
    for (std::size_t k = 0; k < t.factors.size(); ++k) {
      const Node& n = g_[t.factors[k]];
      if (n.op != Op::sin && n.op != Op::cos) continue;
      Term rest = t;
      rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(k));
      rest.minus = false;
      return Turned{n.in[0], n.op == Op::cos, t.minus, term_value(rest)};
    }
    return std::nullopt;
  }
  bool has_turn(const Term& t) const {
    return std::any_of(t.factors.begin(), t.factors.end(),
                       [&](Id f) { return g_[f].op == Op::sin || g_[f].op == Op::cos; });
  }

  BoxOperand term_value(const Term& t) { return sum({t}); }

  struct Product {
    BoxOperand x, z;
  };

  BoxOperand sum(const std::vector<Term>& terms) {
    Quad number = 0;
    std::vector<BoxOperand> plain;
    std::vector<Product> products;
    struct Arc {
      BoxOperand y, x;
      bool minus;
    };
    std::vector<Arc> angles;
    std::vector<std::optional<Turned>> turns;
    for (const Term& t : terms)
      turns.push_back(has_turn(t) && terms.size() > 1 ? turned(t) : std::nullopt);
    std::vector<bool> done(terms.size(), false);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (done[i]) continue;
      if (turns[i]) {
        bool found = false;
        for (std::size_t j = i + 1; j < terms.size() && !found; ++j)
          if (!done[j] && turns[j] && turns[j]->angle == turns[i]->angle &&
              turns[j]->cosine != turns[i]->cosine) {
            const Turned &c = turns[i]->cosine ? *turns[i] : *turns[j],
                         &s = turns[i]->cosine ? *turns[j] : *turns[i];
            // C u + S v = x of (u, v); C u − S v = y of (v, u)
            const bool same = c.minus == s.minus;
            const int b = same ? box(Box::circ1, c.of, s.of, value(c.angle))
                               : box(Box::circ1, s.of, c.of, value(c.angle));
            plain.push_back(signed_as(port(b, same ? 'x' : 'y'), c.minus));
            found = done[i] = done[j] = true;
          }
        if (found) continue;
      }
      done[i] = true;
      Term t = terms[i];
      BoxOperand sign = constant(1);  // the ±1 among the factors
      std::vector<Id> rest;
      for (const Id f : t.factors) {
        if (const auto s = sign_input(f))
          sign = with_sign(sign, *s);
        else
          rest.push_back(f);
      }
      auto apply_sign = [&](BoxOperand o) {
        for (const int s : sign.signs) o = with_sign(o, s);
        return signed_as(o, t.minus);
      };
      if (rest.empty() && sign.signs.empty()) {
        number = t.minus ? number - t.constant : number + t.constant;
      } else if (rest.empty()) {
        plain.push_back(apply_sign(constant(t.constant)));
      } else if (rest.size() == 1 && t.constant == 1) {
        const Node& n = g_[rest[0]];
        if (n.op == Op::atan2 && uses_[rest[0]] == 1 && sign.signs.empty() && terms.size() > 1)
          angles.push_back({value(n.in[0]), value(n.in[1]), t.minus});
        else
          plain.push_back(apply_sign(value(rest[0])));
      } else {
        if (t.constant != 1) {
          BoxOperand x = value(rest[0]);
          for (std::size_t k = 1; k < rest.size(); ++k)
            x = port(box(Box::lin1, x, constant(0), value(rest[k])), 'y');
          // A sign of ±1 goes with the signal; the constant keeps its own sign.
          for (const int s : sign.signs) x = with_sign(x, s);
          products.push_back({x, constant(t.minus ? -t.constant : t.constant)});
        } else {
          BoxOperand x = value(rest[0]);
          for (std::size_t k = 1; k + 1 < rest.size(); ++k)
            x = port(box(Box::lin1, x, constant(0), value(rest[k])), 'y');
          products.push_back({apply_sign(x), value(rest.back())});
        }
      }
    }
    return chained(number, plain, products, angles);
  }

  template <class Arcs>
  BoxOperand chained(Quad number, std::vector<BoxOperand> plain, std::vector<Product> products,
                     Arcs angles) {
    auto product_ready = [&](const Product& p) { return std::max(ready(p.x), ready(p.z)); };
    // A graph does not keep the order of a sum's terms, so this order does not depend on it.
    auto sooner = [&](int a, int b) { return how_.by_readiness ? a < b : a > b; };
    std::stable_sort(products.begin(), products.end(), [&](const Product& a, const Product& b) {
      return sooner(product_ready(a), product_ready(b));
    });
    std::stable_sort(plain.begin(), plain.end(), [&](const BoxOperand& a, const BoxOperand& b) {
      return sooner(ready(a), ready(b));
    });
    std::stable_sort(angles.begin(), angles.end(), [&](const auto& a, const auto& b) {
      return std::max(ready(a.x), ready(a.y)) < std::max(ready(b.x), ready(b.y));
    });
    // The chain starts with an operand that needs no box: the constant, or else the first plain
    // signal.
    BoxOperand so_far = constant(number);
    std::size_t first = 0;
    if (number == 0 && !plain.empty()) so_far = plain[first++];
    for (const auto& a : angles) so_far = angle(a.y, a.x, a.minus, so_far);
    for (; first < plain.size(); ++first) {
      BoxOperand x = plain[first];
      const double by = x.negated ? -1 : 1;
      if (x.negated) x = -x;
      so_far = port(box(Box::lin1, x, so_far, constant(by)), 'y');
    }
    for (const Product& p : products) so_far = port(box(Box::lin1, p.x, so_far, p.z), 'y');
    return so_far;
  }

  // ---- roots ----

  Id without_clipping(Id id) const {  // x < 0 ? 0 : x
    const Node& n = g_[id];
    if (n.op != Op::select) return id;
    const Node& test = g_[n.in[0]];
    const bool zero = is_constant(n.in[1]) && g_[n.in[1]].value() == 0;
    const bool below = test.op == Op::less && test.in[0] == n.in[2] && is_constant(test.in[1]) &&
                       g_[test.in[1]].value() == 0;
    return zero && below ? n.in[2] : id;
  }

  BoxOperand root(Id of) {
    const Id inner = without_clipping(of);
    std::vector<BoxOperand> plus, minus;
    bool squares = true;
    Quad number = 0;
    std::vector<Term> all;
    collect(inner, false, true, true, all);
    for (const Term& t : all) {
      const std::vector<Id>& f = t.factors;
      if (f.empty())
        number = t.minus ? number - t.constant : number + t.constant;
      else if (f.size() == 2 && f[0] == f[1] && t.constant == 1)
        (t.minus ? minus : plus).push_back(value(f[0]));
      else
        squares = false;
    }
    if (!squares) {  // √w = √((w + ¼)² − (w − ¼)²)
      const BoxOperand w = value(inner);
      const BoxOperand up = port(box(Box::lin1, w, constant(0.25), constant(1)), 'y'),
                       down = port(box(Box::lin1, w, constant(-0.25), constant(1)), 'y');
      return port(box(Box::hype2, up, down, constant(0)), 'x');
    }
    if (Quad(0) < number) plus.push_back(constant(sqrt(number)));
    if (number < Quad(0)) minus.push_back(constant(sqrt(-number)));
    if (plus.empty()) return constant(0);
    BoxOperand m = plus[0];
    for (std::size_t k = 1; k < plus.size(); ++k) m = magnitude(m, plus[k]);
    if (minus.empty() && plus.size() == 1) m = magnitude(m, constant(0));
    for (const BoxOperand& b : minus) m = port(box(Box::hype2, m, b, constant(0)), 'x');
    return m;
  }

  // ---- order ----

  // Boxes by the earliest stage at which they can start, then in the order of creation. Boxes
  // without readers are removed.
  BoxDesign sorted() const {
    std::vector<bool> needed(d_.boxes.size(), false);
    auto need = [&](auto&& self, const BoxOperand& o) -> void {
      if (o.is_constant() || d_.signals[o.signal].box < 0) return;
      const int b = d_.signals[o.signal].box;
      if (needed[b]) return;
      needed[b] = true;
      self(self, d_.boxes[b].x);
      self(self, d_.boxes[b].y);
      self(self, d_.boxes[b].z);
    };
    for (const auto& o : d_.outputs) need(need, o.value);
    std::vector<int> order;
    for (std::size_t b = 0; b < d_.boxes.size(); ++b)
      if (needed[b]) order.push_back(static_cast<int>(b));
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return ready(a) < ready(b); });
    std::vector<int> place(d_.boxes.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);

    BoxDesign out;
    std::vector<int> signal(d_.signals.size(), -1);
    for (std::size_t s = 0; s < d_.signals.size(); ++s) {
      const auto& from = d_.signals[s];
      if (from.box >= 0 && place[from.box] < 0) continue;
      signal[s] = static_cast<int>(out.signals.size());
      out.signals.push_back(from);
      if (from.box >= 0) {
        out.signals.back().box = place[from.box];
        out.signals.back().name = fmt::format("T{}.{}", place[from.box] + 1, from.port);
      }
    }
    auto moved = [&](BoxOperand o) {
      if (!o.is_constant()) o.signal = signal[o.signal];
      for (int& s : o.signs) s = signal[s];
      return o;
    };
    for (const int b : order)
      out.boxes.push_back(
          {d_.boxes[b].box, moved(d_.boxes[b].x), moved(d_.boxes[b].y), moved(d_.boxes[b].z)});
    for (const auto& o : d_.outputs) out.outputs.push_back({o.name, moved(o.value)});
    return out;
  }

  const Graph& g_;
  const CordicMapping& how_;
  BoxDesign d_;
  std::vector<int> uses_;
  std::vector<std::optional<BoxOperand>> value_;
  std::vector<bool> angle_taken_;
};

}  // namespace

BoxDesign cordic_boxes(const Graph& g, const CordicMapping& how) {
  return Mapping(g, how).mapped();
}

}  // namespace parid::hardware
