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

/// The ages of every reading of a policy (a name, a path or a text, as SampledController has it),
/// as the text of a TOML file. Throws Error for unknown names and mistakes in tables.
PARID_EXPORT std::string stale_policy_table(const std::string& policy);

/// The flow diagram of one control period for a robot, as the text of an SVG file or, with `dot`,
/// of a DOT file. `detail` is "blocks" (forward and backward equations of each link), "forward",
/// "backward" or "both" (their variables); `link` is one moving link alone, counted from 1 at the
/// base, or 0 for all. Throws Error as run_control_loop() does, and for unknown details and links.
PARID_EXPORT std::string stale_flow_diagram(const Robot&, const std::string& policy,
                                            const std::string& detail = "blocks", int link = 0,
                                            bool dot = false);

/// A control law with its gains and its policy.
struct SampledController {
  std::string law = "computed_torque";  ///< of controllers()
  /// By velocity coordinate, or one for all; missing ones as a critically damped loop has them.
  Gains gains = {};
  /// Of stale_policies(), with arguments: "delayed:3". Or a table of ages: a path that ends in
  /// .toml, or the text of such a file, which has a line break (docs/speculative.md).
  std::string policy = "exact";
  /// The plant's elastic joints have motors of their own (parid/elastic.hpp), on which torques act.
  /// The law reads motors in place of the links of elastic joints, or links with `measure_links`.
  bool elastic = false;
  bool measure_links = false;
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

/// Errors along a trajectory that is followed exactly, by coordinate.
struct StaleErrors {
  std::vector<double> largest, rms;
  std::vector<double> scale;  ///< the largest exact value; of "ik", how far a coordinate moves
  double tip = 0;             ///< of "ik": m, the largest distance of the tip from its path
};

/// What search_stale_policy() looks for.
struct PolicySearchOptions {
  SampledController controller = {};  ///< law and gains; its policy is not read
  int steps = 1;                      ///< at most, blocks of equations in sequence per period
  int max_age = 2;                    ///< periods, 1 to 8
  bool every = false;                 ///< every table with the same ages in all links: a proof
  int starts = 2;                     ///< climbs from the best starting tables, and as many later
  std::uint64_t seed = 1;             ///< of the order in which a climb tries changes
  int threads = 0;                    ///< 0: all cores; the result does not depend on it
};

/// A policy and its largest safe periods, in s.
struct RatedPolicy {
  std::string policy;  ///< a name, or the text of a table of ages, as SampledController has it
  int steps = 0;       ///< blocks of equations in sequence
  double period = 0;   ///< of the worst pose
  std::vector<double> by_pose;
};

struct PolicySearch {
  RatedPolicy best;
  bool proven = false;  ///< no table up to max_age with the same ages in all links is safe longer
  long tried = 0;       ///< tables of ages
  std::vector<RatedPolicy> published;  ///< those with at most so many steps, the best first
};

/// Searches the ages of a policy for the largest period that is safe at every one of the poses
/// (count × nq), as longest_stable_period() defines it. Allocates; takes seconds to minutes. Throws
/// Error for numbers out of range, poses of another size, the law "pd", and if no policy is safe.
PARID_EXPORT PolicySearch search_stale_policy(const Robot& plant, const Robot& model,
                                              std::span<const double> poses,
                                              const PolicySearchOptions& = {});

/// What a policy's old data cost at `rate` periods per second: "torque" (N m or N), "mass" (rows of
/// the non-strict mass matrix, neighbours' values as old as n.neighbour) or "ik" (joint-by-joint
/// inverse kinematics of the tip in closed form, positions as old as w.neighbour; rad or m). Throws
/// Error for unknown names, "torque" of joints of several degrees of freedom, and "ik" of arms
/// without a closed form.
PARID_EXPORT StaleErrors stale_errors(const Robot&, const PlannedTrajectory&,
                                      const std::string& quantity, const std::string& policy,
                                      double rate);

/// A momentum observer and what it takes for a fault.
struct FaultObserver {
  double gain = 50;                    ///< 1/s
  std::vector<double> threshold = {};  ///< N m or N: nv, or one for all; empty: calibrated
  double margin = 1.5;  ///< calibrated: times the largest residuals of a run without the fault
};

struct FaultReport {
  std::vector<double> threshold;      ///< nv, N m or N
  std::optional<double> detected_at;  ///< s: the first period with a residual above its threshold
  std::optional<double> delay;        ///< s, since the start of the fault
  int coordinate = -1;                ///< whose residual that is
  int outermost = -1;                 ///< the last coordinate whose residual exceeds its threshold
  std::vector<double> peak;           ///< nv: the largest residuals since the start of the fault
  long false_alarms = 0;              ///< periods before the start with a residual too large
  double max_error = 0;               ///< rad or m, of positions
  std::optional<double> diverged_at;  ///< s
  std::vector<double> t, residual;    ///< by period: s; (periods, nv), N m or N
};

/// Runs the control loop while `fault` happens to the plant, and finds it with a momentum observer
/// that reads the controller's measurements, torques and model. `fault` is
/// "loss:JOINT=SHARE@T[+D]", "payload:LINK=KG[,X,Y,Z]@T[+D]",
/// "collision:LINK=FX,FY,FZ[,X,Y,Z]@T[+D]" (docs/speculative.md), or "" for none. Throws Error as
/// run_control_loop() does, and for faults that cannot be.
PARID_EXPORT FaultReport detect_fault(const Robot& plant, const Robot& model,
                                      const PlannedTrajectory&, const ControlLoopOptions&,
                                      const std::string& fault, const FaultObserver& = {});

}  // namespace parid
