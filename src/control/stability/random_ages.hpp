// Properties of a law whose neighbours' values are randomly of this period or one period old
// (vuskovic).
//
// Such a law has no spectral radius of its own: each period one of many matrices A(σ) acts, where σ
// says which readings are old. Four questions have answers:
//   - every realisation: the joint spectral radius of all A(σ). From above by a certificate: the
//     readings are r = (y + y_old + w)/2 with w = Δ (y − y_old) and Δ = diag(δ_j), |δ_j| ≤ 1, and a
//     quadratic V(ξ) = ξᵀPξ that falls in every period for every such Δ proves that disturbances
//     die, whatever the ages. P is the solution of the bounded-real Riccati equation of the loop
//     scaled by one number per reading, and the matrix inequality is checked by its eigenvalues, in
//     double precision. From below by realisations that grow: constant patterns and pairs of them.
//   - the mean square: E[ξξᵀ] dies where the spectral radius of X → E[A X Aᵀ] is below 1; readings
//     are independent fair coins in space and time. No Kronecker product: moments go through the
//     readings one by one, each independent of those before it.
//   - one realisation: a pattern of Policy::round periods, repeated.
//
// A public header: no template, no type of another library.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::control {

class RandomAges {
 public:
  // About a pose, or an instant of a motion as if its coefficients stayed. Throws Error for
  // policies that are not random, and for those whose other readings are old or drawn on in a
  // line.
  RandomAges(const Robot& plant, const LawDesign&, std::span<const double> q);
  RandomAges(const Robot& plant, const LawDesign&, const Trajectory&, double t);
  ~RandomAges();
  RandomAges(RandomAges&&) noexcept;

  int readings() const;  // that chance decides and that matter here
  int states() const;

  // Per control period.
  bool every_realisation_dies(double period) const;  // proven; false: not proven
  // Of the worst realisation found: a lower bound. At first all that is old; look_near() looks for
  // worse ones at a period, and those are kept.
  double found_radius(double period) const;
  void look_near(double period) const;
  // Of the joint spectral radius, from above, to `tolerance`: proven. INFINITY where none below 2
  // is.
  double proven_radius(double period, double tolerance = 1e-3) const;
  double mean_square_radius(double period) const;  // square root of the moments' radius
  double realisation_radius(double period, std::uint64_t seed) const;

  // A(σ), (states, states) by columns; now[j]: reading j is this period's.
  std::vector<double> step(double period, const std::vector<bool>& now) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct PeriodRange;

struct RandomPeriods {
  double safe = 0;    // every realisation dies: proven at it and at shorter periods tried below it
  double unsafe = 0;  // a realisation that grows was found there; the range's end if none was
};
// Both within `range`, to `tolerance`. safe is 0 where nothing was proven.
RandomPeriods random_periods(const RandomAges&, const PeriodRange& range, double tolerance = 1e-2);
// The largest period at which E[ξξᵀ] dies. Looked for from `from` on, upwards if it dies there.
double mean_square_period(const RandomAges&, const PeriodRange& range, double from,
                          double tolerance = 1e-2);
// The largest at which one realisation dies, for so many seeds from `seed` on; in growing order.
std::vector<double> realisation_periods(const RandomAges&, const PeriodRange& range, double from,
                                        int count, std::uint64_t seed = 1, double tolerance = 1e-2);

}  // namespace parid::control
