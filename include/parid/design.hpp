// From a robot and a wish to processors, a policy of stale data, a word length and programs, with
// the bandwidth that they reach.
//
//   DesignOptions options;
//   options.targets = {"cortex-m7", "4x cortex-m4f", "ecp5"};
//   options.bandwidth = 25;
//   const DesignResult r = design_controller(robot, robot, nullptr, options);
//   const DesignCandidate& best = r.candidates[r.chosen];
//   for (const CodeFile& file : design_files(robot, best, r)) write(file.name, file.text);
//   verify_design(robot, robot, nullptr, best, r).period;   // beside best.largest_period
//
// The law is computed torque with the same gains for every joint, kp = kd²/4. A machine measures,
// computes for `step_time`, and applies its torques `latency` after the measurement. Each verdict
// is about poses at rest, linearised; docs/design.md says what that covers. For robots on a fixed
// base whose joints have one degree of freedom each.
//
// A public header: no template, no type of another library.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parid/codegen.hpp"
#include "parid/export.h"
#include "parid/robot.hpp"
#include "parid/schedule.hpp"
#include "parid/trajectory.hpp"

namespace parid {

/// A machine that a controller may run on.
struct DesignTargetInfo {
  std::string id;                              ///< "cortex-m4f": DesignOptions::targets
  std::string title;                           ///< one line
  std::string kind;                            ///< "processors", "fpga", "array" or "pipeline"
  std::map<std::string, std::string> sources;  ///< where each figure comes from
};
/// The targets that come with the library. Allocates.
PARID_EXPORT std::vector<DesignTargetInfo> design_targets();
/// A target's file: of an id, or of a path that ends in .toml. Throws Error for unknown ids, and
/// with file and line for mistakes.
PARID_EXPORT std::string design_target_file(const std::string& id);
/// A target made by measuring this machine for about a second: times of operations in generated
/// programs, and of messages between two of its cores. The text of a target's file. Throws Error
/// without a C compiler.
PARID_EXPORT std::string measure_design_target(const std::string& title = "this machine");

/// What is best, among the candidates that fulfil the wish.
enum class DesignGoal { bandwidth, cheapest, least_power, fewest_processors };
struct DesignGoalInfo {
  DesignGoal value;
  const char* id;       ///< "cheapest": the name on the command line and in Python
  const char* meaning;  ///< one line
};
PARID_EXPORT std::span<const DesignGoalInfo> design_goals();
/// Throws Error, with the nearest name and all names, if there is none.
PARID_EXPORT DesignGoal design_goal(std::string_view id);

struct DesignOptions {
  /// Ids, paths of .toml files, "4x ID" for exactly four processors, and "papers" for the machines
  /// of the papers; empty: all that come with the library but those of the papers.
  std::vector<std::string> targets = {};
  std::vector<std::string> policies = {};  ///< of stale_policies(); empty: those with fixed ages
  std::vector<int> words = {18, 24, 32};   ///< bits of fixed-point machines
  std::vector<int> processors = {1, 2, 3, 4, 6};  ///< of targets without a number of their own
  std::vector<std::string> formulations = {};     ///< on one processor; empty: generated programs

  std::optional<double> rate = {};       ///< Hz: every candidate runs at this rate
  std::optional<double> bandwidth = {};  ///< Hz, that a candidate must reach
  double fastest_rate = 4000;            ///< Hz, of sensors and drives
  double gain_margin = 2;                ///< at least, as a factor
  double phase_margin = 45;              ///< degrees, at least
  double acceleration = 100;             ///< rad/s² or m/s²: the range of fixed-point machines

  std::vector<double> poses = {};  ///< (count, nq); empty: neutral and `random_poses` others
  std::size_t random_poses = 4;    ///< within the limits
  std::uint64_t seed = 1;
  DesignGoal goal = DesignGoal::bandwidth;
  int threads = 0;                                  ///< 0: all cores
  std::function<void(double share)> progress = {};  ///< called by the calling thread
};

/// One way to compute the law, with what it reaches.
struct DesignCandidate {
  std::string id;           ///< "4x cortex-m4f, hamilton"
  std::string target;       ///< id, or path
  std::string method;       ///< "program", "schedule", "links", "shared units", "array", "pipeline"
  std::string policy;       ///< of stale data
  std::string formulation;  ///< "generated", or a formulation whose cost is taken
  std::string word;         ///< "float64", "float32", "fixed18"
  int processors = 1;
  int units = 0;            ///< of a fixed-point machine: multipliers; 0: one per operation
  std::vector<int> blocks;  ///< of "links": the processor of each block of equations

  // What it takes.
  OperationCounts operations = {};
  int messages = 0;                      ///< in a period
  long message_words = 0;                ///< numbers in them
  int oldest = 0;                        ///< age of the oldest value that is read, in periods
  long kept = 0;                         ///< numbers that all processors keep from period to period
  double step_time = 0;                  ///< s, from the measurement to the last torque
  double shortest_period = 0;            ///< s
  double jitter = 0;                     ///< s, of the target
  std::optional<double> code = {};       ///< bytes on the fullest processor, estimated
  std::optional<long> multipliers = {};  ///< of an FPGA: built-in multipliers
  std::optional<long> luts = {};         ///< of an FPGA: lookup tables, estimated
  std::optional<double> price = {};      ///< USD; none: not known
  std::optional<double> power = {};      ///< W; none: not known

  // What it reaches, at the worst of the poses; 0 if it is refused.
  double period = 0, latency = 0;    ///< s
  double reachable = 0;              ///< Hz: bandwidth at the largest gains with the asked margins
  double kp = 0, kd = 0;             ///< 1/s², 1/s: those, or as much as the wish needs
  double bandwidth = 0;              ///< Hz, at these gains
  double gain_margin = 0;            ///< factor; INFINITY: no gain makes it unstable
  double phase_margin = 0;           ///< degrees
  double largest_period = 0;         ///< s: safe at these gains, up to which all shorter ones are
  std::size_t worst_pose = 0;        ///< index of the pose that limits the period
  std::optional<double> noise = {};  ///< rad or m: of fixed-point words, of a position, largest

  // Along the motion; none if there is none, or it was not predicted for this candidate.
  std::optional<double> tracking_largest = {}, tracking_rms = {};  ///< rad or m

  std::string refused;             ///< why it cannot be used, in words; empty: it can
  std::vector<std::string> front;  ///< criteria by which no other is better: "price", …
};

/// A figure of the verdicts, and what it assumes.
struct DesignAssumption {
  const char *figure, *assumption;
};
PARID_EXPORT std::span<const DesignAssumption> design_assumptions();

struct DesignResult {
  std::vector<DesignCandidate> candidates;  ///< best first: the usable ones, then the refused
  int chosen = -1;                          ///< index; -1: none fulfils the wish
  std::vector<std::string> why;             ///< sentences about the winner and the losers
  std::vector<double> poses;                ///< (count, nq)
  double acceleration = 100;                ///< rad/s² or m/s²: DesignOptions::acceleration
};

/// All candidates with their verdicts. `plant` moves and `model` is the controller's; they differ
/// by a payload, for example. The tracking error is predicted along `motion` if there is one: for
/// all candidates if they are few, else for those of a front. Takes seconds. Throws Error for
/// unknown names, options out of range, robots whose joints have several degrees of freedom, and
/// models with other coordinates.
PARID_EXPORT DesignResult design_controller(const Robot& plant, const Robot& model,
                                            const PlannedTrajectory* motion,
                                            const DesignOptions& = {});

/// What runs: C of each processor with its messages, or Verilog of the fixed-point machine, and a
/// report with every figure and how it was obtained. Throws Error for a candidate that is refused,
/// and for arrays and pipelines, which have no programs.
PARID_EXPORT std::vector<CodeFile> design_files(const Robot& model, const DesignCandidate&,
                                                const DesignResult&);

/// Bandwidth against price, power, processors and multipliers, as the text of an SVG file.
PARID_EXPORT std::string design_picture(const DesignResult&, const std::string& title);

/// Measured on the delivered programs, in a simulated loop.
struct DesignVerification {
  double predicted_period = 0;  ///< s: at the worst pose, the largest safe one
  /// s: at which a small disturbance stops to decay. 0 and INFINITY: not from 1/1.3 to 1.6 of it;
  /// NAN: rounding hides the disturbance.
  double period = 0;
  std::optional<double> predicted_largest, predicted_rms;  ///< rad or m, along the motion
  std::optional<double> largest, rms;                      ///< the same, simulated
  bool lost = false;                                       ///< the robot lost the motion
};
struct DesignVerificationOptions {
  bool limit_torques = false;  ///< along the motion: to the effort limits
  bool friction = false;       ///< along the motion: of the robot file
  std::function<void(double share)> progress = {};
};
/// Compiles and loads the candidate's programs, or evaluates its fixed-point machine bit by bit, in
/// a loop with the simulated robot, their ages and their latency. Takes up to a minute. Throws
/// Error as design_files() does, and without a C compiler.
PARID_EXPORT DesignVerification verify_design(const Robot& plant, const Robot& model,
                                              const PlannedTrajectory* motion,
                                              const DesignCandidate&, const DesignResult&,
                                              const DesignVerificationOptions& = {});

}  // namespace parid
