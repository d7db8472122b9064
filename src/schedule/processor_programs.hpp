// A schedule as source code: a C file for each processor, with the messages that they exchange.
//
// A processor's file is one function over the arguments of the program. After a task whose numbers
// other processors read it sends a message to each of them; before the first task that reads a
// message it receives it. A message has a number, a sender, a receiver and a fixed count of words,
// so that any network can carry it: two functions, to send and to receive, are left to the user. A
// further file carries messages through shared memory and runs each processor in a thread.
//
// What is prepared (tasked_graph.hpp) is computed by each processor that reads it.

#pragma once

#include <string>
#include <vector>

#include "codegen/emit/targets.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

struct Message {
  int task = 0;           // that computes its numbers
  int from = 0, to = 0;   // processors, from 0
  std::vector<Id> words;  // in the graph's order
};

// In the order in which they are sent, of the schedule's starts.
std::vector<Message> messages(const TaskedGraph&, const Schedule&);

// NAME.h, NAME_p1.c, …, NAME_threads.c. `name` must be a C identifier; `about` are lines of
// comment.
std::vector<EmittedFile> processor_programs(const TaskedGraph&, const Schedule&,
                                            const std::string& name,
                                            const std::vector<std::string>& about);

}  // namespace parid::schedule
