// A control step as programs of processors that exchange messages: what runs, not only what it
// costs.
//
// Each processor computes some nodes of a graph in sections. Before a section it receives the
// messages that the section reads, after it it sends those that others read. Values that are read
// in later periods are kept by their readers: a message of age a brings the values of a periods
// ago, so that its receiver never waits for it.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/policy.hpp"
#include "design/layer.hpp"
#include "graph/graph.hpp"
#include "parid/controllers.hpp"
#include "parid/robot.hpp"
#include "schedule/schedule.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::design {

// The arrays that a step reads, each with a number per coordinate. Gains are constants of the
// program.
inline constexpr const char* step_arguments[] = {"q",        "v",      "q_wanted", "v_wanted",
                                                 "a_wanted", "q_next", "v_next",   "a_next"};

struct StepInput {
  enum class Kind { argument, gain, value } kind = Kind::argument;
  int array = 0, element = 0;  // of step_arguments
  double gain = 0;
  int value = 0, age = 0;  // of an earlier period, or of another processor
};

struct StepOutput {
  Id node = 0;
  bool torque = false;
  int index = 0;    // of the coordinate, or of the value
  int section = 0;  // that computes it
};

struct StepSection {
  std::string name;
  std::vector<int> receives, sends;  // messages
  std::vector<Id> operations;        // in an order to compute them
  Counts count;
};

struct StepProcessor {
  std::shared_ptr<const Graph> graph;
  std::map<Id, StepInput> sources;  // nodes that it reads instead of computing them
  std::vector<StepOutput> outputs;
  std::vector<StepSection> sections;
};

struct StepMessage {
  int from = 0, to = 0;       // processors
  int after = 0, before = 0;  // the section that sends it, and the first one that reads it
  int age = 0;                // periods since it was sent when it is received
  std::vector<int> values;
};

struct StepProgram {
  int coordinates = 0;
  int values = 0;  // that are kept or sent; numbered 0 to values − 1
  bool ahead = false;
  int delay = 0;   // periods that a torque waits before it is applied
  int settle = 1;  // periods after which a robot at rest has filled all that is kept
  std::vector<StepProcessor> processors;
  std::vector<StepMessage> messages;

  Counts count() const;
  long words() const;  // numbers that are sent in a period
  int oldest() const;  // age of the oldest value that is read, in periods
  // Numbers that a processor keeps from period to period.
  int kept(int processor) const;
};

// The exact law on one processor, from the program that `parid generate ROBOT computed_torque`
// writes.
StepProgram exact_step(const Robot& model, const Gains&);

// The exact law on several processors, by a list schedule of that program in tasks of at most
// `grain` operations. Times are in units of the target; see step_timing.hpp.
struct StepSchedule {
  int processors = 2;
  int grain = 8;
  double add = 1, multiply = 1, sine = 10;  // time of operations
  double message = 0, word = 0;             // and of messages, in the same unit
};
StepProgram scheduled_step(const Robot& model, const Gains&, const StepSchedule&);

// The law with a policy of stale data, link by link: the blocks of neighbouring links on one
// processor. processor[b] is that of block b; blocks are the forward equations of links 1 to n,
// then the backward equations of links n to 1, as in control/step_cost.hpp. Throws Error for random
// policies, and for mimic joints on several processors.
StepProgram policy_step(const Robot& model, const Gains&, const Policy&,
                        const std::vector<int>& processor);

// Neighbouring links on `processors`, with as equal numbers of operations as can be: both sweeps of
// a link together, or forward and backward apart. Both are returned if they differ.
std::vector<std::vector<int>> block_assignments(const Robot& model, const Policy&, int processors);

}  // namespace parid::design
