#include "motion/default_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "motion/path/joint_path.hpp"

namespace parid::motion {
namespace {

const double fastest = Profile::minimum_jerk(1).peak_speed();

constexpr double longest = 3600;  // seconds; slower joints move less far

struct Range {
  double from, to;
};
Range span_of(JointType type, const Limits& limits) {
  const double reach = type == JointType::prismatic ? 0.5 : std::numbers::pi / 2;
  double low = std::max(limits.lower, -1e6), high = std::max(low, std::min(limits.upper, 1e6));
  const double middle = std::isfinite(limits.lower) && std::isfinite(limits.upper)
                            ? (low + high) / 2
                            : std::clamp(0.0, low, high);
  low = std::max(low, middle - reach);
  high = std::min(high, middle + reach);
  const double from = low + (high - low) / 4,
               way = std::min((high - low) / 2, longest / fastest * limits.velocity);
  return {from, from + way};
}

// The target of a joint by coordinate, and the time that it needs.
struct JointWay {
  int position;
  std::vector<double> from, to;
  double duration = 2;
};

std::vector<JointWay> joint_ways(const Robot& robot) {
  const auto& joints = robot.description().joints;
  const std::vector<Limits> limits = shared_limits(robot.description());
  std::vector<JointWay> ways;
  int position = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (position_count(joints[k]) == 0) continue;
    JointWay way{position, {}, {}};
    // Rotation about z by 0.5 rad and translation along it.
    const double turn = 0.5, rise = 0.1, s = std::sin(turn / 2), c = std::cos(turn / 2);
    switch (joints[k].type) {
      case JointType::fixed: break;
      case JointType::planar:
        way.from = {0, 0, 0};
        way.to = {rise, -rise, turn};
        break;
      case JointType::spherical:
        way.from = {0, 0, 0, 1};
        way.to = {0, 0, s, c};
        break;
      case JointType::floating:
        way.from = {0, 0, 0, 0, 0, 0, 1};
        way.to = {0, 0, rise, 0, 0, s, c};
        break;
      default: {
        const auto [from, to] = span_of(joints[k].type, limits[k]);
        way.from = {from};
        way.to = {to};
        if (to > from) way.duration = std::max(2.0, fastest * (to - from) / limits[k].velocity);
      }
    }
    ways.push_back(way);
    position += position_count(joints[k]);
  }
  return ways;
}

std::vector<double> starts(const Robot& robot, const std::vector<JointWay>& ways) {
  std::vector<double> q(robot.nq());
  for (const JointWay& w : ways) std::copy(w.from.begin(), w.from.end(), &q[w.position]);
  return q;
}

}  // namespace

TrajectoryPointer default_trajectory(const Robot& robot) {
  const std::vector<JointWay> ways = joint_ways(robot);
  std::vector<double> from = starts(robot, ways), to = from;
  double duration = 2;
  for (const JointWay& w : ways) {
    std::copy(w.to.begin(), w.to.end(), &to[w.position]);
    duration = std::max(duration, w.duration);
  }
  return timed(joint_line(robot, from, to), Profile::minimum_jerk(duration));
}

SampledTrajectory default_motion(const Robot& robot, std::size_t samples) {
  return sampled_evenly(robot, *default_trajectory(robot), samples);
}

TrajectoryPointer joints_in_turn(const Robot& robot) {
  const std::vector<JointWay> ways = joint_ways(robot);
  const std::vector<double> from = starts(robot, ways);
  std::vector<TrajectoryPointer> parts;
  for (const JointWay& w : ways) {
    std::vector<double> to = from;
    std::copy(w.to.begin(), w.to.end(), &to[w.position]);
    const Profile profile = Profile::minimum_jerk(w.duration);
    parts.push_back(timed(joint_line(robot, from, to), profile));
    parts.push_back(timed(joint_line(robot, to, from), profile));
  }
  if (parts.empty()) parts.push_back(standing(from, 2));
  return sequence(std::move(parts));
}

}  // namespace parid::motion
