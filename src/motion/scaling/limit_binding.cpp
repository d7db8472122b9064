#include "motion/scaling/limit_binding.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"

namespace parid::motion {

DriveLimits drive_limits(const Robot& robot) {
  DriveLimits limits;
  const std::vector<Limits> shared = shared_limits(robot.description());
  const auto& joints = robot.description().joints;
  for (std::size_t i = 0; i < joints.size(); ++i)
    for (int k = 0; k < velocity_count(joints[i]); ++k) {
      limits.velocity.push_back(shared[i].velocity);
      limits.effort.push_back(joints[i].limits.effort);
    }
  return limits;
}

std::vector<TimeScaling::Binding> binding_limits(const Robot& robot, const SampledTrajectory& m,
                                                 const std::vector<double>& tau) {
  const DriveLimits limits = drive_limits(robot);
  const std::size_t nv = robot.nv();
  std::vector<TimeScaling::Binding> found;
  auto look = [&](const char* kind, const std::vector<double>& x, const std::vector<double>& most) {
    for (std::size_t k = 0; k < nv; ++k) {
      TimeScaling::Binding b{robot.velocity_names()[k], kind, 0, 0};
      for (std::size_t r = 0; r < m.rows; ++r)
        if (std::isfinite(most[k]) && std::abs(x[r * nv + k]) >= most[k] * (1 - 1e-8)) {
          if (b.rows == 0) b.row = r;
          ++b.rows;
        }
      if (b.rows > 0) found.push_back(b);
    }
  };
  look("effort", tau, limits.effort);
  look("velocity", m.v, limits.velocity);
  return found;
}

std::string said_of_row(const SampledTrajectory& m, std::size_t row) {
  if (m.place) return m.place(row).text();
  return m.t.empty() ? fmt::format("sample {}", row)
                     : fmt::format("sample {} (t = {:.4g} s)", row, m.t[row]);
}

}  // namespace parid::motion
