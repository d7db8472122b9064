#include "parid/motion/trajectory.hpp"

#include <cmath>
#include <numeric>

#include "parid/model/coordinates.hpp"

namespace parid {

void name_torques(const Robot& robot, Trajectory& trajectory) {
  trajectory.torque_columns.clear();
  for (const std::string& name : robot.velocity_names()) trajectory.torque_columns.push_back("tau:" + name);
  trajectory.torque_order.resize(robot.velocity_names().size());
  std::iota(trajectory.torque_order.begin(), trajectory.torque_order.end(), 0);
}

std::vector<LimitBreak> broken_limits(const Robot& robot, const Trajectory& motion, const std::vector<double>& tau) {
  std::vector<LimitBreak> found;
  auto worst = [&](const std::string& name, const char* kind, const std::vector<double>& x, int columns, int k, double low, double high) {
    LimitBreak b{name, kind, 0, 0, 0};
    double excess = 0;
    for (std::size_t r = 0; r < motion.rows; ++r) {
      const double value = x[r * columns + k], over = std::max(value - high, low - value);
      if (over > excess + 1e-12 * std::abs(value)) excess = over, b.value = value, b.limit = value > high ? high : low, b.row = r;
    }
    if (excess > 0) found.push_back(b);
  };
  int position = 0, velocity = 0;
  for (const JointDescription& j : robot.description().joints) {
    const int nq = position_count(j), nv = velocity_count(j);
    for (int k = 0; k < nv; ++k) {
      const std::string& name = robot.velocity_names()[velocity + k];
      const Robot::Limit& limit = robot.limits()[velocity + k];
      if (nq == 1) worst(name, "position", motion.q, robot.nq(), position, limit.lower, limit.upper);
      worst(name, "velocity", motion.v, robot.nv(), velocity + k, -limit.velocity, limit.velocity);
      worst(name, "effort", tau, robot.nv(), velocity + k, -limit.effort, limit.effort);
    }
    position += nq, velocity += nv;
  }
  return found;
}

}  // namespace parid
