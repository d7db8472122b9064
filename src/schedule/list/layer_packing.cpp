// The thesis' strategy (Dhanaraj 1990, Section 4.3.3): layer after layer onto the processors, as
// bins; a cycle that a layer does not fill takes what is ready from the layers after it, the
// nearest first.

#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"

namespace parid::schedule {

Outcome layer_packing(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  const std::vector<int> layer = layers(g);
  return {list_schedule(g, m, ranks(g.size(), [&](int a, int b) { return layer[a] < layer[b]; }))};
}

}  // namespace parid::schedule
