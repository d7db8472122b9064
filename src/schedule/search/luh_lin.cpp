// One processor per joint, and the best order of the tasks on each: the "variable" branch and bound
// of Luh and Lin (1982).
//
// As their abstract describes it, forward and backward searches alternate, with push-down stacks. A
// forward search goes to a complete schedule, always on to the branch that promises most, and a
// shorter one becomes the upper bound. A backward search takes back decisions and discards the
// branches that cannot become shorter than that. How they bound and order branches is not in the
// texts that we have; ours are
//
//   branches  of the tasks that could start, the one that could end first names a processor; the
//             next task there is any that could start before that end (Giffler and Thompson 1960:
//             the shortest schedule is among those)
//   bound     for each processor, what is left there as one processor alone would do it, tasks
//             being interrupted at will, each with the longest path before and after it (Jackson)
//
// With fewer processors than joints neighbours share one. Joints' processors being given, nothing
// shorter exists if the search ends in time.

#include <algorithm>
#include <queue>

#include "schedule/bounds.hpp"
#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/search/clock.hpp"

namespace parid::schedule {
namespace {

class VariableBranchAndBound {
 public:
  VariableBranchAndBound(const TaskGraph& g, const Machine& m, Schedule first, const Clock& clock)
      : g_(g),
        clock_(clock),
        best_(std::move(first)),
        order_(g.order()),
        at_(g.size()),
        takes_(g.size()),
        after_(g.size(), 0),
        head_(g.size(), 0),
        waits_(g.size()),
        done_(g.size(), 0),
        now_(best_),
        free_(m.processors, 0),
        of_(m.processors) {
    upper_ = makespan(best_);
    for (int t = 0; t < g.size(); ++t) {
      at_[t] = best_.placement[t].processor;
      takes_[t] = m.duration(g[t].duration, at_[t]);
      waits_[t] = static_cast<int>(g.before(t).size());
      of_[at_[t]].push_back(t);
    }
    crossing_.resize(g.size());
    for (int t = 0; t < g.size(); ++t)
      for (const Link& l : g.after(t))
        crossing_[t].push_back(at_[l.task] == at_[t] ? 0 : m.communication(l.words));
    for (auto t = order_.rbegin(); t != order_.rend(); ++t)
      for (std::size_t k = 0; k < g.after(*t).size(); ++k) {
        const int next = g.after(*t)[k].task;
        after_[*t] = std::max(after_[*t], crossing_[*t][k] + takes_[next] + after_[next]);
      }
    lower_ = bound();
  }

  // Whether it went through all.
  bool run() {
    while (upper_ > lower_) {
      if (!forward() || !backward()) break;
      if (stopped_) return false;
    }
    return !stopped_;
  }

  const Schedule& best() const { return best_; }
  long nodes() const { return nodes_; }

 private:
  struct Branch {
    int task;
    Time bound;
  };
  // One decision: the branches that are left, the next one last, and what was done.
  struct Decision {
    std::vector<Branch> left;
    int task = -1;
    Time freed = 0;  // when its processor was free before
  };

  // To the end of a schedule, or to where no branch can become shorter.
  bool forward() {
    while (placed_ < g_.size()) {
      stack_.push_back({branches(), -1, 0});
      if (!take_next()) return true;
    }
    Time length = 0;
    for (const Time f : free_) length = std::max(length, f);
    if (length < upper_) {
      upper_ = length;
      best_ = now_;
    }
    return true;
  }

  // Back to the last decision that has a branch left which can become shorter.
  bool backward() {
    while (!stack_.empty()) {
      if (stack_.back().task >= 0) take_back();
      if (take_next()) return true;
      stack_.pop_back();
    }
    return false;
  }

  bool take_next() {
    Decision& d = stack_.back();
    while (!d.left.empty() && d.left.back().bound >= upper_) d.left.pop_back();
    if (d.left.empty()) return false;
    const int t = d.left.back().task;
    d.left.pop_back();
    d.task = t;
    d.freed = free_[at_[t]];
    place(t);
    return true;
  }

  void place(int t) {
    const Time start = std::max(ready(t), free_[at_[t]]);
    now_.placement[t] = {t, at_[t], start, start + takes_[t]};
    free_[at_[t]] = start + takes_[t];
    done_[t] = 1;
    ++placed_;
    for (const Link& l : g_.after(t)) --waits_[l.task];
  }
  void take_back() {
    Decision& d = stack_.back();
    for (const Link& l : g_.after(d.task)) ++waits_[l.task];
    done_[d.task] = 0;
    --placed_;
    free_[at_[d.task]] = d.freed;
    d.task = -1;
  }

  Time ready(int t) const {
    Time r = 0;
    for (const Link& l : g_.before(t)) {
      const auto& links = g_.after(l.task);
      for (std::size_t k = 0; k < links.size(); ++k)
        if (links[k].task == t) r = std::max(r, now_.placement[l.task].end + crossing_[l.task][k]);
    }
    return r;
  }

  std::vector<Branch> branches() {
    int first = -1;
    Time ends = 0;
    for (int t = 0; t < g_.size(); ++t) {
      if (done_[t] || waits_[t] > 0) continue;
      const Time end = std::max(ready(t), free_[at_[t]]) + takes_[t];
      if (first < 0 || end < ends) {
        first = t;
        ends = end;
      }
    }
    std::vector<Branch> all;
    for (const int t : of_[at_[first]]) {
      if (done_[t] || waits_[t] > 0) continue;
      const Time start = std::max(ready(t), free_[at_[t]]);
      if (start >= ends && t != first) continue;
      if (++nodes_ % 256 == 0 && clock_.over()) stopped_ = true;
      stack_.push_back({{}, t, free_[at_[t]]});
      place(t);
      all.push_back({t, stopped_ ? upper_ : bound()});
      take_back();
      stack_.pop_back();
    }
    // The most promising last; of equals, the one with more to come.
    std::stable_sort(all.begin(), all.end(), [&](const Branch& a, const Branch& b) {
      return a.bound != b.bound ? a.bound > b.bound : after_[a.task] < after_[b.task];
    });
    return all;
  }

  // No schedule that goes on from here is shorter.
  Time bound() {
    Time longest = 0;
    for (const int t : order_) {
      if (done_[t]) {
        head_[t] = now_.placement[t].start;
      } else {
        head_[t] = free_[at_[t]];
        for (const Link& l : g_.before(t)) head_[t] = std::max(head_[t], seen(l.task, t));
      }
      longest = std::max(longest, head_[t] + takes_[t] + after_[t]);
    }
    for (const std::vector<int>& tasks : of_) longest = std::max(longest, alone(tasks));
    return longest;
  }
  Time seen(int before, int t) const {
    const auto& links = g_.after(before);
    for (std::size_t k = 0; k < links.size(); ++k)
      if (links[k].task == t) return head_[before] + takes_[before] + crossing_[before][k];
    return 0;
  }

  // One processor, interrupted at will: always the task with the most to come after it.
  Time alone(const std::vector<int>& tasks) {
    heads_.clear();
    for (const int t : tasks)
      if (!done_[t] && takes_[t] > 0) heads_.push_back({head_[t], t});
    std::sort(heads_.begin(), heads_.end());
    std::priority_queue<std::pair<Time, int>> open;  // after, task
    Time now = 0, longest = 0;
    std::size_t next = 0;
    left_.assign(g_.size(), 0);
    while (next < heads_.size() || !open.empty()) {
      if (open.empty()) now = std::max(now, heads_[next].first);
      for (; next < heads_.size() && heads_[next].first <= now; ++next) {
        const int t = heads_[next].second;
        left_[t] = takes_[t];
        open.push({after_[t], t});
      }
      const int t = open.top().second;
      const Time until = next < heads_.size() ? heads_[next].first : now + left_[t];
      const Time step = std::min(left_[t], until - now);
      now += step;
      left_[t] -= step;
      if (left_[t] > 0) continue;
      open.pop();
      longest = std::max(longest, now + after_[t]);
    }
    return longest;
  }

  const TaskGraph& g_;
  const Clock& clock_;
  Schedule best_;
  Time upper_ = 0, lower_ = 0;
  std::vector<int> order_, at_;
  std::vector<Time> takes_, after_, head_;
  std::vector<std::vector<Time>> crossing_;  // by edge
  std::vector<int> waits_;
  std::vector<char> done_;
  Schedule now_;
  std::vector<Time> free_;
  std::vector<std::vector<int>> of_;  // tasks by processor
  std::vector<Decision> stack_;
  std::vector<std::pair<Time, int>> heads_;
  std::vector<Time> left_;
  int placed_ = 0;
  bool stopped_ = false;
  long nodes_ = 0;
};

}  // namespace

Outcome luh_lin(const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  const Clock clock(limits);
  Outcome o = joint_levels(g, m, limits);
  o.lower_bound = lower_bounds(g, m).best();
  if (g.size() > SearchLimits::most_tasks) return o;
  VariableBranchAndBound search(g, m, o.schedule, clock);
  o.best_order = search.run();
  o.schedule = search.best();
  o.nodes = search.nodes();
  return o;
}

}  // namespace parid::schedule
