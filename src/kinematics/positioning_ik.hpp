// Inverse kinematics of the PUMA's three positioning joints: positions, velocities and
// accelerations of the joints from those of the wrist's centre.
//
// Source   Dhanaraj (1990), program D.1.3, with a3 ≠ 0 allowed as in Craig's solution of the PUMA.
// Frames   the wrist's centre is at
//            x = C1 K − S1 d3,   y = S1 K + C1 d3,   z = h − Z
//            K = a2 C2 + a3 C23 − d4 S23             along the arm
//            Z = a2 S2 + a3 S23 + d4 C23             down
// Symbols shoulder elbow ±1 each, together the branch; +1 is the program's first (q1f,
// q3f)
//          K3 Z3            what joint 3 alone moves: ∂Z/∂q3 and −∂K/∂q3; ∂Z/∂q2 = K, ∂K/∂q2 = −Z
// Rates    J and J̇ in the plane of the arm, where they are sparse: joint 1 alone moves the wrist
//          across the plane, so it is solved first, and a 2 × 2 system is left.
// Differs the program inverts the 3 × 3 matrix; here only K and `determinant` are
// divisors. It chooses each joint's value nearest to the previous sample; here a branch is
// fixed. Its lengths differ from those of the dynamics (0.1501, 0.4331, −0.0203): hence a
// named set.

#pragma once

#include <array>
#include <cmath>

#include "kinematics/arm_angles.hpp"
#include "kinematics/layer.hpp"
#include "math/vec3.hpp"

namespace parid::kinematics {

struct PositioningLengths {
  double a2 = 0, a3 = 0, d3 = 0, d4 = 0, h = 0;  // m; a2 and d4 positive
};
inline constexpr PositioningLengths dhanaraj_positioning{
    .a2 = 0.4318, .a3 = 0, .d3 = 0.127, .d4 = 0.4318};

template <Scalar T>
struct PointMotion {  // of the wrist's centre
  Vec3<T> p, v, a;
};

template <Scalar T>
struct PositioningMotion {
  std::array<T, 3> q, v, a;
  T reach;        // negative: the point is out of reach, and q stretches towards it
  T determinant;  // of the Jacobian, m³; near zero, rates are meaningless
};

template <Scalar T>
PositioningMotion<T> positioning_ik(const PositioningLengths& l, const PointMotion<T>& at,
                                    const T& shoulder, const T& elbow) {
  const T a2(l.a2), a3(l.a3), d3(l.d3), d4(l.d4), two(2.0);
  const Vec3<T>& p = at.p;

  // Positions.
  const T across = p.x * p.x + p.y * p.y - T(l.d3 * l.d3);
  const T q1 = atan2(-p.x, p.y) + atan2(shoulder * sqrt(detail::positive_part(across)), d3);
  const auto [s1, c1] = sin_cos(q1);
  const T K = c1 * p.x + s1 * p.y, Z = T(l.h) - p.z;
  const T k = (K * K + Z * Z - T(l.a2 * l.a2 + l.a3 * l.a3 + l.d4 * l.d4)) * T(0.5 / l.a2);
  const T bend = T(l.a3 * l.a3 + l.d4 * l.d4) - k * k;
  const T q3 = T(std::atan2(l.a3, l.d4)) - atan2(k, elbow * sqrt(detail::positive_part(bend)));
  const auto [s3, c3] = sin_cos(q3);
  const T u = a2 + a3 * c3 - d4 * s3,
          w = a3 * s3 + d4 * c3;  // end of the forearm, relative to the upper arm
  const T q2 = atan2(u * Z - w * K, u * K + w * Z);
  const auto [s2, c2] = sin_cos(q2);
  const T K3 = K - a2 * c2, Z3 = Z - a2 * s2;
  const T minor = Z3 * K - Z * K3;
  // K̇ = −Z x − Z3 y + …, Ż = K x + K3 y + … solved for x, y.
  auto solved = [&](const T& Kd, const T& Zd) {
    return std::array<T, 2>{(K3 * Kd + Z3 * Zd) / minor, -(K * Kd + Z * Zd) / minor};
  };

  // Velocities: along the arm K̇ − d3 q̇1, across it K q̇1.
  const T v1 = (c1 * at.v.y - s1 * at.v.x) / K;
  const T Kd = c1 * at.v.x + s1 * at.v.y + d3 * v1, Zd = -at.v.z;
  const auto [v2, v3] = solved(Kd, Zd);

  // Accelerations: along the arm K̈ − K q̇1² − d3 q̈1, across it K q̈1 + 2 K̇ q̇1 − d3 q̇1².
  const T a1 = (c1 * at.a.y - s1 * at.a.x - two * (Kd * v1) + d3 * (v1 * v1)) / K;
  const T Kdd = c1 * at.a.x + s1 * at.a.y + K * (v1 * v1) + d3 * a1, Zdd = -at.a.z;
  const T v23 = v2 + v3;
  const auto [a2_, a3_] = solved(Kdd + Zd * v2 + K3 * (v23 * v3), Zdd - Kd * v2 + Z3 * (v23 * v3));
  return {{q1, q2, q3}, {v1, v2, v3}, {a1, a2_, a3_}, detail::smaller(across, bend), K * minor};
}

}  // namespace parid::kinematics
