// Simulation of a robot under torques: forward dynamics over time.
//
//   Simulation simulation(robot, {.time = 10, .friction = true});
//   simulation.set_state(q, v);
//   SimulationResult result = simulation.run(*open_loop(read_torques(robot, "torques.csv")));
//
// A public header: no template, no type of another library.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/sampled_trajectory.hpp"
#include "parid/torque_source.hpp"

namespace parid {

// Which of the robot's limits end a simulation.
enum class StopAt { nothing, position, position_or_velocity };

struct SimulationOptions {
  std::string integrator = "dopri5";  // simulation/integrator.hpp has the list
  double time = 10;                   // s
  double rate = 100;                  // samples per second of the result
  double step = 1e-3;                 // s, for methods with fixed steps: maximum
  double tolerance = 1e-10;           // for adaptive methods: error of one step
  bool friction = false;
  // Elastic joints of the robot have motors of their own (parid/elastic.hpp). Torques of elastic
  // joints act on motors, and torque sources read motors; with measure_links, they read links.
  bool elastic = false;
  bool measure_links = false;
  StopAt stop_at = StopAt::position;
  double too_fast = 1e6;  // rad/s or m/s: counts as divergence
  std::function<void(double share)> progress = {};
};

enum class SimulationEnd { finished, diverged, limit, stalled };
constexpr const char* name_of(SimulationEnd end) {
  constexpr const char* names[] = {"finished", "diverged", "limit", "stalled"};
  return names[static_cast<int>(end)];
}

struct SimulationResult {
  SampledTrajectory motion;                // t, q, v, a
  std::vector<double> tau;                 // (rows, nv): applied torques
  std::vector<double> kinetic, potential;  // J, by row; springs are part of the latter
  std::vector<double> theta, theta_v;      // (rows, elastic joints): motors, if simulated
  std::vector<double> work, losses;        // J: of the torques, and to friction, since the start

  SimulationEnd end = SimulationEnd::finished;
  double ended_at = 0;     // s
  std::string coordinate;  // whose limit was reached
  std::string why;         // description of the end

  // The largest E(t) − E(0) − work + losses, and the same relative to the largest of kinetic
  // energy, change of potential energy, work and losses.
  double energy_drift = 0, relative_energy_drift = 0;
  long steps = 0, rejected = 0, evaluations = 0;
  long events = 0;  // stick-slip events, at which a step ends
};

class PARID_EXPORT Simulation {
 public:
  explicit Simulation(const Robot&, const SimulationOptions& = {});

  // The initial state; default: robot.neutral() at rest. Throws Error for a position outside the
  // limits that would stop the simulation.
  void set_state(std::span<const double> q, std::span<const double> v);

  // The initial state of the motors, one number for each elastic joint; default: the springs carry
  // the links' weight, and motors have the links' velocities. Throws Error unless `elastic`.
  void set_motor_state(std::span<const double> theta, std::span<const double> theta_v);

  SimulationResult run(TorqueSource&) const;
  SimulationResult run() const { return run(*no_torque()); }

 private:
  Robot robot_;
  SimulationOptions options_;
  std::vector<double> q_, v_, theta_, theta_v_;
};

}  // namespace parid
