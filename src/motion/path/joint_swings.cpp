#include "motion/path/joint_swings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scalar/taylor.hpp"

namespace parid::motion {
namespace {

using Series = Taylor<4>;

Series along(const JointSwing& swing, double s) {
  const Series angle =
      Series::of_derivatives({std::numbers::pi * swing.half_swings * s + swing.phase,
                              std::numbers::pi * swing.half_swings, 0, 0, 0});
  return Series(swing.middle) + Series(swing.amplitude) * sin_cos(angle).sin;
}

Series rate_of(const Series& x) {
  Series r;
  for (int k = 0; k < 4; ++k) r.c[k] = (k + 1) * x.c[k + 1];
  return r;
}

// Velocities in the link's frame, and their first three derivatives along the path.
struct Rate {
  int at;
  Series of;
};

// Rᵀ x for a rotation by an angle about one of the axes.
std::array<Series, 3> turned_back(int axis, const Series& angle, const std::array<Series, 3>& x) {
  const auto [s, c] = sin_cos(angle);
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  std::array<Series, 3> out = x;
  out[j] = c * x[j] + s * x[k];
  out[k] = c * x[k] - s * x[j];
  return out;
}

class Swings final : public Trajectory {
 public:
  explicit Swings(std::vector<JointSwings> joints) : joints_(std::move(joints)) {}
  double duration() const override { return 1; }
  void at(double s, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    for (const JointSwings& j : joints_) {
      std::array<Rate, 6> rates;
      const int count = rates_of(j, s, rates);
      for (int i = 0; i < count; ++i) {
        v[rates[i].at] = rates[i].of.derivative(0);
        a[rates[i].at] = rates[i].of.derivative(1);
      }
      const std::size_t plain = j.swings.size() - (j.turns ? 3 : 0);
      for (std::size_t i = 0; i < plain; ++i) q[j.position + i] = j.swings[i].at(s);
      if (!j.turns) continue;
      std::array<double, 4> turn{0, 0, 0, 1};  // x y z w, times the next rotation about an axis
      for (int axis = 0; axis < 3; ++axis) {
        const double half = j.swings[plain + axis].at(s) / 2;
        const double sine = std::sin(half), cosine = std::cos(half);
        const int m = (axis + 1) % 3, n = (axis + 2) % 3;
        std::array<double, 4> next;
        next[axis] = cosine * turn[axis] + sine * turn[3];
        next[m] = cosine * turn[m] + sine * turn[n];
        next[n] = cosine * turn[n] - sine * turn[m];
        next[3] = cosine * turn[3] - sine * turn[axis];
        turn = next;
      }
      std::copy(turn.begin(), turn.end(), q.begin() + j.position + static_cast<long>(plain));
    }
  }
  void higher(double s, std::span<double> jerk, std::span<double> snap) const override {
    for (const JointSwings& j : joints_) {
      std::array<Rate, 6> rates;
      const int count = rates_of(j, s, rates);
      for (int i = 0; i < count; ++i) {
        jerk[rates[i].at] = rates[i].of.derivative(2);
        snap[rates[i].at] = rates[i].of.derivative(3);
      }
    }
  }

 private:
  static int rates_of(const JointSwings& j, double s, std::array<Rate, 6>& rates) {
    const int count = static_cast<int>(j.swings.size()), plain = count - (j.turns ? 3 : 0);
    for (int i = 0; i < count; ++i) rates[i] = {j.velocity + i, rate_of(along(j.swings[i], s))};
    if (!j.turns) return count;
    // In the turning link's frame: what came before a rotation is turned back by it.
    std::array<Series, 3> linear, angular;
    for (int i = 0; i < plain; ++i) linear[i] = rates[i].of;
    for (int axis = 0; axis < 3; ++axis) {
      const Series angle = along(j.swings[plain + axis], s);
      linear = turned_back(axis, angle, linear);
      angular = turned_back(axis, angle, angular);
      angular[axis] = angular[axis] + rates[plain + axis].of;
    }
    for (int i = 0; i < plain; ++i) rates[i].of = linear[i];
    for (int i = 0; i < 3; ++i) rates[plain + i].of = angular[i];
    return count;
  }
  std::vector<JointSwings> joints_;
};

double fraction(double x) { return x - std::floor(x); }

}  // namespace

double JointSwing::at(double s) const {
  return middle + amplitude * std::sin(std::numbers::pi * half_swings * s + phase);
}

double JointSwing::rate(double s) const {
  const double turn = std::numbers::pi * half_swings;
  return amplitude * turn * std::cos(turn * s + phase);
}

double JointSwing::fastest() const { return std::abs(amplitude) * std::numbers::pi * half_swings; }

JointSwing distinct_swing(int k, double middle, double half_range) {
  constexpr double plastic = 1.3247179572447460;
  JointSwing swing;
  swing.middle = middle;
  swing.half_swings = 0.75 + 0.75 * fraction(1.0 / 3 + k / std::numbers::phi);
  swing.amplitude = half_range / std::max(1.0, swing.half_swings);
  swing.phase = 2 * std::numbers::pi * fraction(k / plastic) - std::numbers::pi / 2;
  return swing;
}

JointSwing distinct_swing_from_zero(int k, double half_range) {
  JointSwing swing = distinct_swing(k, 0, half_range);
  swing.phase = 0;
  return swing;
}

TrajectoryPointer joint_swings(std::vector<JointSwings> joints) {
  return std::make_shared<Swings>(std::move(joints));
}

}  // namespace parid::motion
