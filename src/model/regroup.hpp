// Moves inertia from a link to its parent where it does not change any torque.
//
// Source   Gautier and Khalil: Direct calculation of minimum set of inertial parameters of serial
//          robots, IEEE Trans. Robotics and Automation 6 (1990) 368-373; Khalil, Bennis: for trees
//          (1995).
//
// In moments about the link's origin the rules are short: mass along a revolute axis does not
// rotate with the joint (m, ms_z, K_zz), nor does mass at a spherical joint's centre (m); the
// second moments of a prismatic link act like those of its parent (K). All of these can be moved to
// the parent, in any frames. What reaches a stationary base has no effect. Bearing forces are no
// longer correct after regrouping.

#pragma once

#include <array>

#include "model/canonical_model.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Moments of each link [0..n], and which of its ten (m, ms, K as in Mechanism::body) can
// matter.
struct Regrouped {
  std::vector<Moments<double>> body;
  std::vector<std::array<bool, 10>> kept;

  int count() const;          // of those that can matter
  int count_nonzero() const;  // and are not zero in this robot
};

// Parameters that a joint of this kind does not move: they are added to the parent.
std::array<bool, 10> regrouped_parameters(JointKind);

Regrouped regrouped(const CanonicalModel&);

double parameter(const Moments<double>&, int k);
void set_parameter(Moments<double>&, int k, double x);

}  // namespace parid::model
