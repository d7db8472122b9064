// Torque errors caused by stale data alone, without feedback: the policy's torques compared with
// the torques of current data, along a motion that the robot follows exactly.
//
// A public header: no template, no type of another library.

#pragma once

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "motion/trajectory.hpp"

namespace parid::control {

struct TorqueErrors {
  std::vector<double> largest, rms;  // by coordinate, N m or N
  std::vector<double> scale;         // the largest torque of each
};
// Leaves out the first periods, in which the law still uses values of its start at rest.
TorqueErrors open_loop_errors(const Robot&, const Policy&, const Trajectory&, double period);

// The mass matrix with neighbours' values as old as the policy's n.neighbour (stale_mass.hpp),
// against the exact one: errors of the entries in each row. `scale` is the row's largest entry.
TorqueErrors mass_matrix_errors(const Robot&, const Policy&, const Trajectory&, double period);

// Joint-by-joint inverse kinematics of the tip with positions as old as the policy's w.neighbour
// (parallel_ik.hpp), along the tip's poses: errors of the positions, rad or m. `scale` is how far a
// coordinate moves. Throws Error for arms without a closed form.
struct IkErrors {
  TorqueErrors positions;
  double tip = 0;  // m: the largest distance of the tip from where it should be
};
IkErrors inverse_kinematics_errors(const Robot&, const Policy&, const Trajectory&, double period);

// The three by name: torque, mass, ik.
enum class StaleQuantity : std::uint8_t { torque, mass, ik };
// Throws Error with all names, and the one that was probably meant.
StaleQuantity stale_quantity(const std::string& id);
// `tip` is 0 but for ik. Throws Error for torques of joints of several freedoms.
IkErrors stale_quantity_errors(StaleQuantity, const Robot&, const Policy&, const Trajectory&,
                               double period);

}  // namespace parid::control
