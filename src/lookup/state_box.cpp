#include "lookup/state_box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "model/canonical_model.hpp"
#include "parid/error.hpp"

namespace parid::lookup {
namespace {

constexpr double turn = 2 * std::numbers::pi;

Axis positions(const Robot::Limit& limit, bool turns, bool wraps) {
  const double reach = turns ? turn / 2 : 1;
  Axis axis{limit.lower, limit.upper};
  const bool low = std::isfinite(axis.low), high = std::isfinite(axis.high);
  if (!low) axis.low = high ? axis.high - 2 * reach : -reach;
  if (!high) axis.high = low ? axis.low + 2 * reach : reach;
  if (wraps && ((!low && !high) || axis.high - axis.low >= turn))
    return {-turn / 2, turn / 2, 1, true};
  return axis;
}

}  // namespace

StateBox state_box(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  if (c.topology.free > 0)
    throw Error(robot.name() +
                ": tables and truncated sums support revolute and prismatic joints, and this robot "
                "has other joints; choose an exact method");
  if (c.has_coupling())
    throw Error(robot.name() +
                ": tables and truncated sums support mimic joints with a constant multiplier, and "
                "this robot has a polynomial or a four-bar linkage; choose an exact method");
  if (c.nv == 0)
    throw Error(robot.name() +
                ": the robot has no moving joint, so there is no torque to approximate");
  StateBox box;
  for (int k = 0; k < c.nv; ++k) {
    // A mimic joint with another ratio does not return to its position after one turn.
    bool turns = true, wraps = true;
    for (int i = 1; i <= c.topology.n; ++i) {
      if (c.joint[i].velocity != k || c.joint[i].is_rotor) continue;
      const bool revolute = c.topology.kind[i] == JointKind::revolute;
      turns = turns && revolute;
      wraps = wraps && revolute && std::abs(c.joint[i].scale) == 1;
    }
    const Robot::Limit& limit = robot.limits()[k];
    box.q.push_back(positions(limit, turns, wraps));
    box.v.push_back(std::isfinite(limit.velocity) && limit.velocity > 0 ? limit.velocity
                                                                        : (turns ? 3 : 1));
    box.a.push_back(4 * box.v.back());
  }
  return box;
}

States random_states(const StateBox& box, std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  // Distributions of the standard library differ between implementations; this one does not.
  auto uniform = [&](double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(rng() >> 11);
  };
  States s{rows, {}, {}, {}};
  for (std::vector<double>* x : {&s.q, &s.v, &s.a}) x->reserve(rows * box.n());
  for (std::size_t r = 0; r < rows; ++r)
    for (int k = 0; k < box.n(); ++k) {
      s.q.push_back(uniform(box.q[k].low, box.q[k].high));
      s.v.push_back(uniform(-box.v[k], box.v[k]));
      s.a.push_back(uniform(-box.a[k], box.a[k]));
    }
  return s;
}

}  // namespace parid::lookup
