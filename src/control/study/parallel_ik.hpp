// Inverse kinematics with one processor per joint, each with what the other joints were in earlier
// periods: closed forms alone (kinematics/joint_by_joint_ik.hpp).
//
// A public header: no template, no type of another library.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "parid/kinematics.hpp"
#include "parid/robot.hpp"

namespace parid::control {

// How a joint's processor treats the positions of the others.
//   age 0         it waits for them: the serial solution
//   hold          they are as they were
//   linear        extrapolated through the gradient of the joint's function: f(x) + ∇f · Δx with Δx
//                 from the last two positions (Zhang and Paul)
class ParallelIk {
 public:
  // Of a link of an arm with a closed form; throws Error for others.
  ParallelIk(const Robot&, const std::string& link, const Age&);
  ~ParallelIk();
  ParallelIk(ParallelIk&&) noexcept;

  // The arm has stood at q (nq) for long; its branch is kept from here on. Throws Error where no
  // branch of the closed form is at q.
  void start(std::span<const double> q);
  // One period: the six positions for the pose of the link, in the root link's frame; the other
  // coordinates as in start(). Angles are those nearest to the last ones.
  std::span<const double> step(const LinkPose&);

  int branch() const;  // 0 to 7

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid::control
