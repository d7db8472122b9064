// Torques of one state: through the public API, by any formulation in any number type, and by
// a peer; and how far two of them are apart.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "formulation/all.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/robot.hpp"
#include "peers/peer.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/method/evaluation.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

using Torques = std::vector<double>;

// max|Δτ| / max|τ|; infinite if a torque is not finite, 0 if there are no torques.
inline double relative_error(const Torques& x, const Torques& y) {
  double difference = x.size() == y.size() ? 0 : INFINITY, size = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    difference =
        std::max(difference, std::isfinite(x[i] - y[i]) ? std::abs(x[i] - y[i]) : INFINITY);
    size = std::max(size, std::abs(y[i]));
  }
  return difference == 0 ? 0 : difference / size;
}

inline Torques torques(const Robot& robot, Workspace& workspace, const RandomState& s) {
  Torques tau(robot.nv(), NAN);
  inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
  return tau;
}
inline Torques torques(const Robot& robot, const RandomState& s) {
  Workspace workspace(robot);
  return torques(robot, workspace, s);
}
inline Torques torques(peers::Peer& peer, const RandomState& s) {
  Torques tau(peer.nv(), NAN);
  peer.inverse_dynamics(s.q.data(), s.v.data(), s.a.data(), tau.data());
  return tau;
}

// Formulation F on numbers of type T. `q(k)`, `v(k)`, `a(k)` give coordinate k.
template <template <class> class F, class T, class Q, class V, class A>
std::vector<T> torques_in(const CanonicalModel& c, const Q& q, const V& v, const A& a,
                          const ExternalLoads& around = {}) {
  Evaluation<F, T> evaluation(c);
  evaluation.set_external_loads(around);
  evaluation.load(q, v, a);
  evaluation.place();
  evaluation.run();
  std::vector<T> tau(c.nv);
  evaluation.store(
      a, [&](int k) { return tau[k]; }, [&](int k, const T& x) { tau[k] = x; });
  return tau;
}

// The reference: Newton-Euler in double.
inline Torques reference_torques(const Robot& robot, const RandomState& s,
                                 const ExternalLoads& around = {}) {
  auto read = [](const std::vector<double>& x) { return [&x](int k) { return x[k]; }; };
  return torques_in<NewtonEulerLinkDense, double>(robot.canonical(), read(s.q), read(s.v),
                                                  read(s.a), around);
}

inline bool installed(const peers::Maker& maker) {
  Rng rng(1);
  try {
    maker.make(random_chain(rng, 1));
  } catch (const std::runtime_error&) {
    return false;
  }
  return true;
}

}  // namespace parid::test
