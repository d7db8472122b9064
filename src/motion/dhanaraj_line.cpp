#include "motion/dhanaraj_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/positioning_ik.hpp"
#include "model/description.hpp"
#include "model/frame.hpp"
#include "scalar/taylor.hpp"

namespace parid::motion {
namespace {

class DhanarajLine final : public Trajectory {
 public:
  explicit DhanarajLine(const Robot& robot) : rest_(robot.neutral()) {}
  double duration() const override { return profile_.duration; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const Stage<double> s = profile_.at(t);
    const double z = start_ + way_ * s.x, vz = way_ * s.v, az = way_ * s.a;
    const auto joints =
        positioning_ik<double>(dhanaraj_positioning, {{0.3, z, z}, {0, vz, vz}, {0, az, az}}, 1, 1);
    std::copy(rest_.begin(), rest_.end(), q.begin());  // the wrist, if there is one, stays at rest
    std::fill(v.begin(), v.end(), 0);
    std::fill(a.begin(), a.end(), 0);
    std::copy(joints.q.begin(), joints.q.end(), q.begin());
    std::copy(joints.v.begin(), joints.v.end(), v.begin());
    std::copy(joints.a.begin(), joints.a.end(), a.begin());
  }
  void higher(double t, std::span<double> jerk, std::span<double> snap) const override {
    using Series = Taylor<2>;
    const Stage<Series> s = profile_.at(Series::of_derivatives({t, 1, 0}));
    const Series way(way_), o(0.0), z = Series(start_) + way * s.x, vz = way * s.v, az = way * s.a;
    const auto joints = positioning_ik<Series>(dhanaraj_positioning,
                                               {{Series(0.3), z, z}, {o, vz, vz}, {o, az, az}},
                                               Series(1.0), Series(1.0));
    std::fill(jerk.begin(), jerk.end(), 0);
    std::fill(snap.begin(), snap.end(), 0);
    for (std::size_t k = 0; k < joints.a.size(); ++k) {
      jerk[k] = joints.a[k].derivative(1);
      snap[k] = joints.a[k].derivative(2);
    }
  }

 private:
  static constexpr double speed_ = 0.35, ramp_ = 0.22, lasts_ = 2.0;
  static constexpr double start_ = -0.2385 + 0.175 * ramp_, way_ = speed_ * (lasts_ - ramp_);
  const std::vector<double> rest_;
  const Profile profile_ = Profile::trapezoid(lasts_, ramp_);
};

// Whether axes 2 and 3 are perpendicular to axis 1 and parallel, a2 apart, as the closed form
// requires. Lengths may differ, as those of Dhanaraj (1990) do. With a wrist, axis 4 is
// perpendicular to axis 3.
bool has_positioning_joints(const Robot& robot) {
  const auto& joints = robot.description().joints;
  const std::size_t n = joints.size();
  if ((n != 3 && n != 6) || robot.nq() != static_cast<int>(n)) return false;
  for (const JointDescription& j : joints)
    if (j.type != JointType::revolute && j.type != JointType::continuous) return false;
  auto own = [&](int k) { return unit_vector(joints[k].axis); };
  auto axis = [&](int k) { return joints[k].origin.R * own(k); };
  const Vec3<double> first = own(0), second = axis(1), third = axis(2);
  const Vec3<double> offset = joints[2].origin.p;
  if (n == 6 && std::abs(dot(own(2), axis(3))) > 1e-9) return false;
  return std::abs(dot(first, second)) < 1e-9 && std::abs(dot(own(1), third)) > 1 - 1e-9 &&
         std::abs(std::hypot(offset.x, offset.y) - dhanaraj_positioning.a2) < 0.01;
}

}  // namespace

TrajectoryPointer dhanaraj_line(const Robot& robot) {
  if (!has_positioning_joints(robot))
    throw Error(fmt::format(
        "the motion of Dhanaraj (1990) is defined for the positioning joints of a PUMA 560, and "
        "'{}' is another robot; use puma560-positioning or puma560, or choose another motion",
        robot.name()));
  return std::make_shared<DhanarajLine>(robot);
}

}  // namespace parid::motion
