// A scalar that goes from 0 to 1 in a given time, with its exact rate and acceleration. Every
// point-to-point motion is a path with a profile.
//
//   minimum_jerk   10s³ − 15s⁴ + 6s⁵: at rest without acceleration at both ends
//   cubic          3s² − 2s³: at rest at both ends, the least mean square acceleration
//   trapezoid      a ramp of constant acceleration, constant speed, the same ramp down
//   constant       constant speed, with jumps at start and end
//
// A template over any Scalar, so that derivatives can be checked by Dual numbers.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::motion {

// A value with its velocity and acceleration.
template <class T>
struct Stage {
  T x, v, a;
};

enum class ProfileKind { minimum_jerk, cubic, trapezoid, constant };
inline constexpr const char* profile_names[] = {"minimum-jerk", "cubic", "trapezoid", "constant"};

struct Profile {
  ProfileKind kind = ProfileKind::minimum_jerk;
  double duration = 1;  // seconds, above zero
  double ramp = 0;      // trapezoid: seconds of each ramp, above zero, at most half the duration

  static Profile minimum_jerk(double duration) { return {ProfileKind::minimum_jerk, duration}; }
  static Profile cubic(double duration) { return {ProfileKind::cubic, duration}; }
  static Profile trapezoid(double duration, double ramp) {
    return {ProfileKind::trapezoid, duration, std::min(ramp, duration / 2)};
  }
  static Profile constant(double duration) { return {ProfileKind::constant, duration}; }

  // The shortest profile of its kind over `length` within a speed and an acceleration (in the same
  // unit of length; one of them may be infinite). A constant profile ignores the acceleration.
  static Profile within(ProfileKind, double length, double speed, double acceleration);

  double peak_speed() const;         // of the scalar, 1/s
  double peak_acceleration() const;  // 1/s²; infinite for the jumps of `constant`

  // At an instant in [0, duration]; before and after it, at rest at the ends.
  template <class T>
  Stage<T> at(const T& t) const;
};

inline double Profile::peak_speed() const {
  switch (kind) {
    case ProfileKind::minimum_jerk: return 1.875 / duration;  // at half time
    case ProfileKind::cubic: return 1.5 / duration;
    case ProfileKind::trapezoid: return 1 / (duration - ramp);
    default: return 1 / duration;
  }
}
inline double Profile::peak_acceleration() const {
  switch (kind) {
    case ProfileKind::minimum_jerk:  // at s = (3 ± √3)/6
      return 10 / std::sqrt(3.0) / (duration * duration);
    case ProfileKind::cubic: return 6 / (duration * duration);  // at the ends
    case ProfileKind::trapezoid: return 1 / ((duration - ramp) * ramp);
    default: return std::numeric_limits<double>::infinity();
  }
}

inline Profile Profile::within(ProfileKind kind, double length, double speed, double acceleration) {
  if (kind == ProfileKind::trapezoid) {
    // Ramps that would meet before full speed is reached give a triangular profile.
    if (!std::isfinite(speed) || length * acceleration < speed * speed) {
      const double duration = 2 * std::sqrt(length / acceleration);
      return trapezoid(duration, duration / 2);
    }
    // Without an acceleration limit the ramps take a tenth of the time at full speed.
    const double ramp = std::isfinite(acceleration) ? speed / acceleration : 0.1 * length / speed;
    return trapezoid(length / speed + ramp, ramp);
  }
  const Profile unit{kind, 1};
  const double by_speed = length * unit.peak_speed() / speed;
  if (kind == ProfileKind::constant) return constant(by_speed);
  return {kind, std::max(by_speed, std::sqrt(length * unit.peak_acceleration() / acceleration))};
}

template <class T>
Stage<T> Profile::at(const T& t) const {
  const T zero(0.0), one(1.0), whole(duration);
  const auto before = t < zero, after = whole < t;
  const T s = select(before, zero, select(after, one, t / whole));
  const double rate = 1 / duration;
  Stage<T> p{s, zero, zero};
  switch (kind) {
    case ProfileKind::minimum_jerk:
      p = {s * s * s * (T(10.0) + s * (T(6.0) * s - T(15.0))),
           T(30.0 * rate) * s * s * (one + s * (s - T(2.0))),
           T(60.0 * rate * rate) * s * (one + s * (T(2.0) * s - T(3.0)))};
      break;
    case ProfileKind::cubic:
      p = {s * s * (T(3.0) - T(2.0) * s), T(6.0 * rate) * s * (one - s),
           T(6.0 * rate * rate) * (one - T(2.0) * s)};
      break;
    case ProfileKind::trapezoid: {
      const T speed(peak_speed()), acceleration(speed / T(ramp)), r(ramp), u = s * whole;
      const T left = whole - u;  // the second half mirrors the first
      const auto rising = u < r, falling = left < r;
      p.x = select(
          rising, T(0.5) * acceleration * u * u,
          select(falling, one - T(0.5) * acceleration * left * left, speed * (u - T(0.5) * r)));
      p.v = select(rising, acceleration * u, select(falling, acceleration * left, speed));
      p.a = select(rising, acceleration, select(falling, -acceleration, zero));
      break;
    }
    case ProfileKind::constant: p.v = T(rate); break;
  }
  p.v = select(before, zero, select(after, zero, p.v));
  p.a = select(before, zero, select(after, zero, p.a));
  return p;
}

}  // namespace parid::motion
