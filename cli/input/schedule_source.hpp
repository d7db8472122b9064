// Which tasks `parid schedule` is asked for: a robot's, decomposed in one of the ways there are, or
// a file's.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/layer.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::cli {

struct TaskSource {
  std::string from;
  Quantity quantity = Quantity::inverse_dynamics;
  std::string
      tasks;  // rules, lean, printed, coarse, graph; empty: rules where they apply, else graph
  std::optional<int> grain;
  bool friction = false;
  std::vector<std::pair<std::string, Time>> weights = {};  // given by name; others are as usual
};

struct Tasks {
  std::string name;           // of the robot or the file
  std::string what;           // empty: a file's
  std::string decomposition;  // as above, or "stg"
  std::string unit;           // of time
  TaskedGraph graph;          // without operations where the tasks are durations alone
  std::string note;           // worth telling
  bool executable = false;
  // Where tasks gather several operations of a program: each operation as a task. A schedule of the
  // program is shortest only if it is as short as this allows.
  std::optional<TaskGraph> program = {};
};

struct Decomposition {
  const char *id, *says;
};
inline constexpr Decomposition decompositions[] = {
    {"rules", "the thesis' 43 subtasks per link, less those its rules leave out"},
    {"lean", "the same, with every zero of the robot's position vectors made use of"},
    {"printed", "the sets that the thesis prints: stanford (156) and orthogonal:6 (230)"},
    {"coarse", "nine tasks per link, one for each equation of Newton-Euler"},
    {"graph", "any program of `parid generate`, in tasks of at most --grain operations"},
};

// "multiply=2,add=1"; throws Error where it is not like that.
std::vector<std::pair<std::string, Time>> named_weights(const std::string&);

// Operations one after another in the program, whatever its tasks; none where the tasks are not a
// program's.
std::optional<Time> program_critical_path(const Tasks&);
// Whether no schedule can be shorter: of the program where the tasks are a program's, else of the
// tasks.
bool optimal(const Tasks&, const Machine&, const Outcome&);

// The kinds of operations, as a reader of files finds them.
struct OperationCount {
  const char* name;
  long Counts::*count;
};
inline constexpr OperationCount operation_counts[] = {{"multiplications", &Counts::multiplications},
                                                      {"additions", &Counts::additions},
                                                      {"divisions", &Counts::divisions},
                                                      {"square_roots", &Counts::square_roots},
                                                      {"sincos", &Counts::sin_cos},
                                                      {"arc_tangents", &Counts::atan2}};

// Throws Error where the robot and the decomposition do not go together.
Tasks tasks_of(const TaskSource&);
Tasks tasks_of(const Robot&, const TaskSource&);  // of this robot, whatever the source is from

}  // namespace parid::cli
