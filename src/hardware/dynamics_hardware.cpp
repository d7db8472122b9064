#include "hardware/dynamics_hardware.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>

#include "base/text/spelling.hpp"
#include "graph/evaluate.hpp"
#include "parid/error.hpp"
#include "scalar/quad.hpp"

namespace parid::hardware {

std::span<const Quantity> pipeline_quantities() {
  static constexpr Quantity all[] = {Quantity::inverse_kinematics, Quantity::inverse_dynamics,
                                     Quantity::bias, Quantity::gravity, Quantity::mass_matrix};
  return all;
}

Quantity pipeline_quantity(std::string_view name) {
  for (const Quantity one : pipeline_quantities())
    if (name == parid::name(one)) return one;
  std::vector<std::string> known = names(pipeline_quantities());
  known.emplace_back("controller");  // controller/controller_core.hpp
  throw Error(fmt::format("no hardware for '{}'; {}choose from {}", name, did_you_mean(name, known),
                          fmt::join(known, ", ")));
}

std::vector<Range> input_ranges(const Robot& robot, const Graph& g, const MotionRanges& m) {
  if (robot.nq() != robot.nv())
    throw Error(
        fmt::format("robot '{}' has joints with several degrees of freedom; hardware supports "
                    "revolute and prismatic joints on a fixed base",
                    robot.name()));
  std::vector<Range> all;
  for (const Named& in : g.inputs()) {
    const char kind = in.name.front();
    const int k = std::stoi(in.name.substr(1)) - 1;
    const Robot::Limit& limit = robot.limits()[k];
    if (kind == 'q') {
      all.push_back({std::isfinite(limit.lower) ? limit.lower : -m.position,
                     std::isfinite(limit.upper) ? limit.upper : m.position});
    } else {
      const double most = kind == 'v'
                              ? (std::isfinite(limit.velocity) ? limit.velocity : m.velocity)
                              : m.acceleration;
      all.push_back({-most, most});
    }
  }
  return all;
}

namespace {

Raw drawn(const Range& r, FixedFormat f, std::mt19937_64& random) {
  const double x = std::uniform_real_distribution<>(r.low, r.high)(random);
  if (f.word <= 53) return f.raw(x);
  // A double leaves the last bits of a word zero; random bits fill them, within the range.
  const double more = std::uniform_real_distribution<>(0, 1e-13)(random);
  return word_of(f, Quad(x) + Quad(more) * (Quad(x < 0 ? r.high : r.low) - Quad(x)));
}

}  // namespace

std::vector<std::vector<Raw>> fixed_samples(const FixedGraph& f, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Raw>> all;
  for (int k = 0; k < count; ++k) {
    all.emplace_back();
    for (const Named& in : f.graph.inputs()) {
      all.back().push_back(drawn(f.range[in.id], f.format[in.id], random));
    }
  }
  return all;
}

FixedError fixed_error(const FixedGraph& f, int samples, unsigned seed) {
  const std::size_t n = f.graph.outputs().size();
  const auto in = f.input_formats(), out = f.output_formats();
  FixedError e;
  e.full_scale.assign(n, 0);
  std::vector<double> worst(n, 0);
  for (const auto& words : fixed_samples(f, samples, seed)) {
    std::vector<Quad> x;
    for (std::size_t k = 0; k < words.size(); ++k) x.push_back(Quad::of(in[k], words[k]));
    const auto right = evaluate<Quad>(f.graph, x);
    const auto got = evaluate(f, words);
    for (std::size_t k = 0; k < n; ++k) {
      e.full_scale[k] = std::max(e.full_scale[k], static_cast<double>(abs(right[k])));
      worst[k] = std::max(worst[k], static_cast<double>(abs(Quad::of(out[k], got[k]) - right[k])));
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    if (e.full_scale[k] > 0) {
      e.measured = std::max(e.measured, worst[k] / e.full_scale[k]);
      e.bound = std::max(e.bound, f.error[f.graph.outputs()[k].id] / e.full_scale[k]);
    }
  return e;
}

}  // namespace parid::hardware
