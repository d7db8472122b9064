#include "parid/inverse_kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "base/threads/thread_pool.hpp"
#include "kinematics/closed_form.hpp"
#include "parid/error.hpp"
#include "runtime/kinematics/ik_search.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "runtime/layer.hpp"

namespace parid {
using namespace runtime;

namespace {

using Twelve = std::array<double, 12>;  // a rotation, row-major, and a position

Twelve numbers_of(const Pose<double>& A) {
  const auto& [r0, r1, r2] = A.R;
  return {r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z, A.p.x, A.p.y, A.p.z};
}

// The pose with its rotation orthonormalised, which removes errors of printing and reading.
Pose<double> checked(const LinkPose& pose) {
  for (const double x : pose.position)
    if (!std::isfinite(x))
      throw Error("the position of a pose is not finite; give three numbers in metres");
  const LinkPose clean = LinkPose::from_quaternion(pose.position, pose.quaternion());
  for (std::size_t k = 0; k < 9; ++k)
    if (!(std::abs(clean.rotation[k] - pose.rotation[k]) < 1e-3))
      throw Error(
          "the rotation of a pose is not a rotation matrix; give a right-handed matrix with "
          "orthonormal rows");
  return pose_of(clean);
}

double angle_between(const Mat3<double>& A, const Mat3<double>& B) {
  const Mat3<double> R = A * transposed(B);
  const double s = 0.5 * std::hypot(R.r2.y - R.r1.z, R.r0.z - R.r2.x, R.r1.x - R.r0.y);
  return std::atan2(s, 0.5 * (R.r0.x + R.r1.y + R.r2.z - 1));
}

}  // namespace

struct InverseKinematics::Parts {
  Robot robot;
  std::string link;
  LinkPose offset;
  IkOptions options;
  Path path;
  std::optional<ClosedForm> form;
  std::array<const PathFreedom*, 6> freedom{};  // of the form's joints
  std::vector<double> neutral;
  std::vector<IkSearch> search;  // one per thread, from the first call that needs it
  std::unique_ptr<ThreadPool> pool;

  Parts(const Robot& r, const std::string& name, const LinkPose& at, const IkOptions& o)
      : robot(r),
        link(name),
        offset(at),
        options(o),
        path(path_to(r.canonical(), r.description(), r.find_link(name))),
        neutral(r.neutral()) {
    if (o.closed_form) form = closed_form(r.canonical(), r.find_link(name));
    const Pose<double> tip = checked(at);
    path.tip = path.tip * tip;
    path.extent += norm(tip.p);
    if (form) form->tool = inverse(tip) * form->tool;
    if (form)
      for (const PathFreedom& f : path.freedoms)
        for (std::size_t k = 0; k < 6; ++k)
          if (path.position[static_cast<std::size_t>(f.q)] == form->coordinate[k]) freedom[k] = &f;
    if (!(o.position_tolerance > 0) || !(o.angle_tolerance > 0) || o.attempts < 1 || o.steps < 1)
      throw std::invalid_argument(
          "InverseKinematics: tolerances, attempts and steps must be positive");
    thread_count(o.threads);  // or an Error
    search.emplace_back(path, options);
  }

  void check_seed(std::span<const double> seed) const {
    if (!seed.empty() && seed.size() != neutral.size())
      throw std::invalid_argument(
          fmt::format("InverseKinematics: a start position of '{}' has {} numbers, not {}",
                      robot.name(), neutral.size(), seed.size()));
  }
  std::span<const double> from(std::span<const double> seed) const {
    return seed.empty() ? std::span<const double>(neutral) : seed;
  }
  std::vector<double> whole(std::span<const double> seed) const {
    return {from(seed).begin(), from(seed).end()};
  }

  // Adds whole turns that bring x within its limits, as near to `near` as possible; false if there
  // is no such number.
  static bool settle(const PathFreedom& f, double near, double& x) {
    constexpr double turn = 2 * std::numbers::pi, slack = 1e-12;  // rounding is no broken limit
    if (f.kind == JointKind::revolute) {
      x += turn * std::round((near - x) / turn);
      double y = x;
      if (y < f.lower - slack) y += turn * std::ceil((f.lower - slack - y) / turn);
      if (y > f.upper + slack) y -= turn * std::ceil((y - f.upper - slack) / turn);
      if (y >= f.lower - slack) x = y;
    }
    if (x < f.lower - slack || x > f.upper + slack) return false;
    x = std::clamp(x, f.lower, f.upper);
    return true;
  }

  // One branch in the robot's coordinates, not yet verified.
  struct Candidate {
    int number = 0;
    std::array<double, 6> q{};  // by joint of the form
    bool within_limits = true;
    double far = 0;  // largest distance of a joint from the seed
  };
  Candidate candidate(const Pose<double>& pose, int number, std::span<const double> from) const {
    Candidate c{number, branch(*form, pose, number).q};
    for (std::size_t k = 0; k < 6; ++k) {
      const double near = from[static_cast<std::size_t>(form->coordinate[k])];
      c.within_limits &= settle(*freedom[k], near, c.q[k]);
      c.far = std::max(c.far, std::abs(c.q[k] - near));
    }
    return c;
  }
  // For an unreachable pose a closed form still gives a posture: forward kinematics decides.
  bool verified(const Candidate& c, const Pose<double>& pose, IkReport& report) const {
    std::array<double, 6> at_path{};  // a closed form has six coordinates
    for (std::size_t k = 0; k < 6; ++k) at_path[static_cast<std::size_t>(freedom[k]->q)] = c.q[k];
    const Pose<double> at = forward(path, at_path.data());
    report.position_error = norm(at.p - pose.p);
    report.angle_error = angle_between(at.R, pose.R);
    return report.converged = report.position_error <= options.position_tolerance &&
                              report.angle_error <= options.angle_tolerance;
  }
  void put(const Candidate& c, std::vector<double>& q) const {
    for (std::size_t k = 0; k < 6; ++k) q[static_cast<std::size_t>(form->coordinate[k])] = c.q[k];
  }

  std::vector<IkBranch> branches(const Pose<double>& pose, std::span<const double> seed) const {
    std::vector<IkBranch> out;
    for (int b = 0; b < ClosedForm::branches; ++b) {
      const Candidate c = candidate(pose, b, from(seed));
      IkReport report;
      if (!verified(c, pose, report)) continue;
      out.push_back({b, whole(seed), c.within_limits, report.position_error, report.angle_error});
      put(c, out.back().q);
    }
    return out;
  }

  // Of the branches within limits that reach the pose, the nearest to the seed.
  IkSolution by_closed_form(const Pose<double>& pose, std::span<const double> seed) const {
    std::array<Candidate, ClosedForm::branches> all;
    for (int b = 0; b < ClosedForm::branches; ++b)
      all[static_cast<std::size_t>(b)] = candidate(pose, b, from(seed));
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return a.within_limits != b.within_limits ? a.within_limits : a.far < b.far;
    });
    IkSolution out;
    for (const Candidate& c : all)
      if (c.within_limits && verified(c, pose, out)) {
        out.q = whole(seed);
        put(c, out.q);
        break;
      }
    return out;
  }

  void to_path(const double* whole_q, double* out) const {
    for (std::size_t k = 0; k < path.position.size(); ++k) out[k] = whole_q[path.position[k]];
  }
  void from_path(const double* in, double* whole_q) const {
    for (std::size_t k = 0; k < path.position.size(); ++k) whole_q[path.position[k]] = in[k];
  }

  IkSolution searched(IkSearch& by, const Pose<double>& pose, std::span<const double> seed,
                      bool turning) const {
    IkSolution out;
    out.q = whole(seed);
    std::vector<double> path_seed(path.position.size()), path_q(path_seed);
    to_path(out.q.data(), path_seed.data());
    const Twelve target = numbers_of(pose);
    static_cast<IkReport&>(out) =
        by.one(target.data(), seed.empty() ? nullptr : path_seed.data(), turning, path_q.data());
    from_path(path_q.data(), out.q.data());
    if (!out.converged) out.why = reason(out, turning, 0);
    return out;
  }

  std::string reason(const IkReport& r, bool turning, std::size_t beyond_limits) const {
    const std::string left = turning ? fmt::format("{:.3g} m, orientation error {:.3g} rad",
                                                   r.position_error, r.angle_error)
                                     : fmt::format("{:.3g} m", r.position_error);
    if (beyond_limits > 0)
      return fmt::format(
          "{} of 8 branches reach the pose, all outside the joint limits; closest solution within "
          "the limits: position error {}",
          beyond_limits, left);
    return fmt::format(
        "no solution within the joint limits in {} attempts; closest solution: position error {}",
        r.attempts, left);
  }

  IkSolution solve(IkSearch& by, const Pose<double>& pose, std::span<const double> seed) const {
    if (!form) return searched(by, pose, seed, true);
    IkSolution out = by_closed_form(pose, seed);
    if (out.converged) return out;
    out = searched(by, pose, seed, true);  // how near it comes
    if (!out.converged) out.why = reason(out, true, branches(pose, seed).size());
    return out;
  }

  // Rows from `first` on, by one thread.
  std::span<const double> row(std::span<const double> seeds, std::size_t r) const {
    return seeds.empty() ? seeds : seeds.subspan(r * neutral.size(), neutral.size());
  }
  void solve_each(IkSearch& by, std::size_t first, std::size_t count,
                  const std::vector<Pose<double>>& wanted, std::span<const double> seeds,
                  std::span<double> q, std::span<IkReport> reports) const {
    for (std::size_t r = first; r < first + count; ++r) {
      const IkSolution s = solve(by, wanted[r], row(seeds, r));
      std::copy(s.q.begin(), s.q.end(), &q[r * neutral.size()]);
      reports[r] = s;
    }
  }
  void search_together(IkSearch& by, std::size_t first, std::size_t count,
                       const std::vector<Pose<double>>& wanted, std::span<const double> seeds,
                       std::span<double> q, std::span<IkReport> reports) const {
    const std::size_t m = path.position.size();
    std::vector<double> targets(12 * count), path_seeds(m * count), path_q(m * count);
    for (std::size_t k = 0; k < count; ++k) {
      const Twelve target = numbers_of(wanted[first + k]);
      std::copy(target.begin(), target.end(), &targets[12 * k]);
      const std::span<const double> start = from(row(seeds, first + k));
      to_path(start.data(), &path_seeds[k * m]);
      std::copy(start.begin(), start.end(), &q[(first + k) * neutral.size()]);
    }
    by.many(count, targets.data(), seeds.empty() ? nullptr : path_seeds.data(), true, path_q.data(),
            &reports[first]);
    for (std::size_t k = 0; k < count; ++k)
      from_path(&path_q[k * m], &q[(first + k) * neutral.size()]);
  }

  // Calls work(search, first, count) for all rows, in parts.
  template <class Work>
  void share(std::size_t rows, const Work& work) {
    const int threads = thread_count(options.threads);
    if (!pool) pool = std::make_unique<ThreadPool>(threads);
    while (static_cast<int>(search.size()) < threads) search.emplace_back(path, options);
    const std::size_t grain =
        std::max<std::size_t>(64, rows / (8 * static_cast<std::size_t>(threads)));
    pool->share((rows + grain - 1) / grain, [&](int member, std::size_t part) {
      const std::size_t first = part * grain;
      work(search[static_cast<std::size_t>(member)], first, std::min(grain, rows - first));
    });
  }
};

InverseKinematics::InverseKinematics(const Robot& robot, const IkOptions& options)
    : InverseKinematics(robot, robot.tip(), options) {}
InverseKinematics::InverseKinematics(const Robot& robot, const std::string& link,
                                     const IkOptions& options)
    : InverseKinematics(robot, link, LinkPose{}, options) {}
InverseKinematics::InverseKinematics(const Robot& robot, const std::string& link,
                                     const LinkPose& offset, const IkOptions& options)
    : parts_(std::make_unique<Parts>(robot, link, offset, options)) {}
InverseKinematics::InverseKinematics(InverseKinematics&&) noexcept = default;
InverseKinematics& InverseKinematics::operator=(InverseKinematics&&) noexcept = default;
InverseKinematics::~InverseKinematics() = default;

const Robot& InverseKinematics::robot() const { return parts_->robot; }
const std::string& InverseKinematics::link() const { return parts_->link; }
LinkPose InverseKinematics::offset() const { return parts_->offset; }
std::string InverseKinematics::solver() const {
  return parts_->form ? name_of(parts_->form->arm) : "numeric";
}

IkSolution InverseKinematics::solve(const LinkPose& pose, std::span<const double> seed) {
  parts_->check_seed(seed);
  return parts_->solve(parts_->search.front(), checked(pose), seed);
}

IkSolution InverseKinematics::solve(const std::array<double, 3>& position,
                                    std::span<const double> seed) {
  parts_->check_seed(seed);
  return parts_->searched(parts_->search.front(), checked({position}), seed, false);
}

std::vector<IkBranch> InverseKinematics::all(const LinkPose& pose, std::span<const double> seed) {
  parts_->check_seed(seed);
  if (!parts_->form)
    throw Error(
        fmt::format("'{}' has no closed-form inverse kinematics for link '{}', so all solutions "
                    "cannot be listed; request one solution",
                    parts_->robot.name(), parts_->link));
  return parts_->branches(checked(pose), seed);
}

std::string InverseKinematics::why(const IkReport& report) const {
  return report.converged ? "" : parts_->reason(report, true, 0);
}

std::size_t InverseKinematics::solve(std::span<const LinkPose> poses, std::span<const double> seeds,
                                     std::span<double> q, std::span<IkReport> reports) {
  Parts& p = *parts_;
  const std::size_t n = poses.size(), nq = p.neutral.size();
  if (q.size() != n * nq || reports.size() != n || (!seeds.empty() && seeds.size() != n * nq))
    throw std::invalid_argument(
        fmt::format("InverseKinematics: seeds, q and reports have {}, {}, {} entries; {} poses of "
                    "'{}' need {} or none, {}, {}",
                    seeds.size(), q.size(), reports.size(), n, p.robot.name(), n * nq, n * nq, n));
  std::vector<Pose<double>> wanted;
  for (const LinkPose& pose : poses) wanted.push_back(checked(pose));
  p.share(n, [&](IkSearch& by, std::size_t first, std::size_t count) {
    if (p.form)
      p.solve_each(by, first, count, wanted, seeds, q, reports);
    else
      p.search_together(by, first, count, wanted, seeds, q, reports);
  });
  return static_cast<std::size_t>(
      std::count_if(reports.begin(), reports.end(), [](const IkReport& r) { return r.converged; }));
}

}  // namespace parid
