#include "parid/pipeline/systolic.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace parid {
namespace {

struct Matrix {
  std::vector<int> signals;  // one whole, or three columns
  bool transposed = false;
  Matrix t() const { return {signals, !transposed}; }
};

constexpr int zero = -1;  // a vector that is known to be nothing: no processor works on it

class Builder {
 public:
  explicit Builder(SystolicArray& a) : a_(a) {}

  int input(const std::string& name) { return a_.network.input(name); }
  Matrix matrix(const std::string& name) { return {{input(name)}, false}; }

  void at(bool forward, int node) { forward_ = forward, node_ = node, place_ = 0; }

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
  int skip() { return ++place_, zero; }
  int made(VectorOp op, const std::vector<int>& in, bool transposed = false, int column = 0) {
    a_.network.operations.push_back({a_.clocks.of(op), in, ""});
    a_.operations.push_back({op, transposed, forward_, node_, place_++});
    a_.columns.push_back(column);
    return a_.network.output_of(static_cast<int>(a_.operations.size()) - 1);
  }

  SystolicArray& a_;
  bool forward_ = false;
  int node_ = 0, place_ = 0;
};

struct Link {
  Matrix A;
  int r, qd, qdd, s;
  Matrix J;
  int m;
};

// Newton and Euler: r̈ = p̈ + ω̇ × s + ω × (ω × s), F = m r̈, N = J ω̇ + ω × J ω. Ten processors.
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
  Moved x;
  const int w_here = b.mv(l.A.t(), o.w);
  x.w = b.sum(w_here, l.qd);
  const int own = b.sum(l.qdd, b.cross(w_here, l.qd));
  x.wd = b.sum(b.mv(l.A.t(), o.wd), own);
  const int offset = b.sum(b.cross(o.wd, l.r), b.cross(o.w, b.cross(o.w, l.r)));
  x.pdd = b.mv(l.A.t(), b.sum(o.pdd, offset));
  return x;
}

struct Held {
  int f = zero, n = zero;
};
// What link i takes from link i + 1, whose A and r those are.
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

// Prefixes by halves: the last of the left half joins each of the right. Tiers are counted from 0.
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

std::vector<Link> links(Builder& b, int n) {
  std::vector<Link> all;
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    Link l;
    l.A = b.matrix("A" + k);
    l.r = b.input("r" + k), l.qd = b.input("v" + k), l.qdd = b.input("a" + k),
    l.s = b.input("s" + k);
    l.J = b.matrix("J" + k);
    l.m = b.input("m" + k);
    all.push_back(l);
  }
  return all;
}

void build_linear(SystolicArray& a) {
  Builder b(a);
  const int up = b.input("up");
  const std::vector<Link> l = links(b, a.links);
  std::vector<Force> F;
  Moved x{zero, zero, up};
  for (int i = 0; i < a.links; ++i) {
    b.at(false, i + 1);
    x = moved(b, l[i], x);
    F.push_back(newton_euler(b, l[i], x.w, x.wd, x.pdd));
  }
  std::vector<int> n(a.links);
  Held y;
  for (int i = a.links - 1; i >= 0; --i) {
    b.at(true, i + 1);
    y = held(b, l[i], F[i], i + 1 < a.links ? &l[i + 1] : nullptr, y);
    n[i] = y.n;
  }
  a.network.outputs = n;
}

void build_log(SystolicArray& a) {
  Builder b(a);
  const int up = b.input("up"), two = b.input("two");
  const std::vector<Link> l = links(b, a.links);
  std::vector<Stretch> x;
  for (int i = 0; i < a.links; ++i)
    x.push_back({l[i].A, l[i].qd, l[i].qdd, zero, l[i].r, zero, i == 0 ? up : zero});
  std::vector<Pairing> plan;
  pairings(0, a.links, plan);
  std::stable_sort(plan.begin(), plan.end(),
                   [](const Pairing& p, const Pairing& q) { return p.tier < q.tier; });
  int node = 0;
  for (const Pairing& p : plan) {
    b.at(false, ++node);
    x[p.to] = combined(b, x[p.from], x[p.to], two);
  }
  std::vector<Pull> y;
  for (int i = 0; i < a.links; ++i) {
    b.at(false, ++node);
    const Force F = newton_euler(b, l[i], x[i].w, x[i].wd, x[i].pdd);
    b.at(true, ++node);
    const int n = b.sum(F.N, b.cross(l[i].s, F.F));
    // In link i: M and P lead to link i + 1.
    const bool last = i + 1 == a.links;
    y.push_back({last ? l[i].A : l[i + 1].A, last ? zero : b.mv(l[i + 1].A, l[i + 1].r), F.F, n});
  }
  for (const Pairing& p : plan) {  // the same from the other end
    b.at(true, ++node);
    const int from = a.links - 1 - p.from, to = a.links - 1 - p.to;
    y[to] = combined(b, y[to], y[from]);
  }
  for (const Pull& p : y) a.network.outputs.push_back(p.n);
}

VectorWord product(const std::array<double, 9>& M, bool transposed, const double* v) {
  VectorWord out{};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out[r] += M[transposed ? 3 * c + r : 3 * r + c] * v[c];
  return out;
}

// A matrix from the ports: whole, or column by column. Says how many ports it took.
std::array<double, 9> gathered(std::span<const VectorWord> ports, bool whole) {
  if (whole) return ports[0];
  std::array<double, 9> M{};
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) M[3 * r + c] = ports[c][r];
  return M;
}

}  // namespace

SystolicArray systolic_array(ArrayKind kind, int links, VectorClocks clocks) {
  SystolicArray a;
  a.kind = kind, a.links = links, a.clocks = clocks;
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
  // A column of a product: the second matrix is whole, or its columns are vectors.
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

NodeProcessors node_processors(ArrayKind kind) {
  SystolicArray a;
  Builder b(a);
  auto count = [&](auto&& build) {
    const std::size_t before = a.operations.size();
    build();
    return static_cast<int>(a.operations.size() - before);
  };
  const std::vector<Link> l = links(b, 2);
  auto in = [&] { return b.input("x"); };
  NodeProcessors n;
  if (kind == ArrayKind::linear) {
    n.backward = count([&] {
      const Moved x = moved(b, l[0], {in(), in(), in()});
      newton_euler(b, l[0], x.w, x.wd, x.pdd);
    });
    n.forward = count([&] { held(b, l[0], {in(), in()}, &l[1], {in(), in()}); });
    return n;
  }
  auto stretch = [&] { return Stretch{b.matrix("W"), in(), in(), in(), in(), in(), in()}; };
  auto pull = [&] { return Pull{b.matrix("M"), in(), in(), in()}; };
  n.backward = count([&] {
    const Stretch x = combined(b, stretch(), stretch(), in());
    newton_euler(b, l[0], x.w, x.wd, x.pdd);
  });
  n.forward = count([&] {
    b.sum(in(), b.cross(in(), in()));  // N + s × F
    combined(b, pull(), pull());
  });
  return n;
}

ArrayProcessors array_processors(ArrayKind kind, int links) {
  ArrayProcessors p;
  p.node = node_processors(kind);
  auto times = [&](int k) { return NodeProcessors{k * p.node.backward, k * p.node.forward}; };
  if (kind == ArrayKind::linear) {
    p.nodes = links, p.widest = 1;
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

FoldedArray folded(const SystolicArray& a) {
  if (a.kind != ArrayKind::linear)
    throw std::logic_error("only the linear array is folded onto a node");
  const Staging first = earliest(a.network);
  FoldedArray f;
  f.interval = a.links * a.interval();
  // Each processor at a fixed time within its node, nodes an interval apart.
  std::map<std::pair<bool, int>, int> within;
  auto later = [&](int op) {
    const auto& o = a.operations[op];
    return (o.forward ? a.links - o.node : o.node - 1) * a.interval();
  };
  for (std::size_t op = 0; op < a.operations.size(); ++op) {
    const auto& o = a.operations[op];
    const int t = first.start[op] - later(static_cast<int>(op));
    const auto [at, fresh] = within.try_emplace({o.forward, o.place}, t);
    if (!fresh) at->second = std::max(at->second, t);
  }
  // Until nothing starts before its operands: a processor that must wait waits at every node.
  f.schedule.start.resize(a.operations.size());
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t op = 0; op < a.operations.size(); ++op) {
      const auto& o = a.operations[op];
      int& at = within[{o.forward, o.place}];
      for (const int s : a.network.operations[op].in)
        if (const int lacks = f.schedule.ready(a.network, s) - at - later(static_cast<int>(op));
            lacks > 0)
          at += lacks, moved = true;
      if (f.schedule.start[op] != at + later(static_cast<int>(op))) moved = true;
      f.schedule.start[op] = at + later(static_cast<int>(op));
    }
  }
  for (const int s : a.network.outputs)
    f.schedule.latency = std::max(f.schedule.latency, f.schedule.ready(a.network, s));
  for (const auto& [key, t] : within) ++(key.first ? f.forward_processors : f.backward_processors);
  return f;
}

void check(const SystolicArray& a, const FoldedArray& f) {
  check(a.network, f.schedule, buffers(a.network, f.schedule).lines);
  std::map<std::pair<bool, int>, std::vector<bool>> busy;
  for (std::size_t op = 0; op < a.operations.size(); ++op) {
    const auto& o = a.operations[op];
    auto& slots = busy[{o.forward, o.place}];
    slots.resize(f.interval, false);
    for (int k = 0; k < a.network.operations[op].latency; ++k) {
      const int at = (f.schedule.start[op] + k) % f.interval;
      if (slots[at]) throw std::logic_error("a processor is asked twice at once");
      slots[at] = true;
    }
  }
}

}  // namespace parid
