// The residuals that noise explains, joint by joint.
//
// Two sources, both white: the noise of torques, from the spectrum of the residuals above the
// cut-off, where neither motion nor noise of accelerations remains; and the noise of positions,
// from their spectra, which is added to the filtered positions once more and followed through
// filter, derivatives and model. What residuals have beyond that, the model lacks.

#pragma once

#include <vector>

#include "identification/equations.hpp"
#include "identification/layer.hpp"

namespace parid::identification {

struct NoiseLevel {
  std::vector<double> torque, position;  // parts, RMS by torque; NaN: unknown
  std::vector<double> total() const;
};
// `splines`: v and a of the logs come from splines through q.
NoiseLevel noise_level(TorqueModel&, const PreparedLogs&, std::span<const double> x, bool splines);

}  // namespace parid::identification
