// Losses of a transmission: gears whose efficiency depends on the load, and a break-away torque.
//
// Source   Dhanaraj (1990), section 3.4 and Table 3.2, with harmonic drives in mind.
// Differs  one formula for the table's four cases: with the output torque τ at the joint and its
//          velocity v,
//
//            loss = sgn(v) ( |τ| (1/η - 1) + τ_B )    where τ drives the joint (τ v > 0)
//            loss = sgn(v) ( |τ| (1 - η)   + τ_B )    where the joint drives it
//
//          and the motor must supply τ + loss, reflected to the joint. Eq. 3.11 lacks the ratio m
//          of 3.8 and 3.10: in Table 3.2 the input torque, too, is seen from the output. The
//          rotor's inertia lies before the gears, so its torque is no part of τ.

#pragma once

#include <array>
#include <vector>

#include "model/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::model {

enum class Interpolation { linear, spline };

struct Drive {
  double breakaway = 0;  // τ_B, reflected to the joint
  double rated = 0;      // the torque to which the curve's loads refer
  // (|τ| / rated, η), loads ascending; constant beyond its ends. One point: constant. None: no
  // loss.
  std::vector<std::array<double, 2>> efficiency;
  Interpolation interpolation = Interpolation::linear;
};

// η from `from` up to the next piece: a cubic in u = load - from.
struct EfficiencyPiece {
  double from = 0;
  std::array<double, 4> c{1, 0, 0, 0};

  double at(double load) const {
    const double u = load - from;
    return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
  }
};

// One piece between two neighbouring points; a natural spline: zero curvature at its ends.
std::vector<EfficiencyPiece> efficiency_pieces(const Drive&);

// η at a load, given as a fraction of the rated torque; for one number, not for a sweep.
double efficiency(const Drive&, double load);

// The smallest and largest η of the curve; a spline may exceed its points.
std::array<double, 2> efficiency_range(const Drive&);

// The numbers of a drive that the law below reads, besides its pieces.
template <class T>
struct DriveLaw {
  static constexpr int size = 3;
  T breakaway{0.0};
  T low{0.0}, high{0.0};  // torques that bound the curve

  bool operator==(const DriveLaw&) const = default;
};

// τ is the output torque, v its velocity, whose sign decides the direction of power; way is sgn(v)
// or a substitute. Only the quotient depends on η if τ drives.
template <class T>
T drive_loss(const DriveLaw<T>& law, const T& tau, const T& v, const T& way, const T& eta) {
  const T size = abs(tau), driving = way * (size / eta) + way * (law.breakaway - size),
          driven = way * (size * (T(1.0) - eta) + law.breakaway);
  return select(T(0.0) < tau * v, driving, driven);
}

}  // namespace parid::model
