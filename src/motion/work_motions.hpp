// Motions that look like work, for robots that come without one: tasks of the tip, excitation of
// all joints, and a gait. Each keeps the position and velocity limits. Torques keep their limits
// too, if any speed makes them: the motion is then slower.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// The tip goes down, waits, goes up, across, down, waits, up and back, on straight lines. Throws
// Error if no pose was found from which the robot can do that.
TrajectoryPointer pick_and_place(const Robot&);

// The tip goes round a circle once. Throws Error as above.
TrajectoryPointer circle(const Robot&);

// Every joint swings about the middle of its range with a frequency of its own.
TrajectoryPointer lissajous(const Robot&);

// Legs swing in the order of a trot, neighbouring joints of a leg a quarter of a cycle apart, under
// a base that stands still in the air. Throws Error for robots without a floating base and at least
// two branches.
TrajectoryPointer gait(const Robot&);

}  // namespace parid::motion
