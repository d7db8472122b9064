// What Newton-Euler works out on the way, link by link, for those who check it by hand.

#pragma once

#include <string>
#include <vector>

#include "math/vec3.hpp"
#include "parid/robot.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// One moving link, with whatever fixed joints hang on it. Everything is in the link's own frame, as
// the robot file defines it. Accelerations are less gravity: at rest they are -g.
struct LinkExplanation {
  std::string link, joint, parent;
  std::vector<double> q, v, a;  // of its joint; a follower's own

  double mass = 0;
  Vec3<double> centre;                                  // of mass
  Vec3<double> angular_velocity, angular_acceleration;  // ω, ω̇
  Vec3<double> acceleration;                            // of its origin
  Vec3<double> centre_acceleration;                     // of its centre of mass
  Vec3<double> inertia_force, inertia_moment;  // m times that; I ω̇ + ω × I ω about the centre
  Vec3<double> force, moment;                  // that the link before exerts on it, at its origin

  std::vector<double> torque;  // of its joint, rotor included
  std::string leader;          // the joint it follows, if any; that joint's torque has
  double scale = 1;            // scale times this one added to it
};

std::vector<LinkExplanation> explain(const Robot&, const ExternalLoads&, const double* q,
                                     const double* v, const double* a);

}  // namespace parid::runtime
