// The machine for which tasks are scheduled: p processors of equal or different speeds, with free
// or costly communication.

#pragma once

#include <cmath>
#include <vector>

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

struct Machine {
  int processors = 1;
  std::vector<double> speed = {};  // of each processor; 1 if none are given
  // Cost of an edge between two processors: a start-up time, and a time per number.
  Time latency = 0, per_word = 0;

  bool equal() const {
    for (const double s : speed)
      if (s != 1) return false;
    return true;
  }
  bool plain() const { return equal() && latency == 0 && per_word == 0; }

  double speed_of(int processor) const { return speed.empty() ? 1.0 : speed[processor]; }
  Time duration(Time work, int processor) const {
    const double s = speed_of(processor);
    return s == 1 ? work : static_cast<Time>(std::ceil(static_cast<double>(work) / s - 1e-9));
  }
  // An edge that only orders two tasks carries no data and costs nothing.
  Time communication(int words) const { return words == 0 ? 0 : latency + per_word * words; }

  double fastest() const {
    double best = speed_of(0);
    for (int p = 1; p < processors; ++p) best = std::max(best, speed_of(p));
    return best;
  }
  double together() const {  // sum of the speeds: equivalent number of processors of speed 1
    double sum = 0;
    for (int p = 0; p < processors; ++p) sum += speed_of(p);
    return sum;
  }
};

}  // namespace parid::schedule
