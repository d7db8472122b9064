#include "motion/filter/zero_phase.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/dense.hpp"

namespace parid::motion {
namespace {

constexpr double pi = std::numbers::pi;

// Runs all sections over x in place, from the steady state of its first value.
void run_sections(const std::vector<FilterSection>& sections, std::vector<double>& x) {
  double first = x.empty() ? 0 : x.front();
  for (const FilterSection& s : sections) {
    const double steady = (s.b0 + s.b1 + s.b2) / (1 + s.a1 + s.a2);
    double z2 = (s.b2 - s.a2 * steady) * first, z1 = (s.b1 - s.a1 * steady) * first + z2;
    for (double& value : x) {
      const double y = s.b0 * value + z1;
      z1 = s.b1 * value - s.a1 * y + z2;
      z2 = s.b2 * value - s.a2 * y;
      value = y;
    }
    first *= steady;
  }
}

// Central differences of order 8, by distance from the middle.
constexpr std::array<double, 5> first_difference{0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr std::array<double, 5> second_difference{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                                  -1.0 / 560};

}  // namespace

std::vector<FilterSection> butterworth_sections(int order, double cutoff, double rate) {
  const double K = std::tan(pi * cutoff / rate);
  std::vector<FilterSection> sections;
  for (int k = 0; k < order / 2; ++k) {
    const double damping = 2 * std::sin((2 * k + 1) * pi / (2 * order));
    const double D = 1 + damping * K + K * K;
    sections.push_back(
        {K * K / D, 2 * K * K / D, K * K / D, 2 * (K * K - 1) / D, (1 - damping * K + K * K) / D});
  }
  if (order % 2 == 1) sections.push_back({K / (1 + K), K / (1 + K), 0, (K - 1) / (1 + K), 0});
  return sections;
}

std::vector<double> forward_backward(const std::vector<FilterSection>& sections,
                                     std::span<const double> x, std::size_t padding, bool padded) {
  const std::size_t n = x.size();
  std::vector<double> y(n + 2 * padding);
  for (std::size_t k = 0; k < padding; ++k) {
    y[padding - 1 - k] = 2 * x[0] - x[k + 1];
    y[padding + n + k] = 2 * x[n - 1] - x[n - 2 - k];
  }
  std::copy(x.begin(), x.end(), y.begin() + static_cast<std::ptrdiff_t>(padding));
  run_sections(sections, y);
  std::reverse(y.begin(), y.end());
  run_sections(sections, y);
  std::reverse(y.begin(), y.end());
  if (padded) return y;
  return {y.begin() + static_cast<std::ptrdiff_t>(padding),
          y.end() - static_cast<std::ptrdiff_t>(padding)};
}

namespace {

// Coefficients of the polynomial in offset / half that fits a window best: row p times the window.
Eigen::MatrixXd polynomial_fit(int half, int degree) {
  Eigen::MatrixXd A(2 * half + 1, degree + 1);
  for (int k = 0; k <= 2 * half; ++k)
    for (int p = 0; p <= degree; ++p) A(k, p) = std::pow(static_cast<double>(k - half) / half, p);
  return Cholesky(A.transpose() * A).solve(A.transpose());
}

std::vector<double> weights_at(const Eigen::MatrixXd& fit, int half, int derivative, int at) {
  std::vector<double> weights(static_cast<std::size_t>(fit.cols()), 0);
  const double u = static_cast<double>(at) / half;
  for (int p = derivative; p < fit.rows(); ++p) {
    double factor = std::pow(u, p - derivative) / std::pow(half, derivative);
    for (int d = 0; d < derivative; ++d) factor *= p - d;
    for (std::size_t k = 0; k < weights.size(); ++k)
      weights[k] += factor * fit(p, static_cast<Eigen::Index>(k));
  }
  return weights;
}

}  // namespace

std::vector<double> savitzky_golay_weights(int half, int degree, int derivative, int at) {
  return weights_at(polynomial_fit(half, degree), half, derivative, at);
}

ZeroPhaseFilter::ZeroPhaseFilter(FilterKind kind, double cutoff, double rate)
    : kind_(kind), cutoff_(cutoff), rate_(rate) {
  if (kind == FilterKind::butterworth) {
    sections_ = butterworth_sections(order, cutoff, rate);
    return;
  }
  // The fit is within a few samples of the window whose gain at the cut-off is nearest to 1/√2.
  const int near = static_cast<int>(std::lround(((degree + 1) / (2 * cutoff / rate) + 4.6) / 3.2));
  constexpr int least = degree / 2 + 1;
  double distance = 2;
  int best = least;
  for (half_ = std::max(least, near - 4); half_ <= std::max(least, near + 4); ++half_) {
    weights_ = {weights_at(polynomial_fit(half_, degree), half_, 0, 0)};
    const double d = std::abs(gain(cutoff) - std::numbers::sqrt2 / 2);
    if (d >= distance) continue;
    distance = d;
    best = half_;
  }
  half_ = best;
  weights_.clear();
  const Eigen::MatrixXd fit = polynomial_fit(half_, degree);
  for (int derivative = 0; derivative < 3; ++derivative)
    weights_.push_back(weights_at(fit, half_, derivative, 0));
}

std::size_t ZeroPhaseFilter::edge() const {
  if (half_ > 0) return static_cast<std::size_t>(half_);
  return std::max<std::size_t>(4, static_cast<std::size_t>(std::ceil(1.5 * rate_ / cutoff_)));
}

// The slowest pole decays as exp(-2π cutoff sin(π/8) t).
std::size_t ZeroPhaseFilter::memory() const {
  return half_ > 0 ? edge() : static_cast<std::size_t>(std::ceil(6 * rate_ / cutoff_)) + 8;
}

std::vector<double> ZeroPhaseFilter::windowed(std::span<const double> x, int derivative) const {
  const int n = static_cast<int>(x.size()), width = 2 * half_ + 1;
  std::vector<double> y(x.size());
  auto sum = [&](const std::vector<double>& w, int start) {
    double s = 0;
    for (int k = 0; k < width; ++k) s += w[k] * x[start + k];
    return s;
  };
  for (int r = half_; r < n - half_; ++r) y[r] = sum(weights_[derivative], r - half_);
  const Eigen::MatrixXd fit = polynomial_fit(half_, degree);
  for (int at = 1; at <= half_; ++at) {
    y[half_ - at] = sum(weights_at(fit, half_, derivative, -at), 0);
    y[n - 1 - half_ + at] = sum(weights_at(fit, half_, derivative, at), n - width);
  }
  return y;
}

std::vector<double> ZeroPhaseFilter::value(std::span<const double> x) const {
  if (half_ > 0) return windowed(x, 0);
  return forward_backward(sections_, x, std::min(x.size() - 1, memory()));
}

ZeroPhaseFilter::Smoothed ZeroPhaseFilter::derivatives(std::span<const double> x) const {
  Smoothed s;
  if (half_ > 0) {
    s = {windowed(x, 0), windowed(x, 1), windowed(x, 2)};
    for (double& v : s.first) v *= rate_;
    for (double& a : s.second) a *= rate_ * rate_;
    return s;
  }
  const std::size_t padding = std::min(x.size() - 1, memory());
  const std::vector<double> y = forward_backward(sections_, x, padding, true);
  for (std::size_t r = padding; r < padding + x.size(); ++r) {
    double first = 0, second = second_difference[0] * y[r];
    for (std::size_t k = 1; k < first_difference.size(); ++k) {
      first += first_difference[k] * (y[r + k] - y[r - k]);
      second += second_difference[k] * (y[r + k] + y[r - k]);
    }
    s.value.push_back(y[r]);
    s.first.push_back(first * rate_);
    s.second.push_back(second * rate_ * rate_);
  }
  return s;
}

double ZeroPhaseFilter::gain(double frequency) const {
  if (half_ == 0)
    return 1 / (1 + std::pow(std::tan(pi * frequency / rate_) / std::tan(pi * cutoff_ / rate_),
                             2 * order));
  double sum = 0;
  for (int k = -half_; k <= half_; ++k)
    sum += weights_[0][k + half_] * std::cos(2 * pi * frequency / rate_ * k);
  return sum;
}

double ZeroPhaseFilter::second_gain(double frequency) const {
  const double w = 2 * pi * frequency / rate_;  // per sample
  if (w == 0) return 1;
  double sum = 0;
  if (half_ == 0) {
    sum = second_difference[0];
    for (std::size_t k = 1; k < second_difference.size(); ++k)
      sum += 2 * second_difference[k] * std::cos(static_cast<double>(k) * w);
    return gain(frequency) * sum / (-w * w);
  }
  for (int k = -half_; k <= half_; ++k) sum += weights_[2][k + half_] * std::cos(k * w);
  return sum / (-w * w);
}

double ZeroPhaseFilter::noise_gain() const {
  constexpr int steps = 2000;
  double squares = 0;
  for (int k = 0; k < steps; ++k) {
    const double g = gain((k + 0.5) / steps * rate_ / 2);
    squares += g * g / steps;
  }
  return std::sqrt(squares);
}

}  // namespace parid::motion
