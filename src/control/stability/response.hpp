// How a law's torques answer a small change of what is measured: the linearised law, with all it
// remembers.
//
//   τ(k) = Σ_m G_m (δq, δv)(k − m)
//
// Stale variables are sums of older ones and end with the measurements that began them, so the
// answer to a change in one period ends by itself: a few periods for each link there and back. A
// state of the last measurements therefore says as much as one of all stale variables (those have
// the same eigenvalues, and zeros). Random policies repeat after Policy::round periods and
// have so many sets of G.

#pragma once

#include <functional>
#include <vector>

#include "control/design.hpp"
#include "control/layer.hpp"

namespace parid::control {

struct Response {
  int n = 0, lags = 0, phases = 1;
  std::vector<double> G;  // (phases, lags, n, 2n); a torque in period k reads set k mod phases

  const double* at(int phase, int lag) const {
    return G.data() + (static_cast<std::size_t>(phase) * lags + lag) * n * 2 * n;
  }
};

// The robot stands at q.
Response response(const LawDesign&, std::span<const double> q);

// It follows a motion, where the change comes in at j = 0: nominal(j) is where it should be, and
// is, j periods later.
using Nominal = std::function<Desired(int j)>;
Response response(const LawDesign&, const Nominal&);

}  // namespace parid::control
