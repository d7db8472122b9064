// Which tasks `parid schedule` is asked for: a robot's, decomposed in one of the ways there are, or a file's.

#pragma once

#include <optional>
#include <string>

#include "parid/model/robot.hpp"
#include "parid/schedule/tasked_graph.hpp"

namespace parid::cli {

struct TaskSource {
  std::string from, what = "inverse";
  std::string
      tasks;  // rules, lean, printed, coarse, graph; empty: rules where they apply, else graph
  std::optional<int> grain;
  bool friction = false;
};

struct Tasks {
  std::string name;           // of the robot or the file
  std::string what;           // empty: a file's
  std::string decomposition;  // as above, or "stg"
  std::string unit;           // of time
  TaskedGraph graph;          // without operations where the tasks are durations alone
  std::string note;           // worth telling
  bool executable = false;
};

struct Decomposition {
  const char *id, *says;
};
inline constexpr Decomposition decompositions[] = {
    {"rules", "the thesis' 43 subtasks per link, less those its rules leave out"},
    {"lean", "the same, with every zero of the robot's position vectors made use of"},
    {"printed", "the sets that the thesis prints: stanford (156) and orthogonal:6 (230)"},
    {"coarse", "nine tasks per link, one for each equation of Newton-Euler"},
    {"graph", "any program of `parid generate`, gathered into tasks of at most --grain operations"},
};

// Throws Error where the robot and the decomposition do not go together.
Tasks tasks_of(const TaskSource&);
Tasks tasks_of(const Robot&, const TaskSource&);  // of this robot, whatever the source is from

}  // namespace parid::cli
