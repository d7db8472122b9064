// Trajectories in continuous time, and the same path at another pace.
//
//   const auto path = PlannedTrajectory::spline(robot, {home, over, there}, {0, 1, 2});
//   const SampledTrajectory planned = path.sampled(250);
//   const RetimedTrajectory fast = retime(robot, planned, torques);
//
// Positions are in the robot file's coordinates, in rad and m; velocities and accelerations are per
// velocity coordinate, in rad/s and m/s, rad/s² and m/s².
//
// A public header: no template, no type of another library.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid {

/// How a spline passes through its poses.
enum class SplineKind {
  minimum_jerk,  ///< quintic: four continuous derivatives, no acceleration at the ends
  cubic          ///< cubic: continuous accelerations inside
};

/// A trajectory with exact positions, velocities and accelerations at any instant. Immutable, cheap
/// to copy, and safe to use from several threads.
class PARID_EXPORT PlannedTrajectory {
 public:
  /// From rest to rest along a straight line in the robot's coordinates, with minimum jerk.
  /// Quaternions turn the shortest way. Sizes: nq each. Throws std::invalid_argument for other
  /// sizes, and for a duration that is not above zero.
  static PlannedTrajectory line(const Robot&, const std::vector<double>& from,
                                const std::vector<double>& to, double duration);
  /// Smooth through all poses (each nq), at rest at both ends. times[0] = 0, rising, in s, one per
  /// pose. Throws std::invalid_argument for other sizes and times, Error if a joint has a
  /// quaternion.
  static PlannedTrajectory spline(const Robot&, const std::vector<std::vector<double>>& poses,
                                  const std::vector<double>& times,
                                  SplineKind = SplineKind::minimum_jerk);
  /// Straight from pose to pose at constant speeds, with blends of constant acceleration that last
  /// `blend` seconds. Inner poses are cut short. Throws as spline() does, and Error if blends
  /// overlap.
  static PlannedTrajectory blends(const Robot&, const std::vector<std::vector<double>>& poses,
                                  const std::vector<double>& times, double blend);
  /// Standing still at q (nq) for a time above zero, in s.
  static PlannedTrajectory hold(const Robot&, const std::vector<double>& q, double duration);
  /// Motions in sequence; each starts where the previous one ends. Throws std::invalid_argument for
  /// none, and for parts of different numbers of coordinates.
  static PlannedTrajectory sequence(const std::vector<PlannedTrajectory>&);
  /// A built-in motion by its name on the command line (`parid motion --help`). Throws Error for an
  /// unknown name, and for a robot that the motion is not meant for.
  static PlannedTrajectory named(const Robot&, const std::string& name);

  /// In s.
  double duration() const;
  /// At t in [0, duration()]. Sizes: q nq, v and a nv. Allocates nothing for line() and spline().
  /// Throws std::invalid_argument for other sizes, and for t outside of the trajectory.
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const;
  /// The first and second derivative of a at t: jerk and snap, nv each, for ElasticDynamics. Exact
  /// for line(), spline(), blends() and hold(); from differences of a for motions of the tip. At an
  /// instant where a part ends, those of the later part. Throws as at() does.
  void higher(double t, std::span<double> jerk, std::span<double> snap) const;
  /// At 0, 1/rate, 2/rate, … and at the end; rate in Hz, above zero, else std::invalid_argument.
  SampledTrajectory sampled(double rate) const;
  /// At every end of a part and every stop, and evenly between them by steps of at most 1/rate. For
  /// retime().
  SampledTrajectory sampled_by_parts(double rate) const;

  /// For the library itself.
  struct Body;
  const Body& body() const { return *body_; }

 private:
  explicit PlannedTrajectory(std::shared_ptr<const Body>);
  std::shared_ptr<const Body> body_;
};

/// Joint torques (rows, nv) along a trajectory in N m and N: Engine::inverse_dynamics, or another
/// function that is quadratic in speed. Friction that depends on the sign of a velocity is not.
using TorqueFunction = std::function<std::vector<double>(const SampledTrajectory&)>;

/// How retime() changes the pace.
enum class Retiming {
  optimal,     ///< the fastest motion along the path from rest to rest
  uniform,     ///< every instant times one factor, the smallest that keeps to the limits
  slower_only  ///< uniform, but a motion within its limits is unchanged
};

struct RetimedTrajectory {
  SampledTrajectory motion;  ///< the same positions at other instants
  double factor = 1;         ///< its duration over the one before

  /// A limit that keeps it from going faster.
  struct Binding {
    std::string coordinate;
    std::string kind;  ///< "velocity" or "effort"
    std::size_t row;   ///< the first sample that reaches it
    std::size_t rows;  ///< the number of samples that reach it
  };
  std::vector<Binding> binding;
};

/// The same path at a pace for which velocities and torques stay within the robot's limits at every
/// sample. Evaluates the torques several times. Throws Error if no pace satisfies the limits, if
/// there is no limit that any speed reaches, and for a trajectory without instants or with a corner
/// between samples (use sampled_by_parts()).
PARID_EXPORT RetimedTrajectory retime(const Robot&, const SampledTrajectory&, const TorqueFunction&,
                                      Retiming = Retiming::optimal);

// ---- Measured motions: zero-phase filters from positions of noisy encoders to smooth positions,
// velocities and accelerations, without delay.
//
//   SampledTrajectory log = …;                            // t and q, evenly sampled
//   const FilterReport used = filter_motion(robot, log);  // rewrites q, v and a
//   printf("cut-off %g Hz, encoder noise %g rad\n", used.cutoff, used.position_noise[0]);

enum class FilterKind {
  none,           ///< the signals as they are
  butterworth,    ///< Butterworth low-pass of order 4, run forward and backward: effective order 8
  savitzky_golay  ///< polynomials of degree 4, fitted to a sliding window
};
/// "none", "butterworth", "savitzky-golay"
PARID_EXPORT const char* name(FilterKind);
/// Throws Error, with the list, for another name.
PARID_EXPORT FilterKind filter_kind(const std::string& name);

struct FilterOptions {
  FilterKind kind = FilterKind::butterworth;
  /// Frequency in Hz at which half of an amplitude passes (Savitzky-Golay: 71 %). 0: chosen from
  /// the spectrum, so that the expected error of the accelerations is least: noise that passes plus
  /// motion that is lost.
  double cutoff = 0;
};

/// The filter that was applied.
struct FilterReport {
  FilterKind kind = FilterKind::none;
  double rate = 0;                     ///< samples per second
  double cutoff = 0;                   ///< Hz
  bool chosen = false;                 ///< from the spectrum; false: given
  std::size_t window = 0;              ///< samples of a Savitzky-Golay window, else 0
  std::size_t edge = 0;                ///< samples at either end that are less accurate
  std::vector<double> position_noise;  ///< standard deviation by position coordinate, rad or m
};

/// Filters the positions and computes velocities and accelerations from them: q, v and a are
/// rewritten, t and tau stay. Allocates. Throws Error if t is missing or not evenly spaced (to 1 %
/// of a step), if there are too few samples for the filter, or if the cut-off is not between 0 and
/// half of the sampling rate. `none` changes nothing.
PARID_EXPORT FilterReport filter_motion(const Robot&, SampledTrajectory&,
                                        const FilterOptions& = {});

}  // namespace parid
