#include "model/joint/coupling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "scalar/angle.hpp"

namespace parid::model {
namespace {

constexpr double pi = std::numbers::pi, degree = pi / 180;
constexpr double unlimited = std::numeric_limits<double>::infinity();

// The cosines of the input angle between which the linkage closes, |b − c| < r < b + c. They are
// beyond ±1 where the input link passes the line of the pivots without a dead point.
struct CosineRange {
  double low, high;
  bool passes_zero, passes_half_turn;
};
CosineRange cosines(const FourBar& f) {
  const double a = f.input, g = f.ground, per = 1 / (2 * a * g);
  const double sum = f.coupler + f.output, gap = f.coupler - f.output;
  double low = (a * a + g * g - sum * sum) * per, high = (a * a + g * g - gap * gap) * per;
  constexpr double rounding = 1e-12;  // a parallelogram's are 1 and -1
  if (std::abs(high - 1) < rounding) high = 1;
  if (std::abs(low + 1) < rounding) low = -1;
  return {low, high, high > 1, low < -1};
}

// Input angles that close around the angle at zero.
struct AngleRange {
  double lower, upper;
};
AngleRange angles(const FourBar& f) {
  const CosineRange c = cosines(f);
  if (c.passes_zero && c.passes_half_turn) return {-unlimited, unlimited};
  const double least = std::acos(std::clamp(c.high, -1.0, 1.0)),
               most = std::acos(std::clamp(c.low, -1.0, 1.0));
  const double at = reduced_angle(f.angle);
  AngleRange r{least, most};
  if (c.passes_zero)
    r = {-most, most};
  else if (c.passes_half_turn)
    r = at < 0 ? AngleRange{least - 2 * pi, -least} : AngleRange{least, 2 * pi - least};
  else if (at < 0)
    r = {-most, -least};
  return {r.lower + (f.angle - at), r.upper + (f.angle - at)};
}

// ψ, within ±π.
double output_angle(const FourBarLaw& l, double theta) {
  const double x = l.input * std::cos(theta) - l.ground, y = l.input * std::sin(theta);
  const double r2 = x * x + y * y;
  const double k = (r2 + l.output * l.output - l.coupler * l.coupler) / (2 * l.output);
  const double s = l.sign * std::sqrt(std::max(0.0, r2 - k * k));
  return std::atan2(y * k + x * s, x * k - y * s);
}

std::string in_degrees(const AngleRange& r) {
  return fmt::format("{:.4g} … {:.4g} deg", r.lower / degree, r.upper / degree);
}

}  // namespace

LinkageProblem problem_of(const FourBar& f) {
  const std::array<double, 4> all{f.ground, f.input, f.coupler, f.output};
  constexpr const char* names[] = {"ground", "input", "coupler", "output"};
  double sum = 0, longest = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!(all[k] > 0) || !std::isfinite(all[k]))
      return {fmt::format("its four-bar linkage has a {} link of length {}", names[k], all[k]),
              "give the lengths of all four links, greater than zero"};
    sum += all[k];
    longest = std::max(longest, all[k]);
  }
  if (!std::isfinite(f.angle)) return {"the input angle of its four-bar linkage is not finite", ""};
  if (longest >= sum - longest)
    return {
        fmt::format("its four-bar linkage cannot be assembled: one link of length {:.6g} is not "
                    "shorter than the other three together ({:.6g})",
                    longest, sum - longest),
        "correct the lengths"};
  const AngleRange r = angles(f);
  constexpr double dead = 1e-6;  // rad: derivatives are beyond 1e3
  if (!(f.angle > r.lower + dead && f.angle < r.upper - dead))
    return {fmt::format("its four-bar linkage does not close, or is at a dead point, where the "
                        "input link is at {:.6g} deg, the zero of its joint",
                        f.angle / degree),
            "choose an input angle within " + in_degrees(r)};
  return {};
}

ClosureRange closure_range(const FourBar& f) {
  const AngleRange r = angles(f);
  return {r.lower - f.angle, r.upper - f.angle};
}

FourBarLaw::FourBarLaw(const FourBar& f)
    : ground(f.ground),
      input(f.input),
      coupler(f.coupler),
      output(f.output),
      angle(f.angle),
      sign(f.crossed ? 1 : -1) {
  // The output angle along the range of the input, without jumps.
  const AngleRange r = angles(f);
  const bool whole = !std::isfinite(r.lower);
  constexpr int steps = 720;
  auto along = [&](double from, double to, auto use) {
    double before = output_angle(*this, from), sum = before;
    for (int k = 1; k <= steps; ++k) {
      const double theta = from + (to - from) * k / steps, now = output_angle(*this, theta);
      sum += std::remainder(now - before, 2 * pi);
      before = now;
      use(theta, sum);
    }
    return sum;
  };
  zero = output_angle(*this, angle);
  const double after = whole ? along(angle, angle + 2 * pi, [](double, double) {}) : zero;
  turns = std::abs(after - zero) > pi ? 1 : 0;
  double low = zero - turns * angle, high = low;
  auto widen = [&](double theta, double psi) {
    low = std::min(low, psi - turns * theta);
    high = std::max(high, psi - turns * theta);
  };
  along(angle, whole ? angle + 2 * pi : r.upper, widen);
  if (!whole) along(angle, r.lower, widen);
  middle = (low + high) / 2;
  sine = std::sin(middle);
  cosine = std::cos(middle);
}

bool Coupling::linear() const {
  return steps.size() == 1 && !steps[0].four_bar && steps[0].c.size() == 2;
}

Coupling then(Coupling all, const CouplingStep& step) {
  auto linear = [](const CouplingStep& s) { return !s.four_bar && s.c.size() == 2; };
  if (!all.steps.empty() && linear(step)) {  // k · (c₀ + c₁ u + …) + o
    std::vector<double>& c = all.steps.back().c;
    for (double& x : c) x *= step.c[1];
    c[0] += step.c[0];
  } else {
    all.steps.push_back(step);
  }
  return all;
}

PositionRange range_within(const Coupling& coupling, double lower, double upper, double x_lower,
                           double x_upper) {
  constexpr int steps = 1000;
  const double start = std::clamp(0.0, x_lower, x_upper);
  auto closes = [&](double x) { return std::isfinite(coupling(x).d1); };
  auto fits = [&](double x) {
    const double y = coupling(x).value;
    return closes(x) && y >= lower && y <= upper;
  };
  PositionRange r{x_lower, x_upper, 0};
  auto end = [&](double limit, double way) {
    const double far = std::isfinite(limit) ? limit : start + way * 2 * pi;
    double inside = start;
    for (int k = 0; k <= steps; ++k) {
      const double x = start + (far - start) * k / steps;
      if (fits(x)) {
        inside = x;
        continue;
      }
      double outside = x;
      for (int h = 0; h < 60; ++h) {
        const double middle = (inside + outside) / 2;
        (fits(middle) ? inside : outside) = middle;
      }
      return closes(outside) ? inside : inside - 0.01 * (inside - start);
    }
    return limit;
  };
  if (!fits(start)) return {x_lower, x_upper, std::abs(coupling(start).d1)};
  r.upper = end(x_upper, 1);
  r.lower = end(x_lower, -1);
  const double from = std::max(r.lower, start - 2 * pi), to = std::min(r.upper, start + 2 * pi);
  for (int k = 0; k <= steps; ++k)
    r.steepest = std::max(r.steepest, std::abs(coupling(from + (to - from) * k / steps).d1));
  return r;
}

}  // namespace parid::model
