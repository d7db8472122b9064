#include "parid/motion/default_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "parid/model/coordinates.hpp"

namespace parid {
namespace {

// Position, velocity and acceleration of a unit step in unit time that starts and ends at rest and has
// the least jerk: 10s³ − 15s⁴ + 6s⁵.
struct Step {
  double x, v, a;
};
Step minimum_jerk(double s) {
  return {s * s * s * (10 + s * (6 * s - 15)), 30 * s * s * (1 + s * (s - 2)), 60 * s * (1 + s * (2 * s - 3))};
}
constexpr double fastest = 1.875;  // of the step, at s = 1/2

struct Range {
  double from, to;
};
Range span_of(const JointDescription& j) {
  const double reach = j.type == JointType::prismatic ? 0.5 : std::numbers::pi / 2;
  double low = std::max(j.limits.lower, -1e6), high = std::min(j.limits.upper, 1e6);
  const double middle = std::isfinite(j.limits.lower) && std::isfinite(j.limits.upper) ? (low + high) / 2 : std::clamp(0.0, low, high);
  low = std::max(low, middle - reach), high = std::min(high, middle + reach);
  return {low + (high - low) / 4, high - (high - low) / 4};
}

}  // namespace

Trajectory default_motion(const Robot& robot, std::size_t samples) {
  const auto& joints = robot.description().joints;
  double duration = 2;
  for (const JointDescription& j : joints)
    if (!j.mimic && position_count(j.type) == 1 && j.limits.velocity > 0)
      duration = std::max(duration, fastest * std::abs(span_of(j).to - span_of(j).from) / j.limits.velocity);
  duration = std::min(duration, 3600.0);

  Trajectory m;
  m.rows = samples;
  name_torques(robot, m);
  for (std::size_t r = 0; r < samples; ++r) {
    const double s = samples > 1 ? static_cast<double>(r) / static_cast<double>(samples - 1) : 0;
    auto [x, v, a] = minimum_jerk(s);
    v /= duration, a /= duration * duration;
    m.t.push_back(s * duration);
    for (const JointDescription& j : joints) {
      auto put = [&](std::vector<double>& to, std::initializer_list<double> values) { to.insert(to.end(), values); };
      if (j.mimic) continue;
      // Turning about z by 0.5 rad and rising along it: body and world axes z are the same.
      const double turn = 0.5, rise = 0.1, half = turn * x / 2;
      switch (j.type) {
        case JointType::fixed: break;
        case JointType::planar:
          put(m.q, {rise * x, -rise * x, turn * x}), put(m.v, {rise * v, -rise * v, turn * v}), put(m.a, {rise * a, -rise * a, turn * a});
          break;
        case JointType::spherical:
          put(m.q, {0, 0, std::sin(half), std::cos(half)}), put(m.v, {0, 0, turn * v}), put(m.a, {0, 0, turn * a});
          break;
        case JointType::floating:
          put(m.q, {0, 0, rise * x, 0, 0, std::sin(half), std::cos(half)});
          put(m.v, {0, 0, rise * v, 0, 0, turn * v}), put(m.a, {0, 0, rise * a, 0, 0, turn * a});
          break;
        default: {
          const auto [from, to] = span_of(j);
          put(m.q, {from + (to - from) * x}), put(m.v, {(to - from) * v}), put(m.a, {(to - from) * a});
        }
      }
    }
  }
  return m;
}

}  // namespace parid
