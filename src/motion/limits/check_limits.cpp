#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "dynamics/friction_stage.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "motion/limits/ratings.hpp"
#include "parid/engine.hpp"
#include "parid/limits.hpp"

namespace parid {
namespace motion {

Ratings ratings_of(const JointDescription& j) {
  Ratings r;
  r.effort = j.limits.effort;
  r.velocity = j.limits.velocity;
  r.ratio = std::abs(j.gear_ratio);
  r.continuous_effort = j.continuous_effort;
  if (!j.motor) return r;
  r.has_motor = true;
  r.motor_torque = j.motor->torque;
  r.motor_continuous_torque = j.motor->continuous_torque;
  r.motor_speed = j.motor->speed;
  r.motor_power = j.motor->power;
  return r;
}

std::vector<LimitedCoordinate> limited_coordinates(const Robot& robot) {
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
  std::vector<LimitedCoordinate> own, mimics;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto leader = static_cast<std::size_t>(follow[i].leader);
    const JointType type = joints[i].type;
    for (int k = 0; k < velocity_count(type); ++k) {
      LimitedCoordinate c;
      c.name = joints[i].name + velocity_parts(type)[static_cast<std::size_t>(k)];
      c.joint = i;
      c.velocity = first_velocity[leader] + k;
      if (position_count(type) == velocity_count(type)) c.position = first_position[leader] + k;
      c.scale = follow[i].scale;
      c.offset = follow[i].offset;
      if (joints[i].mimic) c.mimics = joints[leader].name;
      c.slides = type == JointType::prismatic || (type == JointType::planar && k < 2) ||
                 (type == JointType::floating && k < 3);
      c.actuated = type != JointType::floating && !joints[i].mimic;
      (joints[i].mimic ? mimics : own).push_back(std::move(c));
    }
  }
  own.insert(own.end(), mimics.begin(), mimics.end());
  return own;
}

std::vector<double> time_weights(const SampledTrajectory& m) {
  std::vector<double> w(m.rows, 1.0 / static_cast<double>(m.rows));
  if (m.t.size() != m.rows || m.rows < 2) return w;
  const double whole = m.t.back() - m.t.front();
  if (!(whole > 0)) return w;
  for (std::size_t r = 0; r < m.rows; ++r)
    w[r] = (m.t[std::min(r + 1, m.rows - 1)] - m.t[r == 0 ? 0 : r - 1]) / (2 * whole);
  return w;
}

std::vector<double> torques_of(const Robot& robot, const SampledTrajectory& m, bool friction,
                               int threads) {
  Engine engine(robot, {.threads = threads, .kernel = KernelKind::generic});
  std::vector<double> tau(m.rows * static_cast<std::size_t>(robot.nv()));
  if (friction && !FrictionStage<double>(robot.canonical()).nothing())
    engine.inverse_dynamics_with_friction(m.rows, m.q, m.v, m.a, std::span(tau));
  else
    engine.inverse_dynamics(m.rows, m.q, m.v, m.a, tau);
  return tau;
}

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1e-12;

void require_limits_input(const Robot& robot, const SampledTrajectory& m, const LimitsOptions& o) {
  const auto size = [&](const char* name, std::size_t found, int width) {
    if (found != m.rows * static_cast<std::size_t>(width))
      throw std::invalid_argument(
          fmt::format("{}: {} numbers; {} rows of {} are needed", name, found, m.rows, width));
  };
  if (m.rows == 0) throw std::invalid_argument("motion: it has no samples");
  size("q", m.q.size(), robot.nq());
  size("v", m.v.size(), robot.nv());
  size("a", m.a.size(), robot.nv());
  if (!(o.margin >= 0 && o.margin < 1))
    throw std::invalid_argument(fmt::format("margin: {}; give 0 to below 1", o.margin));
  if (!(o.duty > 0 && o.duty <= 1))
    throw std::invalid_argument(fmt::format("duty: {}; give above 0 to 1", o.duty));
}

// The largest magnitude of a column, with its sign and place.
struct Extreme {
  double value = 0;
  std::size_t row = 0;
};
template <class Value>
Extreme largest(std::size_t rows, const Value& value) {
  Extreme e;
  for (std::size_t r = 0; r < rows; ++r)
    if (const double x = value(r); std::abs(x) > std::abs(e.value)) e = {x, r};
  return e;
}

class JointCheck {
 public:
  JointCheck(const Robot& robot, const SampledTrajectory& m, const std::vector<double>& tau,
             const LimitsOptions& o)
      : joints_(robot.description().joints),
        m_(m),
        tau_(tau),
        o_(o),
        weights_(time_weights(m)),
        nq_(static_cast<std::size_t>(robot.nq())),
        nv_(static_cast<std::size_t>(robot.nv())) {}

  JointLoad load(const LimitedCoordinate& c) const {
    JointLoad j;
    j.coordinate = c.name;
    j.mimics = c.mimics;
    j.slides = c.slides;
    j.actuated = c.actuated;
    const Ratings ratings = ratings_of(joints_[c.joint]);
    const auto v = [&](std::size_t r) {
      return c.scale * m_.v[r * nv_ + static_cast<std::size_t>(c.velocity)];
    };
    const Extreme speed = largest(m_.rows, v);
    j.peak_speed = speed.value;
    j.peak_speed_row = speed.row;
    j.rms_speed = rms(v);
    positions(c, j);
    add(j, LimitKind::velocity, speed, ratings.velocity);
    if (c.mimics.empty())
      torques(c, ratings, j);
    else
      j.peak = j.rms = j.peak_power = j.regenerative_power = j.energy = j.regenerated_energy =
          j.duty = not_a_number;
    for (const LimitUse& u : j.uses)
      if (u.given() && u.kind != LimitKind::position)
        j.undersized = std::max(j.undersized, u.share / (1 - o_.margin) - 1);
    if (j.undersized <= rounding) j.undersized = 0;
    return j;
  }

  // ∫ of a column over time; NaN without instants.
  template <class Value>
  double integral(const Value& value) const {
    if (m_.t.empty()) return not_a_number;
    double sum = 0;
    for (std::size_t r = 0; r < m_.rows; ++r) sum += weights_[r] * value(r);
    return sum * (m_.t.back() - m_.t.front());
  }

 private:
  template <class Value>
  double rms(const Value& value) const {
    double sum = 0;
    for (std::size_t r = 0; r < m_.rows; ++r) sum += weights_[r] * value(r) * value(r);
    return std::sqrt(sum);
  }

  void add(JointLoad& j, LimitKind kind, const Extreme& e, double limit) const {
    LimitUse u{kind, e.value, limit, not_a_number, e.row, true};
    if (u.given()) {
      u.share = std::abs(e.value) / limit;
      u.holds = u.share <= (1 - o_.margin) * (1 + rounding);
    }
    j.uses.push_back(u);
  }

  // Where the range is used most: relative to its half width, or, with one bound, closest to it.
  void positions(const LimitedCoordinate& c, JointLoad& j) const {
    j.lowest = j.highest = not_a_number;
    if (c.position < 0) return;
    const Limits& limits = joints_[c.joint].limits;
    const bool both = std::isfinite(limits.lower) && std::isfinite(limits.upper);
    const double middle = both ? (limits.lower + limits.upper) / 2 : 0,
                 half = both ? (limits.upper - limits.lower) / 2 : 0;
    LimitUse u{LimitKind::position, 0, Ratings::none, not_a_number, 0, true};
    double most = -Ratings::none;
    j.lowest = Ratings::none;
    j.highest = -Ratings::none;
    for (std::size_t r = 0; r < m_.rows; ++r) {
      const double q = c.scale * m_.q[r * nq_ + static_cast<std::size_t>(c.position)] + c.offset;
      j.lowest = std::min(j.lowest, q);
      j.highest = std::max(j.highest, q);
      const double over = std::max(q - limits.upper, limits.lower - q);
      if (!(over > most) && r > 0) continue;
      most = over;
      u.value = q;
      u.row = r;
      u.limit = q - limits.upper >= limits.lower - q ? limits.upper : limits.lower;
    }
    u.holds = !(most > rounding * std::abs(u.value));
    if (both)
      u.share = half > 0 ? std::abs(u.value - middle) / half : (u.holds ? 1 : Ratings::none);
    j.uses.push_back(u);
  }

  void torques(const LimitedCoordinate& c, const Ratings& ratings, JointLoad& j) const {
    const auto column = static_cast<std::size_t>(c.velocity);
    const auto torque = [&](std::size_t r) { return tau_[r * nv_ + column]; };
    const auto power = [&](std::size_t r) { return torque(r) * m_.v[r * nv_ + column]; };
    const Extreme peak = largest(m_.rows, torque), watts = largest(m_.rows, power);
    j.peak = peak.value;
    j.peak_row = peak.row;
    j.rms = rms(torque);
    for (std::size_t r = 0; r < m_.rows; ++r) {
      j.peak_power = std::max(j.peak_power, power(r));
      j.regenerative_power = std::max(j.regenerative_power, -power(r));
    }
    j.energy = integral([&](std::size_t r) { return std::max(power(r), 0.0); });
    j.regenerated_energy = integral([&](std::size_t r) { return std::max(-power(r), 0.0); });
    add(j, LimitKind::effort, peak, ratings.effort);
    const double heating = j.rms * std::sqrt(o_.duty), gear = ratings.ratio;
    if (std::isfinite(ratings.continuous_effort))
      add(j, LimitKind::continuous_effort, {heating, 0}, ratings.continuous_effort);
    j.gear_ratio = gear;
    j.has_motor = ratings.has_motor;
    if (ratings.has_motor) {
      add(j, LimitKind::motor_torque, {peak.value / gear, peak.row}, ratings.motor_torque);
      add(j, LimitKind::motor_continuous_torque, {heating / gear, 0},
          ratings.motor_continuous_torque);
      add(j, LimitKind::motor_speed, {j.peak_speed * gear, j.peak_speed_row}, ratings.motor_speed);
      add(j, LimitKind::motor_power, watts, ratings.motor_power);
    }
    const double continuous = ratings.continuous_at_joint();
    j.duty = !std::isfinite(continuous) ? not_a_number
             : j.rms > 0 ? std::min(1.0, std::pow((1 - o_.margin) * continuous / j.rms, 2))
                         : 1;
  }

  const std::vector<JointDescription>& joints_;
  const SampledTrajectory& m_;
  const std::vector<double>& tau_;
  const LimitsOptions& o_;
  std::vector<double> weights_;
  std::size_t nq_, nv_;
};

LimitsVerdict verdict_of(const LimitsReport& r) {
  for (const JointLoad& j : r.joints)
    for (const LimitUse& u : j.uses)
      if (!u.holds) return LimitsVerdict::exceeded;
  return r.without_effort_limit.empty() ? LimitsVerdict::holds : LimitsVerdict::unknown;
}

}  // namespace
}  // namespace motion

using namespace motion;

const char* name(LimitKind kind) {
  constexpr const char* names[] = {"position",          "velocity",     "effort",
                                   "continuous_effort", "motor_torque", "motor_continuous_torque",
                                   "motor_speed",       "motor_power"};
  return names[static_cast<int>(kind)];
}

bool LimitUse::given() const { return std::isfinite(limit); }

const LimitUse* JointLoad::use(LimitKind kind) const {
  for (const LimitUse& u : uses)
    if (u.kind == kind) return &u;
  return nullptr;
}

LimitsReport check_limits(const Robot& robot, const SampledTrajectory& m,
                          const std::vector<double>& tau, const LimitsOptions& options) {
  require_limits_input(robot, m, options);
  const auto nv = static_cast<std::size_t>(robot.nv());
  if (tau.size() != m.rows * nv)
    throw std::invalid_argument(
        fmt::format("tau: {} numbers; {} rows of {} are needed", tau.size(), m.rows, nv));
  LimitsReport report;
  report.margin = options.margin;
  report.duty = options.duty;
  report.rows = m.rows;
  report.duration = m.t.empty() ? not_a_number : m.t.back() - m.t.front();
  const JointCheck check(robot, m, tau, options);
  std::vector<double> power(m.rows);
  for (const LimitedCoordinate& c : limited_coordinates(robot)) {
    report.joints.push_back(check.load(c));
    if (!c.actuated) continue;
    const Ratings ratings = ratings_of(robot.description().joints[c.joint]);
    if (!std::isfinite(ratings.peak_at_joint())) report.without_effort_limit.push_back(c.name);
    if (!std::isfinite(std::min(ratings.velocity, ratings.motor_speed)))
      report.without_velocity_limit.push_back(c.name);
    const auto k = static_cast<std::size_t>(c.velocity);
    for (std::size_t r = 0; r < m.rows; ++r) power[r] += tau[r * nv + k] * m.v[r * nv + k];
    report.energy += report.joints.back().energy;
    report.regenerated_energy += report.joints.back().regenerated_energy;
  }
  for (const double p : power) {
    report.peak_power = std::max(report.peak_power, p);
    report.regenerative_power = std::max(report.regenerative_power, -p);
  }
  report.verdict = verdict_of(report);
  return report;
}

LimitsReport check_limits(const Robot& robot, const SampledTrajectory& m,
                          const LimitsOptions& options) {
  require_limits_input(robot, m, options);
  return check_limits(robot, m, torques_of(robot, m, options.friction, options.threads), options);
}

void merge(LimitsReport& report, const LimitsReport& next, std::vector<std::size_t>& which,
           std::size_t number) {
  if (report.joints.empty()) {
    report = next;
    which.assign(next.joints.size(), number);
    return;
  }
  if (report.joints.size() != next.joints.size() || which.size() != report.joints.size())
    throw std::invalid_argument("merge: the reports are of different robots");
  // std::max keeps its first argument where the second is NaN.
  for (std::size_t k = 0; k < report.joints.size(); ++k) {
    JointLoad& a = report.joints[k];
    const JointLoad& b = next.joints[k];
    if (std::abs(b.peak) > std::abs(a.peak)) {
      a.peak = b.peak;
      a.peak_row = b.peak_row;
      which[k] = number;
    }
    if (std::abs(b.peak_speed) > std::abs(a.peak_speed)) {
      a.peak_speed = b.peak_speed;
      a.peak_speed_row = b.peak_speed_row;
    }
    for (std::size_t u = 0; u < a.uses.size(); ++u) {
      const LimitUse &x = a.uses[u], &y = b.uses[u];
      const bool worse = x.holds != y.holds ? x.holds
                         : x.given()        ? y.share > x.share
                                            : std::abs(y.value) > std::abs(x.value);
      if (worse) a.uses[u] = y;
    }
    a.lowest = std::min(a.lowest, b.lowest);
    a.highest = std::max(a.highest, b.highest);
    a.duty = std::min(a.duty, b.duty);
    for (const auto figure : {&JointLoad::rms, &JointLoad::rms_speed, &JointLoad::peak_power,
                              &JointLoad::regenerative_power, &JointLoad::energy,
                              &JointLoad::regenerated_energy, &JointLoad::undersized})
      a.*figure = std::max(a.*figure, b.*figure);
  }
  for (const auto figure : {&LimitsReport::peak_power, &LimitsReport::regenerative_power,
                            &LimitsReport::energy, &LimitsReport::regenerated_energy})
    report.*figure = std::max(report.*figure, next.*figure);
  report.rows += next.rows;
  report.duration += next.duration;
  report.verdict = verdict_of(report);
}

}  // namespace parid
