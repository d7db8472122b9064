// Rotors of motors: their inertia as the joint sees it, and the two models of it.

#pragma once

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Of both models: rotor inertia times the square of the ratio.
inline double reflected_inertia(const JointDescription& j) {
  return j.rotor_inertia + (j.rotor ? j.rotor->inertia * j.rotor->ratio * j.rotor->ratio : 0);
}

// Rotors that spin on links become reflected inertias; returns the names of their joints.
std::vector<std::string> reflect_rotors(Description&);

// Reflected inertias become rotors that spin on the parent link about the joint's axis, with the
// joint's gear ratio.
void spin_rotors(Description&);

}  // namespace parid::model
