// Momentum, centre of mass and operational space: what whole-body controllers use.
//
//   centroidal_momentum_matrix(robot, workspace, q, v, A, Ad);
//   const OperationalSpace x = operational_space(robot, workspace, q, v, {"left_foot", "hand"});
//
// A public header: no template, no type of another library. SI units and radians; axes of the root
// link; matrices are row-major and full; linear rows before angular ones. Functions with a
// workspace allocate at the first call unless prepare() did, except where stated.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "parid/dynamics.hpp"
#include "parid/export.h"

namespace parid {

/// A and its time derivative Ad at velocity v, (6, nv) each: A v is the linear momentum, and the
/// angular momentum about the centre of mass; A a + Ad v is its rate. Rotors have no part in it.
/// Throws std::invalid_argument for wrong sizes.
PARID_EXPORT void centroidal_momentum_matrix(const Robot&, Workspace&, std::span<const double> q,
                                             std::span<const double> v, std::span<double> A,
                                             std::span<double> Ad);

/// The centre of mass of the moving links, 3 numbers in the root link's frame, and its Jacobian J,
/// (3, nv). Throws std::invalid_argument for wrong sizes.
PARID_EXPORT void centre_of_mass(const Robot&, Workspace&, std::span<const double> q,
                                 std::span<double> centre, std::span<double> J);

/// M⁻¹, (nv, nv), by articulated bodies: M itself is not formed (robots with mimic joints
/// excepted). Throws std::invalid_argument for wrong sizes, parid::Error if the mass matrix is
/// singular.
PARID_EXPORT void inverse_mass_matrix(const Robot&, Workspace&, std::span<const double> q,
                                      std::span<double> Minv);

/// tau = C(q, v) w without the Coriolis matrix C, in time proportional to the number of links; the
/// base must be stationary. Throws std::invalid_argument for wrong sizes.
PARID_EXPORT void coriolis_product(const Robot&, Workspace&, std::span<const double> q,
                                   std::span<const double> v, std::span<const double> w,
                                   std::span<double> tau);

/// Derivatives of the kinetic energy by q and by v, and of the potential energy by q; nv numbers
/// each, along the velocities. Throws std::invalid_argument for wrong sizes.
PARID_EXPORT void energy_gradient(const Robot&, Workspace&, std::span<const double> q,
                                  std::span<const double> v, std::span<double> kinetic_q,
                                  std::span<double> kinetic_v, std::span<double> potential_q);

/// The robot as a set of links' origins sees it: x'' = inverse_inertia f + free_acceleration for
/// forces and moments f on them.
struct OperationalSpace {
  std::size_t rows = 0;                   ///< six per link, in the order given
  std::vector<double> J;                  ///< (rows, nv)
  std::vector<double> inverse_inertia;    ///< J M⁻¹ Jᵀ, (rows, rows)
  std::vector<double> inertia;            ///< its pseudo-inverse, (rows, rows)
  std::vector<double> free_acceleration;  ///< J̇ v − J M⁻¹ bias
  std::vector<double> bias;               ///< −inertia · free_acceleration
  int rank = 0;                           ///< of J: less than `rows` in a singular pose
};
/// Operational-space inertia and bias of one link or of several. Singular values of the inverse
/// inertia below 1e-12 of the largest count as zero. Allocates. Throws parid::Error for an unknown
/// link or a singular mass matrix, std::invalid_argument for wrong sizes.
PARID_EXPORT OperationalSpace operational_space(const Robot&, Workspace&, std::span<const double> q,
                                                std::span<const double> v,
                                                const std::vector<std::string>& links);

}  // namespace parid
