// Parameters of a robot from measured positions, velocities, accelerations and torques.
//
//   TorqueModel model(robot);
//   const Identification found = identify(model, logs);
//   write(to_toml(identified_robot(model, found)));
//
// Weighted least squares on the regressor, weights from each joint's own noise (least_squares.hpp);
// then the inertias nearest to the robot file's that bodies can have and that explain the torques
// as well (physical.hpp). docs/identification.md says what to measure and how to read the result.

#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "identification/layer.hpp"
#include "identification/torque_model.hpp"
#include "model/description.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::identification {

struct IdentifyOptions {
  bool robust = false;  // equations far from the rest count less (Huber)
  // Slower than this a joint with friction is taken to be at rest, where friction may be anything
  // up to its full size; its torque is then not used, unless it never moves.
  double rest_velocity = 0;
  std::function<void(double)> progress = {};
};

struct Estimate {
  ModelParameter parameter;
  double value = 0;
  double standard_error = 0;  // infinite: the logs do not tell it, and it stays as given
  double physical = 0;        // after the step to inertias that bodies can have
  bool found = false;
  std::vector<std::string> confused_with;  // where not found: its effect is theirs too
};

// How well torques are explained, as root mean squares over samples.
struct TorqueFit {
  std::string coordinate;
  std::size_t equations = 0;
  double measured = 0;                        // the torque itself
  double given = 0, found = 0, physical = 0;  // residuals: of the robot file, of the two steps
  double noise = 0;            // standard deviation; with `freedom` instead of `equations`
  double autocorrelation = 0;  // of the second step's residuals, from a sample to the next
};

struct Identification {
  std::size_t samples = 0, equations = 0;
  std::vector<Estimate> estimates;
  std::vector<TorqueFit> fits;     // one per torque
  double condition = 1;            // of the regressor's columns that could be told: the excitation
  int passes = 1;                  // over the logs
  std::vector<double> standard;    // inertial parameters of bodies, ten per link
  std::vector<std::string> notes;  // what the user should know, with advice
  std::vector<std::vector<double>> map;             // of each body's matter: PhysicalFit::map
  std::vector<std::array<double, 10>> prior;        // PhysicalFit::prior
  std::vector<double> values(bool physical) const;  // of the estimates
};

// Throws Error where there are too few samples.
Identification identify(TorqueModel&, std::span<const SampledTrajectory> logs,
                        const IdentifyOptions& = {});

// The same on other logs: does what was found explain what it has not seen?
std::vector<TorqueFit> torque_fits(TorqueModel&, std::span<const SampledTrajectory> logs,
                                   const Identification&, const IdentifyOptions& = {});
// Root mean square of all residuals over that of all torques.
enum class Whose { given, found, physical };
double relative_residual(const std::vector<TorqueFit>&, Whose);

// The robot with what was found, after the step to possible bodies.
Description identified_robot(const TorqueModel&, const Identification&);

}  // namespace parid::identification
