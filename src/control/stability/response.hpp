// The response of a law's torques to a small change of the measurements: the linearised law with
// its memory.
//
//   τ(k) = Σ_m G_m (δq, δv)(k − m)
//
// Stale variables are sums of older ones and ultimately of measurements, so the response to a
// change in one period is finite: a few periods for each link in both sweeps. The last measurements
// are therefore a complete state; a state of all stale variables has the same eigenvalues and
// additional zeros. Random policies repeat after Policy::round periods and have that many sets of
// G.

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

// About a robot at rest at q.
Response response(const LawDesign&, std::span<const double> q);

// About a motion, with the change at j = 0: nominal(j) is the desired and actual state j periods
// later.
using Nominal = std::function<Desired(int j)>;
Response response(const LawDesign&, const Nominal&);

}  // namespace parid::control
