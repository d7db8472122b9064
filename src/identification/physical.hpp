// Physically consistent inertias that explain the torques: mass, centre and tensor of every link
// from base parameters, which determine only sums of them.
//
// Sources  Wensing, Kim, Slotine: Linear matrix inequalities for physically consistent inertial
//          parameter identification (2018): a body exists if and only if its pseudo-inertia
//              J = ∫ (r, 1)(r, 1)ᵀ dm   (4 × 4)   is positive definite.
//          Rucker, Wensing: Smooth parameterization of rigid-body inertia (2022): J = U Uᵀ with U
//          upper triangular, its diagonal as exponentials: every set of ten numbers is then a body.
// Differs  here J = U₀ V(θ) V(θ)ᵀ U₀ᵀ with the prior J₀ = U₀ U₀ᵀ, the robot file's own body: θ = 0
//          is the prior, and θ measures how much the body is scaled, sheared and shifted in units
//          of itself.
//
// Minimises |weighted torque residuals|² + |θ|² by the method of Levenberg and Marquardt:
// parameters that the log determines well follow the log; the others stay at the prior, where
// e-fold changes count as one standard deviation. Friction, rotors and losses are constrained to be
// nonnegative.
//
// M = U₀ V U₀⁻¹ is a map of space (affine, with a factor on density) from the old body to the new
// one. If fixed joints connect several links to one body, each is mapped by it, so that together
// they form the new body and each of them is physically consistent.

#pragma once

#include <array>
#include <vector>

#include "identification/layer.hpp"
#include "identification/least_squares.hpp"
#include "identification/torque_model.hpp"

namespace parid::identification {

struct PhysicalFit {
  std::vector<double> x;         // the model's parameters
  std::vector<double> standard;  // all inertial ones, in the order of regressor_parameters()
  // For each ten of them M, row-major; empty for a body without mass, which does not change.
  std::vector<std::vector<double>> map;
  // the starting point of M: the file's bodies, made solid
  std::vector<std::array<double, 10>> prior;
  double weighted_squares = 0;  // of the residuals
  int iterations = 0;
  bool converged = false;
};

PhysicalFit physical_fit(const TorqueModel&, const LeastSquaresSolution&);

}  // namespace parid::identification
