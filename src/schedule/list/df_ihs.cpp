// Depth first with implicit heuristic search (Kasahara and Narita 1984, 1985). Tasks are numbered
// by CP/MISF, and at each instant the free processors take the ready tasks in that order or skip
// them. The first schedule is thus that of CP/MISF. The search continues from there until its limit
// and prunes branches that cannot become shorter than the best. It stores nothing but its path.

#include <algorithm>

#include "schedule/bounds.hpp"
#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/search/clock.hpp"
#include "schedule/search/partial_bound.hpp"

namespace parid::schedule {
namespace {

class DepthFirst {
 public:
  DepthFirst(const TaskGraph& g, int processors, Time bound, const Clock& clock)
      : g_(g),
        processors_(processors),
        bound_(bound),
        clock_(clock),
        rank_(level_successor_ranks(g)),
        partial_(g, processors),
        start_(g.size(), 0),
        waits_(g.size()),
        done_(g.size(), 0),
        passed_(g.size(), 0),
        left_(g.size()) {
    best_start = start_;
    for (int t = 0; t < g.size(); ++t) {
      waits_[t] = static_cast<int>(g.before(t).size());
      if (waits_[t] == 0) ready_.push_back(t);
    }
  }
  bool run() {
    at(0);
    return !stopped_;
  }

  Time best = Time{1} << 60;
  std::vector<Time> best_start;
  long nodes = 0;

 private:
  void at(Time now) {
    if (++nodes % 256 == 0 && clock_.over()) stopped_ = true;
    if (stopped_ || best <= bound_) return;
    if (left_ == 0) {
      Time end = now;
      for (const int t : running_) end = std::max(end, start_[t] + g_[t].duration);
      if (end < best) {
        best = end;
        best_start = start_;
      }
      return;
    }
    // The first path is followed to its end: there is no best schedule to compare with yet.
    if (best < Time{1} << 60 && partial_(now, done_, start_) >= best) return;
    std::vector<int> choices;
    for (const int t : ready_)
      if (!passed_[t]) choices.push_back(t);
    std::sort(choices.begin(), choices.end(), [&](int a, int b) { return rank_[a] < rank_[b]; });
    choose(now, choices, 0);
  }

  void choose(Time now, const std::vector<int>& choices, std::size_t k) {
    if (stopped_ || best <= bound_) return;
    if (k == choices.size() || static_cast<int>(running_.size()) == processors_) return on(now);
    const int t = choices[k];
    start_[t] = now;
    done_[t] = 1;
    --left_;
    running_.push_back(t);
    ready_.erase(std::find(ready_.begin(), ready_.end(), t));
    choose(now, choices, k + 1);
    ready_.push_back(t);
    running_.pop_back();
    done_[t] = 0;
    ++left_;
    if (running_.empty()) return;
    passed_[t] = 1;
    choose(now, choices, k + 1);
    passed_[t] = 0;
  }

  // Advances to the next end of a task. A task that was skipped while a processor stayed free waits
  // until all are busy; otherwise it could have started at once.
  void on(Time now) {
    if (left_ == 0) return at(now);
    if (running_.empty()) return;
    Time next = Time{1} << 60;
    for (const int t : running_) next = std::min(next, start_[t] + g_[t].duration);
    const std::vector<int> running = running_, ready = ready_;
    const std::vector<char> passed = passed_;
    if (static_cast<int>(running_.size()) == processors_)
      std::fill(passed_.begin(), passed_.end(), 0);
    std::vector<int> ended;
    std::erase_if(running_, [&](int t) {
      const bool over = start_[t] + g_[t].duration == next;
      if (over) ended.push_back(t);
      return over;
    });
    for (const int t : ended)
      for (const Link& l : g_.after(t))
        if (--waits_[l.task] == 0) ready_.push_back(l.task);
    at(next);
    for (const int t : ended)
      for (const Link& l : g_.after(t)) ++waits_[l.task];
    running_ = running;
    ready_ = ready;
    passed_ = passed;
  }

  const TaskGraph& g_;
  int processors_;
  Time bound_;
  const Clock& clock_;
  std::vector<int> rank_;
  PartialBound partial_;
  std::vector<Time> start_;
  std::vector<int> waits_, ready_, running_;
  std::vector<char> done_, passed_;
  int left_;
  bool stopped_ = false;
};

}  // namespace

Outcome df_ihs(const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  const Clock clock(limits);
  Outcome o{{}, lower_bounds(g, m).best()};
  if (g.size() > SearchLimits::most_tasks) {
    o.schedule = cp_misf(g, m, limits).schedule;
    return o;
  }
  DepthFirst search(g, m.processors, o.lower_bound, clock);
  o.proven = search.run();
  o.nodes = search.nodes;
  o.schedule = search.best < Time{1} << 60 ? assigned(g, m.processors, search.best_start)
                                           : cp_misf(g, m, limits).schedule;
  if (o.proven) o.lower_bound = makespan(o.schedule);
  return o;
}

}  // namespace parid::schedule
