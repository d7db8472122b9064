#include "motion/default_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "motion/path/joint_path.hpp"
#include "motion/path/joint_swings.hpp"

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

// The largest rate of a swing whose path is run with minimum jerk in one second.
double peak_rate(const JointSwing& swing) {
  const Profile unit = Profile::minimum_jerk(1);
  double most = 0;
  for (double t = 0; t <= 1; t += 1.0 / 512) {
    const Stage<double> s = unit.at(t);
    most = std::max(most, s.v * std::abs(swing.rate(s.x)));
  }
  // What lies between two instants is larger by less than that.
  return std::min(1.0001 * most, fastest * swing.fastest());
}

// How each joint swings between its two targets, and the time that the slowest needs.
std::vector<JointSwings> distinct_swings(const Robot& robot, double& duration) {
  const auto& joints = robot.description().joints;
  const std::vector<Limits> limits = shared_limits(robot.description());
  const double turn = 0.3, shift = 0.1;
  std::vector<JointSwings> all;
  int position = 0, velocity = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const int width = position_count(joints[k]);
    if (width == 0) continue;
    const int rates = velocity_count(joints[k]);
    JointSwings s{position, velocity, width > rates, {}};
    switch (joints[k].type) {
      case JointType::fixed: break;
      case JointType::planar:
      case JointType::spherical:
      case JointType::floating: {
        const int shifts = joints[k].type == JointType::planar ? 2 : rates - 3;
        for (int i = 0; i < rates; ++i)
          s.swings.push_back(distinct_swing_from_zero(velocity + i, i < shifts ? shift : turn));
        break;
      }
      default: {
        const auto [from, to] = span_of(joints[k].type, limits[k]);
        const double slowest = longest * limits[k].velocity / (fastest * std::numbers::pi);
        const double half = std::min((to - from) / 2, slowest);
        s.swings.push_back(distinct_swing(velocity, (from + to) / 2, half));
        if (half > 0) duration = std::max(duration, peak_rate(s.swings[0]) / limits[k].velocity);
      }
    }
    all.push_back(std::move(s));
    position += width;
    velocity += rates;
  }
  return all;
}

std::vector<double> starts(const Robot& robot, const std::vector<JointWay>& ways) {
  std::vector<double> q(robot.nq());
  for (const JointWay& w : ways) std::copy(w.from.begin(), w.from.end(), &q[w.position]);
  return q;
}

}  // namespace

TwoPoses two_poses(const Robot& robot) {
  const std::vector<JointWay> ways = joint_ways(robot);
  const std::vector<double> from = starts(robot, ways);
  TwoPoses poses{from, from};
  for (const JointWay& w : ways) std::copy(w.to.begin(), w.to.end(), &poses.to[w.position]);
  return poses;
}

TrajectoryPointer default_trajectory(const Robot& robot) {
  double duration = 2;
  std::vector<JointSwings> swings = distinct_swings(robot, duration);
  return timed(joint_swings(std::move(swings)), Profile::minimum_jerk(duration));
}

TrajectoryPointer joints_together(const Robot& robot) {
  double duration = 2;
  for (const JointWay& w : joint_ways(robot)) duration = std::max(duration, w.duration);
  const TwoPoses poses = two_poses(robot);
  return timed(joint_line(robot, poses.from, poses.to), Profile::minimum_jerk(duration));
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
