// Other quantities of a robot, one sample at a time: forward dynamics, mass and
// Coriolis matrices, gradients, energy, regressor, reactions, and positions along velocities.
//
//   forward_dynamics(robot, workspace, q, v, tau, a);
//   mass_matrix(robot, workspace, q, M);
//
// A public header: no template, no type of another library. Coordinates are those of
// docs/conventions.md; matrices are row-major and full. Base motion and wrenches of the workspace
// act in all quantities that depend on torques. The first call of each kind with a workspace
// allocates its memory unless prepare() did; later ones do not. No friction.

#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/inverse_dynamics.hpp"
#include "parid/quantity.hpp"

namespace parid {

/// Allocates the memory that the functions of these quantities need in a workspace; the functions
/// below then allocate nothing, from the first call on. inverse_dynamics, bias and gravity need
/// none beyond the workspace's own. Functions that return vectors, such as reactions(), always
/// allocate. Throws std::invalid_argument for a quantity without a function below
/// (QuantityInfo::prepared is false).
PARID_EXPORT void prepare(Workspace&, std::initializer_list<Quantity>);

/// Computes a quantity of the table for one sample: one array per input and output of its row, with
/// the sizes of that row (parid/quantity.hpp), and the index of a link (Robot::find_link) if it
/// needs one. Covers every quantity with `prepared` except inverse_dynamics, forward_dynamics,
/// mass_matrix, bias and gravity, which have functions of their own below. The first call of a
/// quantity allocates unless prepare() did. Throws std::invalid_argument for wrong sizes, numbers
/// of arrays or links, parid::Error if the quantity is undefined for the robot.
PARID_EXPORT void evaluate(const Robot&, Workspace&, Quantity,
                           std::span<const std::span<const double>> in,
                           std::span<const std::span<double>> out, int link = -1);
inline void evaluate(const Robot& robot, Workspace& workspace, Quantity which,
                     std::initializer_list<std::span<const double>> in,
                     std::initializer_list<std::span<double>> out, int link = -1) {
  evaluate(robot, workspace, which, std::span(in.begin(), in.size()),
           std::span(out.begin(), out.size()), link);
}

// Accelerations that torques tau give: the inverse of inverse_dynamics.
PARID_EXPORT void forward_dynamics(const Robot&, Workspace&, std::span<const double> q,
                                   std::span<const double> v, std::span<const double> tau,
                                   std::span<double> a);
/// The mass matrix M (nv, nv), symmetric, with the rotors; kg m² for turning joints, kg for sliding
/// ones.
PARID_EXPORT void mass_matrix(const Robot&, Workspace&, std::span<const double> q,
                              std::span<double> M);
/// Torques at zero acceleration (N m or N).
PARID_EXPORT void bias(const Robot&, Workspace&, std::span<const double> q,
                       std::span<const double> v, std::span<double> tau);
/// Torques at rest (N m or N).
PARID_EXPORT void gravity(const Robot&, Workspace&, std::span<const double> q,
                          std::span<double> tau);
/// C (nv, nv), with bias = C v + gravity and dM/dt − 2C skew-symmetric, for a base at rest.
PARID_EXPORT void coriolis_matrix(const Robot&, Workspace&, std::span<const double> q,
                                  std::span<const double> v, std::span<double> C);

/// Derivatives of the torques (of the accelerations, for the forward ones), each (nv, nv): row k
/// holds those of tau[k] (a[k]) by each velocity coordinate; dq is by the motion that a velocity
/// makes, as in integrate().
PARID_EXPORT void inverse_gradient(const Robot&, Workspace&, std::span<const double> q,
                                   std::span<const double> v, std::span<const double> a,
                                   std::span<double> dq, std::span<double> dv,
                                   std::span<double> da);
PARID_EXPORT void forward_gradient(const Robot&, Workspace&, std::span<const double> q,
                                   std::span<const double> v, std::span<const double> tau,
                                   std::span<double> dq, std::span<double> dv,
                                   std::span<double> dtau);
/// w (nv numbers) times those matrices, without forming them (reverse mode): each nv numbers.
PARID_EXPORT void inverse_vector_product(const Robot&, Workspace&, std::span<const double> q,
                                         std::span<const double> v, std::span<const double> a,
                                         std::span<const double> w, std::span<double> gq,
                                         std::span<double> gv, std::span<double> ga);
PARID_EXPORT void forward_vector_product(const Robot&, Workspace&, std::span<const double> q,
                                         std::span<const double> v, std::span<const double> tau,
                                         std::span<const double> w, std::span<double> gq,
                                         std::span<double> gv, std::span<double> gtau);

/// Of all moving links; positions (m) and directions in the root link's frame.
struct EnergyState {
  double kinetic, potential;  ///< J; the latter is zero for masses at the root link's origin
  double mass;                ///< kg
  std::array<double, 3> centre, centre_velocity;
  std::array<double, 3> linear_momentum, angular_momentum;  // the latter about the centre of mass
};
/// Energy, mass, centre of mass and momentum.
PARID_EXPORT EnergyState energy(const Robot&, Workspace&, std::span<const double> q,
                                std::span<const double> v);

/// tau = Y π + rotors: Y is (nv, parameters), ten columns per moving link in the order of their
/// joints' names in regressor_names(): mass, its first moments (m x, m y, m z) and second moments
/// (∫x² dm …, xx yy zz xy xz yz), in the frame of the link that the joint moves, including links
/// fixed to it.
PARID_EXPORT void regressor(const Robot&, Workspace&, std::span<const double> q,
                            std::span<const double> v, std::span<const double> a,
                            std::span<double> Y);
/// Names of the parameters: "forearm.m", "forearm.mx", …, "forearm.yz". Allocates the result.
PARID_EXPORT std::vector<std::string> regressor_names(const Robot&);
/// π of this robot, SI units. Allocates the result.
PARID_EXPORT std::vector<double> regressor_parameters(const Robot&);

// Force and moment of the parent on the link that a joint moves, at its origin, in its frame.
struct Reaction {
  std::string joint, link;
  std::array<double, 3> force, moment;
};
/// The reactions at all joints, in the order of the robot file. Allocates the result.
PARID_EXPORT std::vector<Reaction> reactions(const Robot&, Workspace&, std::span<const double> q,
                                             std::span<const double> v, std::span<const double> a);

/// Positions (nq) after moving from q with constant v (nv) for one second; and the v for which
/// these are q1. Neither allocates.
PARID_EXPORT void integrate(const Robot&, std::span<const double> q, std::span<const double> v,
                            std::span<double> out);
PARID_EXPORT void difference(const Robot&, std::span<const double> q0, std::span<const double> q1,
                             std::span<double> v);

// The usual names of the algorithms: articulated bodies, composite rigid bodies.
inline void aba(const Robot& r, Workspace& w, std::span<const double> q, std::span<const double> v,
                std::span<const double> tau, std::span<double> a) {
  forward_dynamics(r, w, q, v, tau, a);
}
inline void crba(const Robot& r, Workspace& w, std::span<const double> q, std::span<double> M) {
  mass_matrix(r, w, q, M);
}

}  // namespace parid
