// A robot over one control period of constant torque: Runge-Kutta steps without friction and
// limits, for simulations of very many periods.

#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "control/layer.hpp"
#include "parid/inverse_dynamics.hpp"
#include "simulation/springs.hpp"

namespace parid::control {

class ZeroOrderHold {
 public:
  // Steps are at most `step` long.
  ZeroOrderHold(const Robot&, double period, double step);

  // The same of a robot with elastic joints: q and v are those of Robot::with_motors(), the motors
  // where they carry the links at rest at `pose`. Steps are short beside the springs' periods too.
  ZeroOrderHold(const Robot&, double period, double step, std::span<const double> pose,
                bool measure_links);

  std::vector<double> q, v;
  // What a law reads: nv numbers each.
  void measure(double* position, double* velocity) const;
  // The part of a measured position that the springs' load makes at that pose.
  double offset(int k) const { return offset_.empty() ? 0 : offset_[static_cast<std::size_t>(k)]; }
  void advance(const std::vector<double>& tau);  // by a period

 private:
  void stage(std::size_t which, double h, const std::vector<double>& tau);

  ZeroOrderHold(const Robot& mechanism, double period, double step,
                std::optional<simulation::Springs>);

  Robot robot_;
  Workspace workspace_;
  std::optional<simulation::Springs> springs_;
  std::vector<double> offset_, spread_;
  int steps_;
  double h_;
  std::array<std::vector<double>, 4> a_;
  std::vector<double> mid_q_, mid_v_;
};

}  // namespace parid::control
