// Finds arms whose inverse kinematics has a closed form, from the directions and places of their
// axes alone; serial_arm_ik.hpp computes the joint positions.
//
//   shape                joints                                              branches
//   spherical_wrist      6 revolute; the last three axes (or, reversed, the
//                        first three) meet in a point; of the other three two
//                        neighbours are parallel or meet, in any distance of
//                        the others                                          8
//   three_parallel       6 revolute; 2 ∥ 3 ∥ 4, 5 and 6 meet; or reversed    8
//   spherical_spherical  7 revolute; 1, 2, 3 and 5, 6, 7 meet in a point
//                        each; the arm angle is given                        8
//   planar               2 or 3 parallel revolute axes, and at most one slide
//                        parallel to them anywhere in the chain (SCARA)      1 or 2
//
// Seven revolute joints of which the first six have a shape are solved for a given position of the
// last joint.
//
// Frames are those of Denavit and Hartenberg: A_i = Rz(θ_i) Tz(d_i) Tx(a_i) Rx(α_i), with 0 ≤ α ≤ π
// and frame n on axis n. Twists within `axis_tolerance` of 0, 90 or 180 degrees are taken for these
// angles, and lengths that a shape requires to be 0 may be up to axis_tolerance of the arm's size:
// robot files write 1.5708. `deviation` is what that changes; Newton steps on the exact model then
// remove it.

#pragma once

#include <array>
#include <optional>
#include <string>

#include "kinematics/layer.hpp"
#include "math/pose.hpp"
#include "model/canonical_model.hpp"

namespace parid::kinematics {

// rad, and per length of the arm.
inline constexpr double axis_tolerance = 1e-4;

struct SerialArm {
  enum class Shape { spherical_wrist, three_parallel, spherical_spherical, planar };
  // Which neighbours among the first three axes decide the order of the solution.
  enum class Positioning { parallel_23, parallel_12, meeting_12, meeting_23 };
  enum class Redundancy { none, arm_angle, last_joint };
  static constexpr int most_joints = 7;

  struct Twist {
    double sin = 0, cos = 1;
    bool right() const { return cos == 0; }
    bool none() const { return sin == 0; }
  };

  Shape shape = Shape::spherical_wrist;
  Positioning positioning = Positioning::parallel_23;
  Redundancy redundancy = Redundancy::none;
  bool reversed = false;  // the form is that of the arm from its tip to its root

  // Of the form's revolute joints, in its order.
  int axes = 0;
  std::array<double, most_joints> a{}, d{};
  std::array<Twist, most_joints> twist{};
  std::array<int, most_joints> place{};  // index of the joint in the chain, from the root

  // Of the chain's joints, from the root: q = sign · (θ − zero).
  int joints = 0;
  int slide = -1;                             // the prismatic joint of a planar arm
  std::array<int, most_joints> coordinate{};  // in q
  std::array<double, most_joints> sign{}, zero{};

  // The form's frame n in its frame 0 is base⁻¹ · pose · tool, or the inverse of it if reversed.
  // With a given last joint, base⁻¹ · pose · last · Rz(−θ) · tool.
  Pose<double> base, tool, last;

  double size = 0;       // m: sum of lengths
  double deviation = 0;  // largest difference of direction cosines and, per size, of positions

  // Up to rounding the form is the arm.
  bool exact() const { return deviation < 1e-13; }
  int signs() const { return shape != Shape::planar ? 3 : axes == 3 ? 1 : 0; }
  int branches() const { return 1 << signs(); }
};

struct SerialArmSearch {
  std::optional<SerialArm> arm;
  std::string why;  // without an arm: the reason
};

// For a link of the description, in the world.
SerialArmSearch serial_arm(const CanonicalModel&, int link);

const char* name_of(SerialArm::Shape);
// "spherical wrist, axes 2 and 3 parallel", …
std::string description_of(const SerialArm&);

}  // namespace parid::kinematics
