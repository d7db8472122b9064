// Is there a schedule on p equal processors that ends by a given time? A search that can say no.
//
// Time goes from one end of a task to the next. There the ready tasks are taken up or passed over,
// the most urgent first. Every schedule can be shifted to the left until each task starts where
// another ends, so nothing is lost; a task that is passed over while a processor is free could be
// shifted unless all processors are busy at some time in between, so until then it stays passed
// over. A branch ends where a task has missed its latest start; where the work that must be done in
// some interval does not fit into it (energetic reasoning); or where a state that was searched in
// vain had the same tasks behind it and its processors free no later.

#pragma once

#include <functional>
#include <unordered_map>

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

class DeadlineSearch {
 public:
  enum class Answer { yes, no, unknown };

  DeadlineSearch(const TaskGraph&, int processors, Time deadline, std::size_t most_states);

  // `unknown` where `stop` says so; it is asked now and then. Continuing is not possible.
  Answer run(const std::function<bool()>& stop);
  const std::vector<Time>& start() const { return start_; }  // after a yes
  long nodes() const { return nodes_; }

 private:
  struct Interval {
    Time from, to;
  };
  struct Running {
    int task;
    Time end;
    bool operator==(const Running&) const = default;
  };
  struct Seen {  // searched in vain
    Time now;
    std::vector<Running> running;
    std::vector<int> passed;
  };
  struct Key {
    std::uint64_t a = 0, b = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const { return k.a; }
  };

  bool search(Time now);  // decides at `now`, and on
  bool choose(Time now, std::vector<int>& ready, std::size_t from);
  bool advance();
  bool possible(Time now);  // bounds
  bool seen_before(Time now) const;
  void remember(Time now);
  void begin(int t, Time now);
  void undo(int t);
  void find_tight_intervals();
  Time inside(int t, const Interval&, Time earliest) const;

  const TaskGraph& g_;
  int n_, processors_;
  Time deadline_;
  std::size_t most_states_, states_ = 0;
  std::vector<int> order_, waits_, by_urgency_;
  std::vector<Time> latest_;  // start
  std::vector<Time> start_, earliest_;
  std::vector<char> done_, passed_;
  std::vector<Running> running_;  // and those that have ended at the present time
  std::vector<Interval> tight_;
  std::vector<Key> mark_;
  Key key_;
  std::unordered_map<Key, std::vector<Seen>, KeyHash> seen_;
  std::function<bool()> stop_;
  bool stopped_ = false;
  int left_ = 0;
  long nodes_ = 0;
};

}  // namespace parid::schedule
