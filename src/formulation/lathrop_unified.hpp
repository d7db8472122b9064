// Lathrop's logarithmic Newton-Euler with one kind of node: a single joint is a combination too.
//
// Source   Lathrop: Parallelism in manipulator dynamics, Int. J. Robotics Research 4 (1985) 80-102,
//          Appendix B, "Unification of logarithmic a = b and a ≠ b cases". Our copy breaks off
//          after its first line, W_{a,k} = I; the other values are ours, and each follows from that
//          line.
// Order    O(n log n) operations, O(log n) deep: those of lathrop, and one combination more for
//          every joint, outward and inward.
// Symbols  as in lathrop. Joint a is the combination of two stretches that have no joint between
//          them, k between a and a:
//                  W   ω        ω̇        Q        R    S   p̈          in the coordinates of
//          X_a,k   I   σ z q̇    σ z q̈    σ̄ z q̇    0    0   σ̄ z q̈      link a − 1: what moves
//          X_k,a   A   0        0        0        p*   0   0          link a: what is rigid
//          and inward, link a cut at its centre of mass, M W_{a+1,·}:
//                  M        P          f   n
//          Y_a,k   I        s*         0   N
//          Y_k,a   A_{a+1}  p* − s*    F   0
//          σ is 1 for a revolute joint and 0 for a prismatic one, σ̄ = 1 − σ.
// Differs  as lathrop. With the combining forms of Table 5 these give its values for a = b:
//          S = ω × p*, p̈ = σ̄ z q̈ + ω̇ × p* + ω × (ω × p*), f = F, n = N + s* × F.

#pragma once

#include "formulation/lathrop.hpp"
#include "formulation/layer.hpp"

namespace parid::formulation {

struct LathropUnifiedLeaves {
  static constexpr const char* id = "lathrop_unified";

  template <class T>
  static LathropMotion<T> motion(const Mat3<T>& A, const Vec3<T>& p, JointKind kind, const T& qd,
                                 const T& qdd) {
    const Mat3<T> I = Mat3<T>::identity();
    const Vec3<T> z = A.column(2), z_qd = qd * z, z_qdd = qdd * z;
    const LathropMotion<T> moves = kind == JointKind::prismatic
                                       ? LathropMotion<T>{I, {}, {}, z_qd, {}, {}, z_qdd}
                                       : LathropMotion<T>{I, z_qd, z_qdd, {}, {}, {}, {}},
                           rigid{A, {}, {}, {}, p, {}, {}};
    return lathrop_combined(moves, rigid);
  }
  template <class T>
  static LathropForce<T> force(const Mat3<T>& M, const Vec3<T>& p, const Vec3<T>& s,
                               const Vec3<T>& F, const Vec3<T>& N) {
    const LathropForce<T> to_centre{Mat3<T>::identity(), s, {}, N}, beyond{M, p - s, F, {}};
    return lathrop_combined(to_centre, beyond);
  }
};

template <class T>
using LathropUnified = Lathrop<T, divided_scan, LathropUnifiedLeaves>;

}  // namespace parid::formulation
