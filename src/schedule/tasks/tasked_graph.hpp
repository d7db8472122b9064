// Tasks that are real: a graph of operations, and which of them each task does.
//
// Operations that no task does are ready before the work begins: constants, and what is prepared.
// In the papers' decompositions (streamline, coarse) that is what follows from positions alone,
// sines and cosines first of all, and what rotors take; in a clustered graph, what takes no time.

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
  std::vector<std::vector<Id>> operations;  // of each task, in an order to do them
  std::vector<Id> prepared;                 // before the first task, in an order to do them
  // That durations are sums of; none where they are not, as levels of three operations are not.
  std::optional<OperationWeights> weights = {};
};

// Operations of a graph among `ids`; a sine and a cosine of the same number are one.
Counts counts(const Graph&, std::span<const Id> ids);
Counts scheduled_counts(const TaskedGraph&);  // in tasks
Counts prepared_counts(const TaskedGraph&);   // before the first task

// Operations that count: all but signs, choices and the like.
bool counts_as_operation(Op);
int operation_count(const TaskedGraph&, int task);

// Edges that the operations ask for, with as many words as numbers pass. What is there already
// stays.
void add_data_edges(TaskedGraph&);

// Every operation in one task or prepared; operands of a task are its own, prepared, or of tasks
// that come before it. Throws std::logic_error where that is not so.
void check(const TaskedGraph&);

// Outputs by doing the tasks in the order of the schedule's starts. What a task reads and nobody
// has computed by then is not a number.
std::vector<double> evaluate(const TaskedGraph&, const Schedule&, std::span<const double> inputs);

}  // namespace parid::schedule
