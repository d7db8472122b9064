// Zero-phase filters for measured motions: positions of noisy encoders to smooth positions,
// velocities and accelerations, without delay.
//
//   SampledTrajectory log = …;                            // t and q, evenly sampled
//   const FilterReport used = filter_motion(robot, log);  // rewrites q, v and a
//   printf("cut-off %g Hz, encoder noise %g rad\n", used.cutoff, used.position_noise[0]);
//
// A public header: no template, no type of another library.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid {

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
