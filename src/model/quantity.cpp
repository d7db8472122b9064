#include "parid/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <stdexcept>

#include "base/text/spelling.hpp"
#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid {
using namespace model;

namespace {

using enum ArrayShape;

constexpr ArrayInfo q{"q", position}, v{"v", velocity}, a{"a", velocity}, tau{"tau", velocity},
    w{"w", velocity}, R{"R", rotation}, p{"p", vector3};

constexpr ArrayInfo of_position[] = {q};
constexpr ArrayInfo of_velocity[] = {q, v};
constexpr ArrayInfo of_acceleration[] = {q, v, a};
constexpr ArrayInfo of_torque[] = {q, v, tau};
constexpr ArrayInfo of_acceleration_and_weights[] = {q, v, a, w};
constexpr ArrayInfo of_torque_and_weights[] = {q, v, tau, w};
constexpr ArrayInfo of_velocity_and_weights[] = {q, v, w};
constexpr ArrayInfo dq{"dq", velocity}, dv{"dv", velocity}, da{"da", velocity},
    dtau{"dtau", velocity};
constexpr ArrayInfo of_acceleration_and_direction[] = {q, v, a, dq, dv, da};
constexpr ArrayInfo of_torque_and_direction[] = {q, v, tau, dq, dv, dtau};
constexpr ArrayInfo of_weights_and_direction[] = {q, v, a, w, dq, dv, da};
constexpr ArrayInfo dparameters{"dparameters", ArrayShape::parameters},
    dgravity{"dgravity", vector3};
constexpr ArrayInfo of_acceleration_and_parameters[] = {q, v, a, dparameters, dgravity};
constexpr ArrayInfo of_torque_and_parameters[] = {q, v, tau, dparameters, dgravity};
constexpr ArrayInfo of_pose_and_branch[] = {R, p, {"branch", vector3}};
constexpr ArrayInfo of_position_and_pose[] = {q, R, p};
constexpr ArrayInfo of_wanted_motion[] = {q,
                                          v,
                                          {"q_wanted", position},
                                          {"v_wanted", velocity},
                                          {"a_wanted", velocity},
                                          {"kp", velocity},
                                          {"kd", velocity}};
constexpr ArrayInfo theta{"theta", velocity}, theta_v{"theta_v", velocity};
constexpr ArrayInfo of_snap[] = {q, v, a, {"jerk", velocity}, {"snap", velocity}};
constexpr ArrayInfo of_motors[] = {q, theta, v, theta_v, tau};
constexpr ArrayInfo of_torque_steps[] = {q, v, {"tau", torque_steps}};

constexpr ArrayInfo torques[] = {tau};
constexpr ArrayInfo accelerations[] = {a};
constexpr ArrayInfo torques_and_motors[] = {tau, theta, theta_v};
constexpr ArrayInfo accelerations_and_motors[] = {a, {"theta_a", velocity}};
constexpr ArrayInfo mass[] = {{"M", square}};
constexpr ArrayInfo inverse_mass[] = {{"Minv", square}};
constexpr ArrayInfo torque_change[] = {dtau};
constexpr ArrayInfo acceleration_change[] = {da};
constexpr ArrayInfo second_by_acceleration[] = {
    {"hq", velocity}, {"hv", velocity}, {"ha", velocity}};
constexpr ArrayInfo by_parameters[] = {{"gparameters", ArrayShape::parameters},
                                       {"ggravity", vector3}};
constexpr ArrayInfo energy_rates[] = {
    {"kinetic_q", velocity}, {"kinetic_v", velocity}, {"potential_q", velocity}};
constexpr ArrayInfo momentum_maps[] = {{"A", ArrayShape::jacobian}, {"Ad", ArrayShape::jacobian}};
constexpr ArrayInfo centre_and_map[] = {{"centre", vector3}, {"J", point_jacobian}};
constexpr ArrayInfo operational[] = {{"inverse_inertia", spatial}, {"free_acceleration", twist}};
constexpr ArrayInfo point_acceleration[] = {{"acceleration", twist}};
constexpr ArrayInfo coriolis[] = {{"C", square}};
constexpr ArrayInfo by_acceleration[] = {{"dq", square}, {"dv", square}, {"da", square}};
constexpr ArrayInfo by_torque[] = {{"dq", square}, {"dv", square}, {"dtau", square}};
constexpr ArrayInfo rows_by_acceleration[] = {{"gq", velocity}, {"gv", velocity}, {"ga", velocity}};
constexpr ArrayInfo rows_by_torque[] = {{"gq", velocity}, {"gv", velocity}, {"gtau", velocity}};
constexpr ArrayInfo parameter_columns[] = {{"Y", ArrayShape::regressor}};
constexpr ArrayInfo energies[] = {{"kinetic", scalar},          {"potential", scalar},
                                  {"centre", vector3},          {"centre_velocity", vector3},
                                  {"linear_momentum", vector3}, {"angular_momentum", vector3}};
constexpr ArrayInfo pose[] = {R, p};
constexpr ArrayInfo velocity_map[] = {{"J", ArrayShape::jacobian}};
constexpr ArrayInfo reached[] = {q, {"reach", scalar}};
constexpr ArrayInfo next_position[] = {{"q_next", position}, {"distance", pair}};
constexpr ArrayInfo end_state[] = {{"q_end", position}, {"v_end", velocity}};

// Arguments that may differ by row.
constexpr RowArgumentUse anything{true, true, true, true}, inertias{.parameters = true},
    inertias_and_gravity{.parameters = true, .gravity = true},
    motions{.gravity = true, .base_motion = true},
    inertias_and_motions{.parameters = true, .gravity = true, .base_motion = true};

constexpr QuantityInfo table[] = {
    {.quantity = Quantity::inverse_dynamics,
     .name = "inverse",
     .inputs = of_acceleration,
     .outputs = torques,
     .meaning = "joint torques for given q, v and a",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::forward_dynamics,
     .name = "forward",
     .inputs = of_torque,
     .outputs = accelerations,
     .meaning = "joint accelerations for given q, v and tau",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
    {.quantity = Quantity::mass_matrix,
     .name = "mass",
     .inputs = of_position,
     .outputs = mass,
     .meaning = "mass matrix",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias},
    {.quantity = Quantity::inverse_mass_matrix,
     .name = "inverse_mass",
     .inputs = of_position,
     .outputs = inverse_mass,
     .meaning = "inverse of the mass matrix",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = inertias},
    {.quantity = Quantity::bias,
     .name = "bias",
     .inputs = of_velocity,
     .outputs = torques,
     .meaning = "joint torques at zero acceleration",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::gravity,
     .name = "gravity",
     .inputs = of_position,
     .outputs = torques,
     .meaning = "joint torques that hold the robot at rest",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::coriolis_matrix,
     .name = "coriolis",
     .inputs = of_velocity,
     .outputs = coriolis,
     .meaning = "Coriolis matrix C, with bias = C v + gravity",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias},
    {.quantity = Quantity::coriolis_product,
     .name = "coriolis_product",
     .inputs = of_velocity_and_weights,
     .outputs = torques,
     .meaning = "Coriolis matrix times a vector w",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias},
    {.quantity = Quantity::inverse_gradient,
     .name = "inverse_gradient",
     .inputs = of_acceleration,
     .outputs = by_acceleration,
     .meaning = "derivatives of the torques by q, v and a",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::forward_gradient,
     .name = "forward_gradient",
     .inputs = of_torque,
     .outputs = by_torque,
     .meaning = "derivatives of the accelerations by q, v and tau",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
    {.quantity = Quantity::inverse_vector_product,
     .name = "inverse_vjp",
     .inputs = of_acceleration_and_weights,
     .outputs = rows_by_acceleration,
     .meaning = "w times the derivatives of the torques",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::forward_vector_product,
     .name = "forward_vjp",
     .inputs = of_torque_and_weights,
     .outputs = rows_by_torque,
     .meaning = "w times the derivatives of the accelerations",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
    {.quantity = Quantity::inverse_jacobian_product,
     .name = "inverse_jvp",
     .inputs = of_acceleration_and_direction,
     .outputs = torque_change,
     .meaning = "derivative of the torques along dq, dv, da",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::forward_jacobian_product,
     .name = "forward_jvp",
     .inputs = of_torque_and_direction,
     .outputs = acceleration_change,
     .meaning = "derivative of the accelerations along dq, dv, dtau",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
    {.quantity = Quantity::inverse_hessian_product,
     .name = "inverse_hvp",
     .inputs = of_weights_and_direction,
     .outputs = second_by_acceleration,
     .meaning = "derivative of inverse_vjp along dq, dv, da",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::inverse_parameter_vector_product,
     .name = "inverse_parameter_vjp",
     .inputs = of_acceleration_and_weights,
     .outputs = by_parameters,
     .meaning = "w times the derivatives of the torques by inertial parameters and gravity",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias_and_motions},
    {.quantity = Quantity::forward_parameter_vector_product,
     .name = "forward_parameter_vjp",
     .inputs = of_torque_and_weights,
     .outputs = by_parameters,
     .meaning = "w times the derivatives of the accelerations by inertial parameters and gravity",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
    {.quantity = Quantity::inverse_parameter_jacobian_product,
     .name = "inverse_parameter_jvp",
     .inputs = of_acceleration_and_parameters,
     .outputs = torque_change,
     .meaning = "derivative of the torques along dparameters and dgravity",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias_and_motions},
    {.quantity = Quantity::forward_parameter_jacobian_product,
     .name = "forward_parameter_jvp",
     .inputs = of_torque_and_parameters,
     .outputs = acceleration_change,
     .meaning = "derivative of the accelerations along dparameters and dgravity",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
    {.quantity = Quantity::regressor,
     .name = "regressor",
     .inputs = of_acceleration,
     .outputs = parameter_columns,
     .meaning = "matrix Y with tau = Y times the inertial parameters",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = motions},
    {.quantity = Quantity::energy,
     .name = "energy",
     .inputs = of_velocity,
     .outputs = energies,
     .meaning = "energy, centre of mass and momentum",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias_and_gravity},
    {.quantity = Quantity::energy_gradient,
     .name = "energy_gradient",
     .inputs = of_velocity,
     .outputs = energy_rates,
     .meaning = "derivatives of kinetic and potential energy",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias_and_gravity},
    {.quantity = Quantity::centroidal_momentum_matrix,
     .name = "centroidal",
     .inputs = of_velocity,
     .outputs = momentum_maps,
     .meaning = "centroidal momentum matrix A, and its rate Ad",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias},
    {.quantity = Quantity::centre_of_mass,
     .name = "centre",
     .inputs = of_position,
     .outputs = centre_and_map,
     .meaning = "centre of mass and its Jacobian",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = inertias},
    {.quantity = Quantity::operational_space,
     .name = "operational",
     .inputs = of_velocity,
     .outputs = operational,
     .meaning = "inverse operational-space inertia of a link, and its acceleration without torques",
     .needs_link = true,
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
    {.quantity = Quantity::kinematics,
     .name = "kinematics",
     .inputs = of_position,
     .outputs = pose,
     .meaning = "pose of a link, or of all links",
     .needs_link = true,
     .batched = true,
     .generated = true,
     .uses_inertia = false},
    {.quantity = Quantity::jacobian,
     .name = "jacobian",
     .inputs = of_position,
     .outputs = velocity_map,
     .meaning = "linear and angular velocity of a link's point per v",
     .needs_link = true,
     .batched = true,
     .generated = true,
     .uses_inertia = false},
    {.quantity = Quantity::jacobian_local,
     .name = "jacobian_local",
     .inputs = of_position,
     .outputs = velocity_map,
     .meaning = "as jacobian, in the link's own axes",
     .needs_link = true,
     .batched = true,
     .generated = true,
     .prepared = true,
     .uses_inertia = false},
    {.quantity = Quantity::jacobian_world,
     .name = "jacobian_world",
     .inputs = of_position,
     .outputs = velocity_map,
     .meaning = "as jacobian, of the link's point at the root's origin",
     .needs_link = true,
     .batched = true,
     .generated = true,
     .prepared = true,
     .uses_inertia = false},
    {.quantity = Quantity::jacobian_rate_product,
     .name = "jacobian_rate",
     .inputs = of_velocity,
     .outputs = point_acceleration,
     .meaning = "rate of the Jacobian times v: a link's acceleration without joint accelerations",
     .needs_link = true,
     .batched = true,
     .generated = true,
     .prepared = true,
     .uses_inertia = false},
    {.quantity = Quantity::inverse_kinematics,
     .name = "ik",
     .inputs = of_pose_and_branch,
     .outputs = reached,
     .meaning = "joint positions for a pose, in closed form",
     .needs_link = true,
     .generated = true,
     .uses_inertia = false},
    {.quantity = Quantity::inverse_kinematics_step,
     .name = "ik_step",
     .inputs = of_position_and_pose,
     .outputs = next_position,
     .meaning = "one iteration of inverse kinematics",
     .needs_link = true,
     .generated = true,
     .uses_inertia = false},
    {.quantity = Quantity::computed_torque,
     .name = "computed_torque",
     .inputs = of_wanted_motion,
     .outputs = torques,
     .meaning = "one step of a computed-torque controller",
     .generated = true},
    {.quantity = Quantity::rollout,
     .name = "rollout",
     .inputs = of_torque_steps,
     .outputs = end_state,
     .meaning = "several integration steps under torques",
     .generated = true,
     .inverts_mass = true},
    {.quantity = Quantity::elastic_inverse_dynamics,
     .name = "elastic_inverse",
     .inputs = of_snap,
     .outputs = torques_and_motors,
     .meaning = "torques and motions of the motors of elastic joints, for a motion of the links",
     .batched = true,
     .generated = true,
     .prepared = true,
     .row_arguments = anything},
    {.quantity = Quantity::elastic_forward_dynamics,
     .name = "elastic_forward",
     .inputs = of_motors,
     .outputs = accelerations_and_motors,
     .meaning = "accelerations of links and motors of elastic joints, for given motor torques",
     .batched = true,
     .generated = true,
     .prepared = true,
     .inverts_mass = true,
     .row_arguments = anything},
};

constexpr bool in_order() {
  for (std::size_t k = 0; k < std::size(table); ++k)
    if (static_cast<std::size_t>(table[k].quantity) != k) return false;
  return true;
}
static_assert(in_order(), "a row's index in the table is its quantity's value");
static_assert(std::size(table) == static_cast<std::size_t>(Quantity::elastic_forward_dynamics) + 1);

std::vector<Quantity> chosen(bool QuantityInfo::*use) {
  std::vector<Quantity> all;
  for (const QuantityInfo& row : table)
    if (row.*use) all.push_back(row.quantity);
  return all;
}

const QuantityInfo* find(std::string_view name) {
  for (const QuantityInfo& row : table)
    if (name == row.name) return &row;
  return nullptr;
}

[[noreturn]] void refuse(std::string_view name, const char* wrong,
                         const std::vector<std::string>& known) {
  throw Error(fmt::format("'{}' {}; {}choose from {}", name, wrong, did_you_mean(name, known),
                          fmt::join(known, ", ")));
}

const char* dimensions(ArrayShape s) {
  switch (s) {
    case ArrayShape::rotation: return " (3, 3)";
    case ArrayShape::square: return " (n, n)";
    case ArrayShape::jacobian: return " (6, n)";
    case ArrayShape::point_jacobian: return " (3, n)";
    case ArrayShape::spatial: return " (6, 6)";
    case ArrayShape::regressor: return " (n, parameters)";
    case ArrayShape::parameters: return " (parameters)";
    case ArrayShape::torque_steps: return " (steps, n)";
    default: return "";
  }
}

}  // namespace

std::span<const QuantityInfo> quantities() { return table; }

const QuantityInfo& info(Quantity which) {
  const auto k = static_cast<std::size_t>(which);
  if (k >= std::size(table)) throw std::invalid_argument("this value of Quantity has no row");
  return table[k];
}

const char* name(Quantity which) { return info(which).name; }

Quantity quantity(std::string_view name) {
  if (const QuantityInfo* row = find(name)) return row->quantity;
  std::vector<std::string> known;
  for (const QuantityInfo& row : table) known.emplace_back(row.name);
  refuse(name, "is not a quantity", known);
}

Quantity batched_quantity(std::string_view name) {
  if (const QuantityInfo* row = find(name); row && row->batched) return row->quantity;
  refuse(name, "cannot be computed over rows", names(batched_quantities()));
}

Quantity generated_quantity(std::string_view name) {
  if (const QuantityInfo* row = find(name); row && row->generated) return row->quantity;
  refuse(name, "cannot be generated", names(generated_quantities()));
}

std::vector<Quantity> batched_quantities() { return chosen(&QuantityInfo::batched); }
std::vector<Quantity> generated_quantities() { return chosen(&QuantityInfo::generated); }

std::vector<std::string> names(std::span<const Quantity> which) {
  std::vector<std::string> all;
  for (const Quantity one : which) all.emplace_back(name(one));
  return all;
}

std::string text(std::span<const ArrayInfo> arrays) {
  std::string all;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const bool shared = k + 1 < arrays.size() && arrays[k + 1].shape == arrays[k].shape;
    all += fmt::format("{}{}{}", k > 0 ? ", " : "", arrays[k].name,
                       shared ? "" : dimensions(arrays[k].shape));
  }
  return all;
}

}  // namespace parid
