// Newton-Euler inverse dynamics in which each reading of a variable has its own age.
//
// Source   Hamilton, Walker, Bennett (1996), Table 1 and appendix, with two errors corrected: a_c
//          starts from the end of the previous link, and the force of the next link acts at that
//          link's joint.
// Order    O(n), once per control period. With every age 0 it is the usual recursion.
// Symbols  code   paper    meaning, in the coordinates of link i
//          R p    R r      rotation, link i to its parent j; origin of i in j
//          w wd   ω ω̇      angular velocity and acceleration
//          alpha  α        angular acceleration for moments: equal to ω̇ if no value is old
//          e      a_e      acceleration of joint i's origin, computed by the parent, in the parent
//          ac     a_c      acceleration of the centre of mass at s
//          f n    f τ      force and moment that the parent exerts
//          g      g        gravity
// Differs  trees and prismatic joints; the base is stationary. Gravity enters link by link: its
//          direction follows from positions alone, which are measured and never old.
//
// Each link has one block per sweep, forward(i) and backward(i), so that blocks can be timed in a
// traced graph (step_cost.hpp) and distributed over threads (threads.hpp).

#pragma once

#include <algorithm>
#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "model/state.hpp"

namespace parid::control {

template <class T>
struct StaleLink {
  Vec3<T> w, wd, alpha, e, ac, f, n;
};

template <Scalar T>
class StaleNewtonEuler {
 public:
  explicit StaleNewtonEuler(const Mechanism<T>& m) : g_(m.n + 1), children_(m.n + 1) {
    past_.emplace_back(static_cast<std::size_t>(m.n) + 1);
    for (int i = 1; i <= m.n; ++i) children_[m.parent(i)].push_back(i);
  }

  // May change between periods. Values are kept for as many periods as any policy set so far reads;
  // before the first period, and if a policy reads further back than earlier ones, the oldest
  // stored value replaces missing ones.
  void set_policy(const Policy& p) {
    policy_ = p;
    ages_ = p.table(static_cast<int>(g_.size()) - 1);
    alpha_apart_ = p.alpha_apart();
    const auto needed = static_cast<std::size_t>(p.depth()) + 1;
    while (past_.size() < needed) past_.push_back(past_.back());
  }
  const Policy& policy() const { return policy_; }

  // One control period: computes tau[1..n] and ages all values by one period.
  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    begin(m, at);
    for (int i = 1; i <= m.n; ++i) forward(m, at, i);
    for (int i = m.n; i >= 1; --i) tau[i] = backward(m, at, i);
  }

  void begin(const Mechanism<T>& m, const State<T>& at) {
    ++period;
    std::rotate(past_.begin(), past_.end() - 1, past_.end());
    point(m, at);
  }
  void point(const Mechanism<T>& m, const State<T>& at) {
    g_[0] = at.gravity;
    for (int i = 1; i <= m.n; ++i) g_[i] = transposed_times(at.R(i), g_[m.parent(i)]);
  }
  // The motion of link i and of the joints on it.
  void forward(const Mechanism<T>& m, const State<T>& at, int i) {
    StaleLink<T>& x = now(i);
    const int j = m.parent(i);
    const Mat3<T> R = at.R(i);
    const Vec3<T> z_qd{T(0.0), T(0.0), at.qd(i)}, z_qdd{T(0.0), T(0.0), at.qdd(i)};
    const Vec3<T> w_j = transposed_times(R, neighbour(Term::w_w, &StaleLink<T>::w, i, j, i));
    x.w = w_j;
    x.wd = transposed_times(R, neighbour(Term::wd_wd, &StaleLink<T>::wd, i, j, i));
    if (m.kind(i) == JointKind::revolute) {
      const Vec3<T> w_wd =
          alike(i, Term::wd_w, Term::w_w)
              ? w_j
              : transposed_times(R, neighbour(Term::wd_w, &StaleLink<T>::w, i, j, i));
      x.w = w_j + z_qd;
      x.wd = x.wd + cross(w_wd, z_qd) + z_qdd;
    }
    x.alpha = x.wd;
    if (alpha_apart_) {
      x.alpha = transposed_times(R, neighbour(Term::alpha_alpha, &StaleLink<T>::alpha, i, j, i));
      if (m.kind(i) == JointKind::revolute)
        x.alpha = x.alpha + cross(own(Term::alpha_w, &StaleLink<T>::w, i), z_qd) + z_qdd;
    }
    struct Motion {
      Vec3<T> a, w, wd;
      Vec3<T> of_point(const Vec3<T>& r) const {
        return a + (cross(wd, r) + cross(w, cross(w, r)));
      }
    };
    auto motion = [&](Term e, Term wd, Term w) {
      Motion of{transposed_times(R, neighbour(e, &StaleLink<T>::e, i, i, i)),
                own(w, &StaleLink<T>::w, i), own(wd, &StaleLink<T>::wd, i)};
      if (m.kind(i) == JointKind::prismatic) {
        const Vec3<T> coriolis = cross(of.w, z_qd);
        of.a = of.a + (coriolis + coriolis) + z_qdd;
      }
      return of;
    };
    const Motion centre = motion(Term::ac_e, Term::ac_wd, Term::ac_w);
    x.ac = centre.of_point(m.centre[i].vec(0));
    if (children_[i].empty()) return;
    const bool same = alike(i, Term::e_e, Term::ac_e) && alike(i, Term::e_wd, Term::ac_wd) &&
                      alike(i, Term::e_w, Term::ac_w);
    const Motion end = same ? centre : motion(Term::e_e, Term::e_wd, Term::e_w);
    for (const int child : children_[i]) now(child).e = end.of_point(at.p(child));
  }

  // The force and moment of link i; returns its joint's torque.
  T backward(const Mechanism<T>& m, const State<T>& at, int i) {
    StaleLink<T>& x = now(i);
    const Vec3<T> w = own(Term::n_w, &StaleLink<T>::w, i);
    const Vec3<T> s = m.centre[i].vec(0);
    const Sym3<T> I = m.centre[i].sym(3);
    x.f = m.body[i][0] * (own(Term::f_ac, &StaleLink<T>::ac, i) - g_[i]);
    x.n = I * own(Term::n_alpha, &StaleLink<T>::alpha, i) + cross(w, I * w);
    for (const int c : children_[i]) {
      const Mat3<T> R = at.R(c);
      const Vec3<T> f = R * neighbour(Term::f_f, &StaleLink<T>::f, i, c, c);
      const Vec3<T> f_n =
          alike(i, Term::n_f, Term::f_f) ? f : R * neighbour(Term::n_f, &StaleLink<T>::f, i, c, c);
      x.f = x.f + f;
      x.n = x.n + (R * neighbour(Term::n_n, &StaleLink<T>::n, i, c, c) + cross(at.p(c) - s, f_n));
    }
    x.n = x.n + cross(s, own(Term::n_own_f, &StaleLink<T>::f, i));
    return m.kind(i) == JointKind::prismatic ? x.f.z : x.n.z;
  }

  // Fills the past with the values of this period.
  void settle() {
    for (std::size_t age = 1; age < past_.size(); ++age) past_[age] = past_[0];
  }

  int kept() const { return static_cast<int>(past_.size()); }  // stored periods, including this one
  long period = 0;  // incremented by begin(); seeds the random ages
  StaleLink<T>& now(int i) { return old(i, 0); }
  StaleLink<T>& old(int i, int age) {
    return past_.at(static_cast<std::size_t>(age))[static_cast<std::size_t>(i)];
  }
  Vec3<T>& gravity(int i) { return g_[static_cast<std::size_t>(i)]; }

 private:
  using Part = Vec3<T> StaleLink<T>::*;
  Vec3<T> read(Part part, int i, int age, Prediction prediction) {
    const Vec3<T> x = old(i, age).*part;
    if (age == 0 || prediction == Prediction::hold) return x;
    return x + T(static_cast<double>(age)) * (x - old(i, age + 1).*part);
  }
  // Of a term in link i's equations.
  const Age& age(int i, Term t) const {
    return ages_[ages_.size() == 1 ? 0 : static_cast<std::size_t>(i)][static_cast<std::size_t>(t)];
  }
  bool alike(int i, Term a, Term b) const { return age(i, a) == age(i, b); }
  Vec3<T> own(Term t, Part part, int i) {
    return read(part, i, age(i, t).periods, age(i, t).prediction);
  }
  // Link `source`'s value, read across joint `joint` by link i.
  Vec3<T> neighbour(Term t, Part part, int i, int source, int joint) {
    const Age& a = age(i, t);
    const bool old = policy_.old_by_chance(info(t).variable, joint, period);
    return read(part, source, old ? a.periods : 0, a.prediction);
  }

  Policy policy_;
  std::vector<AgeRow> ages_ = Policy().table(0);
  bool alpha_apart_ = false;
  std::vector<std::vector<StaleLink<T>>> past_;  // by age
  std::vector<Vec3<T>> g_;
  std::vector<std::vector<int>> children_;
};

}  // namespace parid::control
