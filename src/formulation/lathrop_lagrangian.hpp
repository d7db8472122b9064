// The recursive Lagrangian of hollerbach3 as scans: logarithmic depth, 8 operations for every
// doubling of the links, as Lathrop's Newton-Euler.
//
// Source   Lathrop (1985), section 3.1: "The Lagrangian attains essentially the same time bounds
//          using substantially more hardware." How is ours.
// Order    O(n log n) operations, O(log n) deep, by divided_scan; O(n) and O(n) by serial_scan.
// Symbols  as in hollerbach3. Outward an element is a stretch's rotation and origin with their
//          first and second time derivatives, and stretches compose as such functions of time do:
//            W = W W'    Ẇ = Ẇ W' + W Ẇ'    Ẅ = Ẅ W' + 2 Ẇ Ẇ' + W Ẅ'
//            p = p + W p'    ṗ = ṗ + Ẇ p' + W ṗ'    p̈ = p̈ + Ẅ p' + 2 Ẇ ṗ' + W p̈'
//          Inward it is a stretch's D, e, c and mass seen from its first link, and where its end
//          is:
//            D = D + A D' + p e'ᵀ    e = e + e'    c = c + A c' + M' p    M = M + M'
// Differs  sums are ordered by when their terms come: what is known a round earlier is added
//          first, and the two products of Ẅ that come last are summed entry by entry, six
//          products in one tree. Both Ẅ W' and W Ẅ' wait for a second derivative; as two products
//          and a sum, Lathrop's MV + VA, a round of Ẅ would take an addition more.

#pragma once

#include "formulation/lagrange4.hpp"
#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "math/scan.hpp"

namespace parid::formulation {

template <class T>
struct LagrangeMotion {
  Mat3<T> W, Wd, Wdd;
  Vec3<T> p, pd, pdd;
};

// A B + C D + E, three additions deep after the products: E is needed one addition after them.
template <class T>
Vec3<T> two_products(const Vec3<T>& a, const Mat3<T>& B, const Vec3<T>& c, const Mat3<T>& D,
                     const Vec3<T>& e) {
  const auto entry = [&](const Vec3<T>& b, const Vec3<T>& d, const T& early) {
    return ((a.x * b.x + a.y * b.y) + (a.z * b.z + c.z * d.z)) + ((c.x * d.x + c.y * d.y) + early);
  };
  return {entry(B.column(0), D.column(0), e.x), entry(B.column(1), D.column(1), e.y),
          entry(B.column(2), D.column(2), e.z)};
}
template <class T>
Mat3<T> two_products(const Mat3<T>& A, const Mat3<T>& B, const Mat3<T>& C, const Mat3<T>& D,
                     const Mat3<T>& E) {
  return {two_products(A.r0, B, C.r0, D, E.r0), two_products(A.r1, B, C.r1, D, E.r1),
          two_products(A.r2, B, C.r2, D, E.r2)};
}

template <class T>
struct LagrangeForce {
  Mat3<T> A;  // the link after the stretch, in the first one's coordinates: rotation and origin
  Vec3<T> p;
  Mat3<T> D;
  Vec3<T> e, c;
  T mass{0.0};
};
// The combining forms, with sums in the order of the legend.
struct LagrangeSums {
  template <class T>
  static LagrangeMotion<T> combined(const LagrangeMotion<T>& x, const LagrangeMotion<T>& y) {
    const T two(2.0);
    return {x.W * y.W,
            x.Wd * y.W + x.W * y.Wd,
            two_products(x.Wdd, y.W, x.W, y.Wdd, two * (x.Wd * y.Wd)),
            x.p + x.W * y.p,
            x.W * y.pd + (x.pd + x.Wd * y.p),
            x.W * y.pdd + (x.pdd + (x.Wdd * y.p + two * (x.Wd * y.pd)))};
  }
  template <class T>
  static LagrangeForce<T> combined(const LagrangeForce<T>& x, const LagrangeForce<T>& y) {
    return {x.A * y.A,
            x.p + x.A * y.p,
            x.A * y.D + (x.D + outer(x.p, y.e)),
            x.e + y.e,
            x.c + (x.A * y.c + y.mass * x.p),
            x.mass + y.mass};
  }
};

template <Scalar T, ScanPlan (*Plan)(int) = divided_scan, class Sums = LagrangeSums>
class LathropLagrangian {
 public:
  static constexpr const char* id = "lathrop_lagrangian";
  static constexpr bool exact = true;
  static constexpr Scope scope{};

  explicit LathropLagrangian(const Mechanism<T>& m) : plan_(Plan(m.n)), x_(m.n), y_(m.n) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    const auto combine = [](const auto& a, const auto& b) { return Sums::combined(a, b); };
    for (int i = 1; i <= m.n; ++i) {
      const Mat3<T> A = at.R(i);
      const Vec3<T> p = at.p(i), z = A.column(2);
      const T qd = at.qd(i), qdd = at.qdd(i);
      if (m.kind(i) == JointKind::revolute) {
        const Mat3<T> A1 = quarter_turned(A), A2 = quarter_turned(A1);
        x_[i - 1] = {A, qd * A1, (qd * qd) * A2 + qdd * A1, p, {}, {}};
      } else {
        x_[i - 1] = {A, {}, {}, p, qd * z, qdd * z};
      }
    }
    scan(plan_, x_.data(), combine);
    for (int i = 1; i <= m.n; ++i) {
      const LagrangeMotion<T>& x = x_[i - 1];
      const T mass = m.body[i][0];
      const Vec3<T> n = m.body[i].vec(1);
      const Sym3<T> K = m.body[i].sym(4);
      const Mat3<T> J{{K.xx, K.xy, K.xz}, {K.xy, K.yy, K.yz}, {K.xz, K.yz, K.zz}};
      const bool last = i == m.n;
      y_[i - 1] = {last ? Mat3<T>::identity() : at.R(i + 1),
                   last ? Vec3<T>() : at.p(i + 1),
                   outer(n, x.pdd) + J * transposed(x.Wdd),
                   mass * x.pdd + x.Wdd * n,
                   n,
                   mass};
    }
    scan_from_end(plan_, y_.data(), combine);
    for (int i = 1; i <= m.n; ++i) {
      const LagrangeForce<T>& y = y_[i - 1];
      if (m.kind(i) == JointKind::revolute) {
        const Mat3<T> W1 = quarter_turned(x_[i - 1].W), WD = W1 * y.D;
        tau[i] = (WD.r0.x + WD.r1.y + WD.r2.z) - dot(at.gravity, W1 * y.c);
      } else {
        tau[i] = dot(x_[i - 1].W.column(2), y.e - y.mass * at.gravity);
      }
    }
  }

 private:
  // A·Q for a turn about z: columns (y, −x, 0).
  static Mat3<T> quarter_turned(const Mat3<T>& A) {
    const T o(0.0);
    return {{A.r0.y, -A.r0.x, o}, {A.r1.y, -A.r1.x, o}, {A.r2.y, -A.r2.x, o}};
  }
  ScanPlan plan_;
  std::vector<LagrangeMotion<T>> x_;
  std::vector<LagrangeForce<T>> y_;
};

}  // namespace parid::formulation
