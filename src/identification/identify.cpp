#include "identification/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "identification/least_squares.hpp"
#include "identification/noise_level.hpp"
#include "identification/physical.hpp"

namespace parid::identification {
namespace {

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

using Selects = std::function<bool(const Equations::Row&)>;

LeastSquaresSolution one_pass(TorqueModel& model, Equations& logs, std::vector<double>& x,
                              const std::vector<double>& weight,
                              const std::function<void(double)>& progress, const Selects& selects) {
  const std::size_t nv = model.robot().nv(), width = model.parameters().size();
  std::vector<std::vector<int>> groups;
  for (std::size_t k = 0; k < nv; ++k) groups.push_back(model.felt_by(static_cast<int>(k)));
  GroupedLeastSquares equations(static_cast<int>(width), groups);
  logs.each(x, true, [&](const Equations::Row& row) {
    if (selects && !selects(row)) return;
    for (std::size_t k = 0; k < nv; ++k) {
      if (!logs.counts(row, k)) continue;
      double target = row.measured[k] - row.tau[k];  // linear about x
      for (const int p : model.felt_by(static_cast<int>(k))) target += row.by[k * width + p] * x[p];
      equations.add(static_cast<int>(k), row.by + k * width, target,
                    weight.empty() ? 1 : weight[row.index * nv + k]);
    }
    if (progress && row.index % 256 == 0)
      progress(static_cast<double>(row.index) / static_cast<double>(logs.rows()));
  });
  if (equations.equations() <= width)
    throw Error(fmt::format(
        "{} of '{}' {} {} equations for {} unknown parameters; give longer logs",
        logs.rows() == 1 ? "1 sample" : fmt::format("{} samples", logs.rows()),
        model.robot().name(), logs.rows() == 1 ? "gives" : "give", equations.equations(), width));
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

// Gauss-Newton steps for drives, and new weights for outliers, until nothing changes.
LeastSquaresSolution iterated(TorqueModel& model, Equations& logs, const IdentifyOptions& options,
                              std::vector<double>& x, int& all_passes, const Selects& selects) {
  const std::size_t nv = model.robot().nv();
  std::vector<double> weight;
  for (int passes = 1;; ++passes) {
    LeastSquaresSolution s = one_pass(model, logs, x, weight, options.progress, selects);
    ++all_passes;
    const double change = change_of(x, s);
    x = s.x;
    const bool again = !model.linear() || options.robust;
    if (!again || (passes > 1 && change < 1e-3) || passes == 50) return s;
    if (!options.robust) continue;
    std::vector<double> residual(logs.rows() * nv, std::nan(""));
    weight.assign(residual.size(), 1);
    logs.each(x, false, [&](const Equations::Row& row) {
      for (std::size_t k = 0; k < nv; ++k)
        if (logs.counts(row, k)) residual[row.index * nv + k] = row.measured[k] - row.tau[k];
    });
    weigh(residual, nv, weight);
  }
}

// The least-squares solution and the bodies, for the current known friction.
struct Solved {
  LeastSquaresSolution s;
  PhysicalFit physical;
};
Solved solve(TorqueModel& model, Equations& logs, const IdentifyOptions& options,
             std::vector<double>& x, Identification& found) {
  LeastSquaresSolution s = iterated(model, logs, options, x, found.passes, {});
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

// Compares the residuals with the torques and with the noise of the logs.
void judge(TorqueModel& model, const PreparedLogs& logs, const IdentifyOptions& options,
           Identification& found) {
  const NoiseLevel noise = noise_level(model, logs, found.values(false), options.splines);
  const std::vector<double> expected = noise.total();
  const TorqueFit* worst = nullptr;
  double largest = options.max_noise_ratio, by_position = 0, all = 0;
  for (std::size_t k = 0; k < found.fits.size(); ++k) {
    TorqueFit& f = found.fits[k];
    f.expected = expected[k];
    by_position += noise.position[k] * noise.position[k];
    all += f.measured * f.measured;
    // Below 2 % of the torque nothing is concluded: friction whose sign changes a sample early.
    if (f.found <= 0.02 * f.measured || !(f.found > largest * f.expected)) continue;
    largest = f.found / f.expected;
    worst = &f;
  }
  const double residual = relative_residual(found.fits, Whose::physical),
               unconstrained = relative_residual(found.fits, Whose::found);
  const bool filtered = options.filter.kind != FilterKind::none;
  const double share = all > 0 ? std::sqrt(by_position / all) : 0;
  std::string advice;
  if (options.splines && share > 0.5 * unconstrained)
    advice = fmt::format(
        "the noise of the positions alone, after splines, makes {:.0f} % of the torques; use "
        "`filter=butterworth`",
        100 * share);
  else if (filtered && share > 0.5 * unconstrained)
    advice =
        "most of it is noise of the positions; use a lower `cutoff`, a better encoder, or "
        "average periods of the motion";
  else if (!filtered)
    advice =
        "if v and a were computed from noisy positions, use `filter=butterworth`, which "
        "computes them again; otherwise check signs, units, time shifts and friction";
  else
    advice =
        "check signs, units, time shifts between torques and positions, and friction "
        "(`friction=auto` compares models)";
  if (residual > options.max_residual) {
    found.verdict = FitVerdict::poor;
    found.reason = fmt::format(
        "the fit is poor: the residual is {:.3g} % of the torques, above {:g} % (`max_residual`); "
        "{}",
        100 * residual, 100 * options.max_residual, advice);
  } else if (worst) {
    found.verdict = FitVerdict::above_noise;
    found.reason = fmt::format(
        "the fit is worse than the noise: the residual of '{}' is {:.3g} and the noise of the log "
        "explains {:.3g} ({:.2g} times as much, above {:g}, `max_noise_ratio`), so the model lacks "
        "an effect and the standard errors are too small; check friction (`friction=auto` compares "
        "models), time shifts, flexibility and limits of the current",
        worst->coordinate, worst->found, worst->expected, largest, options.max_noise_ratio);
  }
}

}  // namespace

std::vector<double> Identification::values(bool after) const {
  std::vector<double> x;
  for (const Estimate& e : estimates) x.push_back(after ? e.physical : e.value);
  return x;
}

Identification identify(TorqueModel& model, std::span<const SampledTrajectory> logs,
                        const IdentifyOptions& options) {
  return identify(model, PreparedLogs(model.robot(), logs, options.filter), options);
}

Identification identify(TorqueModel& model, const PreparedLogs& logs,
                        const IdentifyOptions& options) {
  Equations equations(model, logs, options.rest_velocity);
  std::vector<double> x = model.given();
  Identification found;
  found.passes = 0;
  Solved solved = solve(model, equations, options, x, found);
  // Bearing friction depends on the bodies, so it is recomputed with better ones.
  for (int round = 0; model.known().loaded() && round < 20; ++round) {
    model.set_bodies(identified_robot(model, found));
    const std::vector<double> before = x;
    solved = solve(model, equations, options, x, found);
    if (change_of(before, solved.s) < 1e-2) break;
  }
  const LeastSquaresSolution& s = solved.s;
  found.notes = model.known().notes();
  found.samples = equations.rows();
  found.condition = s.condition;
  found.filters = logs.filters();
  found.fits = torque_fits(model, logs, found, options);
  for (std::size_t k = 0; k < found.fits.size(); ++k) {
    found.fits[k].noise = s.sigma[k];
    found.equations += found.fits[k].equations;
  }
  judge(model, logs, options, found);
  advise(s, solved.physical, found);
  return found;
}

FoldFit fit_rows(TorqueModel& model, Equations& logs, const IdentifyOptions& options,
                 const Selects& selects) {
  std::vector<double> x = model.given();
  int passes = 0;
  LeastSquaresSolution s = iterated(model, logs, options, x, passes, selects);
  return {std::move(x), std::move(s.sigma)};
}

std::vector<TorqueFit> torque_fits(TorqueModel& model, std::span<const SampledTrajectory> logs,
                                   const Identification& found, const IdentifyOptions& options) {
  return torque_fits(model, PreparedLogs(model.robot(), logs, options.filter), found, options);
}

std::vector<TorqueFit> torque_fits(TorqueModel& model, const PreparedLogs& logs,
                                   const Identification& found, const IdentifyOptions& options) {
  Equations equations(model, logs, options.rest_velocity);
  const std::size_t nv = model.robot().nv();
  std::vector<TorqueFit> fits(nv);
  std::vector<double> product(nv, 0), before(nv, 0);
  auto residuals = [&](const std::vector<double>& x, double TorqueFit::*sum, bool last) {
    equations.each(x, false, [&](const Equations::Row& row) {
      for (std::size_t k = 0; k < nv; ++k) {
        if (!equations.counts(row, k)) continue;
        const double residual = row.measured[k] - row.tau[k];
        fits[k].*sum += residual * residual;
        if (!last) continue;
        product[k] += row.first ? 0 : residual * before[k];
        before[k] = residual;
        fits[k].measured += row.measured[k] * row.measured[k];
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
    f.expected = std::nan("");
    f.autocorrelation = f.found > 0 ? product[k] / f.found : 0;
    for (double* sum : {&f.measured, &f.given, &f.found, &f.physical})
      *sum = std::sqrt(*sum / static_cast<double>(std::max<std::size_t>(1, f.equations)));
  }
  return fits;
}

double relative_residual(const std::vector<TorqueFit>& fits, Whose whose) {
  double residual = 0, measured = 0;
  for (const TorqueFit& f : fits) {
    const double rms = whose == Whose::given      ? f.given
                       : whose == Whose::found    ? f.found
                       : whose == Whose::physical ? f.physical
                                                  : f.expected;
    residual += static_cast<double>(f.equations) * rms * rms;
    measured += static_cast<double>(f.equations) * f.measured * f.measured;
  }
  if (measured > 0) return std::sqrt(residual / measured);
  return residual > 0 ? std::numeric_limits<double>::infinity() : 0;
}

}  // namespace parid::identification
