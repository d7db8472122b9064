// A robot over one control period of constant torque: Runge-Kutta steps without friction and
// limits, for simulations of very many periods.

#pragma once

#include <array>
#include <vector>

#include "control/layer.hpp"
#include "parid/inverse_dynamics.hpp"

namespace parid::control {

class ZeroOrderHold {
 public:
  // Steps are at most `step` long.
  ZeroOrderHold(const Robot&, double period, double step);

  std::vector<double> q, v;
  void advance(const std::vector<double>& tau);  // by a period

 private:
  void stage(std::size_t which, double h, const std::vector<double>& tau);

  Robot robot_;
  Workspace workspace_;
  int steps_;
  double h_;
  std::array<std::vector<double>, 4> a_;
  std::vector<double> mid_q_, mid_v_;
};

}  // namespace parid::control
