// Parameters of a robot from measured positions and torques, and motions along which to measure.
//
//   const Robot robot = Robot::load("arm.urdf");
//   const ExcitationMotion plan = excitation_motion(robot);        // 1. run plan.motion, log q,
//   tau
//   IdentificationOptions options;                                 // 2. the log has t, q and tau
//   options.filter.kind = FilterKind::butterworth;
//   options.friction = FrictionModel::automatic;
//   const IdentificationReport found = identify_robot(robot, logs, options);
//   if (found.verdict == FitVerdict::poor) …
//   const Robot better = found.robot;
//
// Weighted least squares on the regressor with weights from each joint's noise, then the physically
// consistent inertias that explain the torques as well. Torques are in N m (N), positions in rad
// (m), frequencies in Hz, inertias in kg, kg m and kg m² in the frames of the robot file's links.
//
// A public header: no template, no type of another library.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"
#include "parid/sampled_trajectory.hpp"
#include "parid/trajectory.hpp"

namespace parid {

/// Friction to identify at each joint with one axis.
enum class FrictionModel {
  none,        ///< the torques contain no friction
  viscous,     ///< damping · v
  coulomb,     ///< and friction · sgn v
  asymmetric,  ///< and a constant: friction that differs by direction, or an offset of the sensor
  stribeck,    ///< viscous and Coulomb, and a rise towards rest (docs/friction.md)
  automatic    ///< the simplest of these that predicts torques best, by cross-validation
};
/// "none", "viscous", "coulomb", "asymmetric", "stribeck", "auto"
PARID_EXPORT const char* name(FrictionModel);
/// Throws Error, with the list, for another name.
PARID_EXPORT FrictionModel friction_model(const std::string& name);

struct IdentificationOptions {
  FrictionModel friction = FrictionModel::coulomb;
  bool rotors = false;   ///< rotor inertias too; false: those of the robot file are used
  bool drives = false;   ///< the fraction of torque that each drive loses
  bool offsets = false;  ///< a constant in each torque
  bool robust = false;   ///< outliers get smaller weights (Huber)
  /// A joint with friction that is slower than this counts as at rest; its torque is not used.
  double rest_velocity = 0;
  /// Filters positions, computes v and a from them, filters torques and the regressor's columns
  /// alike, and keeps as many samples as the cut-off frequency needs. `none`: the logs' own v and a
  /// are used.
  FilterOptions filter{FilterKind::none, 0};
  /// The fit is poor if its residuals exceed this fraction of the torques (RMS).
  double max_residual = 0.2;
  /// The fit is worse than noise if some joint's residuals exceed the noise by this factor.
  double max_noise_ratio = 2;
  int folds = 5;  ///< of cross-validation: contiguous blocks of each log
  std::function<void(double)> progress = {};  ///< called with the fraction of a pass
};

struct IdentifiedParameter {
  std::string name;     ///< "forearm.mx", "elbow.viscous"
  std::string kind;     ///< inertia, viscous, coulomb, stribeck, rotor, loss, offset
  std::string meaning;  ///< of an inertia: the sum of parameters that it represents
  std::string unit;
  double given = 0;                        ///< by the robot file
  double value = 0;                        ///< least-squares estimate
  double standard_error = 0;               ///< infinite: the logs do not determine it
  double physical = 0;                     ///< after the step to physically consistent bodies
  bool found = false;                      ///< false: it keeps its given value
  std::vector<std::string> confused_with;  ///< if not found: parameters with the same effect
};

/// Goodness of fit of one torque, as root mean squares over the samples used.
struct TorqueFit {
  std::string coordinate;
  std::size_t equations = 0;
  double measured = 0;                        ///< the torque itself
  double given = 0, found = 0, physical = 0;  ///< residuals: of the robot file, of the two steps
  double noise = 0;            ///< standard deviation of residuals; its inverse is the weight
  double autocorrelation = 0;  ///< of the least-squares residuals between consecutive samples
  /// Residuals that the noise of torques and positions explains, estimated from the logs: white
  /// noise of the torques above the cut-off, and the effect of white noise of the positions. NaN:
  /// unknown, because the log has no even time steps.
  double expected = 0;
};

/// How the residuals compare with the noise.
enum class FitVerdict {
  good,         ///< neither of the following
  above_noise,  ///< the model lacks an effect: residuals exceed max_noise_ratio times the noise
  poor          ///< residuals exceed max_residual times the torques: the result is not usable
};
/// "good", "above noise", "poor"
PARID_EXPORT const char* name(FitVerdict);

/// One friction model in the cross-validation of `FrictionModel::automatic`.
struct FrictionScore {
  FrictionModel friction = FrictionModel::none;
  bool drives = false;         ///< with drive losses
  std::size_t parameters = 0;  ///< unknowns of the whole model
  double residual = 0;         ///< prediction error over torque on unseen blocks (RMS)
  double score = 0;            ///< the same, with each torque relative to its noise
  double deviation = 0;        ///< standard error of the difference to the best score
  bool chosen = false;
};

struct IdentificationReport {
  Robot robot;  ///< with the identified parameters
  std::size_t samples = 0, equations = 0;
  double condition = 1;  ///< of the regressor's identifiable columns: measures the excitation
  std::vector<IdentifiedParameter> parameters = {};
  std::vector<TorqueFit> torques = {};
  double residual_given = 0, residual_found = 0, residual = 0;  ///< relative; the last of `robot`
  double noise = 0;  ///< relative residual that noise explains; NaN: unknown
  FitVerdict verdict = FitVerdict::good;
  FrictionModel friction = FrictionModel::coulomb;  ///< that was identified
  std::vector<FrictionScore> friction_scores = {};  ///< empty unless automatic
  std::vector<FilterReport> filters = {};           ///< one per log
  std::vector<std::string> notes = {};              ///< with advice
};

/// Identifies the parameters from logs with tau and either v and a, or a filter. Allocates. Throws
/// Error if there are too few samples, if a filter cannot be applied (filter_motion), or for a
/// robot whose drives are described in a way that is not linear in its parameters.
PARID_EXPORT IdentificationReport identify_robot(const Robot&,
                                                 std::span<const SampledTrajectory> logs,
                                                 const IdentificationOptions& = {});

struct ExcitationOptions {
  double seconds = 10;
  int samples = 1001;
  int harmonics = 5;
  int trials = 300;
  /// Fraction of the limits that is used; without limits, of half a turn or half a metre about zero
  /// and of 2 rad/s or 0.5 m/s.
  double share = 0.8;
  /// Largest acceleration of every joint, rad/s² or m/s²; robot files give none.
  double acceleration = 1e300;
  /// Keep torques, of the file's inertias and friction, within `share` of the effort and motor
  /// limits.
  bool effort = true;
};

/// A motion that makes torques depend on all parameters, and its use of the limits: the largest
/// share of any joint, at all instants of a fine grid; NaN where the robot file gives no limit.
struct ExcitationMotion {
  SampledTrajectory motion;
  double condition = 0;        ///< of the regressor along it; 1e9 or more: not all are identifiable
  double first_condition = 0;  ///< of the first trial of the search
  double position_use = 0, velocity_use = 0, effort_use = 0;
  double acceleration = 0;  ///< the largest, rad/s² or m/s²
};

/// A periodic motion (a sum of sines) that starts and ends at rest, within the limits. Collisions
/// are not considered. If the robot exceeds an effort limit even while it stands, effort_use
/// exceeds `share`. Throws Error for robots without revolute or prismatic joint.
PARID_EXPORT ExcitationMotion excitation_motion(const Robot&, const ExcitationOptions& = {});

}  // namespace parid
