// Properties of a law whose neighbours' values are randomly of this period or one period old
// (vuskovic).
//
// Such a law has no single spectral radius: each period one of many matrices A(σ) acts, where σ
// lists which readings are old. Four properties are computed:
//   - every realisation: the joint spectral radius of all A(σ). Upper bound by a certificate: the
//     readings are r = (y + y_old + w)/2 with w = Δ (y − y_old) and Δ = diag(δ_j), |δ_j| ≤ 1, and a
//     quadratic V(ξ) = ξᵀPξ that falls in every period for every such Δ proves that disturbances
//     decay for all ages. P is the solution of the bounded-real Riccati equation of the loop scaled
//     by one number per reading, and the matrix inequality is checked by its eigenvalues, in double
//     precision. Lower bound by realisations that grow: constant patterns and pairs of them.
//   - the mean square: E[ξξᵀ] decays if the spectral radius of X → E[A X Aᵀ] is below 1; readings
//     are independent fair coins in space and time. No Kronecker product is formed: moments pass
//     through the readings one by one, each independent of those before it.
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
  // About a pose, or about an instant of a motion with frozen coefficients. Throws Error for
  // policies that are not random, and for policies whose other readings are old or extrapolated.
  RandomAges(const Robot& plant, const LawDesign&, std::span<const double> q);
  RandomAges(const Robot& plant, const LawDesign&, const Trajectory&, double t);
  ~RandomAges();
  RandomAges(RandomAges&&) noexcept;

  int readings() const;  // number of random readings that have an effect here
  int states() const;

  // Per control period.
  bool every_realisation_dies(double period) const;  // proven; false: not proven
  // A lower bound: the radius of the worst realisation found. Initially that of all readings old;
  // look_near() searches for worse realisations at a period and keeps them.
  double found_radius(double period) const;
  void look_near(double period) const;
  // A proven upper bound of the joint spectral radius, to `tolerance`. INFINITY if no bound below 2
  // is proven.
  double proven_radius(double period, double tolerance = 1e-3) const;
  // square root of the radius of the second moments
  double mean_square_radius(double period) const;
  double realisation_radius(double period, std::uint64_t seed) const;

  // A(σ), (states, states) by columns; now[j]: reading j is of this period.
  std::vector<double> step(double period, const std::vector<bool>& now) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct PeriodRange;

struct RandomPeriods {
  // every realisation decays: proven at this period and at shorter ones that were tried
  double safe = 0;
  // period at which a growing realisation was found; end of the range if none was
  double unsafe = 0;
};
// Both within `range`, to `tolerance`. safe is 0 if no period is proven.
RandomPeriods random_periods(const RandomAges&, const PeriodRange& range, double tolerance = 1e-2);
// The largest period at which E[ξξᵀ] decays. Searches from `from`, upwards if it decays there.
double mean_square_period(const RandomAges&, const PeriodRange& range, double from,
                          double tolerance = 1e-2);
// The largest period at which one realisation decays, for each of several seeds from `seed` on, in
// ascending order.
std::vector<double> realisation_periods(const RandomAges&, const PeriodRange& range, double from,
                                        int count, std::uint64_t seed = 1, double tolerance = 1e-2);

}  // namespace parid::control
