// Figures that several of the papers quote, computed by our code: the sampling rate for a natural
// frequency, and the speed-up with one processor per joint.

#pragma once

#include "papers/layer.hpp"

namespace parid::papers {

// The lowest sampling rate in Hz at which computed torque is stable: three rods, every joint
// critically damped at `hertz`, exact data, torques held over a period.
double lowest_stable_rate(double hertz);

// The Stanford arm's inverse dynamics as nine tasks per link on six processors: speed-up over one.
struct SixProcessors {
  double by_joint;  // one processor per joint, by level
  double luh_lin;   // one processor per joint, in the best order: their branch and bound
  double by_level;  // any processor, highest level first
};
SixProcessors stanford_on_six();

// Operations of a task of that decomposition, least and most, and tasks per link.
struct CoarseTasks {
  int least, most, per_link;
};
CoarseTasks stanford_tasks();

}  // namespace parid::papers
