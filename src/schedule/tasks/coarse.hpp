// The nine equations of Newton-Euler as nine tasks per link, as Luh and Lin, Kasahara and Narita,
// and Chen, Lee and Hou scheduled them: few tasks, of very different lengths.
//
//   w, wd   angular velocity and acceleration        F, N   force and moment on the body
//   vd, vc  acceleration of origin and centre        f, n   what the link before exerts
//   tau     the torque, which takes no operation unless a rotor turns
//
// For chains of revolute and prismatic joints in any position and with any inertia; zeros are made
// use of. A task takes as long as its operations together. Sines and cosines of positions, and the
// products of rotors, are prepared.

#pragma once

#include "parid/robot.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

std::string not_coarse(const Robot&);  // why it has no such tasks; empty: it has
TaskedGraph coarse(const Robot&, bool friction = false, const OperationWeights& = sines_prepared);

}  // namespace parid::schedule
