// Closed-form inverse kinematics, one joint at a time: each joint's position from the pose and from
// positions of the joints before it, which may be estimates.
//
// Source   Zhang, Paul: A parallel inverse kinematics solution for robot manipulators based on
//          multiprocessing and linear extrapolation, ICRA 1990, 468-474: one subtask per joint, all
//          at the same time; what a joint needs of the others is extrapolated through the gradient
//          of its function. The functions are those of puma_ik.hpp and stanford_ik.hpp.
// Symbols  x        the form's six positions: exact ones give puma_ik()'s or stanford_ik()'s answer
//
// Joints read: PUMA 1: none; 3: 1; 2: 1, 3; 4: 1, 2, 3; 5: 1 to 4; 6: 1 to 5.
//              Stanford 1, 2, 3: none; 4: 1, 2; 5: 1, 2, 4; 6: 1, 2, 4, 5.

#pragma once

#include "kinematics/closed_form.hpp"
#include "kinematics/layer.hpp"

namespace parid::kinematics {

// Position of joint `joint` (0 to 5) of the form, not reduced to any interval, where frame 6 of the
// form is to be at `frame6` in its frame 0.
template <Scalar T>
T joint_of_pose(const ClosedForm& form, const Pose<T>& frame6, int joint, const std::array<T, 6>& x,
                const T& arm, const T& elbow, const T& wrist) {
  const bool puma = form.arm == ClosedForm::Arm::puma;
  const T d2(puma ? form.puma.d2 : form.stanford.d2), d6(puma ? form.puma.d6 : form.stanford.d6);
  const Vec3<T> o = frame6.R.column(1), a = frame6.R.column(2), p = frame6.p - d6 * a;
  const T across = p.x * p.x + p.y * p.y - d2 * d2;
  const T reach = arm * sqrt(detail::positive_part(across));
  if (joint == 0) return atan2(p.y, p.x) - atan2(d2, reach);
  const SinCos<T> t1 = sin_cos(x[0]);
  if (joint <= 2 && !puma)
    return joint == 1 ? atan2(elbow * reach, elbow * p.z) : elbow * sqrt(reach * reach + p.z * p.z);
  if (joint <= 2) {
    const PumaConstants<T> k(form.puma);
    const T f = t1.cos * p.x + t1.sin * p.y;
    if (joint == 2) {
      const T d = f * f + p.z * p.z + k.c1, bend = k.e - d * d;
      return k.c2 - atan2(-d, elbow * sqrt(detail::positive_part(bend)));
    }
    const auto [s3, c3] = sin_cos(x[2]);
    const T num = (p.z * c3 - f * s3) - k.d4_a2 * f + k.a3_a2 * p.z;
    const T den = (f * c3 + p.z * s3) + k.a3_a2 * f + k.d4_a2 * p.z;
    return -atan2(num, den) - x[2];
  }
  const SinCos<T> tilt = sin_cos(puma ? x[1] + x[2] : x[1]);
  const Vec3<T> O = in_forearm(t1, tilt, o), A = in_forearm(t1, tilt, a);
  if (joint == 3) return atan2(wrist * A.y, wrist * A.x);
  const auto [s4, c4] = sin_cos(x[3]);
  if (joint == 4) return atan2(c4 * A.x + s4 * A.y, A.z);
  const auto [s5, c5] = sin_cos(x[4]);
  return atan2(s5 * O.z - c5 * (c4 * O.x + s4 * O.y), c4 * O.y - s4 * O.x);
}

}  // namespace parid::kinematics
