#include "parid/kinematics.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kinematics/jacobian.hpp"
#include "model/user_state.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "runtime/layer.hpp"

namespace parid {
using namespace runtime;

struct Kinematics::Parts {
  Robot robot;
  const CanonicalModel& c;
  State<double> motion;
  Frames<double> frames;
  Rates<double> rates;
  mutable std::vector<Twist<double>> columns, turned;  // nv

  explicit Parts(const Robot& r)
      : robot(r),
        c(r.canonical()),
        motion(c.mechanism),
        frames(c),
        rates(c),
        columns(c.nv),
        turned(c.nv) {}

  // The mechanism's link, and the point in the world.
  struct At {
    int link;
    Pose<double> pose;
    Vec3<double> point;
    Vec3<double> from_origin;  // of the mechanism's link
  };
  At at(int link, const std::array<double, 3>& point) const {
    if (link < 0 || link >= static_cast<int>(c.link.size()))
      throw std::invalid_argument(fmt::format("Kinematics: '{}' has links 0 to {}, not {}",
                                              robot.name(), c.link.size() - 1, link));
    const Pose<double> pose = runtime::link_pose(c, frames, link);
    const Vec3<double> p = pose * vector(point);
    const int i = c.link[link].link;
    return {i, pose, p, p - frames[i].p};
  }

  void write(std::span<double> out, const char* what) const {
    const auto nv = static_cast<std::size_t>(c.nv);
    if (out.size() != 6 * nv)
      throw std::invalid_argument(
          fmt::format("Kinematics: {} of '{}' needs 6 × {} = {} numbers, not {}", what,
                      robot.name(), nv, 6 * nv, out.size()));
    for (std::size_t k = 0; k < nv; ++k) {
      const auto& [v, w] = columns[k];
      const double rows[] = {v.x, v.y, v.z, w.x, w.y, w.z};
      for (std::size_t r = 0; r < 6; ++r) out[r * nv + k] = rows[r];
    }
  }
};

namespace {

LinkRate rate(const Twist<double>& t, const Mat3<double>& R, Axes axes) {
  const Twist<double> x = axes == Axes::root ? t : transposed_times(R, t);
  return {array(x.linear), array(x.angular)};
}

}  // namespace

Kinematics::Kinematics(const Robot& robot) : parts_(std::make_unique<Parts>(robot)) {
  set(robot.neutral());
}
Kinematics::Kinematics(Kinematics&&) noexcept = default;
Kinematics& Kinematics::operator=(Kinematics&&) noexcept = default;
Kinematics::~Kinematics() = default;

const Robot& Kinematics::robot() const { return parts_->robot; }

void Kinematics::set(std::span<const double> q, std::span<const double> v,
                     std::span<const double> a) {
  Parts& p = *parts_;
  const auto nq = static_cast<std::size_t>(p.c.nq), nv = static_cast<std::size_t>(p.c.nv);
  if (q.size() != nq || (!v.empty() && v.size() != nv) || (!a.empty() && a.size() != nv))
    throw std::invalid_argument(fmt::format(
        "Kinematics: q, v, a have {}, {}, {} numbers; '{}' needs {}, {} or none, {} or none",
        q.size(), v.size(), a.size(), p.robot.name(), nq, nv, nv));
  auto column = [](std::span<const double> x) {
    return [x](int k) { return x.empty() ? 0.0 : x[static_cast<std::size_t>(k)]; };
  };
  load_state(p.c, p.motion, column(q), column(v), column(a));
  p.motion.place(p.c.mechanism);
  p.frames.place(p.c.mechanism, p.motion);
  p.rates.sweep(p.c.mechanism, p.motion, p.frames);
}

LinkPose Kinematics::pose(int link) const { return link_pose_of(parts_->at(link, {}).pose); }

LinkRate Kinematics::velocity(int link, const std::array<double, 3>& point, Axes axes) const {
  const Parts::At at = parts_->at(link, point);
  return rate(velocity_at(parts_->rates.velocity(at.link), at.from_origin), at.pose.R, axes);
}

LinkRate Kinematics::acceleration(int link, const std::array<double, 3>& point, Axes axes) const {
  const Parts::At at = parts_->at(link, point);
  return rate(acceleration_at(parts_->rates.velocity(at.link), parts_->rates.acceleration(at.link),
                              at.from_origin),
              at.pose.R, axes);
}

void Kinematics::jacobian(int link, std::span<double> J, const std::array<double, 3>& point,
                          Axes axes) const {
  const Parts& p = *parts_;
  const Parts::At at = p.at(link, point);
  kinematics::jacobian(p.c, p.motion, p.frames, at.link, at.point, p.columns.data());
  if (axes == Axes::link)
    for (Twist<double>& column : p.columns) column = transposed_times(at.pose.R, column);
  p.write(J, "a Jacobian");
}

// Along the link's axes the numbers are Rᵀ J, and their rate is Rᵀ (J̇ − w × J).
void Kinematics::jacobian_rate(int link, std::span<double> J_rate,
                               const std::array<double, 3>& point, Axes axes) const {
  const Parts& p = *parts_;
  const Parts::At at = p.at(link, point);
  kinematics::jacobian_rate(p.c, p.motion, p.frames, p.rates, at.link, at.point, p.columns.data());
  if (axes == Axes::link) {
    std::vector<Twist<double>>& J = p.turned;
    kinematics::jacobian(p.c, p.motion, p.frames, at.link, at.point, J.data());
    const Vec3<double> w = p.rates.velocity(at.link).angular;
    for (std::size_t k = 0; k < J.size(); ++k)
      p.columns[k] =
          transposed_times(at.pose.R, Twist<double>{p.columns[k].linear - cross(w, J[k].linear),
                                                    p.columns[k].angular - cross(w, J[k].angular)});
  }
  p.write(J_rate, "the time derivative of a Jacobian");
}

LinkPose link_pose(const Robot& robot, std::span<const double> q, const std::string& link) {
  Kinematics k(robot);
  k.set(q);
  return k.pose(robot.find_link(link));
}

std::vector<double> jacobian(const Robot& robot, std::span<const double> q, const std::string& link,
                             Axes axes) {
  Kinematics k(robot);
  k.set(q);
  std::vector<double> J(6 * static_cast<std::size_t>(robot.nv()));
  k.jacobian(robot.find_link(link), J, {}, axes);
  return J;
}

}  // namespace parid
