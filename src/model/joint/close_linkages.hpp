// Random positions for robots with four-bar linkages that close only in a range of positions.

#pragma once

#include <cmath>

#include "model/canonical_model.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Halves the positions of joints that drive a linkage until it closes. At zero every linkage does.
template <class Real>
void close_linkages(const CanonicalModel& c, Real* q) {
  for (const JointPlace& j : c.joint)
    for (int k = 0;
         k < 60 && j.coupling >= 0 && !std::isfinite(c.coupling[j.coupling](q[j.position]).d1); ++k)
      q[j.position] /= 2;
}

}  // namespace parid::model
