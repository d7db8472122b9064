// The implementation of the public class PlannedTrajectory (parid/trajectory.hpp).

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"
#include "parid/trajectory.hpp"

namespace parid {

struct PlannedTrajectory::Body {
  Robot robot;
  motion::TrajectoryPointer trajectory;
};

}  // namespace parid
