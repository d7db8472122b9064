// Mass matrix and forward dynamics of a chain in logarithmic depth.
//
// Sources  Lathrop (1985) for scans over links; Featherstone: A divide-and-conquer articulated-body
//          algorithm for parallel O(log n) calculation of rigid-body dynamics, Int. J. Robotics
//          Research 18 (1999) 867-892.
// Order    O(log n) deep: frames and angular velocities by scans, composite inertias by a scan from
//          the tip. Mass matrix: O(n²) operations. Forward dynamics: O(n) after the scans, with two
//          sweeps over a binary tree of joints.
// Symbols  code            meaning, in the axes of frame 0
//          Φ11 Φ12 Φ22     accelerations of a piece's two handles, its first joint and the next
//                          piece's first joint, by wrenches that act on them:
//                            a1 = Φ11 f1 + Φ12 f2 + b1,    a2 = Φ12ᵀ f1 + Φ22 f2 + b2
//          W V             W = Φ22 + Φ'11 of two neighbours; V = W⁻¹ less its part along the axis s
//          a               linear acceleration of the point, angular acceleration
//
// Two pieces A, B and the joint between them are a piece again. With the torque τ and the rotor J
// of the joint, a' − a = s q̈ + c and sᵀ f = τ − J q̈ for the wrench f of A on B,
//
//   u = W⁻¹ s,   D = 1/(J + sᵀ u),   V = W⁻¹ − D u uᵀ,   f = V β + D τ u,   q̈ = D (τ − uᵀ β)
//   β = c + b2 − b'1 + Φ12ᵀ f1 − Φ'12 f3
//   Φ11 − Φ12 V Φ12ᵀ,   Φ12 V Φ'12,   Φ'22 − Φ'12ᵀ V Φ'12
//
// This composition is that of linear-fractional maps of the articulated inertia: the pass of
// articulated_body.hpp from tip to base is X → I + X − X s sᵀ X/(J + sᵀ X s). In matrices of twelve
// rows such maps compose by products, whose entries grow exponentially with the chain; the form
// above has bounded entries and inverts symmetric positive definite matrices only.
//
// Differs  accelerations are those of points, not spatial ones, so that no piece refers to a
//          distant origin. Links need an inertia that can be inverted: a mass and no direction
//          without moment of inertia.

#pragma once

#include <vector>

#include "dynamics/articulated_body.hpp"
#include "dynamics/layer.hpp"
#include "kinematics/chain_frames.hpp"
#include "math/scan.hpp"

namespace parid::dynamics {

namespace detail {

template <class T>
Sym3<T> sum(const Sym3<T>& A, const Sym3<T>& B) {
  return {A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.xz + B.xz, A.yz + B.yz};
}

}  // namespace detail

template <Scalar T, ScanPlan (*Plan)(int) = divided_scan>
class ChainMassMatrix {
 public:
  static bool covers(const CanonicalModel& c) { return is_plain_chain(c); }

  explicit ChainMassMatrix(const CanonicalModel& c)
      : at(c), plan_(Plan(c.topology.n)), frames_(c), beyond_(c.topology.n) {}

  void operator()(const T* q, T* M) {
    const CanonicalModel& c = at.c;
    const int n = c.topology.n;
    at.load(q);
    frames_.place(at.motion);
    for (int i = 1; i <= n; ++i) beyond_[i - 1] = body(i);
    scan_from_end(plan_, beyond_.data(), [](const Body& a, const Body& b) -> Body {
      return {a.m + b.m, a.ms + b.ms, detail::sum(a.J, b.J)};
    });
    for (int b = 1; b <= n; ++b) {
      // Momentum and angular momentum about the origin, for a unit velocity of joint b.
      const Body& x = beyond_[b - 1];
      const Vec3<T> z = frames_[b].R.column(2);
      const bool turns = at.mechanism.kind(b) == JointKind::revolute;
      const Vec3<T> v = turns ? cross(frames_[b].p, z) : z;
      const Vec3<T> P = turns ? cross(z, x.ms) + x.m * v : x.m * v;
      const Vec3<T> L = turns ? x.J * z + cross(x.ms, v) : cross(x.ms, v);
      for (int a = 1; a <= b; ++a) {
        const Vec3<T> e = frames_[a].R.column(2);
        T entry = at.mechanism.kind(a) == JointKind::revolute ? dot(e, L - cross(frames_[a].p, P))
                                                              : dot(e, P);
        if (a == b) entry = entry + T(c.joint[a].rotor_inertia);
        const int k = c.joint[a].velocity, l = c.joint[b].velocity;
        M[k * c.nv + l] = entry;
        if (a != b) M[l * c.nv + k] = entry;
      }
    }
  }

  ModelState<T> at;

 private:
  struct Body {
    T m{0.0};
    Vec3<T> ms;
    Sym3<T> J;  // about the origin
  };
  Body body(int i) const {
    const Pose<T>& x = frames_[i];
    const auto centre = at.mechanism.centre[i];
    const T m = at.mechanism.body[i][0];
    const Vec3<T> r = x * centre.vec(0);
    const Sym3<T> I = rotated(x.R, centre.sym(3));
    const Vec3<T> mr = m * r;
    const T xx = mr.x * r.x, yy = mr.y * r.y, zz = mr.z * r.z;
    return {m, mr,
            Sym3<T>{I.xx + (yy + zz), I.yy + (xx + zz), I.zz + (xx + yy), I.xy - mr.x * r.y,
                    I.xz - mr.x * r.z, I.yz - mr.y * r.z}};
  }

  ScanPlan plan_;
  kinematics::ChainFrames<T, Plan> frames_;
  std::vector<Body> beyond_;
};

namespace detail {

// Linear and angular parts of an acceleration, or a force and a moment.
template <class T>
struct Six {
  Vec3<T> l, a;
  friend Six operator+(const Six& x, const Six& y) { return {x.l + y.l, x.a + y.a}; }
  friend Six operator-(const Six& x, const Six& y) { return {x.l - y.l, x.a - y.a}; }
  friend Six operator*(const T& s, const Six& x) { return {s * x.l, s * x.a}; }
  friend T dot(const Six& x, const Six& y) { return dot(x.l, y.l) + dot(x.a, y.a); }
};

template <class T>
struct Block {  // (ll la; al aa)
  Mat3<T> ll, la, al, aa;
  friend Six<T> operator*(const Block& M, const Six<T>& x) {
    return {M.ll * x.l + M.la * x.a, M.al * x.l + M.aa * x.a};
  }
  friend Six<T> transposed_times(const Block& M, const Six<T>& x) {
    return {transposed_times(M.ll, x.l) + transposed_times(M.al, x.a),
            transposed_times(M.la, x.l) + transposed_times(M.aa, x.a)};
  }
  friend Block operator*(const Block& A, const Block& B) {
    return {A.ll * B.ll + A.la * B.al, A.ll * B.la + A.la * B.aa, A.al * B.ll + A.aa * B.al,
            A.al * B.la + A.aa * B.aa};
  }
};
template <class T>
Block<T> transposed(const Block<T>& M) {
  return {math::transposed(M.ll), math::transposed(M.al), math::transposed(M.la),
          math::transposed(M.aa)};
}

template <class T>
struct Symmetric {  // (ll la; laᵀ aa)
  Sym3<T> ll;
  Mat3<T> la;
  Sym3<T> aa;
  friend Symmetric operator+(const Symmetric& x, const Symmetric& y) {
    return {sum(x.ll, y.ll), x.la + y.la, sum(x.aa, y.aa)};
  }
  friend Six<T> operator*(const Symmetric& M, const Six<T>& x) {
    return {M.ll * x.l + M.la * x.a, transposed_times(M.la, x.l) + M.aa * x.a};
  }
  Block<T> full() const { return {full_of(ll), la, math::transposed(la), full_of(aa)}; }
};

template <class T>  // the symmetric A B of a product that is symmetric
Sym3<T> symmetric_product(const Mat3<T>& A, const Mat3<T>& B) {
  const Vec3<T> x = B.column(0), y = B.column(1), z = B.column(2);
  return {dot(A.r0, x), dot(A.r1, y), dot(A.r2, z), dot(A.r0, y), dot(A.r0, z), dot(A.r1, z)};
}
template <class T>
Sym3<T> difference(const Sym3<T>& A, const Sym3<T>& B) {
  return {A.xx - B.xx, A.yy - B.yy, A.zz - B.zz, A.xy - B.xy, A.xz - B.xz, A.yz - B.yz};
}
template <class T>  // S − A B, where A B is symmetric
Symmetric<T> minus_product(const Symmetric<T>& S, const Block<T>& A, const Block<T>& B) {
  return {difference(S.ll, sum(symmetric_product(A.ll, B.ll), symmetric_product(A.la, B.al))),
          S.la - (A.ll * B.la + A.la * B.aa),
          difference(S.aa, sum(symmetric_product(A.al, B.la), symmetric_product(A.aa, B.aa)))};
}

template <class T>  // by the Schur complement of the linear part
Symmetric<T> inverse(const Symmetric<T>& W) {
  const Mat3<T> Ai = full_of(inverse(W.ll)), X = Ai * W.la;  // A⁻¹ B
  const Sym3<T> S = inverse(difference(W.aa, symmetric_product(math::transposed(W.la), X)));
  const Mat3<T> Sf = full_of(S), XS = X * Sf;
  const Sym3<T> XSX = symmetric_product(XS, math::transposed(X)),
                A{Ai.r0.x, Ai.r1.y, Ai.r2.z, Ai.r0.y, Ai.r0.z, Ai.r1.z};
  const T none(0.0);
  return {sum(A, XSX),
          {{none - XS.r0.x, none - XS.r0.y, none - XS.r0.z},
           {none - XS.r1.x, none - XS.r1.y, none - XS.r1.z},
           {none - XS.r2.x, none - XS.r2.y, none - XS.r2.z}},
          S};
}

}  // namespace detail

template <Scalar T, ScanPlan (*Plan)(int) = divided_scan>
class ChainForward {
 public:
  static constexpr const char* id = "divide_and_conquer";

  static bool covers(const CanonicalModel& c) {
    if (!is_plain_chain(c)) return false;
    for (int i = 1; i <= c.topology.n; ++i) {
      const Sym3<double> I = c.mechanism.centre[i].sym(3);
      const double third = (I.xx + I.yy + I.zz) / 3;
      const double det = I.xx * (I.yy * I.zz - I.yz * I.yz) - I.xy * (I.xy * I.zz - I.yz * I.xz) +
                         I.xz * (I.xy * I.yz - I.yy * I.xz);
      if (!(c.mechanism.body[i][0] > 0) || !(det > 1e-9 * third * third * third)) return false;
    }
    return true;
  }

  explicit ChainForward(const CanonicalModel& c)
      : at(c),
        n_(c.topology.n),
        plan_(Plan(n_)),
        pose_(n_ + 1),
        w_(n_ + 1),
        inverse_(n_ + 1),
        over_mass_(n_ + 1),
        piece_(2 * static_cast<std::size_t>(n_)),
        tau_(n_ + 1),
        a_(n_ + 1) {
    for (int i = 1; i <= n_; ++i) {
      inverse_[i] = to<T>(detail::inverse(c.mechanism.centre[i].sym(3)));
      over_mass_[i] = T(1 / c.mechanism.body[i][0]);
    }
    whole_ = divide(1, n_ + 1);
  }

  void acceleration(const T* q, const T* v, const T* tau, T* a) {
    at.load(q, v);
    for (int i = 1; i <= n_; ++i) tau_[i] = tau[at.c.joint[i].velocity];
    evaluate();
    for (int i = 1; i <= n_; ++i) a[at.c.joint[i].velocity] = a_[i];
  }

  ModelState<T> at;

 private:
  using Six = detail::Six<T>;
  using Block = detail::Block<T>;
  using Symmetric = detail::Symmetric<T>;

  // A single link, or two neighbouring pieces and the joint between them.
  struct Piece {
    int left = -1, right = -1, joint = 0;  // of two; joint: the first link of the right one
    int link = 0;                          // of one
    Symmetric P11, P22;
    Block P12;
    Six b1, b2;
    // of two
    Block X, Y;  // Φ12 V and V Φ'12
    Six u, f0;
    T D{0.0}, a0{0.0};
    Six f1, f2;  // on its handles, downwards
  };

  int divide(int from, int to) {
    const int index = used_++;
    Piece& p = piece_[static_cast<std::size_t>(index)];
    if (to - from == 1) {
      p.link = from;
      return index;
    }
    const int middle = from + (to - from + 1) / 2;
    const int left = divide(from, middle), right = divide(middle, to);
    Piece& whole = piece_[static_cast<std::size_t>(index)];
    whole.left = left;
    whole.right = right;
    whole.joint = middle;
    return index;
  }

  void evaluate() {
    const Mechanism<T>& m = at.mechanism;
    for (int i = 1; i <= n_; ++i) pose_[i] = {at.motion.R(i), at.motion.p(i)};
    scan(plan_, &pose_[1], [](const Pose<T>& A, const Pose<T>& B) { return A * B; });
    w_[0] = at.motion.base.w;
    for (int i = 1; i <= n_; ++i)
      w_[i] = m.kind(i) == JointKind::revolute ? at.motion.qd(i) * pose_[i].R.column(2) : Vec3<T>();
    w_[1] = w_[0] + w_[1];
    scan(plan_, &w_[1], [](const Vec3<T>& x, const Vec3<T>& y) { return x + y; });
    for (int k = used_ - 1; k >= 0; --k)  // children have larger indices
      piece_[k].link > 0 ? start(piece_[k]) : join(piece_[k]);
    // The base, which wrenches do not move.
    Piece& all = piece_[static_cast<std::size_t>(whole_)];
    const Vec3<T> p = pose_[1].p, w0 = w_[0], wd0 = at.motion.base.wd;
    const Six base{cross(wd0, p) + cross(w0, cross(w0, p)) - at.motion.gravity, wd0};
    const Symmetric W = detail::inverse(all.P11);
    const Six beta = relative(1) + base - all.b1, u = W * axis(1);
    const T D = T(1.0) / (dot(axis(1), u) + T(at.c.joint[1].rotor_inertia));
    a_[1] = D * (tau_[1] - dot(u, beta));
    all.f1 = W * beta + a_[1] * u;
    all.f2 = {};
    for (int k = 0; k < used_; ++k)
      if (piece_[k].link == 0) part(piece_[k]);
  }

  Six axis(int i) const {
    const Vec3<T> z = pose_[i].R.column(2);
    return at.mechanism.kind(i) == JointKind::revolute ? Six{{}, z} : Six{z, {}};
  }
  // What velocities alone add to the acceleration across joint i.
  Six relative(int i) const {
    const Vec3<T> moving = at.motion.qd(i) * cross(w_[i - 1], pose_[i].R.column(2));
    return at.mechanism.kind(i) == JointKind::revolute ? Six{{}, moving} : Six{T(2.0) * moving, {}};
  }

  void start(Piece& x) const {
    const int i = x.link;
    const Mat3<T>& R = pose_[i].R;
    const auto centre = at.mechanism.centre[i];
    const Vec3<T> r1 = -(R * centre.vec(0));
    const Vec3<T> r2 = i < n_ ? r1 + (pose_[i + 1].p - pose_[i].p) : r1;
    const Sym3<T> Ii = rotated(R, inverse_[i]);
    const Mat3<T> I = detail::full_of(Ii), I1 = detail::times_cross(I, r1),
                  I2 = detail::times_cross(I, r2);  // ω̇ by a force at either handle
    const T o = over_mass_[i], zero(0.0);
    // (ω̇ × r) for each column ω̇ of A
    auto turned = [](const Mat3<T>& A, const Vec3<T>& r) {
      return math::transposed(
          Mat3<T>{cross(A.column(0), r), cross(A.column(1), r), cross(A.column(2), r)});
    };
    auto symmetric = [&](const Mat3<T>& A) {
      return Sym3<T>{A.r0.x + o, A.r1.y + o, A.r2.z + o, A.r0.y, A.r0.z, A.r1.z};
    };
    const Mat3<T> mass{{o, zero, zero}, {zero, o, zero}, {zero, zero, o}};
    x.P11 = {symmetric(turned(I1, r1)), turned(I, r1), Ii};
    x.P22 = {symmetric(turned(I2, r2)), turned(I, r2), Ii};
    x.P12 = {mass + turned(I2, r1), turned(I, r1), I2, I};
    const Vec3<T> w = w_[i], local = transposed_times(R, w);
    const Vec3<T> wd = -(R * (inverse_[i] * cross(local, centre.sym(3) * local)));
    x.b1 = {cross(wd, r1) + cross(w, cross(w, r1)), wd};
    x.b2 = {cross(wd, r2) + cross(w, cross(w, r2)), wd};
    if (!at.motion.external) return;
    const Wrench<T>& outer = at.motion.external[i];
    const Six f{R * outer.f, R * outer.n};
    x.b1 = x.b1 + x.P11 * f;
    x.b2 = x.b2 + transposed_times(x.P12, f);
  }

  void join(Piece& x) const {
    const Piece &A = piece_[static_cast<std::size_t>(x.left)],
                &B = piece_[static_cast<std::size_t>(x.right)];
    const int i = x.joint;
    const Six s = axis(i);
    const Symmetric W = detail::inverse(A.P22 + B.P11);
    const T tau = tau_[i];
    x.u = W * s;
    x.D = T(1.0) / (dot(s, x.u) + T(at.c.joint[i].rotor_inertia));
    const Six Du = x.D * x.u;
    const Symmetric V{detail::minus_outer(W.ll, x.u.l, Du.l), W.la - outer(x.u.l, Du.a),
                      detail::minus_outer(W.aa, x.u.a, Du.a)};
    const Block full = V.full();
    x.X = A.P12 * full;
    x.Y = full * B.P12;
    x.P11 = detail::minus_product(A.P11, x.X, detail::transposed(A.P12));
    x.P12 = x.X * B.P12;
    x.P22 = detail::minus_product(B.P22, detail::transposed(B.P12), x.Y);
    const Six beta = relative(i) + (A.b2 - B.b1);
    x.a0 = x.D * (tau - dot(x.u, beta));
    x.f0 = V * beta + (x.D * tau) * x.u;
    x.b1 = A.b1 - A.P12 * x.f0;
    x.b2 = B.b2 + transposed_times(B.P12, x.f0);
  }

  // From the wrenches on both handles to the one between, and the joint's acceleration.
  void part(Piece& x) {
    Piece &A = piece_[static_cast<std::size_t>(x.left)],
          &B = piece_[static_cast<std::size_t>(x.right)];
    const Six f = x.f0 + (transposed_times(x.X, x.f1) - x.Y * x.f2);
    const Six more = transposed_times(A.P12, x.f1) - B.P12 * x.f2;
    a_[x.joint] = x.a0 - x.D * dot(x.u, more);
    A.f1 = x.f1;
    A.f2 = Six{} - f;
    B.f1 = f;
    B.f2 = x.f2;
  }

  int n_, used_ = 0, whole_ = 0;
  ScanPlan plan_;
  std::vector<Pose<T>> pose_;
  std::vector<Vec3<T>> w_;
  std::vector<Sym3<T>> inverse_;
  std::vector<T> over_mass_;
  std::vector<Piece> piece_;
  std::vector<T> tau_, a_;
};

}  // namespace parid::dynamics
