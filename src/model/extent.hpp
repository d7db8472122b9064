// The size of a robot, for tolerances and samples that must suit arms of metres and of
// micrometres.

#pragma once

#include <algorithm>
#include <cmath>

#include "model/description.hpp"
#include "model/frame.hpp"
#include "model/layer.hpp"

namespace parid::model {

// The largest of the distances between joints, of centres of mass and of the radii of gyration, in
// metres; 1 if all are zero.
inline double extent_of(const Description& d) {
  double longest = 0;
  for (const JointDescription& j : d.joints)
    longest = std::max({longest, length_of(j.origin.p), length_of(j.tip.p)});
  for (const LinkDescription& l : d.links) {
    if (!l.inertia || !(l.inertia->mass > 0)) continue;
    const Sym3<double>& I = l.inertia->about_com;
    const double square = (I.xx + I.yy + I.zz) / (2 * l.inertia->mass);
    longest = std::max({longest, length_of(l.inertia->com), std::sqrt(std::max(0.0, square))});
  }
  return longest > 0 ? longest : 1;
}

}  // namespace parid::model
