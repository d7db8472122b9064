#include "hardware/dynamics_hardware.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <random>

#include "base/text/spelling.hpp"
#include "graph/evaluate.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"
#include "scalar/quad.hpp"

namespace parid::hardware {

std::span<const Quantity> pipeline_quantities() {
  static constexpr Quantity all[] = {Quantity::inverse_kinematics,
                                     Quantity::inverse_dynamics,
                                     Quantity::bias,
                                     Quantity::gravity,
                                     Quantity::mass_matrix,
                                     Quantity::forward_dynamics,
                                     Quantity::inverse_mass_matrix,
                                     Quantity::coriolis_matrix,
                                     Quantity::coriolis_product,
                                     Quantity::inverse_gradient,
                                     Quantity::forward_gradient,
                                     Quantity::inverse_vector_product,
                                     Quantity::forward_vector_product,
                                     Quantity::inverse_jacobian_product,
                                     Quantity::forward_jacobian_product,
                                     Quantity::regressor,
                                     Quantity::energy,
                                     Quantity::energy_gradient,
                                     Quantity::centroidal_momentum_matrix,
                                     Quantity::centre_of_mass,
                                     Quantity::kinematics,
                                     Quantity::jacobian,
                                     Quantity::jacobian_local,
                                     Quantity::jacobian_world,
                                     Quantity::jacobian_rate_product,
                                     Quantity::computed_torque};
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
    const std::size_t digits = in.name.find_first_of("0123456789");
    const std::string kind = in.name.substr(0, digits);
    const std::size_t k = std::stoul(in.name.substr(digits)) - 1;
    const auto& limits = robot.limits();
    const auto symmetric = [&](double limit, double otherwise) {
      const double most = std::isfinite(limit) && limit > 0 ? limit : otherwise;
      all.push_back({-most, most});
    };
    if (kind == "q" || kind == "q_wanted")
      all.push_back({std::isfinite(limits[k].lower) ? limits[k].lower : -m.position,
                     std::isfinite(limits[k].upper) ? limits[k].upper : m.position});
    else if (kind == "v" || kind == "v_wanted")
      symmetric(limits[k].velocity, m.velocity);
    else if (kind == "a" || kind == "a_wanted")
      all.push_back({-m.acceleration, m.acceleration});
    else if (kind == "tau")
      symmetric(limits[k].effort, m.effort);
    else if (kind == "kp" || kind == "kd")
      all.push_back({0, m.gain});
    else  // weights and directions
      all.push_back({-1, 1});
  }
  return all;
}

namespace {

// The word, or its neighbour towards zero that is within the range.
Raw within(const FixedGraph& f, Id id, Raw word) {
  const Range& r = f.range[id];
  const Quad value = value_of(f, id, word);
  if (!(Quad(r.high) < value) && !(value < Quad(r.low))) return word;
  return f.floating || Quad(0) < value ? word - 1 : word + 1;
}

Raw drawn(const FixedGraph& f, Id id, std::mt19937_64& random) {
  const Range& r = f.range[id];
  const double x = std::uniform_real_distribution<>(r.low, r.high)(random);
  if (f.format[id].word <= 53) return within(f, id, nearest_word(f, id, Quad(x)));
  // A double leaves the last bits of a word zero; random bits fill them, within the range.
  const double more = std::uniform_real_distribution<>(0, 1e-13)(random);
  return within(
      f, id, nearest_word(f, id, Quad(x) + Quad(more) * (Quad(x < 0 ? r.high : r.low) - Quad(x))));
}

}  // namespace

std::vector<std::vector<Raw>> fixed_samples(const FixedGraph& f, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Raw>> all;
  for (int k = 0; k < count; ++k) {
    all.emplace_back();
    for (const Named& in : f.graph.inputs()) {
      all.back().push_back(drawn(f, in.id, random));
    }
  }
  return all;
}

std::vector<std::vector<Raw>> corner_samples(const FixedGraph& f, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Raw>> all;
  for (int k = 0; k < count; ++k) {
    all.emplace_back();
    for (const Named& in : f.graph.inputs()) {
      const Range& r = f.range[in.id];
      const auto end = random() % 8;
      const double x = end < 3 ? r.low : end < 6 ? r.high : 0;
      all.back().push_back(end < 7 && r.low <= x && x <= r.high
                               ? within(f, in.id, nearest_word(f, in.id, Quad(x)))
                               : drawn(f, in.id, random));
    }
  }
  return all;
}

FixedError fixed_error(const FixedGraph& f, int samples, unsigned seed) {
  return fixed_error(f, fixed_samples(f, samples, seed));
}

FixedError fixed_error(const FixedGraph& f, std::span<const std::vector<Raw>> samples) {
  const std::size_t n = f.graph.outputs().size();
  FixedGraph inner = f;
  inner.output_format.clear();
  FixedError e;
  e.full_scale.assign(n, 0);
  std::vector<double> worst(n, 0), inner_worst(n, 0);
  std::vector<Quad> x, right(n, Quad(0)), scratch(f.graph.size(), Quad(0));
  for (const auto& words : samples) {
    x.clear();
    for (std::size_t k = 0; k < words.size(); ++k)
      x.push_back(value_of(f, f.graph.inputs()[k].id, words[k]));
    evaluate<Quad>(f.graph, x, right, scratch);
    const auto got = evaluate(inner, words);
    for (std::size_t k = 0; k < n; ++k) {
      const Raw port = at_port(f, k, got[k]);
      e.full_scale[k] = std::max(e.full_scale[k], static_cast<double>(abs(right[k])));
      const auto off = [&](Quad value) { return static_cast<double>(abs(value - right[k])); };
      worst[k] = std::max(worst[k], off(port_value(f, k, port)));
      inner_worst[k] = std::max(inner_worst[k], off(port_value(inner, k, got[k])));
    }
  }
  raise_scales(f.graph, e.full_scale);
  if (!f.full_scale.empty()) e.full_scale = f.full_scale;
  for (std::size_t k = 0; k < n; ++k)
    if (e.full_scale[k] > 0) {
      e.measured = std::max(e.measured, worst[k] / e.full_scale[k]);
      e.bound = std::max(e.bound, f.output_error(k) / e.full_scale[k]);
      e.inner_measured = std::max(e.inner_measured, inner_worst[k] / e.full_scale[k]);
      e.inner_bound = std::max(e.inner_bound, inner.output_error(k) / e.full_scale[k]);
    }
  return e;
}

FixedGraph fixed_program(const Robot& robot, Quantity which, const MotionRanges& ranges,
                         const ErrorTarget& target, std::string& method,
                         const ProgramOptions& options) {
  const auto in_formats = [&](const ProgramOptions& o) {
    const Graph g = traced_program(robot, which, o);
    return fixed_graph(g, input_ranges(robot, g, ranges), target);
  };
  ProgramOptions o = options;
  const bool torques =
      which == Quantity::inverse_dynamics || which == Quantity::bias || which == Quantity::gravity;
  if (!method.empty() || !torques || robot.canonical().topology.free > 0) {
    if (!method.empty()) o.method = method;
    method = o.method;
    return in_formats(o);
  }
  // Factoring saves operations and hides rotations: bounds are larger, and so are words.
  ProgramOptions plain = options;
  plain.method = "newton_euler_link";
  plain.base_parameters = true;
  std::optional<FixedGraph> best;
  std::string reason;
  for (const ProgramOptions& one : {o, plain}) try {
      FixedGraph f = in_formats(one);
      if (best && product_bits(*best) <= product_bits(f)) continue;
      best = std::move(f);
      method = one.method;
    } catch (const Error& e) {
      reason = e.what();
    }
  if (!best) throw Error(reason);
  return std::move(*best);
}

}  // namespace parid::hardware
