// Tasks with their operations: a graph, and the operations of each task.
//
// Operations that belong to no task are available before the first one: constants, and prepared
// values. In the papers' decompositions (streamline, coarse) those are values that depend on
// positions alone, mainly sines and cosines, and rotor products; in a clustered graph, operations
// of no duration.

#pragma once

#include <optional>
#include <span>

#include "graph/weights.hpp"
#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

struct TaskedGraph {
  TaskGraph tasks;
  Graph graph;
  std::vector<std::vector<Id>> operations;  // of each task, in a valid order
  std::vector<Id> prepared;                 // before the first task, in a valid order
  // Weights whose sums are the durations; none if they are not sums, as for levels of three
  // operations.
  std::optional<OperationWeights> weights = {};
};

// Operations of a graph among `ids`; a sine and a cosine of the same number are one.
Counts counts(const Graph&, std::span<const Id> ids);
Counts scheduled_counts(const TaskedGraph&);  // in tasks
Counts prepared_counts(const TaskedGraph&);   // before the first task

// Operations that count: all except signs, selections and the like.
bool counts_as_operation(Op);
int operation_count(const TaskedGraph&, int task);

// Adds the edges that the operations require, with the number of words passed. Keeps existing
// edges.
void add_data_edges(TaskedGraph&);

// Checks that every operation is in one task or prepared, and that the operands of a task are its
// own, prepared, or of its predecessors. Throws std::logic_error otherwise.
void check(const TaskedGraph&);

// Outputs computed by running the tasks in the order of the schedule's starts. Values that a task
// reads before they are computed are NaN.
std::vector<double> evaluate(const TaskedGraph&, const Schedule&, std::span<const double> inputs);

}  // namespace parid::schedule
