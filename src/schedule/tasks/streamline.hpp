// The 43 subtasks per link of Dhanaraj (1990) as code: what each computes is traced, so that doing
// them in any order that keeps to the edges gives the torques.
//
// For chains of revolute and prismatic joints whose neighbouring axes are parallel or perpendicular
// and whose inertias are diagonal, in the frames of a Mechanism. Torques are those of Newton-Euler
// and of the rotors; a rotor's product with the acceleration is prepared, its sum is a fourth
// operation of 43 (or 32, of a prismatic joint).

#pragma once

#include "parid/robot.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

enum class Streamline {
  // The rules of Dhanaraj (1990). A p with a length along the common normal (x) is its general
  // case, counted in full though such chains always have a zero there; p of offsets alone is
  // sparse. Where a robot has the Stanford arm's zeros, Table 4.4 is taken as printed.
  rules,
  lean,  // every zero of the robot's position vectors is made use of
};

// Why this robot has no streamlined decomposition; empty: it has.
std::string not_streamlined(const Robot&);

// Throws parid::Error where it has none.
TaskedGraph streamlined(const Robot&, Streamline = Streamline::rules, bool friction = false);

}  // namespace parid::schedule
