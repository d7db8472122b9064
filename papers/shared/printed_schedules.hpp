// Published schedules of inverse dynamics, for comparison with ours.

#pragma once

#include <array>

#include "papers/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::papers {

// The time of a level on the processor of Dhanaraj (1990), an Intel 8086: three operations, in ms.
// Table 4.8 is this times levels.
inline constexpr double printed_level_ms = 0.135;

// Dhanaraj (1990), Table 4.8: the Stanford arm's inverse dynamics in ms on p processors; 0: not
// given. And the levels of Tables C.9 to C.15.
struct PrintedTimes {
  int processors;
  double luh_lin, kasahara_narita, chen_lee_hou, thesis;
  Time levels;
};
inline constexpr std::array<PrintedTimes, 8> printed_stanford_times = {{
    {1, 24.8, 24.83, 24.83, 21.06, 156},
    {2, 0, 12.42, 12.42, 10.67, 79},
    {3, 0, 8.43, 8.44, 7.02, 52},
    {4, 0, 6.59, 6.59, 5.26, 39},
    {5, 0, 5.86, 5.72, 4.32, 32},
    {6, 9.67, 5.73, 5.70, 3.92, 29},
    {7, 0, 5.60, 0, 3.65, 27},
    {8, 0, 0, 0, 3.65, 27},
}};

// Tables C.1 to C.8: levels of the general six-link arm on 2 to 9 processors.
inline constexpr std::array<Time, 8> printed_general_levels = {116, 78, 58, 47, 39, 34, 31, 30};

}  // namespace parid::papers
