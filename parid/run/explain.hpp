// What Newton-Euler works out on the way, link by link, for those who check it by hand.

#pragma once

#include <string>
#include <vector>

#include "parid/math/vec3.hpp"
#include "parid/model/robot.hpp"
#include "parid/run/surroundings.hpp"

namespace parid {

// One moving link. Everything is in the link's own frame, as the robot file defines it; acceleration,
// force and moment are at its origin, and the acceleration is less gravity: at rest it is -g.
struct LinkExplanation {
  std::string link, joint;
  Vec3<double> angular_velocity, angular_acceleration, acceleration;
  Vec3<double> force, moment;      // that the parent exerts on it
  std::vector<double> torque;      // of its joint, rotor included
};

std::vector<LinkExplanation> explain(const Robot&, const Surroundings&, const double* q, const double* v, const double* a);

}  // namespace parid
