// Proof that disturbances die whatever the ages: a quadratic function that falls in every period.
//
// Private: included by .cpp files alone.

#pragma once

#include "control/layer.hpp"
#include "control/stability/random_loop.hpp"

namespace parid::control {

// One number per reading so that the largest gain of the loop over frequencies, scale·M·scale⁻¹, is
// as small as can be: of each reading, what enters and what leaves at the frequencies with the
// largest gains are made alike. Frequencies lie on the circle of `radius` and go from `lowest` · π
// to π. Improves log_scale until gains are below `enough`, or no longer improve; returns the
// largest gain.
double improve_scale(const RandomLoop&, const HeldPlant&, double radius, double lowest,
                     Eigen::VectorXd& log_scale, double enough);

// Whether no scale brings the gain below 1 at some frequency on the circle of `radius`: a proof by
// a disturbance that returns at least as large. Starts at `angle`, where the last one was found (0:
// none yet), and writes where it finds one. false: not known.
bool beyond_every_scale(const RandomLoop&, const HeldPlant&, double radius, double& angle);

// Whether V = ξᵀPξ falls at every step for all w with |w_j| ≤ |z_j|, for a P that is found.
bool has_certificate(const Channel&);

}  // namespace parid::control
