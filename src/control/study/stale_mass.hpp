// The mass matrix by composite bodies in which links read their neighbours' values of earlier
// periods: all links can be computed at the same time.
//
// Source   Amin-Javaheri, Orin: Non-strict computation of the manipulator inertia matrix, in
//          Fijany, Bejczy (eds.): Parallel Computation Systems for Robotics (1992) 53-76, as
//          Hamilton, Walker and Bennett (1996) describe it: relaxed precedence between processes,
//          applied to the inertia matrix. The recursion is that of dynamics/mass_matrix.hpp.
// Order    O(n d), d the depth of the tree.
// Differs  the age is any number of periods, and old values may be drawn on in a line; trees and
//          joints of several freedoms. With age 0 it is the mass matrix.
//
//   I_i(k) = own body + Σ of children c: X_c I_c(k − age)       a link and all beyond it
//   f_b(k) = I_i(k) s_b at b's own link, X f_b(k − age) at each link towards the base
//   M_ab = s_a · f_b at a's link

#pragma once

#include <algorithm>
#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "dynamics/mass_matrix.hpp"

namespace parid::control {

template <Scalar T>
class StaleMassMatrix {
 public:
  StaleMassMatrix(const CanonicalModel& c, const Age& age)
      : at(c), c_(c), age_(age), H_(c.freedom.size() * c.freedom.size(), T(0.0)) {
    const auto depth = static_cast<std::size_t>(
        age.periods + (age.periods > 0 && age.prediction == Prediction::linear) + 1);
    Row row;
    row.body.resize(static_cast<std::size_t>(c.topology.n) + 1);
    row.force.resize(c.freedom.size() * (static_cast<std::size_t>(c.topology.n) + 1));
    past_.assign(depth, row);
  }

  // One period; M: (nv, nv), row-major, full.
  void operator()(const T* q, T* M) {
    at.load(q);
    std::rotate(past_.begin(), past_.end() - 1, past_.end());
    const int n = c_.topology.n, m = static_cast<int>(c_.freedom.size());
    Row& now = past_[0];
    for (int i = 1; i <= n; ++i)
      now.body[i] = {at.mechanism.body[i][0], at.mechanism.body[i].vec(1),
                     at.mechanism.body[i].sym(4)};
    for (int i = n; i >= 1; --i)
      if (const int j = c_.topology.parent[i]; j > 0)
        now.body[j] = now.body[j] + dynamics::moved(at.motion.R(i), at.motion.p(i), body(i));
    for (int i = 1; i <= n; ++i)
      for (int b = c_.first[i]; b < c_.first[i + 1]; ++b) {
        T* row = H_.data() + b * m;
        Wrench<T> w = dynamics::unit_force(now.body[i], c_.freedom[b].axis);
        now.force[place(b, i)] = w;
        for (int a = c_.first[i]; a <= b; ++a) row[a] = component(w, c_.freedom[a].axis);
        row[b] = row[b] + T(c_.freedom[b].rotor_inertia);
        for (int j = i, above; (above = c_.topology.parent[j]) > 0; j = above) {
          w = on_parent(at.motion.R(j), at.motion.p(j), force(b, j));
          now.force[place(b, above)] = w;
          for (int a = c_.first[above]; a < c_.first[above + 1]; ++a)
            row[a] = component(w, c_.freedom[a].axis);
        }
      }
    dynamics::to_user(c_, at.motion, H_.data(), m, M);
  }
  // The first period: everything as if the robot had stood here for long.
  void start(const T* q, T* M) {
    const Age asked = age_;
    age_ = {};
    (*this)(q, M);
    age_ = asked;
    for (std::size_t k = 1; k < past_.size(); ++k) past_[k] = past_[0];
  }

  ModelState<T> at;

 private:
  struct Row {
    std::vector<Moments<T>> body;  // by link
    std::vector<Wrench<T>> force;  // by freedom and link
  };
  std::size_t place(int freedom, int link) const {
    return static_cast<std::size_t>(freedom) * (static_cast<std::size_t>(c_.topology.n) + 1) +
           static_cast<std::size_t>(link);
  }
  T drawn(const T& x, const T& before) const {
    return x + T(static_cast<double>(age_.periods)) * (x - before);
  }
  Vec3<T> drawn(const Vec3<T>& x, const Vec3<T>& before) const {
    return {drawn(x.x, before.x), drawn(x.y, before.y), drawn(x.z, before.z)};
  }
  bool in_a_line() const { return age_.periods > 0 && age_.prediction == Prediction::linear; }
  Moments<T> body(int i) const {
    const auto age = static_cast<std::size_t>(age_.periods);
    const Moments<T>& x = past_[age].body[i];
    if (!in_a_line()) return x;
    const Moments<T>& o = past_[age + 1].body[i];
    return {drawn(x.m, o.m),
            drawn(x.ms, o.ms),
            {drawn(x.K.xx, o.K.xx), drawn(x.K.yy, o.K.yy), drawn(x.K.zz, o.K.zz),
             drawn(x.K.xy, o.K.xy), drawn(x.K.xz, o.K.xz), drawn(x.K.yz, o.K.yz)}};
  }
  Wrench<T> force(int b, int i) const {
    const auto age = static_cast<std::size_t>(age_.periods);
    const Wrench<T>& x = past_[age].force[place(b, i)];
    if (!in_a_line()) return x;
    const Wrench<T>& o = past_[age + 1].force[place(b, i)];
    return {drawn(x.f, o.f), drawn(x.n, o.n)};
  }

  const CanonicalModel& c_;
  Age age_;
  std::vector<Row> past_;  // by age
  std::vector<T> H_;
};

}  // namespace parid::control
