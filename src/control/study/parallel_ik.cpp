#include "control/study/parallel_ik.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "kinematics/joint_by_joint_ik.hpp"
#include "parid/error.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "scalar/dual.hpp"

namespace parid::control {
namespace {

using IkNumber = Dual<6>;
using Six = std::array<double, 6>;

double turned_near(double x, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return x + turn * std::round((near - x) / turn);
}

ClosedForm form_of(const Robot& robot, const std::string& link) {
  const std::optional<ClosedForm> form = closed_form(robot.canonical(), robot.find_link(link));
  if (!form)
    throw Error(
        fmt::format("'{}' has no closed-form inverse kinematics for link '{}'; joint-by-joint "
                    "inverse kinematics is for arms with the axes of a PUMA or a Stanford arm",
                    robot.name(), link));
  return *form;
}

}  // namespace

struct ParallelIk::Parts {
  Robot robot;
  std::string link;
  ClosedForm form;
  Age age;
  std::array<double, 3> signs{1, 1, 1};
  int number = 0;
  std::vector<Six> past;  // the form's positions by age, 1 first
  std::vector<double> q;

  Parts(const Robot& r, const std::string& l, const Age& a)
      : robot(r), link(l), form(form_of(r, l)), age(a) {
    past.resize(static_cast<std::size_t>(std::max(1, a.periods)) + 1);
  }
  bool slides(std::size_t k) const { return k == 2 && form.arm == ClosedForm::Arm::stanford; }
  Six of_robot(std::span<const double> from) const {
    Six x;
    for (std::size_t k = 0; k < 6; ++k)
      x[k] = form.sign[k] * from[static_cast<std::size_t>(form.coordinate[k])] + form.zero[k];
    return x;
  }
  void to_robot(const Six& x) {
    for (std::size_t k = 0; k < 6; ++k)
      q[static_cast<std::size_t>(form.coordinate[k])] = form.sign[k] * (x[k] - form.zero[k]);
  }
  template <class T>
  T joint(const Pose<double>& frame6, int k, const std::array<T, 6>& x) const {
    auto vec = [](const Vec3<double>& v) { return Vec3<T>{T(v.x), T(v.y), T(v.z)}; };
    const Pose<T> pose{{vec(frame6.R.r0), vec(frame6.R.r1), vec(frame6.R.r2)}, vec(frame6.p)};
    return joint_of_pose(form, pose, k, x, T(signs[0]), T(signs[1]), T(signs[2]));
  }
  Pose<double> frame6(const LinkPose& pose) const {
    return inverse(form.base) * pose_of(pose) * form.tool;
  }

  Six serial(const Pose<double>& at) const {
    Six x{};
    for (const int k : {0, 2, 1, 3, 4, 5}) x[static_cast<std::size_t>(k)] = joint(at, k, x);
    return x;
  }
  // Every joint from what the others were.
  Six parallel(const Pose<double>& at) const {
    const auto a = static_cast<std::size_t>(age.periods);
    const Six &x = past[a - 1], &before = past[a];
    Six out;
    for (std::size_t k = 0; k < 6; ++k) {
      if (age.prediction == Prediction::hold) {
        out[k] = joint(at, static_cast<int>(k), x);
        continue;
      }
      std::array<IkNumber, 6> dual;
      for (std::size_t j = 0; j < 6; ++j) {
        dual[j] = IkNumber(x[j]);
        dual[j].d[j] = 1;
      }
      const IkNumber f = joint(at, static_cast<int>(k), dual);
      out[k] = f.value;
      double more = 0;
      for (std::size_t j = 0; j < 6; ++j)
        more += static_cast<double>(age.periods) * f.d[j] * (x[j] - before[j]);
      if (std::isfinite(more)) out[k] += more;  // no gradient in a singular pose
    }
    return out;
  }
};

ParallelIk::ParallelIk(const Robot& robot, const std::string& link, const Age& age)
    : parts_(std::make_unique<Parts>(robot, link, age)) {}
ParallelIk::~ParallelIk() = default;
ParallelIk::ParallelIk(ParallelIk&&) noexcept = default;

int ParallelIk::branch() const { return parts_->number; }

void ParallelIk::start(std::span<const double> q) {
  Parts& p = *parts_;
  p.q.assign(q.begin(), q.end());
  const Six here = p.of_robot(q);
  const Pose<double> at = p.frame6(link_pose(p.robot, q, p.link));
  double best = INFINITY;
  for (int b = 0; b < ClosedForm::branches; ++b) {
    const std::array<double, 3> tried = p.signs;
    for (int bit = 0; bit < 3; ++bit)
      p.signs[static_cast<std::size_t>(bit)] = b >> bit & 1 ? -1 : 1;
    const Six x = p.serial(at);
    double off = 0;
    for (std::size_t k = 0; k < 6; ++k)
      off = std::max(off, std::abs((p.slides(k) ? x[k] : turned_near(x[k], here[k])) - here[k]));
    if (off < best) {
      best = off;
      p.number = b;
    } else
      p.signs = tried;
  }
  if (!(best < 1e-6))
    throw Error(
        fmt::format("'{}': no branch of the closed form is at the start position; start away from "
                    "singular poses",
                    p.robot.name()));
  for (Six& x : p.past) x = here;
}

std::span<const double> ParallelIk::step(const LinkPose& pose) {
  Parts& p = *parts_;
  const Pose<double> at = p.frame6(pose);
  Six x = p.age.periods == 0 ? p.serial(at) : p.parallel(at);
  for (std::size_t k = 0; k < 6; ++k)
    if (!p.slides(k)) x[k] = turned_near(x[k], p.past[0][k]);
  std::rotate(p.past.begin(), p.past.end() - 1, p.past.end());
  p.past[0] = x;
  p.to_robot(x);
  return p.q;
}

}  // namespace parid::control
