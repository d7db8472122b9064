#include "parid/inverse_kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "base/threads/thread_pool.hpp"
#include "kinematics/closed_form.hpp"
#include "kinematics/damped_step.hpp"
#include "kinematics/serial_arm_ik.hpp"
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

using JointPositions = std::array<double, SerialArm::most_joints>;  // by joint of the chain

// The closed form of an arm, of either kind.
struct ArmForm {
  std::optional<ClosedForm> classic;  // PUMA or Stanford arm
  std::optional<SerialArm> serial;

  explicit operator bool() const { return classic || serial; }
  bool redundant() const { return serial && serial->redundancy != SerialArm::Redundancy::none; }
  int branches() const { return classic ? ClosedForm::branches : serial->branches(); }
  std::size_t joints() const { return classic ? 6 : static_cast<std::size_t>(serial->joints); }
  std::size_t coordinate(std::size_t joint) const {
    return static_cast<std::size_t>(classic ? classic->coordinate[joint]
                                            : serial->coordinate[joint]);
  }
  const char* name() const { return classic ? name_of(classic->arm) : name_of(serial->shape); }
  // Relative distances of pairs of solutions to try for an arm that is not quite the form.
  static constexpr std::array<double, 4> widenings{0, 8, 64, 512};
  bool rough() const { return serial && !serial->exact(); }
  JointPositions at(const Pose<double>& pose, int number, double given, double widening) const {
    if (serial) return branch(*serial, pose, number, given, widening * serial->deviation).q;
    JointPositions q{};
    const auto six = branch(*classic, pose, number).q;
    std::copy(six.begin(), six.end(), q.begin());
    return q;
  }
  void add_tool(const Pose<double>& tip) {
    if (classic) classic->tool = inverse(tip) * classic->tool;
    if (!serial) return;
    Pose<double>& end =
        serial->redundancy == SerialArm::Redundancy::last_joint ? serial->last : serial->tool;
    end = inverse(tip) * end;
  }
};

// Newton steps on the path's exact model, without limits.
class Polish {
 public:
  explicit Polish(const Path& path) : path_(without_limits(path)), step_(path_) {}
  Polish(Polish&& other) noexcept : path_(std::move(other.path_)), step_(path_) {}

  // Improves q until it no longer gets better: at most `most` steps. Coordinate `held`, if any,
  // does not change.
  void operator()(const Pose<double>& pose, double* q, int most, int held) {
    if (held >= 0) {
      Path path = path_;
      for (PathFreedom& f : path.freedoms)
        if (f.q == held) f.lower = f.upper = q[held];
      DampedStep<double> step(path);
      improve(step, pose, q, most);
    } else {
      improve(step_, pose, q, most);
    }
  }

 private:
  void improve(DampedStep<double>& by, const Pose<double>& pose, double* q, int most) {
    std::array<double, SerialArm::most_joints> next{};
    double last = std::numeric_limits<double>::infinity();
    std::array<double, SerialArm::most_joints> best{};
    int worse = 0;
    for (int k = 0; k <= most && worse < 3; ++k) {
      const auto distance = by.step(q, pose, 1.0, next.data());
      const double far = distance.position2 / (path_.extent * path_.extent) + distance.angle2;
      if (far < last) {
        last = far;
        std::copy_n(q, path_.nq, best.begin());
        worse = 0;
      } else {  // also a NaN
        ++worse;
      }
      if (last < 1e-31) break;
      std::copy_n(next.begin(), path_.nq, q);
    }
    std::copy_n(best.begin(), path_.nq, q);
  }

  static Path without_limits(Path path) {
    for (PathFreedom& f : path.freedoms) {
      f.lower = -std::numeric_limits<double>::infinity();
      f.upper = -f.lower;
    }
    return path;
  }
  Path path_;
  DampedStep<double> step_;
};

// Whether the Jacobian of the path has a smaller rank than it could: its columns, with lengths per
// arm's size, are made orthogonal, largest first.
bool is_singular(const Path& path, const double* q) {
  using Column = std::array<double, 6>;
  std::vector<Column> J;
  Pose<double> at = path.base;
  std::vector<std::pair<Vec3<double>, Vec3<double>>> axis;
  for (const PathJoint& j : path.joints) {
    at = at * Pose<double>{j.E, j.p};
    const Vec3<double> z = at.R.column(2);
    const double x = q[j.q] * j.scale + j.offset;
    axis.emplace_back(at.p, z);
    if (j.kind == JointKind::prismatic)
      at.p = at.p + x * z;
    else
      at.R = at.R * rotation_z(sin_cos(x));
  }
  const Vec3<double> tip = (at * path.tip).p;
  for (std::size_t k = 0; k < path.joints.size(); ++k) {
    const auto& [p, z] = axis[k];
    const bool slide = path.joints[k].kind == JointKind::prismatic;
    const Vec3<double> v = (1 / path.extent) * (slide ? z : cross(z, tip - p)),
                       w = slide ? Vec3<double>{} : z;
    J.push_back({v.x, v.y, v.z, w.x, w.y, w.z});
  }
  auto dot6 = [](const Column& a, const Column& b) {
    double sum = 0;
    for (std::size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
    return sum;
  };
  const std::size_t rank = std::min<std::size_t>(6, J.size());
  for (std::size_t r = 0; r < rank; ++r) {
    const auto largest =
        std::max_element(J.begin() + static_cast<std::ptrdiff_t>(r), J.end(),
                         [&](const Column& a, const Column& b) { return dot6(a, a) < dot6(b, b); });
    std::swap(J[r], *largest);
    const double length2 = dot6(J[r], J[r]);
    if (!(length2 > 1e-12)) return true;  // a millionth
    for (std::size_t k = r + 1; k < J.size(); ++k) {
      const double share = dot6(J[k], J[r]) / length2;
      for (std::size_t i = 0; i < 6; ++i) J[k][i] -= share * J[r][i];
    }
  }
  return false;
}

}  // namespace

struct InverseKinematics::Parts {
  Robot robot;
  std::string link;
  LinkPose offset;
  IkOptions options;
  Path path;
  ArmForm form;
  std::string no_form;                                               // the reason if there is none
  std::array<const PathFreedom*, SerialArm::most_joints> freedom{};  // of the form's joints
  std::vector<double> neutral;
  std::vector<IkSearch> search;  // one per thread, from the first call that needs it
  std::vector<Polish> polish;    // likewise
  std::unique_ptr<ThreadPool> pool;

  Parts(const Robot& r, const std::string& name, const LinkPose& at, const IkOptions& o)
      : robot(r),
        link(name),
        offset(at),
        options(o),
        path(path_to(r.canonical(), r.description(), r.find_link(name))),
        neutral(r.neutral()) {
    no_form = "the options exclude it";
    if (o.closed_form) form.classic = kinematics::closed_form(r.canonical(), r.find_link(name));
    if (o.closed_form && !form) {
      SerialArmSearch found = serial_arm(r.canonical(), r.find_link(name));
      form.serial = found.arm;
      no_form = found.why;
    }
    const Pose<double> tip = checked(at);
    path.tip = path.tip * tip;
    path.extent += norm(tip.p);
    form.add_tool(tip);
    if (form)
      for (const PathFreedom& f : path.freedoms)
        for (std::size_t k = 0; k < form.joints(); ++k)
          if (path.position[static_cast<std::size_t>(f.q)] == static_cast<int>(form.coordinate(k)))
            freedom[k] = &f;
    if (!(o.position_tolerance > 0) || !(o.angle_tolerance > 0) || o.attempts < 1 || o.steps < 1)
      throw std::invalid_argument(
          "InverseKinematics: tolerances, attempts and steps must be positive");
    thread_count(o.threads);  // or an Error
    search.emplace_back(path, options);
    polish.emplace_back(path);
  }

  // The arm angle or the last joint of a seed.
  double given_by(std::span<const double> seed) const {
    if (!form.redundant()) return 0;
    if (form.serial->redundancy == SerialArm::Redundancy::last_joint)
      return seed[form.coordinate(SerialArm::most_joints - 1)];
    JointPositions q{};
    for (std::size_t k = 0; k < form.joints(); ++k) q[k] = seed[form.coordinate(k)];
    return arm_angle(*form.serial, q);
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
    JointPositions q{};  // by joint of the form
    bool within_limits = true;
    double far = 0;  // largest distance of a joint from the seed
  };
  Candidate candidate(const Pose<double>& pose, int number, double given,
                      std::span<const double> from, double widening = 0) const {
    Candidate c{number, form.at(pose, number, given, widening)};
    settle(c, from);
    return c;
  }
  void settle(Candidate& c, std::span<const double> from) const {
    c.within_limits = true;
    c.far = 0;
    for (std::size_t k = 0; k < form.joints(); ++k) {
      const double near = from[form.coordinate(k)];
      c.within_limits &= settle(*freedom[k], near, c.q[k]);
      c.far = std::max(c.far, std::abs(c.q[k] - near));
    }
  }
  JointPositions path_positions(const Candidate& c) const {
    JointPositions at_path{};
    for (std::size_t k = 0; k < form.joints(); ++k)
      at_path[static_cast<std::size_t>(freedom[k]->q)] = c.q[k];
    return at_path;
  }
  void measure(const JointPositions& at_path, const Pose<double>& pose, IkReport& report) const {
    const Pose<double> at = forward(path, at_path.data());
    report.position_error = norm(at.p - pose.p);
    report.angle_error = angle_between(at.R, pose.R);
    report.converged = report.position_error <= options.position_tolerance &&
                       report.angle_error <= options.angle_tolerance;
  }
  // For an unreachable pose a closed form still gives a posture: forward kinematics decides. Newton
  // steps correct forms that are not quite the arm's, and the few digits that a form loses near
  // singular postures.
  bool verified(Candidate& c, const Pose<double>& pose, std::span<const double> from,
                Polish& improve, IkReport& report) const {
    JointPositions at_path = path_positions(c);
    measure(at_path, pose, report);
    const double off = report.position_error / path.extent + report.angle_error;
    const bool rough = form.rough();
    if (form.serial && off > 1e-14 && off < (rough ? 0.1 : 1e-5)) {
      const bool last = form.serial->redundancy == SerialArm::Redundancy::last_joint;
      improve(pose, at_path.data(), rough ? 60 : 8,
              last ? freedom[SerialArm::most_joints - 1]->q : -1);
      for (std::size_t k = 0; k < form.joints(); ++k)
        c.q[k] = at_path[static_cast<std::size_t>(freedom[k]->q)];
      settle(c, from);
      measure(path_positions(c), pose, report);
    }
    return report.converged;
  }
  void put(const Candidate& c, std::vector<double>& q) const {
    for (std::size_t k = 0; k < form.joints(); ++k) q[form.coordinate(k)] = c.q[k];
  }

  std::vector<IkBranch> branches(const Pose<double>& pose, double given,
                                 std::span<const double> seed, Polish& improve) const {
    std::vector<IkBranch> out;
    std::vector<JointPositions> known;
    auto is_known = [&](const JointPositions& q) {
      return std::any_of(known.begin(), known.end(), [&](const JointPositions& other) {
        double apart = 0;
        for (std::size_t k = 0; k < form.joints(); ++k)
          apart = std::max(apart, std::abs(std::remainder(q[k] - other[k], 2 * std::numbers::pi)));
        return apart < 1e-7;
      });
    };
    for (int b = 0; b < form.branches(); ++b) {
      Candidate c = candidate(pose, b, given, from(seed));
      IkReport report;
      bool found = verified(c, pose, from(seed), improve, report);
      // Of a form that is not quite the arm, Newton steps of two branches may end in one solution.
      if (form.rough() && (!found || is_known(c.q)))
        for (const double w : ArmForm::widenings) {
          if (w == 0) continue;
          Candidate wide = candidate(pose, b, given, from(seed), w);
          IkReport there;
          if (!verified(wide, pose, from(seed), improve, there) || (found && is_known(wide.q)))
            continue;
          found = true;
          c = wide;
          report = there;
          if (!is_known(c.q)) break;
        }
      if (!found || (form.rough() && is_known(c.q))) continue;
      known.push_back(c.q);
      out.push_back({b, whole(seed), c.within_limits, is_singular(path, path_positions(c).data()),
                     report.position_error, report.angle_error});
      put(c, out.back().q);
    }
    return out;
  }

  // Of the branches within limits that reach the pose, the nearest to the seed.
  IkSolution by_closed_form(const Pose<double>& pose, std::span<const double> seed,
                            Polish& improve) const {
    std::array<Candidate, 8> all;
    const auto end = all.begin() + form.branches();
    for (auto c = all.begin(); c != end; ++c)
      *c = candidate(pose, static_cast<int>(c - all.begin()), 0, from(seed));
    std::sort(all.begin(), end, [](const Candidate& a, const Candidate& b) {
      return a.within_limits != b.within_limits ? a.within_limits : a.far < b.far;
    });
    IkSolution out;
    for (auto c = all.begin(); c != end; ++c) {
      if (!c->within_limits || !verified(*c, pose, from(seed), improve, out)) continue;
      if (c->within_limits) {  // after the Newton steps too
        out.q = whole(seed);
        put(*c, out.q);
        return out;
      }
      out.converged = false;
    }
    if (!form.rough()) return out;
    double nearest = std::numeric_limits<double>::infinity();
    for (const IkBranch& b : branches(pose, 0, seed, improve)) {
      double far = 0;
      for (std::size_t k = 0; k < b.q.size(); ++k)
        far = std::max(far, std::abs(b.q[k] - from(seed)[k]));
      if (!b.within_limits || far >= nearest) continue;
      nearest = far;
      out.q = b.q;
      out.converged = true;
      out.position_error = b.position_error;
      out.angle_error = b.angle_error;
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
          "{} of {} branches reach the pose, all outside the joint limits; closest solution within "
          "the limits: position error {}",
          beyond_limits, form.branches(), left);
    return fmt::format(
        "no solution within the joint limits in {} attempts; closest solution: position error {}",
        r.attempts, left);
  }

  bool solves_in_closed_form() const { return form && !form.redundant(); }

  IkSolution solve(IkSearch& by, Polish& improve, const Pose<double>& pose,
                   std::span<const double> seed) const {
    if (!solves_in_closed_form()) return searched(by, pose, seed, true);
    IkSolution out = by_closed_form(pose, seed, improve);
    if (out.converged) return out;
    out = searched(by, pose, seed, true);  // how near it comes
    if (!out.converged) out.why = reason(out, true, branches(pose, 0, seed, improve).size());
    return out;
  }

  // Rows from `first` on, by one thread.
  std::span<const double> row(std::span<const double> seeds, std::size_t r) const {
    return seeds.empty() ? seeds : seeds.subspan(r * neutral.size(), neutral.size());
  }
  void solve_each(IkSearch& by, Polish& improve, std::size_t first, std::size_t count,
                  const std::vector<Pose<double>>& wanted, std::span<const double> seeds,
                  std::span<double> q, std::span<IkReport> reports) const {
    for (std::size_t r = first; r < first + count; ++r) {
      const IkSolution s = solve(by, improve, wanted[r], row(seeds, r));
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

  // Calls work(search, polish, first, count) for all rows, in parts.
  template <class Work>
  void share(std::size_t rows, const Work& work) {
    const int threads = thread_count(options.threads);
    if (!pool) pool = std::make_unique<ThreadPool>(threads);
    while (static_cast<int>(search.size()) < threads) {
      search.emplace_back(path, options);
      polish.emplace_back(path);
    }
    const std::size_t grain =
        std::max<std::size_t>(64, rows / (8 * static_cast<std::size_t>(threads)));
    pool->share((rows + grain - 1) / grain, [&](int member, std::size_t part) {
      const std::size_t first = part * grain;
      const auto who = static_cast<std::size_t>(member);
      work(search[who], polish[who], first, std::min(grain, rows - first));
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
  return parts_->solves_in_closed_form() ? parts_->form.name() : "numeric";
}
std::string InverseKinematics::closed_form() const {
  return parts_->form ? parts_->form.name() : "";
}
std::string InverseKinematics::closed_form_text() const {
  const ArmForm& form = parts_->form;
  if (form.serial) return description_of(*form.serial);
  if (form.classic)
    return form.classic->arm == ClosedForm::Arm::puma ? "arm of the PUMA" : "Stanford arm";
  return parts_->no_form;
}
std::string InverseKinematics::redundancy() const {
  if (!parts_->form.redundant()) return "";
  return parts_->form.serial->redundancy == SerialArm::Redundancy::arm_angle ? "arm_angle"
                                                                             : "last_joint";
}

IkSolution InverseKinematics::solve(const LinkPose& pose, std::span<const double> seed) {
  parts_->check_seed(seed);
  return parts_->solve(parts_->search.front(), parts_->polish.front(), checked(pose), seed);
}

IkSolution InverseKinematics::solve(const std::array<double, 3>& position,
                                    std::span<const double> seed) {
  parts_->check_seed(seed);
  return parts_->searched(parts_->search.front(), checked({position}), seed, false);
}

std::vector<IkBranch> InverseKinematics::all(const LinkPose& pose, std::span<const double> seed) {
  Parts& p = *parts_;
  p.check_seed(seed);
  if (!p.form)
    throw Error(
        fmt::format("'{}' has no closed-form inverse kinematics for link '{}', so all solutions "
                    "cannot be listed: {}; request one solution",
                    p.robot.name(), p.link, p.no_form));
  return p.branches(checked(pose), p.given_by(p.from(seed)), seed, p.polish.front());
}

std::vector<IkBranch> InverseKinematics::all_with(const LinkPose& pose, double redundancy,
                                                  std::span<const double> seed) {
  Parts& p = *parts_;
  p.check_seed(seed);
  if (!p.form.redundant())
    throw Error(
        fmt::format("`redundancy`: the chain to link '{}' of '{}' has no arm angle or last joint "
                    "to choose; give the pose alone",
                    p.link, p.robot.name()));
  if (!std::isfinite(redundancy))
    throw Error("`redundancy`: the angle is not finite; give a number in rad");
  return p.branches(checked(pose), redundancy, seed, p.polish.front());
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
  p.share(n, [&](IkSearch& by, Polish& improve, std::size_t first, std::size_t count) {
    if (p.solves_in_closed_form())
      p.solve_each(by, improve, first, count, wanted, seeds, q, reports);
    else
      p.search_together(by, first, count, wanted, seeds, q, reports);
  });
  return static_cast<std::size_t>(
      std::count_if(reports.begin(), reports.end(), [](const IkReport& r) { return r.converged; }));
}

}  // namespace parid
