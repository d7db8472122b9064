#include "identification/friction_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/given_values.hpp"

namespace parid::identification {
namespace {

struct Candidate {
  FrictionModel friction;
  bool drives;
};
// Simplest first.
constexpr Candidate candidates[] = {
    {FrictionModel::none, false},    {FrictionModel::viscous, false},
    {FrictionModel::coulomb, false}, {FrictionModel::asymmetric, false},
    {FrictionModel::coulomb, true},  {FrictionModel::stribeck, false}};

// Sum of squares of residuals by torque, of the rows that are selected.
struct Squares {
  std::vector<double> residual, measured, count;
};
Squares squares_of(TorqueModel& model, Equations& equations, const std::vector<double>& x,
                   const std::function<bool(const Equations::Row&)>& selects) {
  const std::size_t nv = model.robot().nv();
  Squares s{std::vector<double>(nv), std::vector<double>(nv), std::vector<double>(nv)};
  equations.each(x, false, [&](const Equations::Row& row) {
    if (!selects(row)) return;
    for (std::size_t k = 0; k < nv; ++k) {
      if (!equations.counts(row, k)) continue;
      s.residual[k] += std::pow(row.measured[k] - row.tau[k], 2);
      s.measured[k] += row.measured[k] * row.measured[k];
      s.count[k] += 1;
    }
  });
  return s;
}

std::vector<double> rise_velocities(const Robot& robot, ModelOptions options,
                                    const PreparedLogs& logs, const IdentifyOptions& how) {
  const std::size_t nv = robot.nv();
  std::vector<double> fastest(nv, 0), best;
  for (const PreparedLogs::Log& log : logs.logs())
    for (std::size_t i = 0; i < log.motion->v.size(); ++i)
      fastest[i % nv] = std::max(fastest[i % nv], std::abs(log.motion->v[i]));
  double least = std::numeric_limits<double>::infinity();
  for (const double share : {0.01, 0.02, 0.05, 0.1, 0.2}) {
    options.stribeck_velocity.assign(nv, 0);
    for (std::size_t k = 0; k < nv; ++k) options.stribeck_velocity[k] = share * fastest[k];
    TorqueModel model(robot, options);
    Equations equations(model, logs, how.rest_velocity);
    const FoldFit fit = fit_rows(model, equations, how, {});
    double size = 0;  // the logarithm of the likelihood
    for (const double sigma : fit.sigma) size += std::log(std::max(sigma, 1e-300));
    if (size >= least) continue;
    least = size;
    best = options.stribeck_velocity;
  }
  return best;
}

struct Tried {
  ModelOptions options;
  FrictionScore score;
  std::vector<double> folds;  // mean weighted square of each
};

Tried tried(const Robot& robot, ModelOptions options, const PreparedLogs& logs,
            const IdentifyOptions& how, int folds, const std::vector<double>& sigma) {
  if (options.friction == FrictionModel::stribeck)
    options.stribeck_velocity = rise_velocities(robot, options, logs, how);
  TorqueModel model(robot, options);
  Equations equations(model, logs, how.rest_velocity);
  Tried t;
  t.score.friction = options.friction;
  t.score.drives = options.drives;
  t.score.parameters = model.parameters().size();
  double residual = 0, measured = 0, weighted = 0;
  for (int fold = 0; fold < folds; ++fold) {
    const auto held_out = [&](const Equations::Row& row) {
      return static_cast<int>(row.place * folds) == fold;
    };
    const FoldFit fit =
        fit_rows(model, equations, how, [&](const Equations::Row& r) { return !held_out(r); });
    const Squares s = squares_of(model, equations, fit.x, held_out);
    double sum = 0, count = 0;
    for (std::size_t k = 0; k < sigma.size(); ++k) {
      sum += s.residual[k] / (sigma[k] * sigma[k]);
      count += s.count[k];
      residual += s.residual[k];
      measured += s.measured[k];
    }
    t.folds.push_back(count > 0 ? sum / count : 0);
    weighted += t.folds.back() / folds;
  }
  t.score.residual = measured > 0 ? std::sqrt(residual / measured) : 0;
  t.score.score = std::sqrt(weighted);
  t.options = std::move(options);
  return t;
}

// Standard error of the mean difference between the blocks of two models.
double deviation_between(const Tried& a, const Tried& b) {
  const std::size_t n = a.folds.size();
  double mean = 0, squares = 0;
  for (std::size_t k = 0; k < n; ++k) mean += (a.folds[k] - b.folds[k]) / static_cast<double>(n);
  for (std::size_t k = 0; k < n; ++k) squares += std::pow(a.folds[k] - b.folds[k] - mean, 2);
  return std::sqrt(squares / static_cast<double>(n * (n - 1)));
}

}  // namespace

FrictionChoice chosen_friction(const Robot& robot, const ModelOptions& wanted,
                               const PreparedLogs& logs, const IdentifyOptions& given, int folds) {
  require_within("folds", folds, 2, 100);
  IdentifyOptions how = given;
  FrictionChoice choice{wanted, {}};
  if (wanted.friction == FrictionModel::stribeck && wanted.stribeck_velocity.empty())
    choice.model.stribeck_velocity = rise_velocities(robot, wanted, logs, how);
  if (wanted.friction != FrictionModel::automatic) return choice;

  ModelOptions usual = wanted;
  usual.friction = FrictionModel::coulomb;
  std::vector<double> sigma;
  {
    TorqueModel model(robot, usual);
    Equations equations(model, logs, how.rest_velocity);
    sigma = fit_rows(model, equations, how, {}).sigma;
  }
  std::vector<Tried> all;
  double done = 0;
  for (const Candidate& c : candidates) {
    if (c.drives && wanted.drives) continue;  // all have them
    if (c.friction == FrictionModel::asymmetric && wanted.offsets) continue;
    ModelOptions options = wanted;
    options.friction = c.friction;
    options.drives = wanted.drives || c.drives;
    how.progress = {};
    all.push_back(tried(robot, std::move(options), logs, how, folds, sigma));
    done += 1;
    if (given.progress) given.progress(done / static_cast<double>(std::size(candidates)));
  }
  const Tried& best = *std::min_element(all.begin(), all.end(), [](const Tried& a, const Tried& b) {
    return a.score.score < b.score.score;
  });
  Tried* simplest = nullptr;
  for (Tried& t : all) {
    const double deviation = deviation_between(t, best),
                 excess = t.score.score * t.score.score - best.score.score * best.score.score;
    // Exact torques: what is beyond rounding is equal.
    const bool exact = t.score.residual < 1e-9;
    // Of the difference of roots: a² - b² = (a - b) (a + b).
    t.score.deviation = deviation / std::max(t.score.score + best.score.score, 1e-300);
    // A model that fails in a single block has a large standard error too.
    const bool as_good = excess <= 2 * deviation && t.score.score <= 1.1 * best.score.score;
    if (!exact && !as_good) continue;
    if (!simplest || std::pair(t.score.parameters, t.score.score) <
                         std::pair(simplest->score.parameters, simplest->score.score))
      simplest = &t;
  }
  simplest->score.chosen = true;
  for (const Tried& t : all) choice.scores.push_back(t.score);
  choice.model = simplest->options;
  return choice;
}

}  // namespace parid::identification
