// A sampled motion between its samples: positions by cubics that have the samples' velocities, velocities
// and accelerations straight from one to the next.

#pragma once

#include "parid/motion/course.hpp"

namespace parid {

// Its time starts at the first sample's instant. Throws Error for a motion without instants.
CoursePointer interpolated(const Robot&, const Trajectory&);

}  // namespace parid
