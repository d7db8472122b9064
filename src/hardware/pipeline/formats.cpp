#include "hardware/pipeline/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "graph/evaluate.hpp"
#include "parid/error.hpp"

namespace parid::hardware {

int integer_bits(double size) {
  size *= 1 + 1e-12;  // ranges are doubles; words may be finer
  return size > 0 ? std::ilogb(size) + 1 : -longest_word;
}

FixedFormat holding(double size, int word) {
  const int integer = std::max(integer_bits(size), -word);  // smaller gains nothing
  FixedFormat f{word, word - 1 - integer};
  if (size * (1 + 1e-12) + 2 * f.ulp() >= std::ldexp(1.0, integer)) --f.fraction;  // for rounding
  return f;
}

std::vector<bool> angles_of(const Graph& g) {
  std::vector<bool> angle(g.size(), false);
  for (const Node& n : g.nodes())
    if (n.op == Op::sin || n.op == Op::cos) angle[n.in[0]] = true;
  return angle;
}

int angle_bits(const Graph& g, std::span<const Range> range) {
  double widest = 0;
  const std::vector<bool> angle = angles_of(g);
  for (Id id = 0; id < g.size(); ++id)
    if (angle[id]) widest = std::max(widest, range[id].size());
  for (int integer = 3; integer <= 6; ++integer)
    if (widest < 0.999 * std::ldexp(1.0, integer)) return integer;
  throw Error(
      "an angle may exceed 64 rad, the range of an angle word; give the joints narrower limits");
}

double rounding_error(const FixedGraph& f, Id id) {
  const Node& n = f.graph[id];
  const FixedFormat& format = f.format[id];
  const int a = n.in[0] < id ? f.format[n.in[0]].fraction : 0,
            b = n.in[1] < id ? f.format[n.in[1]].fraction : 0;
  switch (n.op) {
    case Op::constant: return std::abs(format.value(f.constant[id]) - n.value());
    case Op::input: return 0;
    case Op::sin:
    case Op::cos: return 1.5 * format.ulp();
    case Op::neg: return format.fraction >= a ? 0 : format.ulp() / 2;
    case Op::add:
    case Op::sub: return format.fraction >= std::max(a, b) ? 0 : format.ulp() / 2;
    case Op::div: return format.ulp() / 2;
    default: return format.fraction >= a + b ? 0 : format.ulp() / 2;
  }
}

namespace {

// a · 2^up / b to the nearest word, halves away from zero. One bit at a time: a · 2^up may be
// longer than any integer.
Raw quotient(Raw a, Raw b, int up, FixedFormat result) {
  const bool minus = b == 0 ? a < 0 : (a < 0) != (b < 0);
  const Raw end = minus ? -result.largest() - 1 : result.largest();
  if (b == 0 || up < 0) return end;
  const RawBits divisor = magnitude(b);
  RawBits q = magnitude(a) / divisor, rest = magnitude(a) % divisor;
  for (int k = 0; k <= up; ++k) {
    if (q >> (result.word + 1) != 0) return end;
    rest <<= 1;
    q <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      q |= 1;
    }
  }
  const RawBits size = (q + 1) >> 1;
  return result.held(minus ? -static_cast<Raw>(size) : static_cast<Raw>(size));
}

}  // namespace

Raw fixed_operation(Op op, Raw a, FixedFormat fa, Raw b, FixedFormat fb, FixedFormat result) {
  if (op == Op::mul) {
    const int right = fa.fraction + fb.fraction - result.fraction;
    return result.held(fa.word + fb.word - std::min(right, 0) <= 128
                           ? rounded_shift(a * b, right)
                           : rounded_shift(exact_product(a, b), right));
  }
  if (op == Op::div) return quotient(a, b, result.fraction - fa.fraction + fb.fraction, result);
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

namespace {

void require_units(const Graph& g) {
  for (const Node& n : g.nodes()) switch (n.op) {
      case Op::sqrt:
      case Op::abs:
      case Op::atan2:
      case Op::less:
      case Op::select:
        throw Error(
            fmt::format("'{}' has no hardware unit; choose a quantity without it", row(n.op).name));
      default: break;
    }
}

// The bounds, if there is a proof; else the ranges alone.
struct Bounds {
  std::optional<SetBounds> sets;
  std::vector<Range> range;

  Bounds(const Graph& g, std::span<const Range> inputs) {
    require_units(g);
    if (has_proof(g)) sets.emplace(g, inputs);
    range = sets ? sets->ranges() : measured_ranges(g, inputs);
  }
  double brought(Id id) const { return sets ? sets->brought(id) : 0; }
  double error(Id id, double rounding) {
    if (!sets) return INFINITY;
    sets->round(id, rounding);
    return sets->error(id);
  }
};

}  // namespace

bool has_proof(const Graph& g) {
  return std::none_of(g.nodes().begin(), g.nodes().end(),
                      [](const Node& n) { return n.op == Op::div; });
}

std::vector<std::vector<double>> random_inputs(std::span<const Range> ranges, int count,
                                               unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> all;
  for (int k = 0; k < count; ++k) {
    all.emplace_back();
    for (const Range& r : ranges)
      all.back().push_back(std::uniform_real_distribution<>(r.low, r.high)(random));
  }
  return all;
}

std::vector<Range> measured_ranges(const Graph& g, std::span<const Range> inputs) {
  std::vector<Range> range(g.size());
  std::vector<double> x(g.size()), out(g.outputs().size());
  for (const auto& in : random_inputs(inputs, 4000, 21)) {
    evaluate<double>(g, in, out, x);
    for (Id id = 0; id < g.size(); ++id) {
      range[id].low = std::min(range[id].low, 2 * x[id]);
      range[id].high = std::max(range[id].high, 2 * x[id]);
    }
  }
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.op == Op::input) range[id] = inputs[n.in[0]];
    if (n.op == Op::constant) range[id] = {n.value(), n.value()};
    if (n.op == Op::sin || n.op == Op::cos) range[id] = {-1, 1};
  }
  return range;
}

FixedGraph fixed_graph(const Graph& g, std::span<const Range> inputs, int word) {
  Bounds bounds(g, inputs);
  FixedGraph f{g, word, {word}, bounds.range, {}, {}, {}};
  f.proven = bounds.sets.has_value();
  f.sin_cos.integer = angle_bits(g, f.range);
  f.format.resize(g.size());
  f.error.assign(g.size(), 0);
  f.constant.assign(g.size(), 0);
  const std::vector<bool> angle = angles_of(g);
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    FixedFormat& format = f.format[id];
    format = angle[id] ? f.sin_cos.angle()
             : n.op == Op::sin || n.op == Op::cos
                 ? f.sin_cos.result()
                 : holding(f.range[id].size() + bounds.brought(id), word);
    if (n.op == Op::div) format = divided_format(f, id);
    if (n.op == Op::constant) f.constant[id] = format.raw(n.value());
    f.error[id] = bounds.error(id, rounding_error(f, id));
  }
  return f;
}

FixedFormat divided_format(const FixedGraph& f, Id id) {
  FixedFormat format = f.format[id];
  const Node& n = f.graph[id];
  format.fraction =
      std::max(format.fraction, f.format[n.in[0]].fraction - f.format[n.in[1]].fraction);
  return format;
}

FixedGraph float_graph(const Graph& g, std::span<const Range> inputs, FloatFormat number) {
  const FloatFormat checked = float_format(number.exponent, number.mantissa);
  Bounds bounds(g, inputs);
  FixedGraph f{g,
               checked.word(),
               {std::clamp(checked.mantissa + 6, shortest_word, longest_word)},
               bounds.range,
               {},
               {},
               {}};
  f.proven = bounds.sets.has_value();
  f.floating = checked;
  f.sin_cos.integer = angle_bits(g, f.range);
  f.format.assign(g.size(), {checked.word(), 0});
  f.error.assign(g.size(), 0);
  f.constant.assign(g.size(), 0);
  const double relative = checked.half_ulp(), least = checked.smallest();
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    const double size = f.range[id].size() + bounds.brought(id);
    if (size * (1 + 2 * relative) >= checked.largest())
      throw Error(
          fmt::format("a value of up to {:.2g} exceeds the largest number, {:.2g}, of {} "
                      "exponent bits; give more",
                      size, checked.largest(), checked.exponent));
    double rounding = size * relative * (1 + 0x1p-50) + least;
    if (n.op == Op::input || n.op == Op::neg) rounding = 0;
    if (n.op == Op::constant) {
      f.constant[id] = checked.raw(Quad(n.value()));
      rounding = std::abs(n.value()) * relative + least;
    }
    if (n.op == Op::sin || n.op == Op::cos)  // the angle's word, the rotations, the result's word
      rounding = f.sin_cos.angle().ulp() + 1.5 * f.sin_cos.result().ulp() + 2 * relative + least;
    f.error[id] = bounds.error(id, rounding);
  }
  return f;
}

Quad value_of(const FixedGraph& f, Id id, Raw word) {
  return f.floating ? f.floating->value(word) : Quad::of(f.format[id], word);
}
Raw nearest_word(const FixedGraph& f, Id id, Quad value) {
  return f.floating ? f.floating->raw(value) : word_of(f.format[id], value);
}
Quad port_value(const FixedGraph& f, std::size_t k, Raw word) {
  return f.floating ? f.floating->value(word) : Quad::of(f.output_formats()[k], word);
}

std::vector<FixedFormat> FixedGraph::input_formats() const {
  std::vector<FixedFormat> all;
  for (const Named& in : graph.inputs()) all.push_back(format[in.id]);
  return all;
}
std::vector<FixedFormat> FixedGraph::output_formats() const {
  std::vector<FixedFormat> all;
  if (!output_format.empty()) return output_format;
  for (const Named& out : graph.outputs()) all.push_back(format[out.id]);
  return all;
}
double FixedGraph::output_error(std::size_t k) const {
  const Id id = graph.outputs()[k].id;
  if (output_format.empty() || output_format[k].fraction >= format[id].fraction) return error[id];
  return (error[id] + output_format[k].ulp() / 2) * (1 + 0x1p-50);
}

Raw at_port(const FixedGraph& f, std::size_t k, Raw value) {
  if (f.output_format.empty() || f.floating) return value;
  const int right = f.format[f.graph.outputs()[k].id].fraction - f.output_format[k].fraction;
  return f.output_format[k].held(rounded_shift(value, right));
}

Raw operation(const FixedGraph& f, Id id, Raw a, Raw b) {
  const Node& n = f.graph[id];
  if (n.op == Op::sin || n.op == Op::cos) {
    const Raw angle = f.floating ? fixed_of_float(*f.floating, a, f.sin_cos.angle()) : a;
    const auto v = f.sin_cos(angle);
    const Raw word = n.op == Op::sin ? v.sin : v.cos;
    return f.floating ? float_of_fixed(f.sin_cos.result(), word, *f.floating) : word;
  }
  if (f.floating) switch (n.op) {
      case Op::neg: return float_negative(*f.floating, a);
      case Op::mul: return float_product(*f.floating, a, b);
      case Op::div: return float_quotient(*f.floating, a, b);
      default: return float_sum(*f.floating, a, b, n.op == Op::sub);
    }
  const FixedFormat fa = f.format[n.in[0]];
  if (n.op == Op::neg) return fixed_operation(Op::sub, 0, fa, a, fa, f.format[id]);
  return fixed_operation(n.op, a, fa, b, f.format[n.in[1]], f.format[id]);
}

std::vector<Raw> evaluate(const FixedGraph& f, std::span<const Raw> inputs) {
  const std::vector<Raw> x = evaluate_nodes(f, inputs);
  std::vector<Raw> out;
  for (std::size_t k = 0; k < f.graph.outputs().size(); ++k)
    out.push_back(at_port(f, k, x[f.graph.outputs()[k].id]));
  return out;
}

std::vector<Raw> evaluate_nodes(const FixedGraph& f, std::span<const Raw> inputs) {
  std::vector<Raw> x(f.graph.size());
  for (Id id = 0; id < f.graph.size(); ++id) {
    const Node& n = f.graph[id];
    x[id] = n.op == Op::constant ? f.constant[id]
            : n.op == Op::input
                ? inputs[n.in[0]]
                : operation(f, id, x[n.in[0]], row(n.op).arity > 1 ? x[n.in[1]] : 0);
  }
  return x;
}

}  // namespace parid::hardware
