// Arms whose files place frames at will, on CORDIC boxes.

#pragma once

#include <vector>

#include "hardware/ik_hardware.hpp"
#include "parid/robot.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "tests/kinematics/disguised_arm.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"

namespace parid::test {

struct DisguisedArm {
  Robot robot;
  IkArm arm;

  explicit DisguisedArm(const Description& d) : robot(d), arm(robot, robot.tip()) {}
};

// Both kinds of arm, with frames along each other's axes and with any; some joints have limits.
inline DisguisedArm disguised_arm(unsigned number) {
  Rng rng(100 + number);
  const LinkFrames frames = number / 2 % 2 ? LinkFrames::square : LinkFrames::any;
  Description d = number % 2 ? disguised_stanford(rng, frames) : disguised_puma(rng, frames);
  for (JointDescription& j : d.joints)
    if (j.type == JointType::revolute && rng() % 2) {
      const double middle = uniform(rng, -2, 2);
      j.limits.lower = middle - 2.5;
      j.limits.upper = middle + 2.5;
      j.has_limits = true;
    }
  return DisguisedArm(d);
}

inline Pose<Quad> in_quad(const Pose<double>& A) {
  return {{to<Quad>(A.R.r0), to<Quad>(A.R.r1), to<Quad>(A.R.r2)}, to<Quad>(A.p)};
}

}  // namespace parid::test
