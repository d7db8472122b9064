// The step that list schedulers share: a free processor takes the ready task that comes first. They
// differ in the order of tasks.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

// Smaller ranks first; tasks of equal rank in the order in which they were added. If processors
// differ or communication has a cost, the next task goes to the processor where it ends first.
Schedule list_schedule(const TaskGraph&, const Machine&, const std::vector<int>& rank);

// The same backwards: schedules the reversed graph and reverses the result. Only for equal
// processors and free communication.
Schedule backward_list_schedule(const TaskGraph&, const Machine&,
                                const std::vector<int>& rank_of_reversed);

// Ranks 0, 1, … by a comparison of tasks.
template <class Before>
std::vector<int> ranks(int size, Before before);

// By level, the longest first; then by the number of successors, the most first.
std::vector<int> level_ranks(const TaskGraph&);
std::vector<int> level_successor_ranks(const TaskGraph&);

// Assigns a processor to each task for given starts, at most `processors` at once.
Schedule assigned(const TaskGraph&, int processors, const std::vector<Time>& start);

}  // namespace parid::schedule

#include <algorithm>
#include <numeric>

namespace parid::schedule {

template <class Before>
std::vector<int> ranks(int size, Before before) {
  std::vector<int> sorted(size), rank(size);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), before);
  for (int k = 0; k < size; ++k) rank[sorted[k]] = k;
  return rank;
}

}  // namespace parid::schedule
