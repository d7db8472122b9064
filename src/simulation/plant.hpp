// The robot as a system of differential equations: a vector y and its rate, in a chart about the
// start of the step.
//
//   y = (u, v, work, losses)      u: nv numbers, zero at the base of the chart (chart.hpp)
//
// The work of the torques and the friction losses are integrated together with the motion, with the
// same accuracy, for the energy balance. With elastic joints the system is the mechanism whose
// motors move on their own (Robot::with_motors()), and the springs' torques act besides the
// source's.

#pragma once

#include <optional>
#include <vector>

#include "parid/dynamics.hpp"
#include "parid/forward_friction.hpp"
#include "parid/torque_source.hpp"
#include "simulation/chart.hpp"
#include "simulation/layer.hpp"
#include "simulation/springs.hpp"

namespace parid::simulation {

class Plant {
 public:
  // The robot, or the mechanism with motors and its springs.
  Plant(const Robot&, TorqueSource&, bool with_friction, std::optional<Springs> = {});

  int n() const { return n_; }
  int size() const { return 2 * n_ + 2; }

  // State at the start of steps.
  double t = 0;
  std::vector<double> base, v;
  double work = 0, losses = 0;

  void start(double* y) const;                      // y there
  void move(double to, const double* y);            // continue from the end of a step
  void position(const double* y, double* q) const;  // nq numbers

  // Returns false if numbers overflow, or friction has no solution.
  bool rate(double at, const double* y, double* dy);
  // At the start and at breaks of the source: it reads the state.
  void begin();
  // The generalised torques at any state: the source's and the springs'.
  void torque(double at, const double* q, const double* v, double* tau);
  // Power of the source's torques, and power lost to friction and damping, from generalised
  // torques.
  double power(const double* tau, const double* v) const;
  double lost_power(const double* taken, const double* v) const;
  // At any state: a, tau and the friction losses.
  bool acceleration(double at, const double* q, const double* v, double* a, double* tau,
                    double* taken);

  const Robot& robot() const { return robot_; }
  Workspace& workspace() { return workspace_; }
  const Chart& chart() const { return chart_; }
  TorqueSource& source() { return source_; }
  const Springs* springs() const { return springs_ ? &*springs_ : nullptr; }
  ForwardFriction* friction() { return friction_ ? &*friction_ : nullptr; }
  long evaluations = 0;

 private:
  Robot robot_;
  TorqueSource& source_;
  Chart chart_;
  Workspace workspace_;
  std::optional<ForwardFriction> friction_;
  std::optional<Springs> springs_;
  int n_;
  std::vector<double> q_, tau_, taken_;
  std::vector<double> read_q_, read_v_, applied_, loads_;  // with springs
};

}  // namespace parid::simulation
