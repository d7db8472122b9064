// Sampled control: a robot under a control law that runs once per period, and which periods are
// stable.
//
//   ControlLoopOptions options;
//   options.controller.policy = "hamilton";
//   options.rate = 333;
//   const ControlLoopResult result = run_control_loop(robot, robot, trajectory, options);
//   const double longest = longest_stable_period(robot, robot, q, options.controller);
//
// The law may read values of earlier periods: a policy defines how old each may be
// (docs/speculative.md). For robots whose joints have one degree of freedom each.
//
// A public header: no template, no type of another library.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parid/controllers.hpp"
#include "parid/export.h"
#include "parid/robot.hpp"
#include "parid/simulation.hpp"
#include "parid/trajectory.hpp"

namespace parid {

struct StalePolicyInfo {
  std::string id;       ///< SampledController::policy
  std::string meaning;  ///< one line
};
/// The policies of stale data.
PARID_EXPORT std::vector<StalePolicyInfo> stale_policies();

/// A control law with its gains and its policy.
struct SampledController {
  std::string law = "computed_torque";  ///< of controllers()
  /// By velocity coordinate, or one for all; missing ones as a critically damped loop has them.
  Gains gains = {};
  std::string policy = "exact";  ///< of stale_policies(), with arguments: "delayed:3"
};

struct ControlLoopOptions {
  SampledController controller = {};
  double rate = 1000;                     ///< control periods per second
  double time = 0;                        ///< s; 0: as long as the trajectory
  double switch_at = 0;                   ///< s: until then the policy is "exact"
  double position_noise = 0;              ///< standard deviation of each measurement, rad or m
  double velocity_noise = 0;              ///< rad/s or m/s
  std::uint64_t seed = 1;                 ///< of the noise
  bool limit_torques = false;             ///< to the effort limits of the robot file
  bool friction = false;                  ///< in the simulated robot
  bool compensate_friction = false;       ///< by the model, at the desired velocity
  std::vector<double> start_offset = {};  ///< nv: distance from the trajectory at the start
  double divergence = 1;                  ///< rad or m: a larger error ends the run
};

struct ControlLoopResult {
  SimulationResult simulation;
  double period = 0;  ///< s
  // Position errors in rad or m, over all coordinates and periods.
  double max_error = 0, rms_error = 0;
  double final_error = 0;  ///< the largest of the last tenth of the time
  std::vector<double> max_error_by_coordinate;
  std::optional<double> diverged_at;  ///< s
  long periods = 0;
  long limited = 0;  ///< periods with a torque at its limit
};

/// Simulates `plant` under a controller that computes with `model`, along a trajectory. Throws
/// Error for unknown names, options without meaning, joints of several degrees of freedom, and
/// robots that do not fit each other.
PARID_EXPORT ControlLoopResult run_control_loop(const Robot& plant, const Robot& model,
                                                const PlannedTrajectory&,
                                                const ControlLoopOptions& = {});

/// The spectral radius, per control period, of the loop linearised at the pose q (nq), for a period
/// in s. Below 1 the loop is stable. Throws as run_control_loop() does.
PARID_EXPORT double loop_spectral_radius(const Robot& plant, const Robot& model,
                                         std::span<const double> q, const SampledController&,
                                         double period);

/// The longest period, in s up to 1 s, up to which that spectral radius stays below 1; 0 if even
/// 1 µs is not stable. Throws as run_control_loop() does.
PARID_EXPORT double longest_stable_period(const Robot& plant, const Robot& model,
                                          std::span<const double> q, const SampledController&);

}  // namespace parid
