// Decides whether a schedule on p equal processors exists that ends by a given time.
//
// Time advances from one end of a task to the next. There the ready tasks are taken or skipped, the
// most urgent first. Every schedule can be shifted to the left until each task starts where another
// ends, so the search misses none; a task that is skipped while a processor is free could be
// shifted unless all processors are busy at some later time, so it stays skipped until then. A
// branch ends if a task has missed its latest start; if the work that must be done in some interval
// exceeds its capacity (energetic reasoning); or if a failed state had the same finished tasks and
// processors that were free no later.

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

  // Returns `unknown` if `stop`, which is called now and then, returns true. The search cannot be
  // continued.
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
  std::vector<Running> running_;  // including those that end at the present time
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
