// The quantities that Parid computes for a robot: an enumeration with one table.
//
//   const parid::QuantityInfo& about = info(Quantity::inverse_dynamics);
//   about.name;      // "inverse", the name on the command line and in the C and Python APIs
//   about.inputs;    // q, v, a
//   about.meaning;   // "torques of a motion"
//
// The engine, code generation, verification, batches on files, the command line, Python and the
// documentation read this table. None of its functions depends on a robot. Sizes follow from a
// robot's numbers of position coordinates (nq) and velocity coordinates (nv). SI units and radians
// throughout.
//
// A public header: no template, no type of another library.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parid/export.h"

namespace parid {

/// A quantity that can be computed for a robot. The table has one row for each, in this order.
enum class Quantity {
  inverse_dynamics,                    ///< "inverse"
  forward_dynamics,                    ///< "forward"
  mass_matrix,                         ///< "mass"
  inverse_mass_matrix,                 ///< "inverse_mass"
  bias,                                ///< "bias"
  gravity,                             ///< "gravity"
  coriolis_matrix,                     ///< "coriolis"
  coriolis_product,                    ///< "coriolis_product"
  inverse_gradient,                    ///< "inverse_gradient"
  forward_gradient,                    ///< "forward_gradient"
  inverse_vector_product,              ///< "inverse_vjp"
  forward_vector_product,              ///< "forward_vjp"
  inverse_jacobian_product,            ///< "inverse_jvp"
  forward_jacobian_product,            ///< "forward_jvp"
  inverse_hessian_product,             ///< "inverse_hvp"
  inverse_parameter_vector_product,    ///< "inverse_parameter_vjp"
  forward_parameter_vector_product,    ///< "forward_parameter_vjp"
  inverse_parameter_jacobian_product,  ///< "inverse_parameter_jvp"
  forward_parameter_jacobian_product,  ///< "forward_parameter_jvp"
  regressor,                           ///< "regressor"
  energy,                              ///< "energy"
  energy_gradient,                     ///< "energy_gradient"
  centroidal_momentum_matrix,          ///< "centroidal"
  centre_of_mass,                      ///< "centre"
  operational_space,                   ///< "operational"
  kinematics,                          ///< "kinematics"
  jacobian,                            ///< "jacobian"
  jacobian_local,                      ///< "jacobian_local"
  jacobian_world,                      ///< "jacobian_world"
  jacobian_rate_product,               ///< "jacobian_rate"
  inverse_kinematics,                  ///< "ik"
  inverse_kinematics_step,             ///< "ik_step"
  computed_torque,                     ///< "computed_torque"
  rollout,                             ///< "rollout"
  elastic_inverse_dynamics,            ///< "elastic_inverse"
  elastic_forward_dynamics,            ///< "elastic_forward"
};

/// Shape of one array of one sample. Matrices are row-major.
enum class ArrayShape {
  scalar,          ///< one number
  pair,            ///< 2 numbers
  vector3,         ///< 3 numbers
  rotation,        ///< (3, 3)
  position,        ///< nq numbers
  velocity,        ///< nv numbers
  square,          ///< (nv, nv)
  jacobian,        ///< (6, nv)
  point_jacobian,  ///< (3, nv)
  twist,           ///< 6 numbers, linear ones first
  spatial,         ///< (6, 6)
  regressor,       ///< (nv, parameters), ten parameters per moving link
  parameters,      ///< ten numbers per moving link, as the columns of the regressor
  torque_steps,    ///< (steps, nv), one row of torques per step of a rollout
};

/// One input or output array.
struct ArrayInfo {
  const char* name;  ///< as in the signatures of the C++ functions, files and generated code
  ArrayShape shape;  ///< of one sample
};

/// The arguments of RowArguments (parid/row_arguments.hpp) that a quantity depends on.
struct RowArgumentUse {
  bool parameters = false, gravity = false, base_motion = false, wrenches = false;
};

/// One row of the table. All text and arrays have static storage duration.
struct QuantityInfo {
  Quantity quantity;
  const char* name;  ///< short name: command line, C, Python, file attributes
  std::span<const ArrayInfo> inputs;
  std::span<const ArrayInfo> outputs;
  const char* meaning;  ///< one line, without a full stop

  /// Refers to one link of the robot; the default is the robot's tip.
  bool needs_link = false;
  /// Engine::evaluate computes it over rows.
  bool batched = false;
  /// Code generation writes a program for it.
  bool generated = false;
  /// prepare(Workspace&, …) accepts it: parid/dynamics.hpp has a function for one sample.
  bool prepared = false;
  /// Depends on the links' masses and inertias.
  bool uses_inertia = true;
  /// Divides by the mass matrix: undefined for a robot whose mass matrix is singular.
  bool inverts_mass = false;
  /// What may differ from row to row in a batch.
  RowArgumentUse row_arguments = {};
};

/// The table: one row per quantity, in the order of the enumeration. Does not allocate.
PARID_EXPORT std::span<const QuantityInfo> quantities();

/// The row of one quantity. Does not allocate. Throws std::invalid_argument for a value that is not
/// an enumerator.
PARID_EXPORT const QuantityInfo& info(Quantity);

/// The short name of a quantity, such as "inverse". Does not allocate; throws as info() does.
PARID_EXPORT const char* name(Quantity);

/// The quantity with this short name. Allocates only to report an error. Throws parid::Error, with
/// the nearest name and all names, if there is none.
PARID_EXPORT Quantity quantity(std::string_view name);

/// As quantity(), among those that Engine::evaluate computes over rows.
PARID_EXPORT Quantity batched_quantity(std::string_view name);

/// As quantity(), among those for which code can be generated.
PARID_EXPORT Quantity generated_quantity(std::string_view name);

/// The quantities that Engine::evaluate computes over rows, in the order of the table. Allocates
/// the result.
PARID_EXPORT std::vector<Quantity> batched_quantities();

/// The quantities for which code can be generated, in the order of the table. Allocates the result.
PARID_EXPORT std::vector<Quantity> generated_quantities();

/// The short names of these quantities, in their order. Allocates the result.
PARID_EXPORT std::vector<std::string> names(std::span<const Quantity>);

/// Arrays with the shapes of matrices, for help texts and tables: "q, v, tau", "dq, dv, da (n, n)".
/// Neighbours of the same shape share it; n is nv. Allocates the result.
PARID_EXPORT std::string text(std::span<const ArrayInfo>);

}  // namespace parid
