// Inverse kinematics of the PUMA in closed form, all eight branches.
//
// Source   C.S.G. Lee, P.R. Chang: Computational Structures for Robotic Computations, Purdue
//          University, Appendix A.
// Frames   standard Denavit-Hartenberg; α = −90° 0 90° −90° 90° 0; lengths a2 a3 d2 d4, and d6 from
//          the wrist's centre to the frame whose pose is given.
// Symbols  code     paper        meaning
//          p        p            the wrist's centre
//          f        f11p         how far p is along the arm: its component along (C1, S1, 0)
//          arm elbow wrist       ARM ELB WRI: ±1 each, together the branch
// Differs  the printed appendix is damaged or wrong in ten places: d1 for d2; f12p² for pz²; d1²
//          for d4² in d and c1; a4 for d4 in e; the sign of d in θ3; px for pz in θ23, and in its
//          second form the numerator's terms in the denominator; a2 and a7 for az and ay in θ4 to
//          θ6; a for o in θ6; the constants of θ23. c2 is −atan2(a3, d4), a principal value. With
//          these every branch of every pose is right; with any one of them as printed, none is.
//
// Out of reach, the argument of a root is negative. It is replaced by zero, which gives an arm
// stretched towards the pose, and `reach` is negative; no NaN occurs.

#pragma once

#include <cmath>

#include "kinematics/arm_angles.hpp"
#include "kinematics/layer.hpp"
#include "kinematics/spherical_wrist.hpp"
#include "math/pose.hpp"

namespace parid::kinematics {

struct PumaLengths {
  double a2 = 0, a3 = 0, d2 = 0, d4 = 0, d6 = 0;  // m; a2 and d4 positive
};
inline constexpr PumaLengths lee_chang_puma{0.4318, -0.02032, 0.14909, 0.43307, 0.05625};

// The constants of Appendix A.
template <Scalar T>
struct PumaConstants {
  T d2, d2_squared, d6, c1, c2, e, d4_a2, a3_a2;
  T twice_forearm_squared;  // for arrangements other than the paper's

  explicit PumaConstants(const PumaLengths& l) : PumaConstants(l, double{}) {}
  // Evaluated in numbers of type N, for any T.
  template <Scalar N>
  PumaConstants(const PumaLengths& l, N)
      : PumaConstants(N(l.a2), N(l.a3), N(l.d2), N(l.d4), N(l.d6)) {}

 private:
  template <Scalar N>
  PumaConstants(const N& a2, const N& a3, const N& d2_, const N& d4, const N& d6_)
      : d2(d2_),
        d2_squared(d2_ * d2_),
        d6(d6_),
        c1(-(d4 * d4 + a3 * a3 + a2 * a2)),
        c2(-atan2(a3, d4)),
        e(N(4.0) * a2 * a2 * (a3 * a3 + d4 * d4)),
        d4_a2(d4 / a2),
        a3_a2(a3 / a2),
        twice_forearm_squared(N(2.0) * (a3 * a3 + d4 * d4)) {}
};

// Joint angles, not reduced to any interval, that bring frame 6 to `pose` in frame 0.
template <Scalar T>
ArmAngles<T> puma_ik(const PumaConstants<T>& k, const Pose<T>& pose, const T& arm, const T& elbow,
                     const T& wrist) {
  const Vec3<T> o = pose.R.column(1), a = pose.R.column(2), p = pose.p - k.d6 * a;

  const T across = p.x * p.x + p.y * p.y - k.d2_squared;  // r² − d2²
  const T q1 = atan2(p.y, p.x) - atan2(k.d2, arm * sqrt(detail::positive_part(across)));
  const SinCos<T> t1 = sin_cos(q1);
  const T f = t1.cos * p.x + t1.sin * p.y;  // f11p

  const T d = f * f + p.z * p.z + k.c1, bend = k.e - d * d;
  const T q3 = k.c2 - atan2(-d, elbow * sqrt(detail::positive_part(bend)));
  const auto [s3, c3] = sin_cos(q3);
  const T num = (p.z * c3 - f * s3) - k.d4_a2 * f + k.a3_a2 * p.z;
  const T den = (f * c3 + p.z * s3) + k.a3_a2 * f + k.d4_a2 * p.z;
  const T q23 = -atan2(num, den);
  const SinCos<T> t23 = sin_cos(q23);
  const auto [q4, q5, q6] = spherical_wrist(in_forearm(t1, t23, o), in_forearm(t1, t23, a), wrist);
  return {{q1, q23 - q3, q3, q4, q5, q6}, detail::smaller(across, bend)};
}

}  // namespace parid::kinematics
