// Finds robots with closed-form inverse kinematics, and maps their joints to the form.
//
// The frames of a robot file are arbitrary; the axes decide whether an arm is like a PUMA or a
// Stanford arm. closed_form() examines the six axes between the root and a link
// at q = 0:
//
//   PUMA       1 ⟂ 2, meeting; 2 ∥ 3; 3 ⟂ 4; 4 ⟂ 5 ⟂ 6, all three meeting in one point
//   Stanford   1 ⟂ 2, meeting; 2 ⟂ slide 3 ∥ 4; 4 ⟂ 5 ⟂ 6, meeting on the
//              plane through axes 2 and 4
//
// and places Denavit-Hartenberg frames on them. Each joint's θ then differs from the robot's
// coordinate by a sign and an offset, and the frames at both ends by a constant pose.

#pragma once

#include <array>
#include <optional>

#include "kinematics/layer.hpp"
#include "kinematics/puma_ik.hpp"
#include "kinematics/stanford_ik.hpp"
#include "model/canonical_model.hpp"

namespace parid::kinematics {

struct ClosedForm {
  enum class Arm { puma, stanford };
  Arm arm = Arm::puma;
  PumaLengths puma;
  StanfordLengths stanford;
  Pose<double> base;                                           // frame 0 of the form, in the world
  Pose<double> tool;                                           // frame 6 of the form, in the link
  std::array<int, 6> coordinate = {0, 1, 2, 3, 4, 5};          // of each joint, in q
  std::array<double, 6> sign = {1, 1, 1, 1, 1, 1}, zero = {};  // q = sign · (θ − zero)

  static constexpr int branches = 8;
};

constexpr const char* name_of(ClosedForm::Arm arm) {
  return arm == ClosedForm::Arm::puma ? "puma" : "stanford";
}

// For a link of the description, in the world; none if the arm has neither form.
std::optional<ClosedForm> closed_form(const CanonicalModel&, int link);

// The coordinates, joint after joint, that bring the link to `pose`: by the signs, ±1, of the arm,
// of the elbow or the slide, and of the wrist. Angles are not reduced.
template <Scalar T>
ArmAngles<T> branch(const ClosedForm& form, const Pose<T>& pose, const T& arm, const T& elbow,
                    const T& wrist) {
  auto fixed = [](const Pose<double>& A) { return Pose<T>{to<T>(A.R), to<T>(A.p)}; };
  const Pose<T> frame6 = fixed(inverse(form.base)) * pose * fixed(form.tool);
  ArmAngles<T> x = form.arm == ClosedForm::Arm::puma
                       ? puma_ik(PumaConstants<T>(form.puma), frame6, arm, elbow, wrist)
                       : stanford_ik(form.stanford, frame6, arm, elbow, wrist);
  for (std::size_t k = 0; k < 6; ++k) x.q[k] = T(form.sign[k]) * (x.q[k] - T(form.zero[k]));
  return x;
}

// The same for branch 0 to 7: bits 0, 1, 2 are 1 if the arm's, the elbow's, the wrist's sign is
// −1.
template <Scalar T>
ArmAngles<T> branch(const ClosedForm& form, const Pose<T>& pose, int which) {
  auto sign = [which](int bit) { return T(which >> bit & 1 ? -1.0 : 1.0); };
  return branch(form, pose, sign(0), sign(1), sign(2));
}

}  // namespace parid::kinematics
