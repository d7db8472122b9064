#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion/scaling/limit_binding.hpp"

namespace parid::motion {
namespace {

// The least c > 0 at which a + b c + d c² reaches ±most; infinite if there is none. |a| < most.
double first_reached(double a, double b, double d, double most) {
  double least = Limits::none;
  for (const double bound : {most, -most}) {
    // d c² + b c + (a − bound) = 0, by the form that does not cancel
    const double e = a - bound, root = b * b - 4 * d * e;
    if (root < 0) continue;
    const double w = -0.5 * (b + std::copysign(std::sqrt(root), b));
    for (const double c : {d != 0 ? w / d : Limits::none, w != 0 ? e / w : Limits::none})
      if (c > 0) least = std::min(least, c);
  }
  return least;
}

}  // namespace

TimeScaling scaled_uniformly(const Robot& robot, const SampledTrajectory& m,
                             const TorquesAlong& torques, bool never_faster) {
  const std::size_t nv = robot.nv();
  const DriveLimits limits = drive_limits(robot);
  SampledTrajectory still = m, back = m;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  std::fill(still.a.begin(), still.a.end(), 0.0);
  for (double& v : back.v) v = -v;
  const std::vector<double> at_rest = torques(still), there = torques(m), reversed = torques(back);

  double speed = never_faster ? 1 : Limits::none;
  for (std::size_t r = 0; r < m.rows; ++r)
    for (std::size_t k = 0; k < nv; ++k) {
      const std::size_t i = r * nv + k;
      if (m.v[i] != 0) speed = std::min(speed, limits.velocity[k] / std::abs(m.v[i]));
      const double most = limits.effort[k];
      if (!std::isfinite(most)) continue;
      if (std::abs(at_rest[i]) > most)
        throw Error(
            fmt::format("{}: the holding torque alone, {:.6g} of '{}', exceeds the limit {:.6g}; "
                        "re-timing cannot help: reduce the load, or choose another path",
                        said_of_row(m, r), at_rest[i], robot.velocity_names()[k], most));
      const double odd = (there[i] - reversed[i]) / 2,
                   even = (there[i] + reversed[i]) / 2 - at_rest[i];
      // Terms that are zero up to rounding must not determine the result.
      const double noise = 1e-13 * (std::abs(there[i]) + std::abs(at_rest[i]));
      speed = std::min(speed, first_reached(at_rest[i], std::abs(odd) > noise ? odd : 0,
                                            std::abs(even) > noise ? even : 0, most));
    }
  if (!std::isfinite(speed))
    throw Error(
        fmt::format("robot '{}' has no limit that this motion would reach at any speed; give its "
                    "joints effort or velocity limits",
                    robot.name()));
  if (!(speed > 0))
    throw Error(
        fmt::format("the motion moves a joint of robot '{}' whose velocity limit is zero; give it "
                    "a velocity limit above zero",
                    robot.name()));
  TimeScaling out{m, 1 / speed, {}};
  if (!m.t.empty())
    for (std::size_t r = 0; r < m.rows; ++r)
      out.motion.t[r] = m.t.front() + (m.t[r] - m.t.front()) / speed;
  for (double& v : out.motion.v) v *= speed;
  for (double& a : out.motion.a) a *= speed * speed;
  out.binding = binding_limits(robot, out.motion, torques(out.motion));
  return out;
}

}  // namespace parid::motion
