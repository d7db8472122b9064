#include "lookup/term_selection.hpp"

#include <algorithm>
#include <cmath>

#include "model/canonical_model.hpp"
#include "model/user_state.hpp"

namespace parid::lookup {

TermSelection significant_terms(const Robot& robot, const StateBox& box, const TermOptions& o) {
  const CanonicalModel& c = robot.canonical();
  const Mechanism<double>& m = c.mechanism;
  const int n = m.n;
  State<double> motion(m);
  NewtonEulerLink<double> newton_euler(m);
  CoefficientSweep<double> sweep(m);
  const Coefficients at = sweep.layout();
  std::vector<double> now(at.size()), largest(at.size()), tau(n + 1), range(n + 1);

  const States s = random_states(box, o.samples, o.seed);
  for (std::size_t r = 0; r < s.rows; ++r) {
    auto row = [&](const std::vector<double>& x) {
      return [&, r](int k) { return x[r * c.nv + k]; };
    };
    load_state(c, motion, row(s.q), row(s.v), row(s.a));
    motion.place(m);
    newton_euler.torque(m, motion, tau.data());
    for (int i = 1; i <= n; ++i)
      range[i] = std::max(range[i], std::abs(tau[i] + c.joint[i].rotor_inertia * motion.qdd(i)));
    sweep.coefficients(m, motion, now.data());
    for (int k = 0; k < at.size(); ++k) largest[k] = std::max(largest[k], std::abs(now[k]));
  }

  auto velocity = [&](int j) {
    return std::abs(c.joint[j + 1].scale) * box.v[c.joint[j + 1].velocity];
  };
  auto acceleration = [&](int j) {
    return std::abs(c.joint[j + 1].scale) * box.a[c.joint[j + 1].velocity];
  };
  TermSelection selection{at, {}, 0};
  for (int i = 0; i < n; ++i) {
    auto judge = [&](double contribution) {
      const double share = contribution / range[i + 1];  // 0/0 is not above anything
      selection.nonzero += share > 1e-13;
      selection.keep.push_back(share > 1e-13 && share >= o.share);
    };
    judge(largest[at.G(i)]);
    for (int j = 0; j < n; ++j) judge(largest[at.J(i, j)] * acceleration(j));
    for (int j = 0; j < n; ++j)
      for (int k = j; k < n; ++k) judge(largest[at.C(i, j, k)] * velocity(j) * velocity(k));
  }
  return selection;
}

}  // namespace parid::lookup
