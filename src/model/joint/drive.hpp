// What a transmission takes: gears whose efficiency depends on their load, and a break-away torque.
//
// Source   Dhanaraj (1990), section 3.4 and Table 3.2, with harmonic drives in mind.
// Differs  one formula for the table's four cases: with the output torque τ at the joint and its
//          velocity v,
//
//            loss = sgn(v) ( |τ| (1/η - 1) + τ_B )    where τ drives the joint (τ v > 0)
//            loss = sgn(v) ( |τ| (1 - η)   + τ_B )    where the joint drives it
//
//          and the motor must give τ + loss, seen from the joint. Eq. 3.11 lacks the ratio m of 3.8
//          and 3.10: in Table 3.2 the input torque, too, is seen from the output. The rotor's
//          inertia lies before the gears, so its torque is no part of τ.

#pragma once

#include <array>
#include <vector>

#include "model/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::model {

enum class Interpolation { linear, spline };

struct Drive {
  double breakaway = 0;  // τ_B, seen from the joint
  double rated = 0;      // the torque of which the curve's loads are shares
  // (|τ| / rated, η), loads ascending; constant beyond its ends. One point: constant. None: no
  // loss.
  std::vector<std::array<double, 2>> efficiency;
  Interpolation interpolation = Interpolation::linear;
};

// η from `from` on, up to the next piece: a cubic in u = load - from.
struct EfficiencyPiece {
  double from = 0;
  std::array<double, 4> c{1, 0, 0, 0};

  double at(double load) const {
    const double u = load - from;
    return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
  }
};

// One piece between each two points; the spline is natural: no curvature at its ends.
std::vector<EfficiencyPiece> efficiency_pieces(const Drive&);

// η at a load, given as a share of the rated torque: for those who want one number, not a sweep.
double efficiency(const Drive&, double load);

// The curve's least and greatest η; a spline may pass its points' own.
std::array<double, 2> efficiency_range(const Drive&);

// Which of a drive's numbers the law below reads, besides its pieces.
template <class T>
struct DriveLaw {
  static constexpr int size = 3;
  T breakaway{0.0};
  T low{0.0}, high{0.0};  // torques between which the curve is given

  bool operator==(const DriveLaw&) const = default;
};

// τ is the output torque, v its velocity, whose sign decides who drives; way is sgn(v) or what is
// to stand for it. Nothing but the quotient waits for η where τ drives.
template <class T>
T drive_loss(const DriveLaw<T>& law, const T& tau, const T& v, const T& way, const T& eta) {
  const T size = abs(tau), driving = way * (size / eta) + way * (law.breakaway - size),
          driven = way * (size * (T(1.0) - eta) + law.breakaway);
  return select(T(0.0) < tau * v, driving, driven);
}

}  // namespace parid::model
