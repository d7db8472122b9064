// Whole control steps as tasks: not the dynamics alone, but all that a controller computes from its
// sensors and its path to the torques.
//
// orin        ten tasks, after the count of Orin (1984) as Lathrop (1985) reports it: "inverse
//             plant plus Jacobian control", the inverse dynamics being one of the ten. What the ten
//             are is not in the texts that we have; ours are those of control by resolved
//             acceleration of a link along a line, with its orientation held:
//               rates             joint velocities, from two positions
//               path              desired position, velocity, acceleration of the link
//               kinematics        where the link is
//               jacobian          J
//               tip_velocity      J v
//               error             of position and orientation
//               bias              the link's acceleration at no joint acceleration
//               servo             desired acceleration + kd (error of velocity) + kp error − bias
//               inverse_jacobian  joint accelerations, by damped least squares
//               inverse_dynamics  the torques
// hierarchy   Figure 1.1 of Dhanaraj (1990): inverse kinematics, trajectory, inverse dynamics,
//             control algorithm. The inverse kinematics is the closed form, or one step of the
//             numeric one for robots that have none; the trajectory is a quintic from one position
//             to the next, a task for each joint; the dynamics, with friction if requested, are
//             those of the desired motion; the control algorithm adds kp and kd times the errors
//             and keeps to the limits of the torques, a task for each joint.
//
// For any robot, of the link that Robot::tip names. Each task holds its operations.

#pragma once

#include "parid/robot.hpp"
#include "parid/schedule.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

// A task takes as long as its operations together. Inputs and outputs of the graph:
//   orin       q, q_last, rate (1/s); p_start, p_goal, s (0 to 1), s_rate (1/s), R_wanted (9); kp,
//              kd, damping, one each. Outputs tau.
//   hierarchy  R (9), p, branch (3) or q_guess; q_start, s, s_rate; q, v, kp, kd. Outputs tau,
//              q_goal.
TaskedGraph control_graph(const Robot&, ControlStep, bool friction = false,
                          const OperationWeights& = {});

}  // namespace parid::schedule
