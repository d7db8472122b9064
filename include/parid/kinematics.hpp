// Kinematics: poses, velocities and Jacobians of links.
//
//   Robot robot = Robot::load("panda");
//   LinkPose hand = link_pose(robot, q, "link7");       // occasional calls
//
//   Kinematics k(robot);                          // frequent calls: no allocation after this
//   k.set(q, v, a);
//   k.pose(link), k.velocity(link), k.acceleration(link), k.jacobian(link, J),
//   k.jacobian_rate(link, Jd)
//
// A public header: no template, no type of another library. Everything is relative to the root
// link's frame, which is stationary; links are those of the robot file, by name or by index
// (Robot::find_link). A Kinematics is not thread-safe.

#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

// The pose of a link: x_root = rotation · x_link + position.
struct LinkPose {
  std::array<double, 3> position{};
  std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major

  std::array<double, 4> quaternion() const;  // x y z w, of unit length, w ≥ 0
  // The quaternion is normalised; throws Error if its length is zero.
  static LinkPose from_quaternion(const std::array<double, 3>& position,
                                  const std::array<double, 4>& xyzw);
  /// Roll about x, then pitch about y, then yaw about z (rad), all of the root's fixed axes.
  static LinkPose from_rpy(const std::array<double, 3>& position, const std::array<double, 3>& rpy);
};

// Velocity or acceleration of a point of a link, and angular one of the link.
struct LinkRate {
  std::array<double, 3> linear{}, angular{};
};

// The axes in which vectors are expressed; the point is the same for both.
enum class Axes { root, link };

/// The constructor allocates all memory; the other functions allocate nothing. They throw
/// std::invalid_argument for arrays of wrong sizes and for a link index that does not exist.
class PARID_EXPORT Kinematics {
 public:
  explicit Kinematics(const Robot&);
  Kinematics(Kinematics&&) noexcept;
  Kinematics& operator=(Kinematics&&) noexcept;
  ~Kinematics();

  /// Sets the state that the other functions describe. Sizes: q nq, v and a nv (rad or m, s).
  /// Without v the robot stands still, without a it does not accelerate.
  void set(std::span<const double> q, std::span<const double> v = {},
           std::span<const double> a = {});

  LinkPose pose(int link) const;

  /// Of `point` (m), given in the link's frame, relative to the root link. Accelerations are the
  /// time derivatives of velocities along the root's axes; Axes::link expresses the same vectors
  /// along the link's axes.
  LinkRate velocity(int link, const std::array<double, 3>& point = {}, Axes = Axes::root) const;
  LinkRate acceleration(int link, const std::array<double, 3>& point = {}, Axes = Axes::root) const;

  /// J (6, nv), row-major; linear rows first, then angular ones. J v is velocity().
  void jacobian(int link, std::span<double> J, const std::array<double, 3>& point = {},
                Axes = Axes::root) const;
  // Its time derivative at velocity v. With Axes::root, J a + J̇ v is acceleration(); Axes::link
  // gives the derivative of the entries of J, whose axes rotate.
  void jacobian_rate(int link, std::span<double> J_rate, const std::array<double, 3>& point = {},
                     Axes = Axes::root) const;

  const Robot& robot() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The same for a single call, by the link's name. Both allocate; they throw parid::Error for an
/// unknown link.
PARID_EXPORT LinkPose link_pose(const Robot&, std::span<const double> q, const std::string& link);
PARID_EXPORT std::vector<double> jacobian(const Robot&, std::span<const double> q,
                                          const std::string& link, Axes = Axes::root);

}  // namespace parid
