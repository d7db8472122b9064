// Inertia moved from a link to its parent where no torque can tell the difference.
//
// Source   Gautier and Khalil: Direct calculation of minimum set of inertial parameters of serial
//          robots, IEEE Trans. Robotics and Automation 6 (1990) 368-373; Khalil, Bennis: for trees
//          (1995).
//
// In moments about the link's origin their rules are one sentence each: mass spread along a
// revolute axis does not turn with the joint (m, ms_z, K_zz), nor does mass at a spherical joint's
// centre (m); the second moments of a link that only slides are those of the link it slides on (K).
// All of that may as well belong to the parent, whatever the frames. What comes down to a still
// base has no effect. Forces in bearings are no longer the true ones.

#pragma once

#include <array>

#include "model/canonical_model.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Moments of each link [0..n], and which of its ten (m, ms, K as Mechanism::body has them) can
// matter.
struct Regrouped {
  std::vector<Moments<double>> body;
  std::vector<std::array<bool, 10>> kept;

  int count() const;          // of those that can matter
  int count_nonzero() const;  // and are not zero in this robot
};

Regrouped regrouped(const CanonicalModel&);

double parameter(const Moments<double>&, int k);
void set_parameter(Moments<double>&, int k, double x);

}  // namespace parid::model
