#include "hardware/pipeline/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "parid/error.hpp"

namespace parid::hardware {
namespace {

// A word whose integer bits hold values of that size.
FixedFormat holding(double size, int word) {
  size *= 1 + 1e-12;  // ranges are doubles; words may be finer
  int integer = size > 0 ? std::ilogb(size) + 1 : -word;
  integer = std::max(integer, -word);  // smaller gains nothing
  FixedFormat f{word, word - 1 - integer};
  if (size + 2 * f.ulp() >= std::ldexp(1.0, integer)) --f.fraction;  // room for rounding
  return f;
}

struct Turned {
  Id angle, of;
  bool cosine;
};
std::optional<Turned> turned(const Graph& g, Id id) {
  const Node& n = g[id];
  if (n.op != Op::mul) return std::nullopt;
  for (int k = 0; k < 2; ++k)
    if (const Op op = g[n.in[k]].op; op == Op::sin || op == Op::cos)
      return Turned{g[n.in[k]].in[0], n.in[1 - k], op == Op::cos};
  return std::nullopt;
}

Range product(const Range& a, const Range& b) {
  const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

class Analysis {
 public:
  Analysis(const Graph& g, std::span<const Range> inputs, int word, int angle_integer)
      : inputs_(inputs), f_{g, word, {word}, {}, {}, {}, {}} {
    f_.sin_cos.integer = angle_integer;
    f_.range.resize(g.size());
    f_.format.resize(g.size());
    f_.error.assign(g.size(), 0);
    f_.constant.assign(g.size(), 0);
  }

  double widest = 0;  // angle

  FixedGraph done() {
    const Graph& g = f_.graph;
    angle_.assign(g.size(), false);
    for (const Node& n : g.nodes())
      if (n.op == Op::sin || n.op == Op::cos) angle_[n.in[0]] = true;
    for (Id id = 0; id < g.size(); ++id) node(id);
    return std::move(f_);
  }

 private:
  void node(Id id) {
    const Graph& g = f_.graph;
    const Node& n = g[id];
    Range& r = f_.range[id];
    const Id a = n.in[0], b = n.in[1];
    auto round = [&](double brought, bool exact) {
      f_.format[id] = holding(r.size() + brought, f_.word);
      if (angle_[id]) as_angle(id);
      f_.error[id] = brought + (exact ? 0 : f_.format[id].ulp() / 2);
    };
    switch (n.op) {
      case Op::constant: {
        r = {n.value(), n.value()};
        f_.format[id] = holding(std::abs(n.value()), f_.word);
        f_.constant[id] = f_.format[id].raw(n.value());
        f_.error[id] = std::abs(f_.format[id].value(f_.constant[id]) - n.value());
        return;
      }
      case Op::input:
        r = inputs_[n.in[0]];
        f_.format[id] = holding(r.size(), f_.word);
        if (angle_[id]) as_angle(id);
        return;
      case Op::add:
      case Op::sub: {
        const double sign = n.op == Op::add ? 1 : -1;
        const Range &x = f_.range[a], &y = f_.range[b];
        r = sign > 0 ? Range{x.low + y.low, x.high + y.high}
                     : Range{x.low - y.high, x.high - y.low};
        const auto p = turned(g, a), q = turned(g, b);
        if (p && q && p->angle == q->angle && p->cosine != q->cosine) {
          const double most = std::hypot(f_.range[p->of].size(), f_.range[q->of].size());
          r = {std::max(r.low, -most), std::min(r.high, most)};
        }
        round(f_.error[a] + f_.error[b], false);
        const int finest = std::max(f_.format[a].fraction, f_.format[b].fraction);
        if (f_.format[id].fraction >= finest) f_.error[id] = f_.error[a] + f_.error[b];
        return;
      }
      case Op::mul: {
        r = product(f_.range[a], f_.range[b]);
        if (a == b) r.low = std::max(r.low, 0.0);
        const double ea = f_.error[a], eb = f_.error[b];
        round(f_.range[a].size() * eb + f_.range[b].size() * ea + ea * eb, false);
        return;
      }
      case Op::neg:
        r = {-f_.range[a].high, -f_.range[a].low};
        round(f_.error[a], !angle_[id]);
        return;
      case Op::sin:
      case Op::cos:
        r = {-1, 1};
        f_.format[id] = f_.sin_cos.result();
        f_.error[id] = 1.5 * f_.format[id].ulp() + f_.error[a];
        return;
      default: break;
    }
    throw Error(fmt::format("'{}' has no fixed-point unit; remove the operation", row(n.op).name));
  }

  void as_angle(Id id) {
    widest = std::max(widest, f_.range[id].size());
    f_.format[id] = f_.sin_cos.angle();
  }

  std::span<const Range> inputs_;
  FixedGraph f_;
  std::vector<bool> angle_;  // angles of sines
};

}  // namespace

Raw fixed_operation(Op op, Raw a, FixedFormat fa, Raw b, FixedFormat fb, FixedFormat result) {
  if (op == Op::mul) {
    const int right = fa.fraction + fb.fraction - result.fraction;
    return result.held(fa.word + fb.word - std::min(right, 0) <= 128
                           ? rounded_shift(a * b, right)
                           : rounded_shift(exact_product(a, b), right));
  }
  const int finest = std::max(fa.fraction, fb.fraction), up_a = finest - fa.fraction,
            up_b = finest - fb.fraction, right = finest - result.fraction;
  auto sum = [&](auto x, auto y) {
    x = x << up_a;
    y = y << up_b;
    return result.held(rounded_shift(op == Op::add ? x + y : x - y, right));
  };
  const int longest = std::max(fa.word + up_a, fb.word + up_b) + 1 - std::min(right, 0);
  return longest <= 128 ? sum(a, b) : sum(Wide(a), Wide(b));
}

FixedGraph fixed_graph(const Graph& g, std::span<const Range> inputs, int word) {
  for (int integer = 3; integer <= 6; ++integer) {
    Analysis a(g, inputs, word, integer);
    FixedGraph f = a.done();
    if (a.widest < 0.999 * std::ldexp(1.0, integer)) return f;
  }
  throw Error(
      "an angle may exceed 64 rad, the range of an angle word; give the joints narrower limits");
}

std::vector<FixedFormat> FixedGraph::input_formats() const {
  std::vector<FixedFormat> all;
  for (const Named& in : graph.inputs()) all.push_back(format[in.id]);
  return all;
}
std::vector<FixedFormat> FixedGraph::output_formats() const {
  std::vector<FixedFormat> all;
  for (const Named& out : graph.outputs()) all.push_back(format[out.id]);
  return all;
}

std::vector<Raw> evaluate(const FixedGraph& f, std::span<const Raw> inputs) {
  std::vector<Raw> x(f.graph.size());
  for (Id id = 0; id < f.graph.size(); ++id) {
    const Node& n = f.graph[id];
    const Id a = n.in[0], b = n.in[1];
    switch (n.op) {
      case Op::constant: x[id] = f.constant[id]; break;
      case Op::input: x[id] = inputs[n.in[0]]; break;
      case Op::sin: x[id] = f.sin_cos(x[a]).sin; break;
      case Op::cos: x[id] = f.sin_cos(x[a]).cos; break;
      case Op::neg:
        x[id] = fixed_operation(Op::sub, 0, f.format[a], x[a], f.format[a], f.format[id]);
        break;
      default: x[id] = fixed_operation(n.op, x[a], f.format[a], x[b], f.format[b], f.format[id]);
    }
  }
  std::vector<Raw> out;
  for (const Named& o : f.graph.outputs()) out.push_back(x[o.id]);
  return out;
}

}  // namespace parid::hardware
