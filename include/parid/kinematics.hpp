// Kinematics: poses, velocities and Jacobians of links.
//
//   Robot robot = Robot::load("panda");
//   LinkPose hand = link_pose(robot, q, "link7");       // once in a while
//
//   Kinematics k(robot);                                // often: nothing is allocated after this
//   k.set(q, v, a);
//   k.pose(link), k.velocity(link), k.acceleration(link), k.jacobian(link, J),
//   k.jacobian_rate(link, Jd)
//
// A public header: no template, no type of another library. Everything is seen from the root link's
// frame, which stands still; links are those of the robot's file, by name or by index
// (Robot::find_link). A Kinematics belongs to one thread.

#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

// Where a link stands: x_root = rotation · x_link + position.
struct LinkPose {
  std::array<double, 3> position{};
  std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major

  std::array<double, 4> quaternion() const;  // x y z w, of unit length, w ≥ 0
  // The quaternion is brought to unit length; throws Error where it has none.
  static LinkPose from_quaternion(const std::array<double, 3>& position,
                                  const std::array<double, 4>& xyzw);
  // Roll about x, then pitch about y, then yaw about z, all of the root's fixed axes.
  static LinkPose from_rpy(const std::array<double, 3>& position, const std::array<double, 3>& rpy);
};

// Velocity or acceleration of a point of a link, and of the link's turning.
struct LinkRate {
  std::array<double, 3> linear{}, angular{};
};

// Along whose axes vectors are written; the point they belong to is the same.
enum class Axes { root, link };

class PARID_EXPORT Kinematics {
 public:
  explicit Kinematics(const Robot&);
  Kinematics(Kinematics&&) noexcept;
  Kinematics& operator=(Kinematics&&) noexcept;
  ~Kinematics();

  // Sizes: q nq, v and a nv. Without v the robot stands still, without a it does not accelerate.
  void set(std::span<const double> q, std::span<const double> v = {},
           std::span<const double> a = {});

  LinkPose pose(int link) const;

  // Of `point`, given in the link's frame. Accelerations are what d/dt of velocities gives along
  // the root's axes; Axes::link writes the same vectors along the link's.
  LinkRate velocity(int link, const std::array<double, 3>& point = {}, Axes = Axes::root) const;
  LinkRate acceleration(int link, const std::array<double, 3>& point = {}, Axes = Axes::root) const;

  // 6 × nv, row-major; linear rows first, then angular ones. J v is velocity().
  void jacobian(int link, std::span<double> J, const std::array<double, 3>& point = {},
                Axes = Axes::root) const;
  // Its derivative by time as the robot moves with v. With Axes::root, J a + J̇ v is acceleration();
  // with Axes::link it is the derivative of the numbers of J, whose axes turn.
  void jacobian_rate(int link, std::span<double> J_rate, const std::array<double, 3>& point = {},
                     Axes = Axes::root) const;

  const Robot& robot() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// For a look now and then.
PARID_EXPORT LinkPose link_pose(const Robot&, std::span<const double> q, const std::string& link);
PARID_EXPORT std::vector<double> jacobian(const Robot&, std::span<const double> q,
                                          const std::string& link, Axes = Axes::root);

}  // namespace parid
