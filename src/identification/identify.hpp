// Parameters of a robot from measured positions, velocities, accelerations and torques.
//
//   TorqueModel model(robot);
//   const Identification found = identify(model, logs);
//   write(to_toml(identified_robot(model, found)));
//
// Positions, torques and regressor are filtered alike (equations.hpp). Weighted least squares on
// the regressor follow, with weights from each joint's noise (least_squares.hpp); then the
// physically consistent inertias nearest to the robot file's that explain the torques as well
// (physical.hpp). The residuals are compared with the noise of the logs (noise_level.hpp).
// docs/identification.md explains what to measure and how to read the result.

#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "identification/equations.hpp"
#include "identification/layer.hpp"
#include "identification/torque_model.hpp"
#include "model/description.hpp"
#include "parid/identification.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::identification {

struct IdentifyOptions {
  bool robust = false;  // outliers get smaller weights (Huber)
  // A joint with friction that is slower than this counts as at rest, where friction has any value
  // up to its full size; its torque is then not used, unless it never moves.
  double rest_velocity = 0;
  FilterOptions filter{FilterKind::none, 0};
  bool splines = false;  // v and a of the logs come from splines through q
  double max_residual = 0.2, max_noise_ratio = 2;
  std::function<void(double)> progress = {};
};

struct Estimate {
  ModelParameter parameter;
  double value = 0;
  // infinite: the logs do not determine it, and it keeps its given value
  double standard_error = 0;
  double physical = 0;  // after the step to physically consistent inertias
  bool found = false;
  std::vector<std::string> confused_with;  // if not identifiable: parameters with the same effect
};

struct Identification {
  std::size_t samples = 0, equations = 0;
  std::vector<Estimate> estimates;
  std::vector<TorqueFit> fits;     // one per torque
  double condition = 1;            // of the identifiable regressor columns: measures the excitation
  int passes = 1;                  // over the logs
  std::vector<double> standard;    // inertial parameters of bodies, ten per link
  std::vector<std::string> notes;  // notes for the user, with advice
  std::vector<FilterReport> filters;  // one per log
  FitVerdict verdict = FitVerdict::good;
  std::string reason;  // of the verdict, with the remedy; empty if it is good
  // of each body's mass distribution: PhysicalFit::map
  std::vector<std::vector<double>> map;
  std::vector<std::array<double, 10>> prior;        // PhysicalFit::prior
  std::vector<double> values(bool physical) const;  // of the estimates
};

// Throws Error if there are too few samples.
Identification identify(TorqueModel&, std::span<const SampledTrajectory> logs,
                        const IdentifyOptions& = {});

Identification identify(TorqueModel&, const PreparedLogs&, const IdentifyOptions&);

// The same on other logs, for validation with data that were not used for the fit.
std::vector<TorqueFit> torque_fits(TorqueModel&, std::span<const SampledTrajectory> logs,
                                   const Identification&, const IdentifyOptions& = {});
std::vector<TorqueFit> torque_fits(TorqueModel&, const PreparedLogs&, const Identification&,
                                   const IdentifyOptions&);
// Root mean square of all residuals divided by that of all torques.
enum class Whose { given, found, physical, expected };
double relative_residual(const std::vector<TorqueFit>&, Whose);

// The parameters and the deviations of the torques' noise from those rows of the logs that are
// selected, without the step to physically consistent bodies. For cross-validation.
struct FoldFit {
  std::vector<double> x, sigma;
};
FoldFit fit_rows(TorqueModel&, Equations&, const IdentifyOptions&,
                 const std::function<bool(const Equations::Row&)>& selects);

// The robot with the identified parameters, after the step to physically consistent bodies.
Description identified_robot(const TorqueModel&, const Identification&);

}  // namespace parid::identification
