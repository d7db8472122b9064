// Intermediate results of Newton-Euler, link by link, for checks by hand.

#pragma once

#include <string>
#include <vector>

#include "math/vec3.hpp"
#include "parid/robot.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// One moving link, with the links fixed to it. Everything is in the link's own frame, as the robot
// file defines it. Accelerations are minus gravity: at rest they are -g.
struct LinkExplanation {
  std::string link, joint, parent;
  std::vector<double> q, v, a;  // of its joint; for a mimic joint, its own

  double mass = 0;
  Vec3<double> centre;                                  // of mass
  Vec3<double> angular_velocity, angular_acceleration;  // ω, ω̇
  Vec3<double> acceleration;                            // of its origin
  Vec3<double> centre_acceleration;                     // of its centre of mass
  Vec3<double> inertia_force, inertia_moment;  // m times that; I ω̇ + ω × I ω about the centre
  Vec3<double> force, moment;                  // exerted by the parent link, at its origin

  std::vector<double> torque;  // of its joint, including the rotor
  std::string leader;          // the joint that it mimics, if any; that joint's torque includes
  double scale = 1;            // scale times this one
};

std::vector<LinkExplanation> explain(const Robot&, const ExternalLoads&, const double* q,
                                     const double* v, const double* a);

}  // namespace parid::runtime
