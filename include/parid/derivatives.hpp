// Products with derivatives, second derivatives, and derivatives of positions that are not vectors.
//
//   inverse_jacobian_product(robot, workspace, q, v, a, dq, dv, da, dtau);
//   d_integrate(robot, q, v, by_q, by_v);
//
// A public header: no template, no type of another library. SI units and radians. Coordinates are
// the robot's; a direction dq is a velocity (nv numbers), along which integrate() moves. Matrices
// and tensors are row-major and full. Base motion and wrenches set on the workspace act. Products
// that transpose (reverse mode) are inverse_vector_product and forward_vector_product in
// parid/dynamics.hpp.

#pragma once

#include <span>

#include "parid/dynamics.hpp"
#include "parid/export.h"

namespace parid {

/// The derivative of inverse_dynamics along (dq, dv, da). Sizes: q nq, all others nv; N m or N. The
/// first call with a workspace allocates unless prepare() did. Throws std::invalid_argument for
/// wrong sizes or a workspace of another robot.
PARID_EXPORT void inverse_jacobian_product(const Robot&, Workspace&, std::span<const double> q,
                                           std::span<const double> v, std::span<const double> a,
                                           std::span<const double> dq, std::span<const double> dv,
                                           std::span<const double> da, std::span<double> dtau);

/// The derivative of forward_dynamics along (dq, dv, dtau). Sizes and exceptions as above; throws
/// parid::Error if the mass matrix is singular.
PARID_EXPORT void forward_jacobian_product(const Robot&, Workspace&, std::span<const double> q,
                                           std::span<const double> v, std::span<const double> tau,
                                           std::span<const double> dq, std::span<const double> dv,
                                           std::span<const double> dtau, std::span<double> da);

/// The derivatives of the three results of inverse_vector_product with weights w along (dq, dv,
/// da): the Hessian of w·tau times that direction. Sizes: q nq, all others nv. Allocation and
/// exceptions as above.
PARID_EXPORT void inverse_hessian_product(const Robot&, Workspace&, std::span<const double> q,
                                          std::span<const double> v, std::span<const double> a,
                                          std::span<const double> w, std::span<const double> dq,
                                          std::span<const double> dv, std::span<const double> da,
                                          std::span<double> hq, std::span<double> hv,
                                          std::span<double> ha);

/// w times the derivatives of inverse dynamics by the inertial parameters, in the order and with
/// the frames of regressor(), and by gravity (3 numbers, in the root link's frame). Sizes: q nq, v,
/// a and w nv, by_parameters as regressor_parameters(). Allocation and exceptions as above.
PARID_EXPORT void inverse_parameter_vector_product(
    const Robot&, Workspace&, std::span<const double> q, std::span<const double> v,
    std::span<const double> a, std::span<const double> w, std::span<double> by_parameters,
    std::span<double> by_gravity);

/// The same of forward dynamics. Throws parid::Error if the mass matrix is singular.
PARID_EXPORT void forward_parameter_vector_product(
    const Robot&, Workspace&, std::span<const double> q, std::span<const double> v,
    std::span<const double> tau, std::span<const double> w, std::span<double> by_parameters,
    std::span<double> by_gravity);

/// The derivative of inverse dynamics along changes of the inertial parameters and of gravity.
PARID_EXPORT void inverse_parameter_jacobian_product(
    const Robot&, Workspace&, std::span<const double> q, std::span<const double> v,
    std::span<const double> a, std::span<const double> dparameters,
    std::span<const double> dgravity, std::span<double> dtau);

/// The same of forward dynamics. Throws parid::Error if the mass matrix is singular.
PARID_EXPORT void forward_parameter_jacobian_product(
    const Robot&, Workspace&, std::span<const double> q, std::span<const double> v,
    std::span<const double> tau, std::span<const double> dparameters,
    std::span<const double> dgravity, std::span<double> da);

/// All second derivatives of inverse dynamics: (nv, nv, nv) each. qq[i][j][k] is the derivative of
/// dtau_i/dq_j along q_k, qv[i][j][k] that of dtau_i/dv_j along q_k, vv[i][j][k] that of
/// dtau_i/dv_j along v_k, and qa[i][j][k] that of M_ij along q_k. All others are zero. Allocates.
/// Throws std::invalid_argument for wrong sizes. Meant for robots of up to about 12 axes: the work
/// grows with the third power of their number.
PARID_EXPORT void inverse_hessian(const Robot&, Workspace&, std::span<const double> q,
                                  std::span<const double> v, std::span<const double> a,
                                  std::span<double> qq, std::span<double> qv, std::span<double> vv,
                                  std::span<double> qa);

/// All second derivatives of forward dynamics, as inverse_hessian() has them: qq, qv and vv of the
/// accelerations, and qtau[i][j][k], the derivative of (M⁻¹)_ij along q_k. Allocates. Throws
/// std::invalid_argument for wrong sizes, parid::Error if the mass matrix is singular.
PARID_EXPORT void forward_hessian(const Robot&, Workspace&, std::span<const double> q,
                                  std::span<const double> v, std::span<const double> tau,
                                  std::span<double> qq, std::span<double> qv, std::span<double> vv,
                                  std::span<double> qtau);

/// The derivative of the Jacobian of a link's origin along each q_k: H[r][j][k], (6, nv, nv), axes
/// of the root link. Allocates. Throws std::invalid_argument for wrong sizes or a link that does
/// not exist.
PARID_EXPORT void jacobian_hessian(const Robot&, std::span<const double> q, int link,
                                   std::span<double> H);

/// Derivatives of integrate(q, v) by q and by v, (nv, nv) each, as velocities at the result: column
/// k of by_q is the motion of the result when q moves along velocity k. Allocates. Throws
/// std::invalid_argument for wrong sizes.
PARID_EXPORT void d_integrate(const Robot&, std::span<const double> q, std::span<const double> v,
                              std::span<double> by_q, std::span<double> by_v);

/// Derivatives of difference(q0, q1) along velocities at q0 and at q1, (nv, nv) each. Allocates.
/// Throws std::invalid_argument for wrong sizes.
PARID_EXPORT void d_difference(const Robot&, std::span<const double> q0, std::span<const double> q1,
                               std::span<double> by_q0, std::span<double> by_q1);

}  // namespace parid
