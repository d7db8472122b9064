// Files of the Standard Task Graph set (Kasahara Laboratory, Waseda University).
//
//   88                          how many tasks, often without the two dummies
//    0   0   0                  number, time, how many predecessors, and which
//    1  12   1   0
//   # what follows is for people
//
// The rows are what counts: the number at the head is not trusted. Edges have no size in this
// format.

#pragma once

#include <string>

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

// Throws parid::Error with the line that cannot be right. Task names are the file's numbers.
TaskGraph read_stg(const std::string& path);
TaskGraph parse_stg(const std::string& text, const std::string& name);

// With a dummy before all tasks and one after, as the format has it, unless there is one already.
// Tasks are numbered anew, predecessors first; a comment gives their names.
std::string stg_text(const TaskGraph&);

}  // namespace parid::schedule
