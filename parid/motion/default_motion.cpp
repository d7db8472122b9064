#include "parid/motion/default_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "parid/model/coordinates.hpp"
#include "parid/model/following.hpp"

namespace parid {
namespace {

// Position, velocity and acceleration of a unit step in unit time that starts and ends at rest and has
// the least jerk: 10s³ − 15s⁴ + 6s⁵.
struct Step {
  double x, v, a;
};
Step minimum_jerk(double s) {
  return {s * s * s * (10 + s * (6 * s - 15)), 30 * s * s * (1 + s * (s - 2)),
          60 * s * (1 + s * (2 * s - 3))};
}
constexpr double fastest = 1.875;  // of the step, at s = 1/2

constexpr double longest = 3600;  // seconds; slower joints go less far

struct Range {
  double from, to;
};
Range span_of(JointType type, const Limits& limits) {
  const double reach = type == JointType::prismatic ? 0.5 : std::numbers::pi / 2;
  double low = std::max(limits.lower, -1e6), high = std::max(low, std::min(limits.upper, 1e6));
  const double middle = std::isfinite(limits.lower) && std::isfinite(limits.upper)
                            ? (low + high) / 2
                            : std::clamp(0.0, low, high);
  low = std::max(low, middle - reach), high = std::min(high, middle + reach);
  const double from = low + (high - low) / 4,
               way = std::min((high - low) / 2, longest / fastest * limits.velocity);
  return {from, from + way};
}

}  // namespace

Trajectory default_motion(const Robot& robot, std::size_t samples) {
  const auto& joints = robot.description().joints;
  const std::vector<Limits> limits = shared_limits(robot.description());
  std::vector<Range> span(joints.size());
  double duration = 2;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (joints[k].mimic || position_count(joints[k].type) != 1) continue;
    span[k] = span_of(joints[k].type, limits[k]);
    if (span[k].to > span[k].from)
      duration = std::max(duration, fastest * (span[k].to - span[k].from) / limits[k].velocity);
  }

  Trajectory m;
  m.rows = samples;
  name_torques(robot, m);
  for (std::size_t r = 0; r < samples; ++r) {
    const double s = samples > 1 ? static_cast<double>(r) / static_cast<double>(samples - 1) : 0;
    auto [x, v, a] = minimum_jerk(s);
    v /= duration, a /= duration * duration;
    m.t.push_back(s * duration);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const JointDescription& j = joints[k];
      auto put = [&](std::vector<double>& to, std::initializer_list<double> values) {
        to.insert(to.end(), values);
      };
      if (j.mimic) continue;
      // Turning about z by 0.5 rad and rising along it: body and world axes z are the same.
      const double turn = 0.5, rise = 0.1, half = turn * x / 2;
      switch (j.type) {
        case JointType::fixed: break;
        case JointType::planar:
          put(m.q, {rise * x, -rise * x, turn * x}), put(m.v, {rise * v, -rise * v, turn * v}),
              put(m.a, {rise * a, -rise * a, turn * a});
          break;
        case JointType::spherical:
          put(m.q, {0, 0, std::sin(half), std::cos(half)}), put(m.v, {0, 0, turn * v}),
              put(m.a, {0, 0, turn * a});
          break;
        case JointType::floating:
          put(m.q, {0, 0, rise * x, 0, 0, std::sin(half), std::cos(half)});
          put(m.v, {0, 0, rise * v, 0, 0, turn * v}), put(m.a, {0, 0, rise * a, 0, 0, turn * a});
          break;
        default: {
          const auto [from, to] = span[k];
          put(m.q, {from + (to - from) * x}), put(m.v, {(to - from) * v}),
              put(m.a, {(to - from) * a});
        }
      }
    }
  }
  return m;
}

}  // namespace parid
