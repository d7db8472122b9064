#include "hardware/pipeline/word_lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "graph/evaluate.hpp"
#include "parid/error.hpp"

namespace parid::hardware {
namespace {

// The largest derivative of any output, as a fraction of its full scale, by each value: over some
// random inputs, by one reverse sweep per output. A second sweep adds magnitudes: where paths
// cancel the derivative is small, and a bound does not see that, so such values keep a thousandth
// of it.
std::vector<double> sensitivities(const Graph& g, std::span<const Range> inputs,
                                  std::span<const double> full_scale) {
  constexpr double of_magnitudes = 0x1p-10;
  std::vector<double> most(g.size(), 0), x(g.size()), slope(g.size()), size(g.size()),
      out(g.outputs().size());
  for (const auto& in : random_inputs(inputs, 40, 11)) {
    evaluate<double>(g, in, out, x);
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (full_scale[k] == 0) continue;
      const Id from = g.outputs()[k].id;
      std::fill(slope.begin(), slope.end(), 0);
      std::fill(size.begin(), size.end(), 0);
      slope[from] = size[from] = 1 / full_scale[k];
      for (Id id = from + 1; id-- > 0;) {
        const double s = slope[id], m = size[id];
        if (m == 0) continue;
        most[id] = std::max({most[id], std::abs(s), m * of_magnitudes});
        const Node& n = g[id];
        const Id a = n.in[0], b = n.in[1];
        const auto add = [&](Id to, double by) {
          slope[to] += s * by;
          size[to] += m * std::abs(by);
        };
        switch (n.op) {
          case Op::add:
          case Op::sub:
            add(a, 1);
            add(b, n.op == Op::add ? 1 : -1);
            break;
          case Op::mul:
            add(a, x[b]);
            add(b, x[a]);
            break;
          case Op::div:
            add(a, 1 / x[b]);
            add(b, -x[id] / x[b]);
            break;
          case Op::neg: add(a, -1); break;
          case Op::sin: add(a, std::cos(x[a])); break;
          case Op::cos: add(a, -std::sin(x[a])); break;
          default: break;
        }
      }
    }
  }
  return most;
}

// The fewest fraction bits, at most `most`, that hold a number exactly.
int exact_fraction(double value, int most) {
  int fraction = most;
  while (fraction > -longest_word &&
         std::ldexp(value, fraction - 1) == std::nearbyint(std::ldexp(value, fraction - 1)))
    --fraction;
  return fraction;
}

class WordLengths {
 public:
  WordLengths(const Graph& g, std::span<const Range> inputs, const ErrorTarget& target)
      : target_(target), angle_(angles_of(g)), f_{g, 0, {target.longest}, {}, {}, {}, {}} {
    f_.proven = has_proof(g);
    if (f_.proven) bounds_.emplace(g, inputs);
    f_.range = f_.proven ? bounds_->ranges() : measured_ranges(g, inputs);
    f_.full_scale = full_scales(g, inputs);
    f_.sin_cos.integer = angle_bits(g, f_.range);
    sensitivity_ = sensitivities(g, inputs, f_.full_scale);
    for (std::size_t k = 0; k < g.outputs().size(); ++k) {
      const double full = f_.full_scale[k];
      const int fraction = full > 0 ? -std::ilogb(target.max_error * full) : 0;
      f_.output_format.push_back({0, fraction});
    }
  }

  FixedGraph chosen() {
    double fineness = 2 - std::log2(target_.max_error);
    // The bound halves with every bit; the second step is nearly the last.
    constexpr double margin = 0.05;
    double last = INFINITY;
    bool coarser = true;  // the first guess may be too fine
    for (int step = 0; step < 60; ++step) {
      const double bound = bound_at(fineness);
      if (bound <= 1) {
        const double spare = bound > 0 ? -std::log2(bound) : 0;
        if (coarser && spare > 0.3 && step < 6) {
          fineness -= spare - margin;
          continue;
        }
        set_outputs();
        return std::move(f_);
      }
      coarser = coarser && step < 2;
      if (limited_ && bound >= last * 0.999) break;
      last = bound;
      fineness += std::max(margin, std::log2(bound) + margin);
    }
    throw Error(fmt::format(
        "an error of {:.2g} of full scale needs words longer than {} bits: with them the error is "
        "up to {:.2g}; allow longer words or a larger error, or use floating-point units",
        target_.max_error, target_.longest, last * target_.max_error));
  }

 private:
  // Chooses the formats and returns the largest error of an output port as a share of the target.
  double bound_at(double fineness) {
    const Graph& g = f_.graph;
    limited_ = false;
    auto needed = [&](Id id, int more = 0) {
      const double s = sensitivity_[id];
      return s > 0 ? static_cast<int>(std::ceil(std::log2(s) + fineness)) + more
                   : -integer_bits(f_.range[id].size());
    };
    int sine_word = shortest_word;
    for (Id id = 0; id < g.size(); ++id) {
      const Op op = g[id].op;
      if (op == Op::sin || op == Op::cos) sine_word = std::max(sine_word, needed(id, 2) + 2);
      if (angle_[id]) sine_word = std::max(sine_word, needed(id) + 1 + f_.sin_cos.integer);
    }
    const int integer = f_.sin_cos.integer;
    f_.sin_cos = FixedSinCos{limit(sine_word)};
    f_.sin_cos.integer = integer;
    f_.word = f_.sin_cos.word;
    f_.format.assign(g.size(), {});
    f_.error.assign(g.size(), 0);
    f_.constant.assign(g.size(), 0);
    if (bounds_) bounds_->restart();
    bool sine = false;
    for (Id id = 0; id < g.size(); ++id) {
      const Node& n = g[id];
      FixedFormat& format = f_.format[id];
      const auto fraction_of = [&](int operand) { return f_.format[n.in[operand]].fraction; };
      if (angle_[id]) {
        format = f_.sin_cos.angle();
        sine = true;
      } else if (n.op == Op::sin || n.op == Op::cos) {
        format = f_.sin_cos.result();
      } else {
        int fraction = needed(id);
        // Adders are small: their results keep two bits more, and no more than their operands have.
        if (n.op == Op::add || n.op == Op::sub)
          fraction = std::min(fraction + 2, std::max(fraction_of(0), fraction_of(1)));
        if (n.op == Op::neg) fraction = fraction_of(0);
        if (n.op == Op::mul) fraction = std::min(fraction, fraction_of(0) + fraction_of(1));
        if (n.op == Op::constant) fraction = exact_fraction(n.value(), fraction + 2);
        const double brought = bounds_ ? bounds_->brought(id) : 0;
        format = holding_with(f_.range[id].size() + brought, fraction);
        if (n.op == Op::div) format = divided_format(f_, id);
      }
      if (n.op == Op::constant) f_.constant[id] = format.raw(n.value());
      if (bounds_) bounds_->round(id, rounding_error(f_, id));
      f_.error[id] = bounds_ ? bounds_->error(id) : INFINITY;
      if (!angle_[id] && n.op != Op::sin && n.op != Op::cos)
        f_.word = std::max(f_.word, format.word);
    }
    if (!sine) {
      f_.word = shortest_word;
      for (Id id = 0; id < g.size(); ++id) f_.word = std::max(f_.word, f_.format[id].word);
    }
    if (!bounds_) return measured();
    double worst = 0;
    for (std::size_t k = 0; k < g.outputs().size(); ++k)
      if (f_.full_scale[k] > 0)
        worst = std::max(worst, f_.output_error(k) / (target_.max_error * f_.full_scale[k]));
    return worst;
  }

  // Twice the largest error of an output over random inputs, as a share of the target.
  double measured() {
    const Graph& g = f_.graph;
    double worst = 0;
    std::vector<Range> ranges;
    for (const Named& in : g.inputs()) ranges.push_back(f_.range[in.id]);
    for (const auto& in : random_inputs(ranges, 300, 31)) {
      std::vector<Raw> words;
      std::vector<Quad> x;
      for (std::size_t k = 0; k < in.size(); ++k) {
        words.push_back(nearest_word(f_, g.inputs()[k].id, Quad(in[k])));
        x.push_back(value_of(f_, g.inputs()[k].id, words.back()));
      }
      const auto right = graph::evaluate<Quad>(g, x);
      const auto got = evaluate_nodes(f_, words);
      for (std::size_t k = 0; k < right.size(); ++k) {
        if (f_.full_scale[k] == 0) continue;
        const Id id = g.outputs()[k].id;
        const double rounding = std::max(0.0, f_.output_format[k].ulp() - f_.format[id].ulp()) / 2,
                     off = static_cast<double>(abs(value_of(f_, id, got[id]) - right[k]));
        worst = std::max(worst, (2 * off + rounding) / (target_.max_error * f_.full_scale[k]));
      }
    }
    return worst;
  }

  int limit(int word) {
    if (word <= target_.longest) return word;
    limited_ = true;
    return target_.longest;
  }

  // The shortest word with that many fraction bits that holds values of that size and a rounding.
  FixedFormat holding_with(double size, int fraction) {
    constexpr int shortest = 2;
    const double room = size * (1 + 1e-12) + 2 * std::ldexp(1.0, -fraction);
    const int integer = std::max(integer_bits(room), shortest - 1 - fraction);
    const int word = limit(1 + integer + fraction);
    return {word, word - 1 - integer};
  }

  // Ports as long as the values that they hold.
  void set_outputs() {
    for (std::size_t k = 0; k < f_.output_format.size(); ++k) {
      const Id id = f_.graph.outputs()[k].id;
      FixedFormat& port = f_.output_format[k];
      if (f_.full_scale[k] == 0 || port.fraction >= f_.format[id].fraction) {
        port = f_.format[id];
        continue;
      }
      const double size = f_.range[id].size() + (bounds_ ? f_.output_error(k) : port.ulp());
      port = holding_with(size, port.fraction);
    }
  }

  ErrorTarget target_;
  std::optional<SetBounds> bounds_;  // none: nothing is proven
  std::vector<bool> angle_;
  FixedGraph f_;
  std::vector<double> sensitivity_;
  bool limited_ = false;
};

}  // namespace

std::vector<double> full_scales(const Graph& g, std::span<const Range> inputs) {
  std::vector<double> most(g.outputs().size(), 0), out(most.size()), scratch(g.size());
  for (const auto& in : random_inputs(inputs, 2000, 1)) {
    evaluate<double>(g, in, out, scratch);
    for (std::size_t k = 0; k < out.size(); ++k) most[k] = std::max(most[k], std::abs(out[k]));
  }
  raise_scales(g, most);
  return most;
}

void raise_scales(const Graph& g, std::span<double> scales) {
  constexpr double least = 1e-6;
  const auto array = [&](std::size_t k) {
    const std::string& name = g.outputs()[k].name;
    return name.substr(0, name.find_first_of("0123456789"));
  };
  std::map<std::string, double> largest;
  for (std::size_t k = 0; k < scales.size(); ++k)
    largest[array(k)] = std::max(largest[array(k)], scales[k]);
  for (std::size_t k = 0; k < scales.size(); ++k)
    if (scales[k] > 0 && scales[k] < least * largest[array(k)]) scales[k] = largest[array(k)];
}

FixedGraph fixed_graph(const Graph& g, std::span<const Range> inputs, const ErrorTarget& target) {
  if (!(target.max_error > 0 && target.max_error < 1))
    throw Error(fmt::format("max_error: {} is not between 0 and 1, a fraction of full scale",
                            target.max_error));
  return WordLengths(g, inputs, target).chosen();
}

long product_bits(const FixedGraph& f) {
  long bits = 0;
  for (Id id = 0; id < f.graph.size(); ++id)
    if (const Node& n = f.graph[id]; n.op == Op::mul)
      bits += long{f.format[n.in[0]].word} * f.format[n.in[1]].word;
  return bits;
}

WordCounts word_counts(const FixedGraph& f) {
  WordCounts w{longest_word + 1, 0, 0, product_bits(f)};
  for (const FixedFormat& format : f.format) {
    w.shortest = std::min(w.shortest, format.word);
    w.longest = std::max(w.longest, format.word);
    w.mean += format.word;
  }
  w.mean /= static_cast<double>(f.format.size());
  return w;
}

}  // namespace parid::hardware
