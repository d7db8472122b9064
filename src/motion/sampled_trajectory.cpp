#include "parid/sampled_trajectory.hpp"

#include <cmath>
#include <numeric>

#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "motion/layer.hpp"

namespace parid {
using namespace motion;

void name_torques(const Robot& robot, SampledTrajectory& trajectory) {
  trajectory.torque_columns.clear();
  for (const std::string& name : robot.velocity_names())
    trajectory.torque_columns.push_back("tau:" + name);
  trajectory.torque_order.resize(robot.velocity_names().size());
  std::iota(trajectory.torque_order.begin(), trajectory.torque_order.end(), 0);
}

std::vector<LimitBreak> broken_limits(const Robot& robot, const SampledTrajectory& motion,
                                      const std::vector<double>& tau) {
  std::vector<LimitBreak> found;
  // seen(row, x): the joint's value, x that of its coordinate
  auto worst = [&](const std::string& name, const char* kind, const std::vector<double>& x,
                   int columns, int k, const auto& seen, double low, double high) {
    LimitBreak b{name, kind, 0, 0, 0};
    double excess = 0;
    for (std::size_t r = 0; r < motion.rows; ++r) {
      const double value = seen(r, x[r * columns + k]), over = std::max(value - high, low - value);
      if (over > excess + 1e-12 * std::abs(value)) {
        excess = over;
        b.value = value;
        b.limit = value > high ? high : low;
        b.row = r;
      }
    }
    if (excess > 0) found.push_back(b);
  };
  auto as_given = [](std::size_t, double x) { return x; };
  const auto& joints = robot.description().joints;
  const std::vector<MimicChain> follow = mimic_chains(robot.description());
  std::vector<int> first_position, first_velocity;
  int position = 0, velocity = 0;
  for (const JointDescription& j : joints) {
    first_position.push_back(position);
    first_velocity.push_back(velocity);
    position += position_count(j);
    velocity += velocity_count(j);
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Limits& limit = joints[i].limits;
    const MimicChain& chain = follow[i];
    const int q = first_position[chain.leader], v = first_velocity[chain.leader];
    auto position_here = [&](std::size_t, double x) { return chain.at(x).value; };
    auto velocity_here = [&](std::size_t r, double x) {
      return (chain.coupling ? chain.at(motion.q[r * robot.nq() + q]).d1 : chain.scale) * x;
    };
    for (int k = 0; k < velocity_count(joints[i].type); ++k) {
      const std::string name = joints[i].name + velocity_parts(joints[i].type)[k];
      if (position_count(joints[i].type) == 1)
        worst(name, "position", motion.q, robot.nq(), q, position_here, limit.lower, limit.upper);
      worst(name, "velocity", motion.v, robot.nv(), v + k, velocity_here, -limit.velocity,
            limit.velocity);
      if (!joints[i].mimic)
        worst(name, "effort", tau, robot.nv(), v + k, as_given, -limit.effort, limit.effort);
    }
  }
  return found;
}

}  // namespace parid
