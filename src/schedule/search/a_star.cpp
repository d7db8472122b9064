// A* (Chen, Lee and Hou 1988): the partial schedule with the least bound is extended first, so that
// the first complete one is the shortest. The bound is derived from that of Fernandez and Bussell;
// partial schedules that cannot be shorter than the schedule of DHLF/MISF are dropped. There are
// many states: if time or memory runs out first, the result is the schedule of DHLF/MISF, with the
// least bound among the remaining states.

#include <algorithm>
#include <queue>
#include <set>

#include "schedule/bounds.hpp"
#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/search/clock.hpp"
#include "schedule/search/partial_bound.hpp"

namespace parid::schedule {
namespace {

// A step from the previous state: these tasks start at that state's time.
struct State {
  int parent = -1;
  Time now = 0;  // time of the next decision
  Time bound = 0;
  int left = 0;
  std::vector<int> started, passed;
};

class BestFirst {
 public:
  BestFirst(const TaskGraph& g, int processors, Time least, const SearchLimits& limits,
            const Clock& clock)
      : g_(g),
        processors_(processors),
        limits_(limits),
        clock_(clock),
        bound_(g, processors),
        rank_(level_successor_ranks(g)),
        start_(g.size()),
        done_(g.size()) {
    state_.push_back({-1, 0, least, g.size(), {}, {}});
    open_.push({least, g.size(), 0});
  }

  // Searches for a schedule shorter than `upper`; start() then holds it. Returns whether the result
  // is proven.
  bool run(Time upper) {
    upper_ = upper;
    while (!open_.empty()) {
      const auto [bound, left, s] = open_.top();
      least_left = bound;
      if (bound >= upper_) return true;
      if (clock_.over() || state_.size() > limits_.most_states) return false;
      open_.pop();
      ++nodes;
      unfold(s);
      if (left == 0) {
        found = true;
        return true;
      }
      expand(s);
    }
    least_left = upper_;
    return true;
  }
  const std::vector<Time>& start() const { return start_; }

  bool found = false;
  Time least_left = 0;
  long nodes = 0;

 private:
  // Starts of all tasks up to state s.
  void unfold(int s) {
    std::fill(done_.begin(), done_.end(), 0);
    for (; s > 0; s = state_[s].parent)
      for (const int t : state_[s].started) {
        start_[t] = state_[state_[s].parent].now;
        done_[t] = 1;
      }
  }

  void expand(int s) {
    const Time now = state_[s].now;
    running_ = 0;
    std::vector<int> ready;
    const std::vector<int>& passed = state_[s].passed;
    for (int t = 0; t < g_.size(); ++t) {
      if (done_[t]) {
        running_ += start_[t] + g_[t].duration > now;
        continue;
      }
      bool can = std::find(passed.begin(), passed.end(), t) == passed.end();
      for (const Link& l : g_.before(t))
        can = can && done_[l.task] && start_[l.task] + g_[l.task].duration <= now;
      if (can) ready.push_back(t);
    }
    std::sort(ready.begin(), ready.end(), [&](int a, int b) { return rank_[a] < rank_[b]; });
    taken_.clear();
    choose(s, ready, 0);
  }

  void choose(int s, const std::vector<int>& ready, std::size_t k) {
    if (state_.size() > limits_.most_states) return;
    const int busy = running_ + static_cast<int>(taken_.size());
    if (k == ready.size() || busy == processors_) return add(s, ready);
    taken_.push_back(ready[k]);
    start_[ready[k]] = state_[s].now;
    done_[ready[k]] = 1;
    choose(s, ready, k + 1);
    done_[ready[k]] = 0;
    taken_.pop_back();
    choose(s, ready, k + 1);
  }

  void add(int s, const std::vector<int>& ready) {
    const Time now = state_[s].now;
    Time next = Time{1} << 60;
    for (int t = 0; t < g_.size(); ++t) {
      if (!done_[t]) continue;
      const Time end = start_[t] + g_[t].duration;
      if (end > now || (g_[t].duration == 0 && start_[t] == now &&
                        std::find(taken_.begin(), taken_.end(), t) != taken_.end()))
        next = std::min(next, end);
    }
    if (next == Time{1} << 60) return;  // no task runs and none was taken
    State child{s, next, 0, state_[s].left - static_cast<int>(taken_.size()), taken_, {}};
    if (running_ + static_cast<int>(taken_.size()) < processors_) {
      child.passed = state_[s].passed;
      for (const int t : ready)
        if (!done_[t]) child.passed.push_back(t);
      std::sort(child.passed.begin(), child.passed.end());
    }
    child.bound = std::max(state_[s].bound, bound_(next, done_, start_));
    if (child.bound >= upper_) return;
    // States with the same finished tasks, the same running tasks and the same time are equal.
    std::vector<Time> key;
    for (int t = 0; t < g_.size(); ++t)
      if (done_[t]) {
        key.push_back(t);
        key.push_back(std::max(next, start_[t] + g_[t].duration));
      }
    key.push_back(-next);
    key.insert(key.end(), child.passed.begin(), child.passed.end());
    if (!known_.insert(std::move(key)).second) return;
    const int id = static_cast<int>(state_.size());
    open_.push({child.bound, child.left, id});
    state_.push_back(std::move(child));
  }

  const TaskGraph& g_;
  int processors_;
  const SearchLimits& limits_;
  const Clock& clock_;
  PartialBound bound_;
  std::vector<int> rank_, taken_;
  std::vector<Time> start_;
  std::vector<char> done_;
  std::vector<State> state_;
  using Open = std::tuple<Time, int, int>;  // bound, tasks left, state
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
  std::set<std::vector<Time>> known_;
  Time upper_ = 0;
  int running_ = 0;
};

}  // namespace

Outcome a_star(const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  const Clock clock(limits);
  Outcome o = dhlf_misf(g, m, limits);
  o.lower_bound = lower_bounds(g, m).best();
  o.proven = makespan(o.schedule) == o.lower_bound;
  if (o.proven || g.size() > SearchLimits::most_tasks) return o;
  SearchLimits own = limits;  // the memory of a state is about proportional to the number of tasks
  own.most_states = std::min<std::size_t>(limits.most_states, 400'000'000 / (40 * (g.size() + 10)));
  BestFirst search(g, m.processors, o.lower_bound, own, clock);
  o.proven = search.run(makespan(o.schedule));
  o.nodes = search.nodes;
  if (search.found) o.schedule = assigned(g, m.processors, search.start());
  o.lower_bound = o.proven ? makespan(o.schedule) : std::max(o.lower_bound, search.least_left);
  return o;
}

}  // namespace parid::schedule
