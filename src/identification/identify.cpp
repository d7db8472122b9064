#include "identification/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identification/least_squares.hpp"
#include "identification/physical.hpp"

namespace parid::identification {
namespace {

// Iterates over all samples of all logs, and selects the torques that count.
class Samples {
 public:
  Samples(TorqueModel& model, std::span<const SampledTrajectory> logs, double rest)
      : model_(model), logs_(logs), rest_(rest), moves_(model.robot().nv(), false) {
    if (!(rest >= 0 && std::isfinite(rest)))
      throw Error(
          fmt::format("`rest_velocity`: {:g} is negative; give a velocity of 0 or more", rest));
    const std::size_t nv = moves_.size();
    for (const SampledTrajectory& log : logs) {
      rows += log.rows;
      for (std::size_t r = 0; r < log.rows; ++r)
        for (std::size_t k = 0; k < nv; ++k)
          if (std::abs(log.v[r * nv + k]) > rest) moves_[k] = true;
    }
    if (rest > 0 && std::none_of(moves_.begin(), moves_.end(), [](bool m) { return m; }))
      throw Error(
          fmt::format("no joint is ever faster than the rest threshold, {:g} rad/s or m/s; lower "
                      "it (`rest_velocity`)",
                      rest));
    tau_.resize(nv);
    by_.resize(nv * model.parameters().size());
  }

  std::size_t rows = 0;

  bool counts(const SampledTrajectory& log, std::size_t r, std::size_t k) const {
    return !model_.has_friction(static_cast<int>(k)) || !moves_[k] ||
           std::abs(log.v[r * moves_.size() + k]) > rest_;
  }

  // visit(log, row in it, row among all, torques at x, their derivatives)
  template <class Visit>
  void each(std::span<const double> x, Visit&& visit) {
    const std::size_t nq = model_.robot().nq(), nv = moves_.size();
    std::size_t all = 0;
    for (const SampledTrajectory& log : logs_)
      for (std::size_t r = 0; r < log.rows; ++r, ++all) {
        model_.torque({&log.q[r * nq], nq}, {&log.v[r * nv], nv}, {&log.a[r * nv], nv}, x, tau_,
                      by_);
        visit(log, r, all, tau_.data(), by_.data());
      }
  }

 private:
  TorqueModel& model_;
  std::span<const SampledTrajectory> logs_;
  double rest_;
  std::vector<bool> moves_;
  std::vector<double> tau_, by_;
};

double median(std::vector<double> x) {
  if (x.empty()) return 0;
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

// Huber's weights: 1 within 1.345 standard deviations, decreasing beyond.
void weigh(const std::vector<double>& residual, std::size_t nv, std::vector<double>& weight) {
  for (std::size_t k = 0; k < nv; ++k) {
    std::vector<double> sizes;
    for (std::size_t i = k; i < residual.size(); i += nv)
      if (!std::isnan(residual[i])) sizes.push_back(std::abs(residual[i]));
    const double bend = 1.345 * 1.4826 * median(std::move(sizes));
    for (std::size_t i = k; i < residual.size(); i += nv)
      if (const double size = std::abs(residual[i]); size > bend && bend > 0)
        weight[i] = std::sqrt(bend / size);
      else
        weight[i] = 1;
  }
}

LeastSquaresSolution one_pass(TorqueModel& model, Samples& samples, std::vector<double>& x,
                              const std::vector<double>& weight,
                              const std::function<void(double)>& progress) {
  const std::size_t nv = model.robot().nv(), width = model.parameters().size();
  std::vector<std::vector<int>> groups;
  for (std::size_t k = 0; k < nv; ++k) groups.push_back(model.felt_by(static_cast<int>(k)));
  GroupedLeastSquares equations(static_cast<int>(width), groups);
  samples.each(x, [&](const SampledTrajectory& log, std::size_t r, std::size_t all,
                      const double* tau, const double* by) {
    for (std::size_t k = 0; k < nv; ++k) {
      if (!samples.counts(log, r, k)) continue;
      double target = log.tau[r * nv + k] - tau[k];  // linear about x
      for (const int p : model.felt_by(static_cast<int>(k))) target += by[k * width + p] * x[p];
      equations.add(static_cast<int>(k), by + k * width, target,
                    weight.empty() ? 1 : weight[all * nv + k]);
    }
    if (progress && all % 256 == 0)
      progress(static_cast<double>(all) / static_cast<double>(samples.rows));
  });
  if (equations.equations() <= width)
    throw Error(fmt::format(
        "{} of '{}' {} {} equations for {} unknown parameters; give longer logs",
        samples.rows == 1 ? "1 sample" : fmt::format("{} samples", samples.rows),
        model.robot().name(), samples.rows == 1 ? "gives" : "give", equations.equations(), width));
  LeastSquaresSolution s = equations.solve(model.given());
  for (std::size_t p = 0; p < width; ++p)
    if (model.parameters()[p].kind == ParameterKind::loss) s.x[p] = std::clamp(s.x[p], -0.5, 0.9);
  return s;
}

void advise(const LeastSquaresSolution& s, const PhysicalFit& physical, Identification& found) {
  std::vector<std::string> untold;
  for (const Estimate& e : found.estimates)
    if (!e.found && e.parameter.kind != ParameterKind::rotor) untold.push_back(e.parameter.name);
  if (!untold.empty()) {
    const std::size_t shown = std::min<std::size_t>(untold.size(), 6);
    std::string names;
    for (std::size_t k = 0; k < shown; ++k) names += (k ? ", " : "") + untold[k];
    found.notes.push_back(fmt::format(
        "the logs do not identify {} of {} parameters, which keep their given values: {}{}; move "
        "all joints at once, over wide ranges and with changing speeds (`exciting_motion` writes "
        "such a "
        "motion)",
        untold.size(), found.estimates.size(), names,
        untold.size() > shown ? fmt::format(" and {} more", untold.size() - shown) : ""));
  }
  for (const Estimate& e : found.estimates)
    if (!e.found && e.parameter.kind == ParameterKind::rotor)
      found.notes.push_back(
          fmt::format("{} keeps its given value: {}", e.parameter.name,
                      e.confused_with.empty()
                          ? "its joint does not accelerate"
                          : "its torque has the same form as that of " + e.confused_with.front()));
  if (found.condition > 1000)
    found.notes.push_back(
        fmt::format("poor excitation: the condition number of the regressor is {:.3g} (good "
                    "motions: below 300), so noise is amplified; move all joints at once, faster "
                    "and farther (`exciting_motion` writes such a motion)",
                    found.condition));
  for (const TorqueFit& f : found.fits)
    if (f.autocorrelation > 0.5 && f.found > 1e-9 * f.measured) {
      found.notes.push_back(
          fmt::format("the residuals of '{}', and perhaps of other joints, are correlated in time "
                      "({:.2f}): the model is incomplete, and standard errors are too small",
                      f.coordinate, f.autocorrelation));
      break;
    }
  // T (x, -1)|² before and after the step to physically consistent bodies; each unknown may add
  // about 1.
  const std::size_t n = s.x.size() + 1;
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double r = -s.information[i * n + n - 1];
    for (std::size_t k = i; k + 1 < n; ++k) r += s.information[i * n + k] * s.x[k];
    squares += r * r;
  }
  const double unknowns = static_cast<double>(s.x.size());
  if (physical.weighted_squares - squares > unknowns + 5 * std::sqrt(2 * unknowns) &&
      relative_residual(found.fits, Whose::physical) >
          1e-6 + 1.01 * relative_residual(found.fits, Whose::found))
    found.notes.push_back(
        fmt::format("physically consistent parameters fit the torques worse than unconstrained "
                    "ones (residual {:.2g} instead of {:.2g} of the torques); check signs, units, "
                    "time shifts and friction that is not modelled",
                    relative_residual(found.fits, Whose::physical),
                    relative_residual(found.fits, Whose::found)));
  for (std::size_t p = 0; p < found.estimates.size(); ++p) {
    const Estimate& e = found.estimates[p];
    const bool may =
        e.parameter.kind == ParameterKind::inertia || e.parameter.kind == ParameterKind::offset;
    if (!may && e.found && e.value < -3 * e.standard_error)
      found.notes.push_back(
          fmt::format("{} = {:.4g} ± {:.2g} is physically impossible and is written as 0; check "
                      "the signs of velocity and torque",
                      e.parameter.name, e.value, e.standard_error));
  }
}

// The largest change in standard errors.
double change_of(const std::vector<double>& x, const LeastSquaresSolution& s) {
  double change = 0;
  for (std::size_t p = 0; p < x.size(); ++p)
    if (s.found[p])
      change = std::max(change, std::abs(s.x[p] - x[p]) /
                                    (s.standard_error[p] + 1e-12 * std::abs(s.x[p]) + 1e-300));
  return change;
}

// The least-squares solution and the bodies, for the current known friction.
struct Solved {
  LeastSquaresSolution s;
  PhysicalFit physical;
};
Solved solve(TorqueModel& model, Samples& samples, const IdentifyOptions& options,
             std::vector<double>& x, Identification& found) {
  const std::size_t nv = model.robot().nv();
  std::vector<double> weight;
  LeastSquaresSolution s;
  for (int passes = 1;; ++passes) {
    s = one_pass(model, samples, x, weight, options.progress);
    ++found.passes;
    const double change = change_of(x, s);
    x = s.x;
    const bool again = !model.linear() || options.robust;
    if (!again || (passes > 1 && change < 1e-3) || passes == 50) break;
    if (!options.robust) continue;
    std::vector<double> residual(samples.rows * nv, std::nan(""));
    weight.assign(residual.size(), 1);
    samples.each(x, [&](const SampledTrajectory& log, std::size_t r, std::size_t all,
                        const double* tau, const double*) {
      for (std::size_t k = 0; k < nv; ++k)
        if (samples.counts(log, r, k)) residual[all * nv + k] = log.tau[r * nv + k] - tau[k];
    });
    weigh(residual, nv, weight);
  }
  const PhysicalFit physical = physical_fit(model, s);
  found.estimates.clear();
  for (std::size_t p = 0; p < x.size(); ++p) {
    Estimate e{model.parameters()[p], s.x[p], s.standard_error[p], physical.x[p], s.found[p], {}};
    for (const int other : s.confused_with[p])
      e.confused_with.push_back(model.parameters()[other].name);
    found.estimates.push_back(std::move(e));
  }
  found.standard = physical.standard;
  found.map = physical.map;
  found.prior = physical.prior;
  return {std::move(s), physical};
}

}  // namespace

std::vector<double> Identification::values(bool after) const {
  std::vector<double> x;
  for (const Estimate& e : estimates) x.push_back(after ? e.physical : e.value);
  return x;
}

Identification identify(TorqueModel& model, std::span<const SampledTrajectory> logs,
                        const IdentifyOptions& options) {
  Samples samples(model, logs, options.rest_velocity);
  std::vector<double> x = model.given();
  Identification found;
  found.passes = 0;
  Solved solved = solve(model, samples, options, x, found);
  // Bearing friction depends on the bodies, so it is recomputed with better ones.
  for (int round = 0; model.known().loaded() && round < 20; ++round) {
    model.set_bodies(identified_robot(model, found));
    const std::vector<double> before = x;
    solved = solve(model, samples, options, x, found);
    if (change_of(before, solved.s) < 1e-2) break;
  }
  const LeastSquaresSolution& s = solved.s;
  found.notes = model.known().notes();
  found.samples = samples.rows;
  found.condition = s.condition;
  found.fits = torque_fits(model, logs, found, options);
  for (std::size_t k = 0; k < found.fits.size(); ++k) {
    found.fits[k].noise = s.sigma[k];
    found.equations += found.fits[k].equations;
  }
  advise(s, solved.physical, found);
  return found;
}

std::vector<TorqueFit> torque_fits(TorqueModel& model, std::span<const SampledTrajectory> logs,
                                   const Identification& found, const IdentifyOptions& options) {
  Samples samples(model, logs, options.rest_velocity);
  const std::size_t nv = model.robot().nv();
  std::vector<TorqueFit> fits(nv);
  std::vector<double> product(nv, 0), before(nv, 0);
  auto residuals = [&](const std::vector<double>& x, double TorqueFit::*sum, bool last) {
    samples.each(x, [&](const SampledTrajectory& log, std::size_t r, std::size_t, const double* tau,
                        const double*) {
      for (std::size_t k = 0; k < nv; ++k) {
        if (!samples.counts(log, r, k)) continue;
        const double residual = log.tau[r * nv + k] - tau[k];
        fits[k].*sum += residual * residual;
        if (!last) continue;
        product[k] += r > 0 ? residual * before[k] : 0;
        before[k] = residual;
        fits[k].measured += log.tau[r * nv + k] * log.tau[r * nv + k];
        ++fits[k].equations;
      }
    });
  };
  if (model.known().loaded()) model.set_bodies(model.robot().description());
  residuals(model.given(), &TorqueFit::given, false);
  if (model.known().loaded()) model.set_bodies(identified_robot(model, found));
  residuals(found.values(true), &TorqueFit::physical, false);
  residuals(found.values(false), &TorqueFit::found, true);
  for (std::size_t k = 0; k < nv; ++k) {
    TorqueFit& f = fits[k];
    f.coordinate = model.robot().velocity_names()[k];
    f.autocorrelation = f.found > 0 ? product[k] / f.found : 0;
    for (double* sum : {&f.measured, &f.given, &f.found, &f.physical})
      *sum = std::sqrt(*sum / static_cast<double>(std::max<std::size_t>(1, f.equations)));
  }
  return fits;
}

double relative_residual(const std::vector<TorqueFit>& fits, Whose whose) {
  double residual = 0, measured = 0;
  for (const TorqueFit& f : fits) {
    const double rms = whose == Whose::given   ? f.given
                       : whose == Whose::found ? f.found
                                               : f.physical;
    residual += static_cast<double>(f.equations) * rms * rms;
    measured += static_cast<double>(f.equations) * f.measured * f.measured;
  }
  return measured > 0 ? std::sqrt(residual / measured) : 0;
}

}  // namespace parid::identification
