#include "motion/work_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "model/joint/coordinates.hpp"
#include "motion/default_motion.hpp"
#include "motion/limits/ratings.hpp"
#include "motion/path/cartesian.hpp"
#include "motion/scaling/limit_binding.hpp"
#include "parid/error.hpp"
#include "parid/kinematics.hpp"
#include "scalar/taylor.hpp"

namespace parid::motion {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

// ---- the same motion, slower

class Stretched final : public Trajectory {
 public:
  Stretched(TrajectoryPointer inner, double factor) : inner_(std::move(inner)), factor_(factor) {}
  double duration() const override { return factor_ * inner_->duration(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    inner_->at(std::clamp(t / factor_, 0.0, inner_->duration()), q, v, a);
    for (double& x : v) x /= factor_;
    for (double& x : a) x /= factor_ * factor_;
  }
  void higher(double t, std::span<double> jerk, std::span<double> snap) const override {
    inner_->higher(std::clamp(t / factor_, 0.0, inner_->duration()), jerk, snap);
    for (double& x : jerk) x /= factor_ * factor_ * factor_;
    for (double& x : snap) x /= factor_ * factor_ * factor_ * factor_;
  }
  std::vector<double> seams() const override {
    std::vector<double> all = inner_->seams();
    for (double& t : all) t *= factor_;
    return all;
  }

 private:
  TrajectoryPointer inner_;
  double factor_;
};

// Slower by the least factor for which velocities keep their limits at many samples, a little more
// for what lies between them; then by steps for torques. A torque that gravity alone exceeds counts
// not: no speed helps.
TrajectoryPointer within_limits(const Robot& robot, TrajectoryPointer trajectory) {
  constexpr std::size_t samples = 801;
  constexpr double between_samples = 1.005, slowest = 32;
  const auto nv = static_cast<std::size_t>(robot.nv());
  const DriveLimits limits = drive_limits(robot);
  SampledTrajectory m = sampled_evenly(robot, *trajectory, samples);
  double factor = 1;
  for (std::size_t r = 0; r < m.rows; ++r)
    for (std::size_t k = 0; k < nv; ++k)
      if (std::isfinite(limits.velocity[k]))
        factor = std::max(factor, between_samples * std::abs(m.v[r * nv + k]) / limits.velocity[k]);
  const auto torques = [&](double slower) {
    SampledTrajectory s = m;
    for (double& x : s.v) x /= slower;
    for (double& x : s.a) x /= slower * slower;
    return torques_of(robot, s, true, 1);
  };
  const bool limited = std::any_of(limits.effort.begin(), limits.effort.end(),
                                   [](double x) { return std::isfinite(x); });
  if (limited) {
    const std::vector<double> resting = torques(1e6);
    for (; factor < slowest; factor *= 1.1) {
      const std::vector<double> tau = torques(factor);
      bool holds = true;
      for (std::size_t i = 0; i < tau.size() && holds; ++i) {
        const double limit = limits.effort[i % nv];
        holds = std::abs(tau[i]) <= limit / between_samples || std::abs(resting[i]) > 0.98 * limit;
      }
      if (holds) break;
    }
  }
  return factor > 1 ? std::make_shared<Stretched>(std::move(trajectory), factor) : trajectory;
}

// ---- poses to start from

// Coordinates whose position is a number of its own, not part of a quaternion.
struct PlainCoordinate {
  std::size_t position, velocity;
};
std::vector<PlainCoordinate> plain_coordinates(const Robot& robot) {
  std::vector<PlainCoordinate> all;
  for (const LimitedCoordinate& c : limited_coordinates(robot))
    if (c.mimics.empty() && c.position >= 0)
      all.push_back({static_cast<std::size_t>(c.position), static_cast<std::size_t>(c.velocity)});
  return all;
}

// Bent poses of different kinds. Joints with quaternions are as in the first of the two poses.
std::vector<std::vector<double>> bent_poses(const Robot& robot) {
  const TwoPoses two = two_poses(robot);
  const std::vector<PlainCoordinate> plain = plain_coordinates(robot);
  std::vector<std::vector<double>> all;
  for (const auto& shares : {std::array{0.5, 0.1, 0.9},
                             {0.5, 0.9, 0.1},
                             {0.5, 0.3, 0.8},
                             {0.2, 0.2, 0.2},
                             {0.8, 0.8, 0.8},
                             {0.5, 0.5, 0.5},
                             {0.1, 0.6, 0.4}}) {
    std::vector<double> q = two.from;
    for (std::size_t k = 0; k < plain.size(); ++k) {
      const std::size_t p = plain[k].position;
      q[p] = two.from[p] + shares[k % 3] * (two.to[p] - two.from[p]);
    }
    all.push_back(std::move(q));
  }
  return all;
}

// Of a point of the tip link, given in its frame.
Pose<double> tip_pose(const Robot& robot, const std::vector<double>& q, const Vec3<double>& point) {
  const LinkPose at = link_pose(robot, q, robot.tip());
  const auto& R = at.rotation;
  const Pose<double> pose{{{R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]}},
                          {at.position[0], at.position[1], at.position[2]}};
  return {pose.R, pose * point};
}

// Points of the tip link that may do a task: its origin, and the far end of a link whose origin is
// at its joint, which is about twice as far as its centre of mass.
std::vector<Vec3<double>> tip_points(const Robot& robot) {
  std::vector<Vec3<double>> all{{}};
  const auto link = static_cast<std::size_t>(robot.find_link(robot.tip()));
  if (const auto& body = robot.description().links[link].inertia; body && norm(body->com) > 0)
    all.push_back(2.0 * body->com);
  return all;
}

// Up against gravity, away from the root, and across.
struct TaskAxes {
  Vec3<double> up, out, across;
};
TaskAxes task_axes(const Robot& robot, const Vec3<double>& tip) {
  const auto g = robot.gravity();
  const double weight = std::hypot(g[0], g[1], g[2]);
  TaskAxes t;
  t.up = weight > 0 ? (-1 / weight) * Vec3<double>{g[0], g[1], g[2]} : Vec3<double>{0, 0, 1};
  Vec3<double> out = tip - dot(tip, t.up) * t.up;
  if (norm(out) < 1e-6) {
    const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
    const Vec3<double>& any = std::abs(t.up.x) < 0.9 ? x : y;
    out = any - dot(any, t.up) * t.up;
  }
  t.out = (1 / norm(out)) * out;
  t.across = cross(t.up, t.out);
  return t;
}

// How large a task is: a share of the farthest that the tip is from the root in those poses.
double task_size(const Robot& robot, const std::vector<std::vector<double>>& poses,
                 const Vec3<double>& point) {
  double most = 0;
  for (const std::vector<double>& q : poses)
    most = std::max(most, norm(tip_pose(robot, q, point).p));
  return most;
}

// Parts of a task of the tip, each from where the one before ends.
class TipTask {
 public:
  TipTask(const Robot& robot, std::vector<double> q, const Vec3<double>& point)
      : robot_(robot), q_(std::move(q)), point_(point) {}

  void go(const PosePath& path, double seconds) {
    CartesianOptions o;
    o.orientation = false;
    o.point = point_;
    parts_.push_back(cartesian(robot_, robot_.tip(), path, q_, Profile::minimum_jerk(seconds), o));
    std::vector<double> v(static_cast<std::size_t>(robot_.nv())), a = v;
    parts_.back()->at(parts_.back()->duration(), q_, v, a);
  }
  void move(const Vec3<double>& by, double seconds) {
    const Pose<double> from = tip_pose(robot_, q_, point_);
    go(PosePath::line(from, {from.R, from.p + by}), seconds);
  }
  void wait(double seconds) { parts_.push_back(standing(q_, seconds)); }
  TrajectoryPointer whole() { return sequence(std::move(parts_)); }

 private:
  const Robot& robot_;
  std::vector<double> q_;
  Vec3<double> point_;
  std::vector<TrajectoryPointer> parts_;
};

// The first pose, size and direction for which `plan` succeeds, within the limits of velocity and
// torque; large tasks first.
template <class Plan>
TrajectoryPointer first_that_works(const Robot& robot, const char* what, const Plan& plan) {
  if (robot.nv() == 0 || plain_coordinates(robot).empty())
    throw Error({robot.description().file, 0},
                fmt::format("robot '{}' has no joint that can move its tip", robot.name()),
                "choose the motion 'default'");
  const std::vector<std::vector<double>> poses = bent_poses(robot);
  std::string why = "the tip does not move";
  for (const Vec3<double>& point : tip_points(robot)) {
    const double size = task_size(robot, poses, point);
    for (const double share : {0.2, 0.1, 0.05, 0.02})
      for (const std::vector<double>& q : poses) {
        const TaskAxes axes = task_axes(robot, tip_pose(robot, q, point).p);
        for (int way = 0; way < 3; ++way) try {
            return within_limits(robot, plan(TipTask(robot, q, point), tip_pose(robot, q, point),
                                             axes, share * size, way));
          } catch (const Error& e) {
            why = e.what();
          }
      }
  }
  throw Error({robot.description().file, 0},
              fmt::format("no {} was found for robot '{}' ({})", what, robot.name(), why),
              "write a file of moves (docs/motions.md)");
}

// ---- swinging joints

struct Swing {
  PlainCoordinate at;
  double middle = 0, amplitude = 0, frequency = 0, phase = 0;  // rad or m, Hz, rad
};

// middle + amplitude · W(t) sin(2π f t + phase), where W rises from 0 to 1 and falls to 0 with
// minimum jerk.
class Swinging final : public Trajectory {
 public:
  Swinging(std::vector<double> q, std::vector<Swing> swings, double duration, double ramp)
      : q_(std::move(q)), swings_(std::move(swings)), duration_(duration), ramp_(ramp) {}
  double duration() const override { return duration_; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    std::copy(q_.begin(), q_.end(), q.begin());
    std::fill(v.begin(), v.end(), 0.0);
    std::fill(a.begin(), a.end(), 0.0);
    const bool rising = t < duration_ / 2;
    Stage<double> w = Profile::minimum_jerk(ramp_).at(rising ? t : duration_ - t);
    if (!rising) w.v = -w.v;
    for (const Swing& s : swings_) {
      const double o = whole_turn * s.frequency, x = std::sin(o * t + s.phase),
                   y = std::cos(o * t + s.phase);
      q[s.at.position] = s.middle + s.amplitude * w.x * x;
      v[s.at.velocity] = s.amplitude * (w.v * x + w.x * o * y);
      a[s.at.velocity] = s.amplitude * (w.a * x + 2 * w.v * o * y - w.x * o * o * x);
    }
  }
  void higher(double t, std::span<double> jerk, std::span<double> snap) const override {
    using Series = Taylor<4>;
    std::fill(jerk.begin(), jerk.end(), 0.0);
    std::fill(snap.begin(), snap.end(), 0.0);
    const Series now = Series::of_derivatives({t, 1, 0, 0, 0});
    const Series w =
        Profile::minimum_jerk(ramp_).at(t < duration_ / 2 ? now : Series(duration_) - now).x;
    for (const Swing& s : swings_) {
      const Series q = Series(s.amplitude) * w *
                       sin_cos(Series(whole_turn * s.frequency) * now + Series(s.phase)).sin;
      jerk[s.at.velocity] = q.derivative(3);
      snap[s.at.velocity] = q.derivative(4);
    }
  }

 private:
  std::vector<double> q_;
  std::vector<Swing> swings_;
  double duration_, ramp_;
};

// ---- legs

// The branch that each velocity coordinate belongs to (-1: the base or the trunk), and its place in
// the branch. A branch begins where the carrying link carries several joints.
struct LegPlace {
  int leg = -1, joint = 0;
};
std::map<std::string, LegPlace> leg_places(const Robot& robot, int& legs) {
  const auto& joints = robot.description().joints;
  std::map<std::string, std::vector<const JointDescription*>> carried;
  for (const JointDescription& j : joints) carried[j.parent].push_back(&j);
  const JointDescription* base = nullptr;
  for (const JointDescription& j : joints)
    if (j.type == JointType::floating && !base) base = &j;
  std::map<std::string, LegPlace> places;
  legs = 0;
  if (!base) return places;
  // Depth first. A branch that forks goes on in its first part; the others are branches again.
  struct Next {
    const JointDescription* joint;
    LegPlace place;
  };
  std::vector<Next> stack;
  const auto visit = [&](const std::string& link, const LegPlace& place, bool trunk) {
    for (const JointDescription* j : carried[link]) {
      LegPlace next = place;
      if (trunk) next = {legs++, 0};
      stack.push_back({j, next});
    }
  };
  visit(base->child, {}, true);
  while (!stack.empty()) {
    const Next n = stack.back();
    stack.pop_back();
    LegPlace after = n.place;
    if (velocity_count(*n.joint) == 1) {
      places[n.joint->name] = n.place;
      ++after.joint;
    }
    visit(n.joint->child, after, false);
  }
  return places;
}

}  // namespace

TrajectoryPointer pick_and_place(const Robot& robot) {
  return first_that_works(
      robot, "pick-and-place motion",
      [](TipTask task, const Pose<double>&, const TaskAxes& axes, double size, int way) {
        const Vec3<double> ways[] = {1.5 * size * axes.across, 1.5 * size * axes.out,
                                     -1.5 * size * axes.out};
        const Vec3<double>& over = ways[way];
        for (const double sign : {1.0, -1.0}) {
          task.move(-size * axes.up, 0.6);
          task.wait(0.3);
          task.move(size * axes.up, 0.6);
          task.move(sign * over, 1.0);
        }
        return task.whole();
      });
}

TrajectoryPointer circle(const Robot& robot) {
  return first_that_works(
      robot, "circle",
      [](TipTask task, const Pose<double>& from, const TaskAxes& axes, double size, int way) {
        // In the horizontal plane, in the vertical plane through the root, across it.
        const Vec3<double> normals[] = {axes.up, axes.across, axes.out};
        const Vec3<double> arms[] = {axes.out, axes.out, axes.across};
        PosePath path = PosePath::line(from, from);
        path.arc = true;
        path.radius = size / 2 * arms[way];
        path.centre = from.p - path.radius;
        path.axis = whole_turn * normals[way];
        task.go(path, 3);
        return task.whole();
      });
}

TrajectoryPointer lissajous(const Robot& robot) {
  const TwoPoses two = two_poses(robot);
  std::vector<Swing> swings;
  std::vector<double> q = two.from;
  constexpr double duration = 10;
  for (const PlainCoordinate& c : plain_coordinates(robot)) {
    const std::size_t p = c.position, k = swings.size();
    const double middle = (two.from[p] + two.to[p]) / 2;
    q[p] = middle;
    constexpr int cycles[] = {2, 3, 5, 4, 6, 7, 8};
    swings.push_back({c, middle, (two.to[p] - two.from[p]) / 2, cycles[k % 7] / duration,
                      static_cast<double>(k / 7)});
  }
  return within_limits(robot, std::make_shared<Swinging>(q, std::move(swings), duration, 1.5));
}

TrajectoryPointer gait(const Robot& robot) {
  int legs = 0;
  const std::map<std::string, LegPlace> places = leg_places(robot, legs);
  if (legs < 2 || places.empty())
    throw Error({robot.description().file, 0},
                fmt::format("robot '{}' has {}", robot.name(),
                            places.empty() ? "no floating base with legs" : "fewer than two legs"),
                "gait is for legged robots; --floating gives a robot a floating base");
  const TwoPoses two = two_poses(robot);
  std::vector<double> q = two.from;
  std::vector<Swing> swings;
  for (const LimitedCoordinate& c : limited_coordinates(robot)) {
    const auto place = places.find(c.name);
    if (!c.mimics.empty() || c.position < 0 || place == places.end()) continue;
    const auto p = static_cast<std::size_t>(c.position);
    const double middle = (two.from[p] + two.to[p]) / 2;
    q[p] = middle;
    const int leg = place->second.leg;
    // Diagonal legs together: 0, 1, 1, 0.
    const double side = (leg + leg / 2) % 2 == 0 ? 0 : std::numbers::pi;
    swings.push_back({{p, static_cast<std::size_t>(c.velocity)},
                      middle,
                      (two.to[p] - two.from[p]) / 2 * 0.6,
                      1,
                      side - std::numbers::pi / 2 * place->second.joint});
  }
  return within_limits(robot, std::make_shared<Swinging>(q, std::move(swings), 4, 1));
}

}  // namespace parid::motion
