// The tasks to schedule: a robot's quantity, decomposed in one of several ways, or a file of tasks.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "parid/schedule.hpp"
#include "schedule/layer.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/control_graph.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

using Decomposition = TaskDecomposition;

struct TaskSource {
  std::string from;       // a robot, by name or file, or a .stg file
  LoadOptions load = {};  // of the robot
  Quantity quantity = Quantity::inverse_dynamics;
  std::optional<ControlStep> control = {};  // a whole control step instead of a quantity
  // None: rules where they apply, stages of a control step, else graph.
  std::optional<Decomposition> tasks = {};
  std::optional<int> grain = {};  // most operations of one task; decomposition graph only
  bool friction = false;
  std::vector<std::pair<std::string, Time>> weights = {};  // by name; others have their defaults
};

struct Tasks {
  std::string name;                                    // of the robot or the file
  std::string what;                                    // the quantity; empty: a file's tasks
  Decomposition decomposition = Decomposition::graph;  // stg: a file's tasks
  std::string unit;                                    // of time
  TaskedGraph graph;  // without operations if the tasks are durations alone
  std::string note;   // what was chosen instead, or is missing; may be empty
  bool executable = false;
  // If tasks hold several operations of a program: the graph with one task per operation. A
  // schedule of the program is shortest only if it reaches the lower bound of this graph.
  std::optional<TaskGraph> program = {};
  // Operations that one unit of time stands for; 0: units are not operations.
  double operations_per_unit = 0;
};

// Sets what is scheduled by its name: a quantity that can be generated, or a control step. Throws
// Error with a suggestion if there is none.
void choose_computation(TaskSource&, const std::string& what);

// Parses "multiply=2,add=1". Throws Error if the text has another form.
std::vector<std::pair<std::string, Time>> named_weights(const std::string&);

// Critical path of the program with one task per operation; none if the tasks are not a program's.
std::optional<Time> program_critical_path(const Tasks&);
// Whether no schedule can be shorter: of the program if the tasks are a program's, else of the
// tasks.
bool optimal(const Tasks&, const Machine&, const Outcome&);

// The kinds of operations by the names that users read.
struct OperationKind {
  const char* name;
  long Counts::*count;
};
inline constexpr OperationKind operation_kinds[] = {{"multiplications", &Counts::multiplications},
                                                    {"additions", &Counts::additions},
                                                    {"divisions", &Counts::divisions},
                                                    {"square_roots", &Counts::square_roots},
                                                    {"sincos", &Counts::sin_cos},
                                                    {"arc_tangents", &Counts::atan2}};

// Throw Error if the robot cannot be decomposed in the given way.
Tasks tasks_of(const TaskSource&);
Tasks tasks_of(const Robot&, const TaskSource&);  // of this robot; `from` is not read

}  // namespace parid::schedule
