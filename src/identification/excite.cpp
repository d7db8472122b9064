#include "identification/excite.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "math/dense.hpp"
#include "model/given_values.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/limits.hpp"

namespace parid::identification {
namespace {

using Matrix = Eigen::MatrixXd;

struct Range {
  int position, velocity;  // coordinates
  double middle, reach, speed;
};

std::vector<Range> ranges(const Robot& robot, double share) {
  std::vector<Range> all;
  const std::vector<Limits> limits = shared_limits(robot.description());
  int p = 0, v = 0;
  for (std::size_t j = 0; j < robot.description().joints.size(); ++j) {
    const JointDescription& joint = robot.description().joints[j];
    if (position_count(joint) == 1) {
      const bool slides = joint.type == JointType::prismatic;
      const double wide = slides ? 0.5 : std::numbers::pi;
      const double low = std::max(limits[j].lower, std::min(-wide, limits[j].upper - 2 * wide)),
                   high = std::min(limits[j].upper, std::max(wide, low + 2 * wide));
      const double speed =
          std::isfinite(limits[j].velocity) ? limits[j].velocity : (slides ? 0.5 : 2.0);
      all.push_back({p, v, (low + high) / 2, share * (high - low) / 2, share * speed});
    }
    p += position_count(joint);
    v += velocity_count(joint);
  }
  return all;
}

// Amplitudes of sines and cosines of each joint, and the centre of its motion: 0 in the middle of
// its range, ±1 at the ends.
struct Wave {
  std::array<std::vector<double>, 2> parts;
  double centre = 0;
};
using Waves = std::vector<Wave>;

class Search {
 public:
  Search(TorqueModel& model, const ExcitationOptions& o)
      : model_(model), o_(o), ranges_(ranges(model.robot(), o.share)) {}

  Waves random_waves() {
    Waves w(ranges_.size());
    for (Wave& joint : w) {
      for (auto& part : joint.parts) {
        part.resize(o_.harmonics);
        for (int h = 0; h < o_.harmonics; ++h) part[h] = number() / (h + 1);
      }
      if (moves_centres_) joint.centre = 0.9 * number();
    }
    return w;
  }
  Waves changed(Waves w, double amount) {
    for (Wave& joint : w) {
      for (auto& part : joint.parts)
        for (int h = 0; h < o_.harmonics; ++h)
          if (number() > 0.4) part[h] += amount * number() / (h + 1);
      if (moves_centres_)
        joint.centre = std::clamp(joint.centre + 0.3 * amount * number(), -0.9, 0.9);
    }
    return w;
  }

  // Joint by joint as large as the limits allow; `factor` makes all smaller.
  SampledTrajectory motion(Waves waves, int samples, double factor = 1) const {
    const Robot& robot = model_.robot();
    SampledTrajectory m;
    m.rows = samples;
    const std::size_t nq = robot.nq(), nv = robot.nv();
    const std::vector<double> neutral = robot.neutral();
    for (int r = 0; r < samples; ++r) m.q.insert(m.q.end(), neutral.begin(), neutral.end());
    m.v.assign(samples * nv, 0);
    m.a.assign(samples * nv, 0);
    for (int r = 0; r < samples; ++r) m.t.push_back(o_.seconds * r / (samples - 1));
    for (std::size_t j = 0; j < ranges_.size(); ++j) {
      const Range& range = ranges_[j];
      scale(waves[j], range, factor);
      for (int r = 0; r < samples; ++r) {
        const auto [q, v, a] = at(waves[j].parts, m.t[r]);
        m.q[r * nq + range.position] = range.middle + waves[j].centre * range.reach + q;
        m.v[r * nv + range.velocity] = v;
        m.a[r * nv + range.velocity] = a;
      }
    }
    name_torques(robot, m);
    return m;
  }

  // Condition of the regressor's columns; a lost column weighs more than any condition.
  double condition(const Waves& waves, double factor) const {
    const int samples = 48;
    const SampledTrajectory m = motion(waves, samples, factor);
    const std::size_t nq = model_.robot().nq(), nv = model_.robot().nv(),
                      p = model_.parameters().size();
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A(samples * nv, p);
    std::vector<double> tau(nv);
    const std::vector<double> given = model_.given();
    for (int r = 0; r < samples; ++r)
      model_.torque({&m.q[r * nq], nq}, {&m.v[r * nv], nv}, {&m.a[r * nv], nv}, given, tau,
                    {A.data() + r * nv * p, nv * p});
    Matrix scaled = A;
    for (Eigen::Index k = 0; k < scaled.cols(); ++k)
      if (const double length = scaled.col(k).norm(); length > 0) scaled.col(k) /= length;
    // Squares suffice for comparisons and are much faster than singular values.
    const std::optional<Eigen::VectorXd> found = symmetric_eigenvalues(scaled.transpose() * scaled);
    if (!found) return 1e300;
    const Eigen::VectorXd& values = *found;
    const double largest = values[values.size() - 1];
    Eigen::Index lost = 0;
    while (lost < values.size() && values[lost] < 1e-13 * largest) ++lost;
    if (lost == values.size()) return 1e300;
    return 1e9 * static_cast<double>(lost) + std::sqrt(largest / values[lost]);
  }

  // Gravity may leave little torque for a motion about the middle of the ranges: others are tried.
  void move_centres() { moves_centres_ = true; }

  // The largest factor for which torques keep the joints' effort limits at a few instants; 0 if
  // even a standing robot exceeds them.
  double effort_factor(const Waves& waves) {
    if (!o_.effort) return 1;
    const auto holds = [&](double factor) {
      const SampledTrajectory m = motion(waves, 48, factor);
      const Robot& robot = model_.robot();
      const std::size_t nq = robot.nq(), nv = robot.nv();
      std::vector<double> tau(nv);
      for (std::size_t r = 0; r < m.rows; ++r) {
        inverse_dynamics_with_friction(robot, workspace_, {&m.q[r * nq], nq}, {&m.v[r * nv], nv},
                                       {&m.a[r * nv], nv}, tau);
        for (const Range& range : ranges_)
          if (std::abs(tau[range.velocity]) > o_.share * robot.limits()[range.velocity].effort)
            return false;
      }
      return true;
    };
    return largest_factor(holds);
  }

  // Bisection between 0 and 1.
  template <class Holds>
  static double largest_factor(const Holds& holds) {
    if (holds(1)) return 1;
    if (!holds(0)) return 0;
    double low = 0, high = 1;
    for (int k = 0; k < 10; ++k) {
      const double middle = (low + high) / 2;
      (holds(middle) ? low : high) = middle;
    }
    return low;
  }

  std::vector<Range> const& joints() const { return ranges_; }

 private:
  double number() { return -1 + 0x1p-52 * static_cast<double>(rng_() >> 11); }

  std::array<double, 3> at(const std::array<std::vector<double>, 2>& w, double t) const {
    double q = 0, v = 0, a = 0;
    for (int h = 0; h < o_.harmonics; ++h) {
      const double rate = 2 * std::numbers::pi * (h + 1) / o_.seconds, s = std::sin(rate * t),
                   c = std::cos(rate * t);
      q += w[0][h] * s + w[1][h] * c;
      v += rate * (w[0][h] * c - w[1][h] * s);
      a -= rate * rate * (w[0][h] * s + w[1][h] * c);
    }
    return {q, v, a};
  }

  // At rest at the beginning: Σ h s_h = 0 and Σ h² c_h = 0, by the last of each. Then scaled as
  // large as the limits allow.
  void scale(Wave& wave, const Range& range, double smaller) const {
    std::array<std::vector<double>, 2>& w = wave.parts;
    const int last = o_.harmonics - 1;
    w[0][last] = w[1][last] = 0;
    for (int h = 0; h < last; ++h) {
      w[0][last] -= w[0][h] * (h + 1) / (last + 1);
      w[1][last] -= w[1][h] * (h + 1) * (h + 1) / ((last + 1) * (last + 1));
    }
    double far = 0, fast = 0, hard = 0;
    const int instants = std::max(400, 80 * o_.harmonics);
    for (int r = 0; r < instants; ++r) {
      const auto [q, v, a] = at(w, o_.seconds * r / instants);
      far = std::max(far, std::abs(q));
      fast = std::max(fast, std::abs(v));
      hard = std::max(hard, std::abs(a));
    }
    double factor = far > 0 ? (1 - std::abs(wave.centre)) * range.reach / far : 0;
    if (fast * factor > range.speed) factor = range.speed / fast;
    if (hard * factor > o_.acceleration) factor = o_.acceleration / hard;
    // Between the tested instants the highest harmonic rises by at most (π / 80)² / 2 = 0.08 %.
    factor *= 0.99 * smaller;
    for (auto& part : w)
      for (double& x : part) x *= factor;
  }

  TorqueModel& model_;
  ExcitationOptions o_;
  std::vector<Range> ranges_;
  Workspace workspace_{model_.robot()};
  bool moves_centres_ = false;
  std::mt19937_64 rng_{20260101};
};

// The largest share of each kind of limit that a motion uses.
struct Uses {
  double position = std::nan(""), velocity = std::nan(""), effort = std::nan("");
};
Uses uses_of(const Robot& robot, const SampledTrajectory& m) {
  Uses all;
  LimitsOptions options;
  options.threads = 1;
  const LimitsReport report = check_limits(robot, m, options);
  for (const JointLoad& joint : report.joints)
    for (const LimitUse& use : joint.uses) {
      if (!use.given() || std::isnan(use.share)) continue;
      double& most = use.kind == LimitKind::position ? all.position
                     : use.kind == LimitKind::velocity || use.kind == LimitKind::motor_speed
                         ? all.velocity
                         : all.effort;
      most = std::isnan(most) ? use.share : std::max(most, use.share);
    }
  return all;
}

// Fractions of the limits that a motion may use.
struct Kept {
  double share, effort;  // infinite: not kept
};
bool within(const Uses& u, const Kept& kept) {
  const double most = kept.share * (1 + 1e-9);
  return !(u.position > most) && !(u.velocity > most) && !(u.effort > kept.effort * (1 + 1e-9));
}
Kept kept_of(const ExcitationOptions& o) {
  return {o.share, o.effort ? o.share : std::numeric_limits<double>::infinity()};
}

// Waves, how much smaller the effort limits make them, and how good they are then: columns of the
// regressor are compared at equal length, so a small motion costs more in proportion.
struct Trial {
  Waves waves;
  double factor = 1, condition = 0, cost = 0;

  void judge(Search& search) {
    factor = search.effort_factor(waves);
    condition = search.condition(waves, factor > 0 ? factor : 1);
    cost = factor > 0 ? condition / factor : 1e20 * condition;
  }
};

}  // namespace

ExcitationMotion exciting_motion(TorqueModel& model, const ExcitationOptions& options) {
  require_within("seconds", options.seconds, 0.5, 600);
  require_within("samples", options.samples, 2, 1e7);
  require_within("harmonics", options.harmonics, 2, 100);
  if (!(options.share > 0 && options.share <= 1))
    throw Error(fmt::format(
        "share: {} is out of range; give a fraction of the limits, above 0 and at most 1",
        options.share));
  if (!(options.acceleration > 0))
    throw Error(fmt::format("acceleration: {} is not positive; give a number above zero, such as 5",
                            options.acceleration));
  Search search(model, options);
  const Robot& robot = model.robot();
  if (search.joints().empty())
    throw Error({robot.description().file, 0},
                "robot '" + robot.name() + "' has no revolute or prismatic joint",
                "provide the motion yourself");
  ExcitationMotion best;
  Trial trial{search.random_waves()};
  trial.judge(search);
  best.first_condition = trial.condition;
  if (trial.factor < 0.7) search.move_centres();
  // Large robots take long to evaluate and get fewer evaluations.
  const double work =
      48.0 * robot.nv() * std::pow(static_cast<double>(model.parameters().size()), 2);
  const int trials = std::min(options.trials, std::max(20, static_cast<int>(1e10 / work)));
  for (int k = 1; k < trials; ++k) {
    Trial next{k < trials / 4 ? search.random_waves() : search.changed(trial.waves, 0.5)};
    next.judge(search);
    if (next.cost < trial.cost) trial = std::move(next);
  }
  // All limits, of mimic joints and motors too, at all instants of a fine grid. If a standing robot
  // exceeds its effort limits, those of position and velocity remain.
  const int fine = std::max(2001, 80 * options.harmonics + 1);
  const Waves& waves = trial.waves;
  double factor = trial.factor > 0 ? trial.factor : 1;
  Kept kept = kept_of(options);
  const auto holds = [&](double f) {
    return within(uses_of(robot, search.motion(waves, fine, f * factor)), kept);
  };
  double smaller = Search::largest_factor(holds);
  if (smaller == 0 && kept.effort < 1) {  // standing takes more than `share`: up to the limit
    kept.effort = 1;
    smaller = Search::largest_factor(holds);
  }
  if (smaller == 0) {
    kept.effort = std::numeric_limits<double>::infinity();
    smaller = Search::largest_factor(holds);
  }
  factor *= smaller;
  best.condition = smaller < 1 ? search.condition(waves, factor) : trial.condition;
  const SampledTrajectory checked = search.motion(waves, fine, factor);
  const Uses uses = uses_of(robot, checked);
  best.position_use = uses.position;
  best.velocity_use = uses.velocity;
  best.effort_use = uses.effort;
  for (const double a : checked.a) best.acceleration = std::max(best.acceleration, std::abs(a));
  best.motion = search.motion(waves, options.samples, factor);
  return best;
}

}  // namespace parid::identification
