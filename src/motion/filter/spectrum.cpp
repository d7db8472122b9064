#include "motion/filter/spectrum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace parid::motion {
namespace {

using Complex = std::complex<double>;

// Discrete Fourier transform in place; the size is a power of two. Cooley and Tukey (1965).
void transform(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t k = 1, reversed = 0; k < n; ++k) {
    std::size_t bit = n >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (k < reversed) std::swap(x[k], x[reversed]);
  }
  for (std::size_t width = 2; width <= n; width *= 2) {
    std::vector<Complex> turn(width / 2);
    for (std::size_t k = 0; k < width / 2; ++k)
      turn[k] = std::polar(
          1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(width));
    for (std::size_t start = 0; start < n; start += width)
      for (std::size_t k = 0; k < width / 2; ++k) {
        const Complex even = x[start + k], odd = turn[k] * x[start + k + width / 2];
        x[start + k] = even + odd;
        x[start + k + width / 2] = even - odd;
      }
  }
}

std::vector<double> second_differences(std::span<const double> x) {
  std::vector<double> d;
  for (std::size_t k = 1; k + 1 < x.size(); ++k) d.push_back(x[k + 1] - 2 * x[k] + x[k - 1]);
  return d;
}

// Power of second differences of white noise relative to the noise.
double difference_power(double frequency, double rate) {
  const double s = 2 * std::sin(std::numbers::pi * frequency / rate);
  return s * s * s * s;
}

double middle_of(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

// Power of one coefficient is distributed exponentially; its median is ln 2 of its mean.
double noise_of(const Spectrum& s, double rate, double from, bool differenced) {
  std::vector<double> level;
  for (std::size_t k = 0; k < s.power.size(); ++k) {
    const double f = static_cast<double>(k) * s.step;
    if (f < from || f >= 0.98 * rate / 2) continue;
    level.push_back(s.power[k] / (differenced ? difference_power(f, rate) : 1));
  }
  if (level.empty()) return 0;
  return std::sqrt(middle_of(std::move(level)) / std::numbers::ln2 *
                   static_cast<double>(s.power.size()));
}

// Motion and noise of one signal's second differences, by frequency; the motion's sum is 1.
struct Band {
  std::vector<double> motion, noise;
};
Band band_of(const Spectrum& s, double rate, double sigma) {
  Band b;
  const std::size_t n = s.power.size();
  const auto reach = static_cast<std::size_t>(std::ceil(4 * s.bins_per_line));
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k)
    b.noise.push_back(sigma * sigma * difference_power(static_cast<double>(k) * s.step, rate) /
                      static_cast<double>(n));
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t first = k > reach ? k - reach : 0, last = std::min(n - 1, k + reach);
    double power = 0, noise = 0, squares = 0;
    for (std::size_t j = first; j <= last; ++j) {
      power += s.power[j];
      noise += b.noise[j];
      squares += b.noise[j] * b.noise[j];
    }
    // Noise alone exceeds this in about one of 10 000 places; `spread` is the deviation of its sum.
    const double spread = std::sqrt(squares * s.bins_per_line);
    b.motion.push_back(power > noise + 8 * spread ? std::max(0.0, s.power[k] - b.noise[k]) : 0.0);
    sum += b.motion.back();
  }
  for (auto* part : {&b.motion, &b.noise})
    for (double& x : *part) x = sum > 0 ? x / sum : 0;
  return b;
}

// Sums over the signals, at frequencies 1 % apart or more.
struct Line {
  double frequency, motion, noise;
};
std::vector<Line> together(const std::vector<Band>& bands, double step) {
  std::vector<Line> lines;
  for (std::size_t k = 1; k < bands.front().motion.size(); ++k) {
    const double f = static_cast<double>(k) * step;
    if (lines.empty() || f > 1.01 * lines.back().frequency) lines.push_back({f, 0, 0});
    for (const Band& b : bands) {
      lines.back().motion += b.motion[k];
      lines.back().noise += b.noise[k];
    }
  }
  return lines;
}

}  // namespace

Spectrum spectrum(std::span<const double> x, double rate) {
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(x.size(), 2));
  std::vector<Complex> X(size);
  double squares = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double w = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(k) + 0.5) /
                                          static_cast<double>(x.size()));
    X[k] = w * x[k];
    squares += w * w;
  }
  transform(X);
  Spectrum s;
  s.step = rate / static_cast<double>(size);
  s.bins_per_line = static_cast<double>(size) / static_cast<double>(x.size());
  for (std::size_t k = 0; k < size / 2; ++k)
    s.power.push_back(std::norm(X[k]) / squares * 2 / static_cast<double>(size));
  return s;
}

double white_noise(std::span<const double> x, double rate, double from, bool differenced) {
  if (differenced)
    return noise_of(spectrum(second_differences(x), rate), rate, std::max(from, rate / 100), true);
  return noise_of(spectrum(x, rate), rate, from, false);
}

CutoffChoice chosen_cutoff(FilterKind kind, double rate,
                           const std::vector<std::vector<double>>& x) {
  CutoffChoice choice;
  std::vector<Band> bands;
  double step = 0;
  for (const std::vector<double>& signal : x) {
    const Spectrum s = spectrum(second_differences(signal), rate);
    step = s.step;
    choice.noise.push_back(noise_of(s, rate, rate / 4, true));
    Band b = band_of(s, rate, choice.noise.back());
    if (std::any_of(b.motion.begin(), b.motion.end(), [](double p) { return p > 0; }))
      bands.push_back(std::move(b));
  }
  choice.moves = !bands.empty();
  if (!choice.moves) return choice;
  const std::vector<Line> lines = together(bands, step);
  const double samples = static_cast<double>(x.front().size());
  const double lowest = 8 * rate / samples, highest = 0.4 * rate;
  double least = std::numeric_limits<double>::infinity();
  constexpr int steps = 80;
  for (int k = 0; k <= steps; ++k) {
    const double cutoff = lowest * std::pow(highest / lowest, static_cast<double>(k) / steps);
    const ZeroPhaseFilter filter(kind, cutoff, rate);
    if (x.front().size() < filter.least_samples()) continue;
    double error = 0;
    for (const Line& line : lines) {
      const double g = filter.second_gain(line.frequency);
      error += (1 - g) * (1 - g) * line.motion + g * g * line.noise;
    }
    if (error < least) {
      least = error;
      choice.cutoff = cutoff;
    }
  }
  return choice;
}

}  // namespace parid::motion
