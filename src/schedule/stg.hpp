// Files of the Standard Task Graph set (Kasahara Laboratory, Waseda University).
//
//   88                          number of tasks, often without the two dummies
//    0   0   0                  number, time, number of predecessors, their numbers
//    1  12   1   0
//   # a comment
//
// Only the rows count; the number in the first line is ignored. Edges have no size in this format.

#pragma once

#include <string>

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

// Throws parid::Error with the line of the error. Task names are the file's numbers.
TaskGraph read_stg(const std::string& path);
TaskGraph parse_stg(const std::string& text, const std::string& name);

// Adds a dummy before all tasks and one after, as the format requires, unless they exist. Tasks are
// renumbered, predecessors first; a comment gives their names.
std::string stg_text(const TaskGraph&);

}  // namespace parid::schedule
