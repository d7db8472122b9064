// Bearing friction of one joint: dry, viscous and load-dependent.
//
// Sources  Dhanaraj (1990), Table 3.1, for bearings whose friction follows the joint's reaction
//          force and moment; Hess and Soom (1990) for the fall from rest to sliding (Stribeck)
//          without an exponential.
// Differs  Eqs. 3.3 and 3.4 of Dhanaraj (1990) have the moments' signs such that no pair of
//          supports could carry them, and 3.5 names f_x where the axial force f_z is meant; here
//          F± = f/2 ± (n_y, -n_x)/d, which balances.
//
// The number type is a template parameter, so that one sample, a register of links or of samples, a
// derivative and a traced graph use the same code. Everything is reflected to the joint: torque in
// N m and rad/s, or N and m/s for a prismatic joint.

#pragma once

#include "math/vec3.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Dry friction rises to `breakaway` towards rest; half of the rise remains at
// `velocity`.
struct Stribeck {
  double breakaway = 0, velocity = 0;
};

// Two supports `spacing` apart on the axis, their centre `at` along the axis from the joint's
// frame.
struct JournalBearing {
  double friction = 0, radius = 0, spacing = 0, at = 0;
};
// The same for a prismatic joint; the centre moves with the link.
struct LinearBearing {
  double friction = 0, spacing = 0, at = 0;
};
// A face that carries the axial force, at a mean radius.
struct ThrustBearing {
  double friction = 0, radius = 0;
};

// The parameters of the laws below, of one joint or of several packed joints. z is the axis.
template <class T>
struct FrictionLaw {
  static constexpr int size = 10;
  T viscous{0.0};
  T coulomb{0.0};
  T stribeck{0.0};      // static minus sliding friction
  T sharpness{0.0};     // 1 / stribeck velocity²
  T smoothing{0.0};     // velocity² range of the smooth sign change from -1 to 1; 0: a jump
  T journal{0.0};       // µ r / d
  T linear{0.0};        // µ / d
  T half_spacing{0.0};  // d / 2
  T height{0.0};        // of the bearing's centre above the frame's origin
  T thrust{0.0};        // µ r

  bool operator==(const FrictionLaw&) const = default;
};

// -1, 0 or 1. At rest, friction is any value that holds the joint, between its two
// extremes; for a torque of a given motion we choose 0: the middle, which keeps the torque
// odd in v.
template <class T>
T sign(const T& v) {
  const T zero(0.0), one(1.0);
  return select(zero < v, one, select(v < zero, -one, zero));
}
// v / √(v² + s): tends to sign(v) as s tends to 0, and equals it for s = 0.
template <class T>
T smooth_sign(const T& v, const T& s) {
  const T zero(0.0), w = select(zero < s, v * v + s, T(1.0));
  return select(zero < s, v / sqrt(w), sign(v));
}

// √(x² + y²). The constant is lost in rounding, but makes the derivative 0 at 0.
template <class T>
T length(const T& x, const T& y) {
  return sqrt(x * x + (y * y + T(1e-300)));
}

// Magnitudes of dry friction, never negative: that of a sliding joint, and the largest that
// holds a joint at rest. The reaction f, n is exerted by the parent link, n about the frame's
// origin.

template <class T>
T stribeck_level(const FrictionLaw<T>& law, const T& v) {
  return law.stribeck / (T(1.0) + v * v * law.sharpness);
}

template <class T>
struct SupportForces {  // times the spacing d
  T upper_x, upper_y, lower_x, lower_y;
};
template <class T>
SupportForces<T> support_forces(const FrictionLaw<T>& law, const Vec3<T>& f, const Vec3<T>& n) {
  const T nx = n.x + law.height * f.y, ny = n.y - law.height * f.x;  // about the bearing's centre
  const T fx = law.half_spacing * f.x, fy = law.half_spacing * f.y;
  return {fx + ny, fy - nx, fx - ny, fy + nx};
}

template <class T>  // Eq. 3.3, to be multiplied by µ r / d
T journal_load(const SupportForces<T>& F) {
  return length(F.upper_x, F.upper_y) + length(F.lower_x, F.lower_y);
}
template <class T>  // Eq. 3.4, by µ / d
T linear_load(const SupportForces<T>& F) {
  return (abs(F.upper_x) + abs(F.upper_y)) + (abs(F.lower_x) + abs(F.lower_y));
}
template <class T>  // Eq. 3.5
T thrust_level(const FrictionLaw<T>& law, const Vec3<T>& f) {
  return law.thrust * abs(f.z);
}

// The factors of the viscous and the Coulomb coefficient in a joint's torque: the two columns that
// friction adds to a regressor, because the torque is linear in them.
template <class T>
struct FrictionColumns {
  T viscous, coulomb;
};
template <class T>
FrictionColumns<T> friction_columns(const T& v) {
  return {v, sign(v)};
}
template <class T>
FrictionColumns<T> friction_columns(const T& v, const T& smoothing) {  // a velocity, squared
  return {v, smooth_sign(v, smoothing)};
}

}  // namespace parid::model
