// The PUMA's inverse kinematics in other arrangements: the same angles by other expressions.
//
// Appendix A of Lee and Chang recomputes available values. Each choice below keeps its expression
// or takes another one; hardware built from the expressions becomes smaller or faster.
//
//   along     f, the wrist's distance along the arm: turned out of p by θ1, or the root that gave
//             θ1
//   squares   what f² + pz² is made of: f and pz; r = √(px² + py²), which is there long before f,
//             and pz; or ρ = √(f² + pz²), which the angle of (f, pz) yields too
//   tilt      θ23: from (f, pz) turned by θ3, or as a sum of angles. With L² = a3² + d4²,
//               (f + i pz)(e^(−iθ3) + (a3 − i d4)/a2) = (f + i pz)(S − i (d + 2 L²)) e^(−i c2) / √e
//             where S = ELB √(e − d²), so that θ23 = c2 − atan2(pz, f) + atan2(d + 2 L², S):
//             it no longer depends on θ3
//   wrist     sin θ5: turned out of a by θ4, or the root √(ax² + ay²) with the wrist's sign
//
// All give the same angles on every branch of every pose, singular ones included.

#pragma once

#include <vector>

#include "kinematics/layer.hpp"
#include "kinematics/puma_ik.hpp"

namespace parid::kinematics {

struct PumaArrangement {
  enum class Along { turned, root } along = Along::turned;
  enum class Squares { along_arm, radius, distance } squares = Squares::along_arm;
  enum class Tilt { turned, angles } tilt = Tilt::turned;
  enum class Wrist { turned, root } wrist = Wrist::turned;

  bool operator==(const PumaArrangement&) const = default;
};

template <Scalar T>
ArmAngles<T> puma_ik(const PumaLengths& l, const Pose<T>& pose, const T& arm, const T& elbow,
                     const T& wrist, const PumaArrangement& how) {
  using A = PumaArrangement;
  const PumaConstants<T> k(l);
  const Vec3<T> o = pose.R.column(1), a = pose.R.column(2), p = pose.p - k.d6 * a;

  const T radius = p.x * p.x + p.y * p.y, across = radius - k.d2_squared;
  const T root = arm * sqrt(detail::positive_part(across));
  const T q1 = atan2(p.y, p.x) - atan2(k.d2, root);
  const SinCos<T> t1 = sin_cos(q1);
  const T f = how.along == A::Along::root ? root : t1.cos * p.x + t1.sin * p.y;

  T d(0.0);
  if (how.squares == A::Squares::along_arm) {
    d = f * f + p.z * p.z + k.c1;
  } else if (how.squares == A::Squares::radius) {
    const T r = sqrt(radius);
    d = r * r + p.z * p.z + (k.c1 - k.d2_squared);
  } else {
    const T distance = sqrt(f * f + p.z * p.z);
    d = distance * distance + k.c1;
  }
  const T bend = k.e - d * d, S = elbow * sqrt(detail::positive_part(bend));
  const T q3 = k.c2 - atan2(-d, S);
  T q23(0.0);
  if (how.tilt == A::Tilt::turned) {
    const auto [s3, c3] = sin_cos(q3);
    const T num = (p.z * c3 - f * s3) - k.d4_a2 * f + k.a3_a2 * p.z;
    const T den = (f * c3 + p.z * s3) + k.a3_a2 * f + k.d4_a2 * p.z;
    q23 = -atan2(num, den);
  } else {
    q23 = k.c2 - atan2(p.z, f) + atan2(d + k.twice_forearm_squared, S);
  }
  const SinCos<T> t23 = sin_cos(q23);
  const Vec3<T> of = in_forearm(t1, t23, o), af = in_forearm(t1, t23, a);
  if (how.wrist == A::Wrist::turned) {
    const auto [q4, q5, q6] = spherical_wrist(of, af, wrist);
    return {{q1, q23 - q3, q3, q4, q5, q6}, detail::smaller(across, bend)};
  }
  const T q4 = atan2(wrist * af.y, wrist * af.x);
  const T q5 = atan2(wrist * sqrt(af.x * af.x + af.y * af.y), af.z);
  const auto [s4, c4] = sin_cos(q4);
  const auto [s5, c5] = sin_cos(q5);
  const T q6 = atan2(s5 * of.z - c5 * (c4 * of.x + s4 * of.y), c4 * of.y - s4 * of.x);
  return {{q1, q23 - q3, q3, q4, q5, q6}, detail::smaller(across, bend)};
}

// Every combination of the choices.
inline std::vector<PumaArrangement> puma_arrangements() {
  using A = PumaArrangement;
  std::vector<A> all;
  for (const auto along : {A::Along::turned, A::Along::root})
    for (const auto squares : {A::Squares::along_arm, A::Squares::radius, A::Squares::distance})
      for (const auto tilt : {A::Tilt::turned, A::Tilt::angles})
        for (const auto wrist : {A::Wrist::turned, A::Wrist::root})
          all.push_back({along, squares, tilt, wrist});
  return all;
}

}  // namespace parid::kinematics
