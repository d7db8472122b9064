// Noise and band of measured signals, from their spectra.
//
// Positions are examined as second differences: they have no trend and no jump at the ends of a
// log, and accelerations are what a cut-off frequency is chosen for.

#pragma once

#include <span>
#include <vector>

#include "motion/filter/zero_phase.hpp"
#include "motion/layer.hpp"

namespace parid::motion {

// Power of a signal by frequency, windowed by Hann's window and padded with zeros: power[k] at
// k · step Hz. Its sum is the mean square of a stationary signal.
struct Spectrum {
  double step = 0;
  std::vector<double> power;
  double bins_per_line = 1;  // neighbours that the window and the padding make dependent
};
Spectrum spectrum(std::span<const double> x, double rate);

// Standard deviation of the white noise in x: from the median of the spectrum above `from` Hz,
// where the signal itself has no power. `differenced`: x is measured by its second differences.
double white_noise(std::span<const double> x, double rate, double from, bool differenced);

// Standard deviation of each signal's noise, and the cut-off frequency for which the expected error
// of second derivatives, relative to themselves and summed over the signals, is least: the motion
// that a filter removes and the noise that it lets through.
struct CutoffChoice {
  double cutoff = 0;
  std::vector<double> noise;
  bool moves = false;  // false: no signal rises above its noise
};
CutoffChoice chosen_cutoff(FilterKind, double rate, const std::vector<std::vector<double>>& x);

}  // namespace parid::motion
