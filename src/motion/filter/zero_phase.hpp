// Filters without delay over evenly sampled signals, with derivatives.
//
//   Butterworth      second-order sections by the bilinear transform with pre-warped cut-off, run
//                    forward and backward, from the steady state of the first value, over a signal
//                    that is extended at both ends by its reflection in the end point. Derivatives
//                    are central differences of order 8.
//   Savitzky-Golay   Savitzky and Golay, Analytical Chemistry 36 (1964): value and derivatives of
//                    the polynomial of least squares through a window; near the ends, of the first
//                    and last window. The length of a window follows from the cut-off by the fit of
//                    Schafer, IEEE Signal Processing Letters 17 (2010), for the frequency at which
//                    the gain is 1/√2.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motion/layer.hpp"
#include "parid/trajectory.hpp"

namespace parid::motion {

// y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]
struct FilterSection {
  double b0, b1, b2, a1, a2;
};
// Low-pass whose gain is 1/√2 at `cutoff`, 0 < cutoff < rate / 2.
std::vector<FilterSection> butterworth_sections(int order, double cutoff, double rate);

// Forward and backward; `padding` samples, fewer than x has, extend it at each end. Keeps the
// padding in the result if `padded`.
std::vector<double> forward_backward(const std::vector<FilterSection>&, std::span<const double> x,
                                     std::size_t padding, bool padded = false);

// Weights over offsets -half…half that give the polynomial's derivative (0: value) at offset `at`.
// The unit of time is one sample.
std::vector<double> savitzky_golay_weights(int half, int degree, int derivative, int at = 0);

class ZeroPhaseFilter {
 public:
  static constexpr int order = 4, degree = 4;
  // `kind` is not none.
  ZeroPhaseFilter(FilterKind kind, double cutoff, double rate);

  struct Smoothed {
    std::vector<double> value, first, second;
  };
  Smoothed derivatives(std::span<const double> x) const;
  std::vector<double> value(std::span<const double> x) const;

  double gain(double frequency) const;         // of an amplitude
  double second_gain(double frequency) const;  // of the amplitude of a second derivative
  double noise_gain() const;                   // of the standard deviation of white noise

  std::size_t edge() const;    // samples at either end that depend on the extension
  std::size_t memory() const;  // samples after which an input has no effect, to about 1e-6
  std::size_t least_samples() const { return 2 * edge() + 8; }
  std::size_t window() const { return half_ > 0 ? 2 * static_cast<std::size_t>(half_) + 1 : 0; }

 private:
  std::vector<double> windowed(std::span<const double> x, int derivative) const;

  FilterKind kind_;
  double cutoff_, rate_;
  std::vector<FilterSection> sections_;
  int half_ = 0;                              // of the window
  std::vector<std::vector<double>> weights_;  // by derivative, in the middle of a window
};

}  // namespace parid::motion
