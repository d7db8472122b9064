// Inverse kinematics of the Stanford arm in closed form, all eight branches.
//
// Frames   standard Denavit-Hartenberg; α = −90° 90° 0 −90° 90° 0; θ3 = 0; d2 between axis 1 and
//          the slide; the slide is joint 3 and axis 4 lies on it; d6 from the wrist's centre to the
//          frame whose pose is given.
// Symbols  p   the wrist's centre; in the arm's plane it is at (S2 q3, C2 q3), and d2 across it
// arm slide wrist ±1 each, together the branch. slide is the sign of q3: most arms only reach
// forwards, and four of the eight branches then exceed a limit. Out of reach, as for the PUMA: the
// closest posture, and a negative `reach`.

#pragma once

#include "kinematics/arm_angles.hpp"
#include "kinematics/layer.hpp"
#include "kinematics/spherical_wrist.hpp"
#include "math/pose.hpp"

namespace parid::kinematics {

struct StanfordLengths {
  double d2 = 0, d6 = 0;  // m
};

template <Scalar T>
ArmAngles<T> stanford_ik(const StanfordLengths& lengths, const Pose<T>& pose, const T& arm,
                         const T& slide, const T& wrist) {
  const T d2(lengths.d2), d2_squared(lengths.d2 * lengths.d2), d6(lengths.d6);
  const Vec3<T> o = pose.R.column(1), a = pose.R.column(2), p = pose.p - d6 * a;

  const T across = p.x * p.x + p.y * p.y - d2_squared;
  const T f = arm * sqrt(detail::positive_part(across));
  const T q1 = atan2(p.y, p.x) - atan2(d2, f);
  const T q2 = atan2(slide * f, slide * p.z);
  const T q3 = slide * sqrt(f * f + p.z * p.z);
  const SinCos<T> t1 = sin_cos(q1), t2 = sin_cos(q2);
  const auto [q4, q5, q6] = spherical_wrist(in_forearm(t1, t2, o), in_forearm(t1, t2, a), wrist);
  return {{q1, q2, q3, q4, q5, q6}, across};
}

}  // namespace parid::kinematics
