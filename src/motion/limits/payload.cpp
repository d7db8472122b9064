// The heaviest payload along a motion, and by reach.
//
// A point mass enters the torques linearly: τ = a + m b, where b is the torque of 1 kg. Each limit
// therefore allows an interval of m, and the largest m is the upper end of what all allow.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "dynamics/friction_stage.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "motion/limits/ratings.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "parid/limits.hpp"

namespace parid {
namespace motion {
namespace {

constexpr double endless = Ratings::none;

struct MassInterval {
  double low = -endless, high = endless;
  std::size_t coordinate = 0;  // that bounds it from above
  bool continuous = false;

  void meet(double from, double to, std::size_t k, bool by_rms) {
    low = std::max(low, from);
    if (to < high) {
      high = to;
      coordinate = k;
      continuous = by_rms;
    }
  }
  // |a + m b| ≤ limit
  void bound(double a, double b, double limit, std::size_t k) {
    if (!std::isfinite(limit)) return;
    if (b == 0) {
      if (std::abs(a) > limit) meet(endless, -endless, k, false);
      return;
    }
    const double x = (-limit - a) / b, y = (limit - a) / b;
    meet(std::min(x, y), std::max(x, y), k, false);
  }
  // A m² + 2 B m + C ≤ 0
  void bound_square(double A, double B, double C, std::size_t k) {
    if (!(A > 0)) {
      if (C > 0) meet(endless, -endless, k, true);
      return;
    }
    const double root = B * B - A * C;
    if (root < 0) return meet(endless, -endless, k, true);
    meet((-B - std::sqrt(root)) / A, (-B + std::sqrt(root)) / A, k, true);
  }
  double heaviest() const { return high >= std::max(low, 0.0) ? high : 0; }
  bool allows_none() const { return low <= 0 && high >= 0; }
};

std::string payload_link(const Robot& robot, const PayloadPlace& place) {
  const std::string link = place.link.empty() ? robot.only_tip() : place.link;
  robot.find_link(link);  // or an Error
  return link;
}

void require_effort_limit(const Robot& robot, const std::vector<Ratings>& ratings) {
  for (const Ratings& r : ratings)
    if (std::isfinite(r.peak_at_joint()) || std::isfinite(r.continuous_at_joint())) return;
  throw Error({robot.description().file, 0},
              fmt::format("robot '{}' has no torque limit", robot.name()),
              "give its joints effort limits, such as effort = 80 in a TOML file");
}

// Of the robot's own velocity coordinates; of floating joints none bounds anything.
std::vector<Ratings> ratings_by_coordinate(const Robot& robot,
                                           const std::vector<LimitedCoordinate>& coordinates) {
  std::vector<Ratings> all;
  for (const LimitedCoordinate& c : coordinates)
    if (c.mimics.empty())
      all.push_back(c.actuated ? ratings_of(robot.description().joints[c.joint]) : Ratings{});
  return all;
}

LimitKind bounding_kind(const Ratings& r, bool continuous) {
  if (continuous)
    return r.continuous_effort <= r.ratio * r.motor_continuous_torque
               ? LimitKind::continuous_effort
               : LimitKind::motor_continuous_torque;
  return r.effort <= r.ratio * r.motor_torque ? LimitKind::effort : LimitKind::motor_torque;
}

MassInterval rigid_masses(const Robot& robot, const Robot& loaded, const SampledTrajectory& m,
                          const std::vector<Ratings>& ratings, const LimitsOptions& o) {
  const std::vector<double> a = torques_of(robot, m, false, o.threads),
                            with = torques_of(loaded, m, false, o.threads), w = time_weights(m);
  const std::size_t nv = ratings.size();
  MassInterval masses;
  for (std::size_t k = 0; k < nv; ++k) {
    const double peak = (1 - o.margin) * ratings[k].peak_at_joint(),
                 continuous = (1 - o.margin) * ratings[k].continuous_at_joint();
    double A = 0, B = 0, C = 0;
    for (std::size_t r = 0; r < m.rows; ++r) {
      const double x = a[r * nv + k], y = with[r * nv + k] - x;
      masses.bound(x, y, peak, k);
      A += w[r] * y * y;
      B += w[r] * x * y;
      C += w[r] * x * x;
    }
    if (std::isfinite(continuous))
      masses.bound_square(A, B, C - continuous * continuous / o.duty, k);
  }
  return masses;
}

bool bounds_torque(LimitKind k) {
  return k == LimitKind::effort || k == LimitKind::continuous_effort ||
         k == LimitKind::motor_torque || k == LimitKind::motor_continuous_torque;
}

// The torque limit that is used most.
struct TorqueUse {
  std::string coordinate;
  LimitKind kind = LimitKind::effort;
  double share = 0;
};
TorqueUse most_used(const LimitsReport& report) {
  TorqueUse most;
  for (const JointLoad& j : report.joints)
    for (const LimitUse& u : j.uses)
      if (j.actuated && bounds_torque(u.kind) && u.given() && u.share > most.share)
        most = {j.coordinate, u.kind, u.share};
  return most;
}

}  // namespace
}  // namespace motion

using namespace motion;

HeaviestPayload heaviest_payload(const Robot& robot, const SampledTrajectory& m,
                                 const PayloadPlace& place, const LimitsOptions& options) {
  const LimitsReport empty = check_limits(robot, m, options);
  const std::string link = payload_link(robot, place);
  const std::vector<LimitedCoordinate> coordinates = limited_coordinates(robot);
  const std::vector<Ratings> ratings = ratings_by_coordinate(robot, coordinates);
  require_effort_limit(robot, ratings);
  const MassInterval rigid =
      rigid_masses(robot, robot.with_payload(link, 1, place.centre), m, ratings, options);
  HeaviestPayload found;
  const double allowed = (1 - options.margin) * (1 + 1e-12);
  found.empty_holds = most_used(empty).share <= allowed;
  if (!options.friction || FrictionStage<double>(robot.canonical()).nothing()) {
    found.mass = rigid.heaviest();
    if (std::isfinite(rigid.high)) {
      found.coordinate = coordinates[rigid.coordinate].name;
      found.kind = bounding_kind(ratings[rigid.coordinate], rigid.continuous);
    }
    return found;
  }
  const auto use = [&](double mass) {
    return most_used(
        mass > 0 ? check_limits(robot.with_payload(link, mass, place.centre), m, options) : empty);
  };
  if (!found.empty_holds) {
    found.coordinate = use(0).coordinate;
    found.kind = use(0).kind;
    return found;
  }
  double low = 0, high = std::isfinite(rigid.high) && rigid.high > 0 ? rigid.high : 1;
  for (int k = 0; k < 40 && use(high).share <= allowed; ++k) {
    low = high;
    high *= 2;
  }
  if (use(high).share <= allowed) {
    found.mass = Ratings::none;
    return found;
  }
  while (high - low > 1e-6 * high) {
    const double middle = (low + high) / 2;
    (use(middle).share <= allowed ? low : high) = middle;
  }
  const TorqueUse bound = use(high);
  found.mass = low;
  found.coordinate = bound.coordinate;
  found.kind = bound.kind;
  return found;
}

namespace motion {
namespace {

// Poses with the payload each holds (-1: not even none), and its reach.
struct HeldPoses {
  std::vector<double> q, mass, reach;
  std::vector<std::size_t> coordinate;
};

class PayloadSweep {
 public:
  PayloadSweep(const Robot& robot, const std::string& link, const PayloadMapOptions& o)
      : robot_(robot),
        link_(link),
        o_(o),
        engine_(robot, {.threads = o.threads, .kernel = KernelKind::generic}),
        loaded_(robot.with_payload(link, 1, o.place.centre),
                {.threads = o.threads, .kernel = KernelKind::generic}),
        ratings_(ratings_by_coordinate(robot, limited_coordinates(robot))),
        random_(o.seed) {
    require_effort_limit(robot, ratings_);
    const auto g = robot.gravity();
    const double length = std::hypot(g[0], g[1], g[2]);
    for (std::size_t k = 0; k < 3; ++k) down_[k] = length > 0 ? g[k] / length : 0;
    ranges();
  }

  std::vector<double> random_poses(std::size_t count) {
    std::vector<double> q;
    q.reserve(count * low_.size());
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t k = 0; k < low_.size(); ++k)
        q.push_back(low_[k] + (high_[k] - low_[k]) * share());
    return q;
  }
  // Each coordinate within `size` of its range around where it is.
  void perturb(std::span<double> q, double size) {
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double width = high_[k] - low_[k];
      q[k] = std::clamp(q[k] + width * size * (2 * share() - 1), low_[k], high_[k]);
    }
  }

  HeldPoses held(std::vector<double> poses) {
    const std::size_t nq = low_.size(), rows = poses.size() / nq, nv = ratings_.size();
    HeldPoses h{std::move(poses), std::vector<double>(rows), std::vector<double>(rows),
                std::vector<std::size_t>(rows)};
    std::vector<double> a(rows * nv), b(rows * nv), R(rows * 9), p(rows * 3);
    engine_.gravity(rows, h.q, a);
    loaded_.gravity(rows, h.q, b);
    engine_.kinematics(rows, h.q, link_, R, p);
    for (std::size_t r = 0; r < rows; ++r) {
      MassInterval masses;
      for (std::size_t k = 0; k < nv; ++k)
        masses.bound(a[r * nv + k], b[r * nv + k] - a[r * nv + k],
                     (1 - o_.margin) *
                         std::min(ratings_[k].peak_at_joint(), ratings_[k].continuous_at_joint()),
                     k);
      h.mass[r] = masses.allows_none() ? masses.heaviest() : -1;
      h.coordinate[r] = masses.coordinate;
      h.reach[r] = reach(&R[9 * r], &p[3 * r]);
    }
    return h;
  }

  std::size_t width() const { return low_.size(); }
  const std::vector<Ratings>& ratings() const { return ratings_; }

 private:
  void ranges() {
    const auto& joints = robot_.description().joints;
    const std::vector<Limits> limits = shared_limits(robot_.description());
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const JointDescription& j = joints[k];
      if (position_count(j) == 0) continue;
      if (position_count(j) != 1)
        throw Error({robot_.description().file, j.line},
                    fmt::format("joint '{}' is {}; a payload map needs joints of one coordinate",
                                j.name, name_of(j.type)),
                    "use a robot with a stationary base");
      const bool endless_slide =
          j.type == JointType::prismatic &&
          !(std::isfinite(limits[k].lower) && std::isfinite(limits[k].upper));
      if (endless_slide)
        throw Error({robot_.description().file, j.line},
                    fmt::format("joint '{}' slides without position limits", j.name),
                    "give it lower and upper limits, or lock it");
      constexpr double half_turn = 3.14159265358979;
      low_.push_back(std::isfinite(limits[k].lower) ? limits[k].lower : -half_turn);
      high_.push_back(std::isfinite(limits[k].upper) ? limits[k].upper : half_turn);
    }
  }

  double reach(const double* R, const double* p) const {
    const auto& c = o_.place.centre;
    double at[3], along = 0, square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = p[k] + R[3 * k] * c[0] + R[3 * k + 1] * c[1] + R[3 * k + 2] * c[2];
      along += at[k] * down_[k];
    }
    for (std::size_t k = 0; k < 3; ++k) square += std::pow(at[k] - along * down_[k], 2);
    return std::sqrt(square);
  }

  // Not std::uniform_real_distribution, whose numbers differ between libraries.
  double share() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  const Robot& robot_;
  std::string link_;
  const PayloadMapOptions& o_;
  Engine engine_, loaded_;
  std::vector<Ratings> ratings_;
  std::vector<double> low_, high_;
  std::array<double, 3> down_{};
  std::mt19937_64 random_;
};

// Poses that are kept while a figure of theirs improves.
struct SearchedPose {
  std::vector<double> q;
  double mass = 0;
  std::size_t coordinate = 0, ring = 0;
  bool lightest = true;  // looks for a smaller mass, else for a larger one
};

constexpr std::size_t kept_poses = 12;  // of each ring and direction
constexpr int search_rounds = 60;

double search_size(int round) { return 0.3 * std::pow(0.01, round / (search_rounds - 1.0)); }

double longest_reach(PayloadSweep& sweep, const HeldPoses& found) {
  const std::size_t nq = sweep.width();
  std::vector<std::size_t> order(found.reach.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return found.reach[a] > found.reach[b]; });
  order.resize(std::min(order.size(), 2 * kept_poses));
  std::vector<double> best, reach;
  for (const std::size_t k : order) {
    best.insert(best.end(), &found.q[k * nq], &found.q[k * nq] + nq);
    reach.push_back(found.reach[k]);
  }
  for (int round = 0; round < search_rounds; ++round) {
    std::vector<double> tried = best;
    for (std::size_t k = 0; k < order.size(); ++k)
      sweep.perturb(std::span(tried).subspan(k * nq, nq), search_size(round));
    const HeldPoses h = sweep.held(std::move(tried));
    for (std::size_t k = 0; k < order.size(); ++k)
      if (h.reach[k] > reach[k]) {
        reach[k] = h.reach[k];
        std::copy(&h.q[k * nq], &h.q[k * nq] + nq, &best[k * nq]);
      }
  }
  return *std::max_element(reach.begin(), reach.end());
}

}  // namespace
}  // namespace motion

PayloadMap payload_map(const Robot& robot, const PayloadMapOptions& o) {
  if (!(o.margin >= 0 && o.margin < 1))
    throw std::invalid_argument(fmt::format("margin: {}; give 0 to below 1", o.margin));
  if (o.poses == 0 || o.rings == 0 || o.rings > 10'000)
    throw std::invalid_argument("poses, rings: at least 1 are needed, and at most 10000 rings");
  PayloadMap map;
  map.link = payload_link(robot, o.place);
  PayloadSweep sweep(robot, map.link, o);
  for (std::size_t k = 0; k < sweep.ratings().size(); ++k)
    if (!std::isfinite(sweep.ratings()[k].peak_at_joint()))
      map.without_effort_limit.push_back(robot.velocity_names()[k]);
  const std::size_t nq = sweep.width();
  const HeldPoses first = sweep.held(sweep.random_poses(o.poses));
  const double longest = longest_reach(sweep, first);
  const auto ring_of = [&](double reach) {
    const double share = longest > 0 ? reach / longest : 0;
    return std::min(o.rings - 1, static_cast<std::size_t>(share * static_cast<double>(o.rings)));
  };
  std::vector<std::vector<std::size_t>> in(o.rings);
  for (std::size_t p = 0; p < first.mass.size(); ++p) in[ring_of(first.reach[p])].push_back(p);
  std::vector<SearchedPose> searched;
  for (std::size_t ring = 0; ring < o.rings; ++ring)
    for (const bool lightest : {true, false}) {
      std::vector<std::size_t> order = in[ring];
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return lightest ? first.mass[a] < first.mass[b] : first.mass[a] > first.mass[b];
      });
      order.resize(std::min(order.size(), kept_poses));
      for (const std::size_t p : order)
        searched.push_back({{&first.q[p * nq], &first.q[p * nq] + nq},
                            first.mass[p],
                            first.coordinate[p],
                            ring,
                            lightest});
    }
  for (int round = 0; round < search_rounds; ++round) {
    std::vector<double> tried;
    for (const SearchedPose& s : searched) tried.insert(tried.end(), s.q.begin(), s.q.end());
    for (std::size_t k = 0; k < searched.size(); ++k)
      sweep.perturb(std::span(tried).subspan(k * nq, nq), search_size(round));
    const HeldPoses h = sweep.held(std::move(tried));
    for (std::size_t k = 0; k < searched.size(); ++k) {
      SearchedPose& s = searched[k];
      const bool better = s.lightest ? h.mass[k] < s.mass : h.mass[k] > s.mass;
      if (!better || h.reach[k] > longest || ring_of(h.reach[k]) != s.ring) continue;
      s.q.assign(&h.q[k * nq], &h.q[k * nq] + nq);
      s.mass = h.mass[k];
      s.coordinate = h.coordinate[k];
    }
    if (o.progress) o.progress((round + 1.0) / search_rounds);
  }
  map.everywhere = Ratings::none;
  for (std::size_t ring = 0; ring < o.rings; ++ring) {
    if (in[ring].empty()) continue;
    const double step = longest / static_cast<double>(o.rings);
    PayloadRing r{step * static_cast<double>(ring),
                  step * static_cast<double>(ring + 1),
                  in[ring].size(),
                  Ratings::none,
                  0,
                  true,
                  {},
                  ""};
    for (const SearchedPose& s : searched) {
      if (s.ring != ring) continue;
      if (!s.lightest) r.somewhere = std::max(r.somewhere, s.mass);
      if (s.lightest && (r.pose.empty() || s.mass < r.everywhere)) {
        r.everywhere = s.mass;
        r.pose = s.q;
        r.empty_holds = s.mass >= 0;
        r.coordinate = std::isfinite(s.mass) ? robot.velocity_names()[s.coordinate] : "";
      }
    }
    r.everywhere = std::max(r.everywhere, 0.0);
    map.everywhere = std::min(map.everywhere, r.everywhere);
    map.empty_holds &= r.empty_holds;
    map.rings.push_back(std::move(r));
  }
  return map;
}

}  // namespace parid
