// How long a control step takes on a target, and the order in which its sections start.

#pragma once

#include <utility>
#include <vector>

#include "design/layer.hpp"
#include "design/step_program.hpp"
#include "design/target.hpp"

namespace parid::design {

struct StepTiming {
  double time = 0;           // s: from the measurement to the last torque, overhead included
  std::vector<double> busy;  // s of computation, by processor
  double medium = 0;         // s in which the busiest link, or the bus, carries messages
  // (processor, section) by start: an order in which one processor alone can run all sections.
  std::vector<std::pair<int, int>> order;
};

// A static schedule: every processor runs its sections in order and waits for messages of this
// period alone. Sending does not occupy a processor. A period is at least as long as the busiest
// medium is occupied, also by messages that nothing waits for. Throws std::logic_error if sections
// wait for one another in a circle.
StepTiming step_timing(const StepProgram&, const Target&);

}  // namespace parid::design
