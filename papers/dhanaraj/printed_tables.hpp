// The schedules and layers that Dhanaraj prints: Tables 4.3, 4.7 and C.1 to C.15, including errors.

#pragma once

#include <vector>

#include "papers/layer.hpp"

namespace parid::papers {

struct PrintedSchedule {
  const char* where;  // "Table C.1"
  int processors;
  bool stanford;
  std::vector<std::vector<int>> level;  // 100 · link + subtask for each processor; 0: idle
};
const std::vector<PrintedSchedule>& printed_schedules();

const std::vector<std::vector<int>>& table_4_3();  // layers of the general arm
const std::vector<std::vector<int>>& table_4_7();  // of the Stanford arm; 0: none

}  // namespace parid::papers
