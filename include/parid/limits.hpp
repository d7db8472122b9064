// Whether a motion keeps to a robot's limits, and the heaviest payload that does.
//
//   const Robot robot = Robot::load("ur5").with_payload("wrist_3_link", 5);
//   const SampledTrajectory motion = PlannedTrajectory::named(robot, "default").sampled(250);
//   const LimitsReport report = check_limits(robot, motion);
//   if (report.verdict != LimitsVerdict::holds) …
//
// Torques are in N m (N for sliding coordinates), velocities in rad/s (m/s), powers in W, energies
// in J, times in s. Figures of a motor are at its shaft.
//
// A public header: no template, no type of another library.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid {

/// What a limit bounds. A robot file gives the first three; `continuous_effort` and `motor` of a
/// TOML file give the others (docs/robot-files.md).
enum class LimitKind {
  position,                 ///< the joint's range
  velocity,                 ///< |velocity| of the joint
  effort,                   ///< |torque| at the joint, at every sample
  continuous_effort,        ///< RMS torque at the joint over the duty cycle
  motor_torque,             ///< |torque| at the shaft, at every sample
  motor_continuous_torque,  ///< RMS torque at the shaft over the duty cycle
  motor_speed,              ///< |speed| of the shaft
  motor_power               ///< |mechanical power| at the shaft
};
/// "position", "velocity", "effort", "continuous_effort", "motor_torque", …
PARID_EXPORT const char* name(LimitKind);

/// How far a motion uses one limit of one coordinate.
struct LimitUse {
  LimitKind kind = LimitKind::effort;
  double value = 0;     ///< largest magnitude, with its sign; of an RMS limit, the RMS value
  double limit = 0;     ///< infinite: the robot file gives none
  double share = 0;     ///< |value| / limit; of a position, from the middle of its range; else NaN
  std::size_t row = 0;  ///< the first sample with that value; of an RMS value, 0
  bool holds = true;    ///< within the limit, less the margin; true if no limit is given

  PARID_EXPORT bool given() const;  ///< whether there is a limit
};

/// What a motion asks of one velocity coordinate.
struct JointLoad {
  std::string coordinate;  ///< its name in Robot::velocity_names()
  std::string mimics;    ///< a mimic joint: the joint that it follows. It has no torque of its own
  bool slides = false;   ///< N, m and m/s instead of N m, rad and rad/s
  bool actuated = true;  ///< false: a floating base or a mimic joint, which has no motor
  /// Torque, velocity and position where the torque, the velocity and the use of the range are
  /// largest, and the same at the shaft of the motor if the robot file describes one.
  std::vector<LimitUse> uses;
  double peak = 0, rms = 0;  ///< torque: largest magnitude with its sign, and RMS over the motion
  std::size_t peak_row = 0;  ///< the first sample with that torque
  double peak_speed = 0, rms_speed = 0;
  std::size_t peak_speed_row = 0;
  double lowest = 0, highest = 0;  ///< position; NaN for coordinates of a quaternion
  double peak_power = 0;           ///< largest mechanical power that the joint takes, at least 0
  double regenerative_power = 0;   ///< largest power that it gives back, at least 0
  double energy = 0;               ///< taken, over the motion; NaN without instants
  double regenerated_energy = 0;   ///< given back, over the motion; NaN without instants
  double gear_ratio = 1;           ///< motor turns per joint turn
  bool has_motor = false;          ///< the robot file gives the motor's ratings
  /// The largest share of time for which the motion may run if the motor rests without torque
  /// otherwise: (continuous limit / RMS torque)², at most 1. NaN without a continuous limit.
  double duty = 0;
  /// By which factor, less 1, torque, speed or power exceed what the joint or motor may give: 0.3
  /// means that it must be 30 % stronger. 0: it is strong enough.
  double undersized = 0;

  /// Its use of one kind of limit; null if that kind does not apply to the coordinate.
  PARID_EXPORT const LimitUse* use(LimitKind) const;
};

/// The answer of check_limits().
enum class LimitsVerdict {
  holds,     ///< every limit holds
  exceeded,  ///< a limit does not hold
  unknown    ///< no limit is exceeded, but an actuated coordinate has no torque limit
};

struct LimitsReport {
  LimitsVerdict verdict = LimitsVerdict::unknown;
  double margin = 0, duty = 1;    ///< as asked for
  double duration = 0;            ///< of the motion, in s; NaN without instants
  std::size_t rows = 0;           ///< samples
  std::vector<JointLoad> joints;  ///< by velocity coordinate; then mimic joints
  /// Sum over actuated coordinates, at each instant: the largest power taken and given back.
  double peak_power = 0, regenerative_power = 0;
  double energy = 0, regenerated_energy = 0;  ///< sums over actuated coordinates

  /// Actuated coordinates without a torque limit (neither `effort` nor a motor's torque), and
  /// without a velocity limit.
  std::vector<std::string> without_effort_limit, without_velocity_limit;
};

struct LimitsOptions {
  /// Share of every limit of torque, speed and power that stays free, from 0 to below 1. Position
  /// limits have no margin.
  double margin = 0;
  /// Share of time for which the motion runs, above 0 to 1: counts for RMS limits. For the rest of
  /// the time motors give no torque, as with brakes.
  double duty = 1;
  /// Count friction of bearings and losses of drives, where the robot file gives them. For torques
  /// that are given, they count as they are.
  bool friction = true;
  int threads = 0;  ///< 0: as many as there are cores
};

/// Checks a motion with its torques (rows, nv) against the robot's limits. RMS values are weighted
/// by time, or by sample without instants. Allocates its result. Throws std::invalid_argument for
/// arrays of other sizes, an empty motion, and options out of range.
PARID_EXPORT LimitsReport check_limits(const Robot&, const SampledTrajectory&,
                                       const std::vector<double>& tau, const LimitsOptions& = {});
/// The same with the torques of Engine::inverse_dynamics, or inverse_dynamics_with_friction.
PARID_EXPORT LimitsReport check_limits(const Robot&, const SampledTrajectory&,
                                       const LimitsOptions& = {});

/// The report of several motions: of each coordinate the largest use of each limit. `report` is
/// that of the motions before; `which[k]` becomes `number` where the new motion gives coordinate
/// k the larger torque.
PARID_EXPORT void merge(LimitsReport& report, const LimitsReport& next,
                        std::vector<std::size_t>& which, std::size_t number);

/// Where a payload is carried.
struct PayloadPlace {
  std::string link;                ///< empty: Robot::only_tip()
  std::array<double, 3> centre{};  ///< of mass, in the link's frame, in m
};

struct HeaviestPayload {
  double mass = 0;          ///< kg; infinite if no torque limit depends on it, 0 if none holds
  bool empty_holds = true;  ///< false: limits are exceeded without a payload
  std::string coordinate;   ///< whose limit is reached first; empty if none is
  LimitKind kind = LimitKind::effort;
};

/// The heaviest additional point mass with which torques stay within the limits of effort,
/// continuous effort and motor torques (less the margin) along a motion. Velocity, power and
/// position limits do not count. Exact without friction, because torques are affine in the mass;
/// with friction by bisection to 1e-6 relative. Throws as check_limits() does, and Error for an
/// unknown link, for several tips if none is named, and if no torque limit is given.
PARID_EXPORT HeaviestPayload heaviest_payload(const Robot&, const SampledTrajectory&,
                                              const PayloadPlace& = {}, const LimitsOptions& = {});

struct PayloadMapOptions {
  PayloadPlace place;
  double margin = 0;          ///< as in LimitsOptions
  std::size_t poses = 20000;  ///< random poses within the position limits
  std::size_t rings = 20;     ///< intervals of reach of equal width
  std::uint64_t seed = 1;
  int threads = 0;                                  ///< 0: as many as there are cores
  std::function<void(double share)> progress = {};  ///< called from the caller's thread
};

/// The static payload at one interval of reach.
struct PayloadRing {
  double from = 0, to = 0;  ///< reach, in m
  std::size_t poses = 0;    ///< that were evaluated in it
  double everywhere = 0;    ///< kg that holds in every pose found in the ring: the smallest maximum
  double somewhere = 0;     ///< kg that holds in the best pose found in the ring
  bool empty_holds = true;  ///< false: in a pose of the ring the robot does not hold its own weight
  std::vector<double> pose;  ///< nq: the pose that bounds `everywhere`
  std::string coordinate;    ///< whose limit bounds it there
};

struct PayloadMap {
  std::string link;
  std::vector<PayloadRing> rings;  ///< ascending; those without a pose are left out
  /// Coordinates without a torque limit: they bound nothing.
  std::vector<std::string> without_effort_limit;
  double everywhere = 0;    ///< the smallest of all rings
  bool empty_holds = true;  ///< in all rings
};

/// The heaviest payload that the robot holds at rest against gravity, by reach: the distance of the
/// payload's centre from the root link's origin, perpendicular to gravity (in all directions
/// without gravity). Torque limits are those of effort and motor torque, and the continuous ones,
/// because a pose may be held for any time. Random poses find the rings; a local search from the
/// worst poses of each ring then lowers `everywhere`. Deterministic for a seed. Throws Error for an
/// unknown link, several tips if none is named, a robot without a torque limit, and joints with
/// quaternions; std::invalid_argument for options out of range.
PARID_EXPORT PayloadMap payload_map(const Robot&, const PayloadMapOptions& = {});

}  // namespace parid
