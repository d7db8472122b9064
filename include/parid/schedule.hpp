// Schedules on p processors: a robot's computation as tasks, and when each task runs where.
//
//   const TaskSet tasks(robot, Quantity::inverse_dynamics);   // or ControlStep::orin, …
//   const TaskSchedule s = schedule_tasks(tasks, {.processors = 4});
//   s.makespan, s.lower_bound, s.optimal;
//   write("gantt.svg", gantt_chart(tasks, s));
//   for (const CodeFile& file : processor_code(tasks, s)) write(file.name, file.text);
//
// Times are whole numbers. Their unit depends on the tasks: a level of three operations, one
// operation, a unit of the weights, or the unit of a file (TaskSet::unit). docs/scheduling.md
// explains decompositions and schedulers.
//
// A public header: no template, no type of another library.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parid/codegen.hpp"
#include "parid/export.h"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"

namespace parid {

/// How a computation is divided into tasks. The first five are of inverse dynamics or of a control
/// step; `graph` is for every quantity that can be generated.
enum class TaskDecomposition {
  rules,    ///< 43 subtasks per link, less those that the rules of Dhanaraj (1990) omit
  lean,     ///< the same, using every zero of the robot's position vectors
  printed,  ///< the sets that Dhanaraj (1990) prints: of "stanford" and "orthogonal:6"
  coarse,   ///< nine tasks per link, one for each equation of Newton-Euler
  stages,   ///< one task for each stage of a control step
  graph,    ///< the program of a quantity or control step, in tasks of at most `grain` operations
  stg       ///< the tasks of a file; not for a robot
};
struct TaskDecompositionInfo {
  TaskDecomposition value;
  const char* id;       ///< "rules", …: the name on the command line and in Python
  const char* meaning;  ///< one line
};
/// The decompositions of a robot's computation. Does not allocate.
PARID_EXPORT std::span<const TaskDecompositionInfo> task_decompositions();
/// The name of a decomposition; "stg" for the tasks of a file. Does not allocate.
PARID_EXPORT const char* name(TaskDecomposition);
/// The decomposition of a robot's computation with this name. Throws Error, with the nearest name
/// and all names, if there is none.
PARID_EXPORT TaskDecomposition task_decomposition(std::string_view id);

/// A whole control step, from the sensors and the path to the torques (docs/scheduling.md).
enum class ControlStep {
  orin,      ///< resolved acceleration of the tip along a line, in ten tasks
  hierarchy  ///< inverse kinematics, trajectory, inverse dynamics, control
};
struct ControlStepInfo {
  ControlStep value;
  const char* id;
  const char* meaning;  ///< one line
};
/// The control steps. Does not allocate.
PARID_EXPORT std::span<const ControlStepInfo> control_steps();
/// "orin" or "hierarchy". Does not allocate.
PARID_EXPORT const char* name(ControlStep);

/// The recursion of Newton-Euler that a task belongs to; `none`: of other computations.
enum class TaskRecursion { none, forward, backward };

struct TaskInfo {
  std::string name;
  std::int64_t duration = 1;  ///< on a processor of speed 1
  int joint = -1;             ///< of the robot, from 1; -1: none
  int layer = -1;  ///< of a layered decomposition, from 1; -1: as early as predecessors allow
  TaskRecursion recursion = TaskRecursion::none;
};

/// One task reads what another computes, or only follows it.
struct TaskEdge {
  int before = 0, after = 0;  ///< indices of tasks
  int words = 1;              ///< numbers that pass; 0: only the order matters
};

/// A sine and a cosine of the same number count once.
struct OperationCounts {
  long multiplications = 0, additions = 0, divisions = 0, square_roots = 0, sin_cos = 0,
       arc_tangents = 0;

  long total() const {
    return multiplications + additions + divisions + square_roots + sin_cos + arc_tangents;
  }
};

struct TaskOptions {
  /// None: `rules` for inverse dynamics where they apply, `stages` of a control step, else `graph`.
  std::optional<TaskDecomposition> decomposition = {};
  std::optional<int> grain = {};  ///< most operations of one task of `graph`; none: 1
  bool friction = false;          ///< with friction of bearings and losses of drives
  /// Units of time by operation, for `graph`, `coarse` and `stages`: "multiply", "add", "divide",
  /// "root", "sine" (with its cosine), "arctangent". Others take 1; sines of `coarse` take 0.
  std::map<std::string, std::int64_t> weights = {};
};

/// The part of a task graph to draw. What its tasks wait for is drawn with dashed lines.
struct TaskPart {
  std::optional<int> joint = {};                  ///< from 1; none: all
  TaskRecursion recursion = TaskRecursion::none;  ///< none: both
};

enum class TaskPicture {
  svg,  ///< layer under layer; at most 3000 tasks
  dot   ///< for Graphviz
};

/// Tasks with their precedences, immutable; copies share their memory. Except for `printed` and
/// files, tasks hold their operations: executed in the order of a schedule, they compute the
/// quantity.
class PARID_EXPORT TaskSet {
 public:
  /// The tasks of a quantity, or of a control step of the robot's tip. Takes from milliseconds to
  /// seconds for a robot of many joints, and allocates. Throws Error for a quantity that cannot be
  /// generated (QuantityInfo::generated), for a robot that the decomposition does not cover, and
  /// for options that do not apply to it.
  TaskSet(const Robot&, Quantity, const TaskOptions& = {});
  TaskSet(const Robot&, ControlStep, const TaskOptions& = {});
  /// Tasks of one's own, without operations. Throws Error for durations below 0, edges between
  /// tasks that do not exist, negative words, and cycles.
  TaskSet(std::string name, std::span<const TaskInfo>, std::span<const TaskEdge>);

  /// The tasks of a file or text in the Standard Task Graph format. Throws Error with the line of a
  /// mistake.
  static TaskSet read_stg(const std::string& path);
  static TaskSet parse_stg(const std::string& text, const std::string& name = "<text>");
  /// The tasks in that format. Allocates the result.
  std::string stg() const;

  // The functions below that return references or numbers allocate nothing, unless they say so. The
  // references are valid as long as a copy of the tasks exists.

  const std::string& name() const;         ///< of the robot or the file
  const std::string& computation() const;  ///< "inverse", "orin", …; empty for tasks of a file
  TaskDecomposition decomposition() const;
  const std::string& unit() const;  ///< of time: "levels of three operations", "operations", …
  const std::string& note() const;  ///< what was chosen instead, or is missing; may be empty
  /// Operations that one unit of time stands for; 0: units are not operations.
  double operations_per_unit() const;

  int size() const;                     ///< number of tasks
  std::vector<TaskInfo> tasks() const;  ///< allocates
  std::vector<TaskEdge> edges() const;  ///< by the task before; allocates
  std::int64_t total() const;           ///< the time on one processor
  std::int64_t critical_path() const;   ///< the longest path; allocates, as the next three do
  int layers() const;                   ///< number of layers
  int concurrency() const;              ///< tasks in the fullest layer
  /// Critical path of the program with one task per operation, if the decomposition is `graph`.
  std::optional<std::int64_t> program_critical_path() const;

  bool has_operations() const;  ///< false: durations alone
  /// Operations in tasks; and those before the first task: in `rules`, `lean` and `coarse` sines,
  /// cosines and products of rotors; else those of weight 0. Zeros without operations. Allocate.
  OperationCounts operations() const;
  OperationCounts prepared() const;
  /// The weights whose sums are the durations, all by name; empty if durations are not sums.
  /// Allocates.
  std::map<std::string, std::int64_t> weights() const;
  /// Names of the numbers that the operations read and compute, such as "q1" and "tau1". Allocate;
  /// empty without operations.
  std::vector<std::string> inputs() const;
  std::vector<std::string> outputs() const;

  /// The same tasks in smaller units of time, each 1/factor: for processors of different speeds,
  /// whose times are rounded up to whole units. Allocates. Throws Error unless factor is 1 to 1e6.
  TaskSet refined(std::int64_t factor) const;

  /// The task graph as a picture: a box for each task in the colour of its joint, an arrow for each
  /// edge. Allocates. Throws Error for a part without tasks, and for more tasks than an SVG may
  /// have.
  std::string picture(TaskPicture, const TaskPart& = {}) const;

  struct Parts;                                   ///< internal type
  const Parts& parts() const { return *parts_; }  ///< internal

 private:
  explicit TaskSet(std::shared_ptr<const Parts>);
  std::shared_ptr<const Parts> parts_;
};

/// The rule by which tasks get their processor and start. docs/scheduling.md has the sources.
enum class SchedulingMethod {
  dhanaraj,       ///< layer by layer, gaps filled from the next layers, as printed
  layer_packing,  ///< the same by level within a layer, also from the end; the shortest
  hlf,            ///< highest level first
  cp_misf,        ///< highest level first, then most successors
  dhlf_misf,      ///< the same, with priorities recomputed at every instant
  joint_levels,   ///< one processor per joint, each by level
  luh_lin,        ///< one processor per joint, the best order by branch and bound (Luh and Lin)
  heft,           ///< earliest finish time, gaps filled; for speeds and communication costs
  df_ihs,         ///< depth-first search in the order of cp_misf
  a_star,         ///< best-first search with the bound of Fernandez and Bussell
  exact           ///< bounds, annealing and search, until proven optimal or out of time
};
struct SchedulingMethodInfo {
  SchedulingMethod value;
  const char* id;
  const char* meaning;  ///< one line
  const char* source;   ///< authors and year
  bool searches;        ///< until its time limit
};
/// The schedulers, in the order of the enumeration. Allocates the result.
PARID_EXPORT std::vector<SchedulingMethodInfo> scheduling_methods();
/// The name of a scheduler, such as "exact". Does not allocate.
PARID_EXPORT const char* name(SchedulingMethod);
/// The scheduler with this name. Throws Error, with the nearest name and all names, if there is
/// none.
PARID_EXPORT SchedulingMethod scheduling_method(std::string_view id);

/// The processors that tasks are scheduled on.
struct TaskMachine {
  int processors = 4;               ///< 1 to 100000
  std::vector<double> speeds = {};  ///< of each processor; none: 1 for all
  std::int64_t latency = 0;         ///< time of an edge with data between two processors
  std::int64_t per_word = 0;        ///< and for each number that it carries
};

struct SearchOptions {
  double seconds = 10;                              ///< time limit of schedulers that search
  std::function<void(double share)> progress = {};  ///< of that time, 0 to 1
};

struct TaskPlacement {
  int task = 0, processor = 0;  ///< indices, from 0
  std::int64_t start = 0, end = 0;
};

struct TaskSchedule {
  TaskMachine machine;
  SchedulingMethod method = SchedulingMethod::exact;
  std::vector<TaskPlacement> placements;  ///< one for each task, in their order
  std::int64_t makespan = 0;              ///< the last end
  std::int64_t lower_bound = 0;           ///< no schedule of these tasks is shorter
  /// Nothing shorter exists: for the program, if tasks hold several of its operations; else for
  /// the tasks.
  bool optimal = false;
  bool optimal_for_tasks = false;  ///< makespan and lower bound are equal, or a search proved it
  /// Of schedulers with one processor per joint: whether no order of the tasks is shorter there.
  std::optional<bool> best_order = {};
  double speedup = 1;     ///< the time on one processor of speed 1 over the makespan
  double efficiency = 1;  ///< that per processor
  long nodes = 0;         ///< of the search
};

/// Schedules the tasks and checks the result. List schedulers take less than a second for 100 000
/// tasks; searches end at their time limit with the best schedule and bound so far. Allocates.
/// Throws Error for numbers out of range and for tasks or machines that the scheduler does not
/// support.
PARID_EXPORT TaskSchedule schedule_tasks(const TaskSet&, const TaskMachine& = {},
                                         SchedulingMethod = SchedulingMethod::exact,
                                         const SearchOptions& = {});

/// Lower bounds of the makespan of any schedule, with free communication.
struct ScheduleBounds {
  std::int64_t critical_path = 0, load = 0, fernandez_bussell = 0, energetic = 0;
};
/// Allocates during the computation. Throws Error for numbers out of range.
PARID_EXPORT ScheduleBounds schedule_bounds(const TaskSet&, const TaskMachine&);

/// What is wrong with a schedule, in words: tasks that are missing, repeated, too short, that
/// overlap, or start before their predecessors end. Empty: it is valid. Allocates. Throws Error for
/// numbers of the machine out of range.
PARID_EXPORT std::vector<std::string> schedule_faults(const TaskSet&, const TaskSchedule&);

/// The outputs (TaskSet::outputs) that the tasks compute in the order of the schedule's starts,
/// from the inputs (TaskSet::inputs). Allocates. Throws Error for tasks without operations and for
/// invalid schedules, std::invalid_argument for another number of inputs.
PARID_EXPORT std::vector<double> evaluate_schedule(const TaskSet&, const TaskSchedule&,
                                                   std::span<const double> inputs);

/// The schedule as an SVG picture: a row for each processor, a box for each task. Allocates. Throws
/// Error for invalid schedules.
PARID_EXPORT std::string gantt_chart(const TaskSet&, const TaskSchedule&);

/// A C99 file for each processor, with the messages that they exchange, and one that runs them in
/// threads: NAME.h, NAME_p1.c, …, NAME_threads.c (docs/scheduling.md). Allocates. Throws Error for
/// tasks without operations and for invalid schedules.
PARID_EXPORT std::vector<CodeFile> processor_code(const TaskSet&, const TaskSchedule&);

/// How often a schedule can be executed, and for which arms that is often enough.
struct SchedulePeriod {
  double period = 0;             ///< s
  double rate = 0;               ///< Hz
  double natural_frequency = 0;  ///< Hz: a twentieth of the rate (Dhanaraj 1990, section 1.1)
};
/// `operation_time` is the time of one operation in s. Does not allocate. Throws Error unless it is
/// positive, and for tasks whose units are not operations.
PARID_EXPORT SchedulePeriod schedule_period(const TaskSet&, const TaskSchedule&,
                                            double operation_time);

}  // namespace parid
