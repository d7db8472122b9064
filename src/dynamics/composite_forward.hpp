// Forward dynamics by the mass matrix: M q̈ = τ − h, h by Newton-Euler, M by composite
// bodies, and the factors of a tree's matrix.
//
// Order O(n d²) with small constants, d the depth of the tree. Robots with mimic
// joints have the freedoms of the leaders: their matrix is summed first and treated as
// full.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/tree_factor.hpp"
#include "formulation/newton_euler_link.hpp"

namespace parid::dynamics {

template <Scalar T>
class CompositeForward {
 public:
  static constexpr const char* id = "composite_bodies";
  static bool covers(const CanonicalModel&) { return true; }

  explicit CompositeForward(const CanonicalModel& c)
      : at(c),
        newton_euler_(at.mechanism),
        composite_(c.topology.n),
        m_(static_cast<int>(c.freedom.size())),
        stride_(padded<T>(m_)),
        H_(m_ * stride_, T(0.0)),
        x_(m_),
        joint_torque_(c.topology.n + 1),
        M_(c.has_mimic ? c.nv * c.nv : 0),
        paths_(c) {}

  void acceleration(const T* q, const T* v, const T* tau, T* a) {
    at.load(q, v);
    evaluate([tau](int k) { return tau[k]; }, [a](int k, const T& x) { a[k] = x; });
  }

  // Requires a loaded state, without accelerations.
  template <class Tau, class Put>
  void evaluate(const Tau& tau, const Put& put) {
    const CanonicalModel& c = at.c;
    newton_euler_.torque(at.mechanism, at.motion, joint_torque_.data());
    composite_.gather(at.mechanism, at.motion);
    mass_by_freedoms(c, composite_, at.motion, H_.data(), stride_);
    auto bias = [&](int k) {
      const Freedom& f = c.freedom[k];
      const T rigid =
          component(Wrench<T>{newton_euler_.f(f.link), newton_euler_.n(f.link)}, f.axis);
      if (f.coupling < 0) return rigid;
      return rigid + T(f.rotor_inertia) * at.motion.coupled[f.coupling].drift();
    };
    if (c.has_mimic) {
      for (int l = 0; l < c.nv; ++l) x_[l] = tau(l);
      for (int k = 0; k < m_; ++k) {
        T& x = x_[c.freedom[k].column];
        x = x - scale_of(at.motion, c.freedom[k]) * bias(k);
      }
      to_user(c, at.motion, H_.data(), stride_, M_.data());
      tree_factor<T>(paths_, M_.data(), c.nv);
      tree_solve<T>(paths_, M_.data(), c.nv, x_.data());
      for (int l = 0; l < c.nv; ++l) put(l, x_[l]);
    } else {
      for (int k = 0; k < m_; ++k) x_[k] = tau(c.freedom[k].column) - bias(k);
      tree_factor<T>(paths_, H_.data(), stride_);
      tree_solve<T>(paths_, H_.data(), stride_, x_.data());
      for (int k = 0; k < m_; ++k) put(c.freedom[k].column, x_[k]);
    }
  }

  // The mass matrix only; M: (nv, nv), row-major, full.
  void mass(T* M) {
    composite_.gather(at.mechanism, at.motion);
    mass_by_freedoms(at.c, composite_, at.motion, H_.data(), stride_);
    to_user(at.c, at.motion, H_.data(), stride_, M);
  }

  // M⁻¹ x in place, with the factors of the last evaluation; x in the user's order.
  void solve(T* x) {
    const CanonicalModel& c = at.c;
    if (c.has_mimic) return tree_solve<T>(paths_, M_.data(), c.nv, x);
    for (int k = 0; k < m_; ++k) x_[k] = x[c.freedom[k].column];
    tree_solve<T>(paths_, H_.data(), stride_, x_.data());
    for (int k = 0; k < m_; ++k) x[c.freedom[k].column] = x_[k];
  }

  // The same for many right sides at once: one row of X, `width` numbers, for each row() of the
  // user's order; and X = M⁻¹ in that order. `width` is a multiple of PackedRow<T>::numbers and,
  // for the inverse, at least nv.
  void solve_rows(T* X, int width) { tree_solve_rows<T>(paths_, factors(), stride(), X, width); }
  void inverse(T* X, int width) { tree_inverse<T>(paths_, factors(), stride(), X, width); }
  int row(int k) const { return at.c.has_mimic ? k : at.c.freedom[k].column; }

  ModelState<T> at;

 private:
  const T* factors() const { return at.c.has_mimic ? M_.data() : H_.data(); }
  int stride() const { return at.c.has_mimic ? at.c.nv : stride_; }

  NewtonEulerLink<T, Mat3> newton_euler_;
  Composites<T> composite_;
  int m_;       // freedoms
  int stride_;  // between rows of H_
  std::vector<T> H_, x_, joint_torque_, M_;
  TreePaths paths_;
};

}  // namespace parid::dynamics
