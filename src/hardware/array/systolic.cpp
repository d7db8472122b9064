#include "hardware/array/systolic.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace parid::hardware {
namespace {

struct Matrix {
  std::vector<int> signals;  // one signal for the whole, or three columns
  bool transposed = false;
  Matrix t() const { return {signals, !transposed}; }
};

constexpr int zero = -1;  // a vector that is always zero: no processor computes it

class Builder {
 public:
  explicit Builder(SystolicArray& a) : a_(a) {}

  int input(const std::string& name) { return a_.network.input(name); }
  Matrix matrix(const std::string& name) { return {{input(name)}, false}; }

  void at(bool forward, int node, int slot = 0, int place = 0) {
    forward_ = forward;
    node_ = node;
    slot_ = slot;
    place_ = place;
  }
  void node(SystolicArray::Node n, const std::vector<int>& hands_on) {
    n.forward = forward_;
    n.node = node_;
    for (const int signal : hands_on)
      if (signal != zero) n.hands_on.push_back(signal);
    a_.nodes.push_back(std::move(n));
  }
  void name(int signal, const std::string& text) {  // the first name stays
    if (signal != zero && a_.network.signals[signal].name.empty())
      a_.network.signals[signal].name = text;
  }
  int place() const { return place_; }
  int skip() { return ++place_, zero; }  // a processor of the general node that is idle here

  int mv(const Matrix& M, int v) {
    if (v == zero) return skip();
    std::vector<int> in = M.signals;
    in.push_back(v);
    return made(VectorOp::matrix_vector, in, M.transposed);
  }
  Matrix mm(const Matrix& A, const Matrix& B) {  // column by column; B as three vectors
    Matrix C;
    for (int k = 0; k < 3; ++k) {
      std::vector<int> in = A.signals;
      in.insert(in.end(), B.signals.begin(), B.signals.end());
      C.signals.push_back(made(VectorOp::matrix_vector, in, A.transposed, k + 1));
    }
    return C;
  }
  int sum(int a, int b) {
    if (a == zero || b == zero) return skip(), a == zero ? b : a;
    return made(VectorOp::add, {a, b});
  }
  int cross(int a, int b) {
    if (a == zero || b == zero) return skip();
    return made(VectorOp::cross, {a, b});
  }
  int scaled(int m, int v) { return v == zero ? skip() : made(VectorOp::scale, {m, v}); }

 private:
  int made(VectorOp op, const std::vector<int>& in, bool transposed = false, int column = 0) {
    a_.network.operations.push_back({a_.clocks.of(op), in, ""});
    a_.operations.push_back({op, transposed, forward_, node_, place_++, slot_});
    a_.columns.push_back(column);
    return a_.network.output_of(static_cast<int>(a_.operations.size()) - 1);
  }

  SystolicArray& a_;
  bool forward_ = false;
  int node_ = 0, place_ = 0, slot_ = 0;
};

struct Link {
  Matrix A;
  int r, qd, qdd, s;
  Matrix J;
  int m, p = zero;
  bool slides = false;
};

// Newton-Euler: r̈ = p̈ + ω̇ × s + ω × (ω × s), F = m r̈, N = J ω̇ + ω × J ω. Ten processors.
struct Force {
  int F, N;
};
Force newton_euler(Builder& b, const Link& l, int w, int wd, int pdd) {
  const int around = b.cross(w, b.cross(w, l.s));
  const int rdd = b.sum(pdd, b.sum(b.cross(wd, l.s), around));  // p̈ comes last
  const int F = b.scaled(l.m, rdd);
  const int Jw = b.mv(l.J, w);
  return {F, b.sum(b.mv(l.J, wd), b.cross(w, Jw))};
}

// ---- linear, Table 4

struct Moved {
  int w = zero, wd = zero, pdd = zero;
};
Moved moved(Builder& b, const Link& l, const Moved& o) {
  const int w = b.mv(l.A.t(), o.w), wd = b.mv(l.A.t(), o.wd);
  const int around = b.cross(o.w, b.cross(o.w, l.r));
  const int offset = b.sum(b.cross(o.wd, l.r), around);
  const int own = b.sum(l.qdd, b.cross(l.slides ? o.w : w, l.qd));
  if (l.slides) {  // ω and ω̇ are unchanged; p̈ gains z q̈ + ω × 2 z q̇
    const int all = b.sum(own, offset);
    b.skip();
    return {w, wd, b.mv(l.A.t(), b.sum(o.pdd, all))};
  }
  const int wd_own = b.sum(wd, own), w_own = b.sum(w, l.qd);
  return {w_own, wd_own, b.mv(l.A.t(), b.sum(o.pdd, offset))};
}

struct Held {
  int f = zero, n = zero;
};
// Force and moment that link i receives from link i + 1, which has these A and r.
Held held(Builder& b, const Link& l, const Force& F, const Link* next, const Held& o) {
  const int f = next ? b.mv(next->A, o.f) : b.mv(l.A, zero);
  const int n = next ? b.mv(next->A, o.n) : b.mv(l.A, zero);
  const int own = b.sum(F.N, b.cross(l.s, F.F));
  const int lever = b.cross(next ? next->r : zero, f);
  return {b.sum(F.F, f), b.sum(n, b.sum(own, lever))};
}

// ---- logarithmic, Table 5

struct Stretch {
  Matrix W;
  int w, wd, Q, R, S, pdd;
};
Stretch combined(Builder& b, const Stretch& x, const Stretch& y, int two) {
  const Matrix V = y.W.t();
  Stretch c;
  const int w = b.mv(V, x.w), wd = b.mv(V, x.wd), w_R = b.cross(w, y.R);
  c.W = b.mm(x.W, y.W);
  c.w = b.sum(w, y.w);
  c.wd = b.sum(wd, b.sum(b.cross(w, y.w), y.wd));
  c.Q = b.sum(b.mv(V, x.Q), y.Q);
  c.R = b.sum(b.mv(V, x.R), y.R);
  c.S = b.sum(b.mv(V, x.S), b.sum(w_R, y.S));
  const int faster = b.sum(w_R, b.scaled(two, b.sum(y.S, y.Q)));
  const int own = b.sum(b.sum(y.pdd, b.cross(w, faster)), b.cross(wd, y.R));
  c.pdd = b.sum(b.mv(V, x.pdd), own);
  return c;
}

struct Pull {
  Matrix M;
  int P, f, n;
};
Pull combined(Builder& b, const Pull& x, const Pull& y) {
  const int f = b.mv(x.M, y.f);
  return {b.mm(x.M, y.M), b.sum(x.P, b.mv(x.M, y.P)), b.sum(x.f, f),
          b.sum(b.mv(x.M, y.n), b.sum(x.n, b.cross(x.P, f)))};
}

// Prefixes by halves: the last of the left half is combined with each of the right. Tiers count
// from 0.
struct Pairing {
  int tier, from, to;  // element `to` becomes from ∘ to
};
int pairings(int first, int count, std::vector<Pairing>& all) {
  if (count <= 1) return 0;
  int half = 1;
  while (2 * half < count) half *= 2;
  const int left = pairings(first, half, all), right = pairings(first + half, count - half, all);
  const int tier = std::max(left, right);
  for (int k = first + half; k < first + count; ++k) all.push_back({tier, first + half - 1, k});
  return tier + 1;
}

std::vector<Link> links(Builder& b, const SystolicArray& a) {
  std::vector<Link> all;
  for (int i = 1; i <= a.links; ++i) {
    const std::string k = std::to_string(i);
    Link l;
    l.A = b.matrix("A" + k);
    l.r = b.input("r" + k);
    l.qd = b.input("v" + k);
    l.qdd = b.input("a" + k);
    l.s = b.input("s" + k);
    l.J = b.matrix("J" + k);
    l.m = b.input("m" + k);
    if (a.kind == ArrayKind::log) l.p = b.input("p" + k);
    l.slides = a.prismatic[i - 1];
    all.push_back(l);
  }
  return all;
}

void build_linear(SystolicArray& a) {
  Builder b(a);
  const int up = b.input("up");
  const std::vector<Link> l = links(b, a);
  std::vector<Force> F;
  Moved x{zero, zero, up};
  for (int i = 0; i < a.links; ++i) {
    b.at(false, i + 1);
    x = moved(b, l[i], x);
    F.push_back(newton_euler(b, l[i], x.w, x.wd, x.pdd));
    const std::string k = std::to_string(i + 1);
    b.node({.name = "Bkwd " + k, .first = i + 1, .last = i + 1},
           {x.w, x.wd, x.pdd, F.back().F, F.back().N});
    b.name(x.w, "ω" + k);
    b.name(x.wd, "ω̇" + k);
    b.name(x.pdd, "p̈" + k);
    b.name(F.back().F, "F" + k);
    b.name(F.back().N, "N" + k);
  }
  std::vector<int> n(a.links);
  Held y;
  for (int i = a.links - 1; i >= 0; --i) {
    b.at(true, i + 1);
    y = held(b, l[i], F[i], i + 1 < a.links ? &l[i + 1] : nullptr, y);
    n[i] = l[i].slides ? y.f : y.n;
    const std::string k = std::to_string(i + 1);
    b.node({.name = "Fwd " + k, .first = i + 1, .last = i + 1}, {y.f, y.n});
    b.name(y.f, "f" + k);
    b.name(y.n, "n" + k);
  }
  a.network.outputs = n;
}

void build_log(SystolicArray& a) {
  Builder b(a);
  const int up = b.input("up"), two = b.input("two");
  const std::vector<Link> l = links(b, a);
  std::vector<Stretch> x;
  for (int i = 0; i < a.links; ++i) {
    const int pdd = i == 0 ? up : l[i].slides ? l[i].qdd : zero;
    x.push_back(l[i].slides ? Stretch{l[i].A, zero, zero, l[i].qd, l[i].r, zero, pdd}
                            : Stretch{l[i].A, l[i].qd, l[i].qdd, zero, l[i].r, zero, pdd});
  }
  std::vector<Pairing> plan;
  const int tiers = pairings(0, a.links, plan);
  std::stable_sort(plan.begin(), plan.end(),
                   [](const Pairing& p, const Pairing& q) { return p.tier < q.tier; });
  std::vector<int> filled(tiers, 0), slot;  // of each pairing in its tier
  for (const Pairing& p : plan) slot.push_back(filled[p.tier]++);
  const int widest = tiers ? *std::max_element(filled.begin(), filled.end()) : 1;
  int node = 0, out = 0, back = 0;  // places of a combination, each way
  std::vector<int> from(a.links);   // first link of the stretch that stands at an element
  for (int i = 0; i < a.links; ++i) from[i] = i;
  auto stretch = [](int first, int last) {
    return std::to_string(first + 1) + "," + std::to_string(last + 1);
  };
  for (std::size_t k = 0; k < plan.size(); ++k) {
    const Pairing& p = plan[k];
    b.at(false, ++node, slot[k]);
    x[p.to] = combined(b, x[p.from], x[p.to], two);
    out = b.place();
    from[p.to] = from[p.from];
    const std::string range = stretch(from[p.to], p.to);
    const Stretch& c = x[p.to];
    std::vector<int> made = c.W.signals;
    made.insert(made.end(), {c.w, c.wd, c.Q, c.R, c.S, c.pdd});
    b.node({.name = "X " + range, .first = from[p.to] + 1, .last = p.to + 1, .tier = p.tier}, made);
    b.name(c.w, "ω" + range);
    b.name(c.wd, "ω̇" + range);
    b.name(c.pdd, "p̈" + range);
    b.name(c.Q, "Q" + range);
    b.name(c.R, "R" + range);
    b.name(c.S, "S" + range);
    for (const int column : c.W.signals) b.name(column, "W" + range);
  }
  const int pull_places = 11;  // later work in a node: its own N + s × F
  std::vector<Pull> y;
  for (int i = 0; i < a.links; ++i) {
    b.at(false, ++node, i % widest, out);
    const Force F = newton_euler(b, l[i], x[i].w, x[i].wd, x[i].pdd);
    const std::string k = std::to_string(i + 1);
    b.node({.name = "N " + k, .first = i + 1, .last = i + 1, .tier = tiers, .combines = false},
           {F.F, F.N});
    b.name(F.F, "F" + k);
    b.name(F.N, "N" + k);
    b.at(true, ++node, i % widest, pull_places);
    const int n = b.sum(F.N, b.cross(l[i].s, F.F));
    b.node({.name = "Y " + k + "," + k, .first = i + 1, .last = i + 1, .combines = false},
           {F.F, n});
    b.name(n, "n" + k + "," + k);
    // In link i: M and P lead to link i + 1.
    const bool last = i + 1 == a.links;
    y.push_back({last ? l[i].A : l[i + 1].A, last ? zero : l[i + 1].p, F.F, n});
  }
  std::vector<int> last(a.links);  // link of the stretch that stands at an element
  for (int i = 0; i < a.links; ++i) last[i] = i;
  for (std::size_t k = 0; k < plan.size(); ++k) {  // the same from the other end
    b.at(true, ++node, slot[k]);
    const int other = a.links - 1 - plan[k].from, to = a.links - 1 - plan[k].to;
    y[to] = combined(b, y[to], y[other]);
    back = b.place();
    last[to] = last[other];
    const std::string range = stretch(to, last[to]);
    std::vector<int> made = y[to].M.signals;
    made.insert(made.end(), {y[to].P, y[to].f, y[to].n});
    b.node({.name = "Y " + range, .first = to + 1, .last = last[to] + 1, .tier = plan[k].tier + 1},
           made);
    b.name(y[to].f, "f" + range);
    b.name(y[to].n, "n" + range);
    b.name(y[to].P, "P" + range);
    for (const int column : y[to].M.signals) b.name(column, "M" + range);
  }
  if (!plan.empty() && back != pull_places) throw std::logic_error("the places of a node overlap");
  for (int i = 0; i < a.links; ++i) a.network.outputs.push_back(l[i].slides ? y[i].f : y[i].n);
}

VectorWord product(const std::array<double, 9>& M, bool transposed, const double* v) {
  VectorWord out{};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out[r] += M[transposed ? 3 * c + r : 3 * r + c] * v[c];
  return out;
}

// A matrix from the ports: whole, or column by column. Returns the number of ports read.
std::array<double, 9> gathered(std::span<const VectorWord> ports, bool whole) {
  if (whole) return ports[0];
  std::array<double, 9> M{};
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) M[3 * r + c] = ports[c][r];
  return M;
}

}  // namespace

SystolicArray systolic_array(ArrayKind kind, int links, VectorClocks clocks) {
  return systolic_array(kind, std::vector<bool>(links, false), clocks);
}

SystolicArray systolic_array(ArrayKind kind, const std::vector<bool>& prismatic,
                             VectorClocks clocks) {
  SystolicArray a;
  a.kind = kind;
  a.links = static_cast<int>(prismatic.size());
  a.clocks = clocks;
  a.prismatic = prismatic;
  kind == ArrayKind::linear ? build_linear(a) : build_log(a);
  a.schedule = balanced(a.network);
  return a;
}

std::vector<VectorWord> execute(const SystolicArray& a, int operation,
                                std::span<const VectorWord> ports) {
  const auto& o = a.operations[operation];
  const VectorWord &x = ports[0], &y = ports.back();
  switch (o.op) {
    case VectorOp::add: return {{x[0] + y[0], x[1] + y[1], x[2] + y[2]}};
    case VectorOp::scale: return {{x[0] * y[0], x[0] * y[1], x[0] * y[2]}};
    case VectorOp::cross:
      return {{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]}};
    case VectorOp::dot: return {{x[0] * y[0] + x[1] * y[1] + x[2] * y[2]}};
    case VectorOp::matrix_vector: break;
  }
  const int column = a.columns[operation];
  if (column == 0) return {product(gathered(ports, ports.size() == 2), o.transposed, y.data())};
  // A column of a product: the second matrix is whole, or given as three column vectors.
  const bool first_whole = ports.size() == 2 || (ports.size() == 4 && a.whole_first(operation));
  const auto rest = ports.subspan(first_whole ? 1 : 3);
  const auto B = gathered(rest, rest.size() == 1);
  const double v[] = {B[column - 1], B[3 + column - 1], B[6 + column - 1]};
  return {product(gathered(ports, first_whole), o.transposed, v)};
}

bool SystolicArray::whole_first(int operation) const {
  const int s = network.operations[operation].in[0];
  return network.signals[s].operation < 0;
}

std::vector<GroupWires> group_wires(ArrayKind kind) {
  SystolicArray a;
  a.kind = kind;
  a.links = 2;
  a.prismatic = {false, false};
  Builder b(a);
  std::vector<GroupWires> groups;
  int constant = zero;
  auto count = [&](const std::string& name, auto&& build) {
    const int before = static_cast<int>(a.operations.size());
    build();
    GroupWires g{name, static_cast<int>(a.operations.size()) - before};
    for (int op = before; op < before + g.processors; ++op) {
      auto wire = [&](int signal) {
        g.wires += signal != constant;
        g.within += a.network.signals[signal].operation >= before;
      };
      const auto& in = a.network.operations[op].in;
      wire(in.front());  // a matrix of three columns uses one wire, like a whole matrix
      wire(a.columns[op] && in.size() > 3 ? in[in.size() - 4 + a.columns[op]] : in.back());
    }
    groups.push_back(g);
  };
  const std::vector<Link> l = links(b, a);
  auto in = [&] { return b.input("x"); };
  Moved x;
  if (kind == ArrayKind::linear) {
    count("out", [&] { x = moved(b, l[0], {in(), in(), in()}); });
  } else {
    auto stretch = [&] { return Stretch{b.matrix("W"), in(), in(), in(), in(), in(), in()}; };
    constant = in();
    count("out", [&] {
      const Stretch c = combined(b, stretch(), stretch(), constant);
      x = {c.w, c.wd, c.pdd};
    });
  }
  Force F;
  count("force", [&] { F = newton_euler(b, l[0], x.w, x.wd, x.pdd); });
  if (kind == ArrayKind::linear) {
    count("back", [&] { held(b, l[0], F, &l[1], {in(), in()}); });
  } else {
    auto pull = [&] { return Pull{b.matrix("M"), in(), in(), in()}; };
    count("back", [&] {
      b.sum(F.N, b.cross(l[0].s, F.F));
      combined(b, pull(), pull());
    });
  }
  return groups;
}

NodeProcessors node_processors(ArrayKind kind) {
  const std::vector<GroupWires> g = group_wires(kind);
  return {g[0].processors + g[1].processors, g[2].processors};
}

NodeProcessors built_processors(const SystolicArray& a) {
  NodeProcessors p;
  for (const SystolicArray::Operation& o : a.operations) ++(o.forward ? p.forward : p.backward);
  return p;
}

ArrayProcessors array_processors(ArrayKind kind, int links) {
  ArrayProcessors p;
  p.node = node_processors(kind);
  auto times = [&](int k) { return NodeProcessors{k * p.node.backward, k * p.node.forward}; };
  if (kind == ArrayKind::linear) {
    p.nodes = links;
    p.widest = 1;
  } else {
    std::vector<Pairing> plan;
    const int tiers = pairings(0, links, plan);
    std::vector<int> width(tiers, 0);
    for (const Pairing& q : plan) ++width[q.tier];
    p.nodes = static_cast<int>(plan.size()) + links;
    p.widest = tiers ? *std::max_element(width.begin(), width.end()) : 1;
  }
  p.folded = times(p.widest);
  p.systolic = times(p.nodes);
  return p;
}

}  // namespace parid::hardware
