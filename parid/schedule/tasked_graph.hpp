// Tasks that are real: a graph of operations, and which of them each task does.
//
// Operations that no task does are ready before the work begins: what follows from positions alone, sines
// and cosines first of all, and constants.

#pragma once

#include <span>

#include "parid/ir/graph.hpp"
#include "parid/schedule/schedule.hpp"

namespace parid {

struct TaskedGraph {
  TaskGraph tasks;
  Graph graph;
  std::vector<std::vector<Id>> operations;  // of each task, in an order to do them
  std::vector<Id> prepared;                 // before the first task, in an order to do them
  std::string note;  // what a reader should know of these tasks; may be empty
};

// Operations that count: all but signs, choices and the like.
bool counts_as_operation(Op);
int operation_count(const TaskedGraph&, int task);

// Edges that the operations ask for, with as many words as numbers pass. What is there already stays.
void add_data_edges(TaskedGraph&);

// Every operation in one task or prepared; operands of a task are its own, prepared, or of tasks that come
// before it. Throws std::logic_error where that is not so.
void check(const TaskedGraph&);

// Outputs by doing the tasks in the order of the schedule's starts. What a task reads and nobody has
// computed by then is not a number.
std::vector<double> evaluate(const TaskedGraph&, const Schedule&, std::span<const double> inputs);

}  // namespace parid
