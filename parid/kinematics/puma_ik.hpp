// Inverse kinematics of the PUMA in closed form, all eight branches.
//
// Source   C.S.G. Lee, P.R. Chang: Computational Structures for Robotic Computations, Purdue
//          University, Appendix A.
// Frames   standard Denavit-Hartenberg; α = −90° 0 90° −90° 90° 0; lengths a2 a3 d2 d4, and d6 from
//          the wrist's centre to the frame whose pose is given.
// Symbols  code     paper        meaning
//          p        p            the wrist's centre
//          f11 f12               a vector's components in the plane of the arm and across it: along
//                                (C1, S1, 0) and (−S1, C1, 0); written .x and .y here
//          arm elbow wrist       ARM ELB WRI: ±1 each, together the branch
// Differs  the printed appendix is damaged or wrong in ten places: d1 for d2; f12p² for pz²; d1² for
//          d4² in d and c1; a4 for d4 in e; the sign of d in θ3; px for pz in θ23, and in its second
//          form the numerator's terms in the denominator; a2 and a7 for az and ay in θ4 to θ6; a for o
//          in θ6; the constants of θ23. c2 is −atan2(a3, d4), a principal value. With these every
//          branch of every pose is right; with any one of them as printed, none is.
//
// Out of reach, a root's argument is negative. It is then taken as zero, which gives a posture that
// stretches towards the pose, and `reach` is negative: no NaN, and no silence.

#pragma once

#include <cmath>

#include "parid/kinematics/arm_angles.hpp"
#include "parid/kinematics/spherical_wrist.hpp"
#include "parid/math/pose.hpp"

namespace parid {

struct PumaLengths {
  double a2 = 0, a3 = 0, d2 = 0, d4 = 0, d6 = 0;  // m; a2 and d4 positive
};
inline constexpr PumaLengths lee_chang_puma{0.4318, -0.02032, 0.14909, 0.43307, 0.05625};

// The constants of Appendix A.
template <Scalar T>
struct PumaConstants {
  T d2, d2_squared, d6, c1, c2, e, d4_a2, a3_a2;

  explicit PumaConstants(const PumaLengths& l)
      : d2(l.d2),
        d2_squared(l.d2 * l.d2),
        d6(l.d6),
        c1(-(l.d4 * l.d4 + l.a3 * l.a3 + l.a2 * l.a2)),
        c2(-std::atan2(l.a3, l.d4)),
        e(4 * l.a2 * l.a2 * (l.a3 * l.a3 + l.d4 * l.d4)),
        d4_a2(l.d4 / l.a2),
        a3_a2(l.a3 / l.a2) {}
};

// Joint angles, not reduced to any interval, that bring frame 6 to `pose` in frame 0.
template <Scalar T>
ArmAngles<T> puma_ik(const PumaConstants<T>& k, const Pose<T>& pose, const T& arm, const T& elbow,
                     const T& wrist) {
  const Vec3<T> o = pose.R.column(1), a = pose.R.column(2), p = pose.p - k.d6 * a;

  const T across = p.x * p.x + p.y * p.y - k.d2_squared;  // r² − d2²
  const T q1 = atan2(p.y, p.x) - atan2(k.d2, arm * sqrt(detail::positive_part(across)));
  const auto [s1, c1] = sin_cos(q1);
  auto in_arm = [&](const Vec3<T>& v) {
    return Vec3<T>{c1 * v.x + s1 * v.y, c1 * v.y - s1 * v.x, v.z};
  };
  const T f = c1 * p.x + s1 * p.y;  // f11p

  const T d = f * f + p.z * p.z + k.c1, bend = k.e - d * d;
  const T q3 = k.c2 - atan2(-d, elbow * sqrt(detail::positive_part(bend)));
  const auto [s3, c3] = sin_cos(q3);
  const T num = (p.z * c3 - f * s3) - k.d4_a2 * f + k.a3_a2 * p.z;
  const T den = (f * c3 + p.z * s3) + k.a3_a2 * f + k.d4_a2 * p.z;
  const T q23 = -atan2(num, den);
  const auto [s23, c23] = sin_cos(q23);
  auto in_forearm = [&](const Vec3<T>& v) {
    const Vec3<T> u = in_arm(v);
    return Vec3<T>{c23 * u.x - s23 * u.z, u.y, s23 * u.x + c23 * u.z};
  };
  const auto [q4, q5, q6] = spherical_wrist(in_forearm(o), in_forearm(a), wrist);
  return {{q1, q23 - q3, q3, q4, q5, q6}, detail::smaller(across, bend)};
}

}  // namespace parid
