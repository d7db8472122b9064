// The shortest schedule with a proof: lower bounds, successively better schedules, and a search
// between them. At its time limit it returns the best schedule and the best bound so far. Never
// longer than the results of the list schedulers.
//
// On equal processors with free communication the search tests whether one unit less is possible
// (deadline_search.hpp), alternately on the graph and on its reverse, because one may be far harder
// than the other. On other machines it searches all orders of tasks and all processors, in order of
// time (append_search.hpp).

#include "schedule/bounds.hpp"
#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/search/annealing.hpp"
#include "schedule/search/append_search.hpp"
#include "schedule/search/clock.hpp"
#include "schedule/search/deadline_search.hpp"
#include "schedule/search/justification.hpp"

namespace parid::schedule {
namespace {

Schedule on_the_fastest(const TaskGraph& g, const Machine& m) {
  int p = 0;
  for (int k = 1; k < m.processors; ++k)
    if (m.speed_of(k) > m.speed_of(p)) p = k;
  Schedule s{m.processors, std::vector<Placement>(g.size())};
  Time at = 0;
  for (const int t : g.order()) {
    const Time end = at + m.duration(g[t].duration, p);
    s.placement[t] = {t, p, at, end};
    at = end;
  }
  return s;
}

Schedule best_list_schedule(const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  Schedule best;
  auto offer = [&](Schedule s) {
    if (best.placement.empty() || makespan(s) < makespan(best)) best = std::move(s);
  };
  for (const Scheduler& s : schedulers())
    if (!s.searches && s.refuses(g, m).empty()) offer(s.run(g, m, limits).schedule);
  if (!m.plain()) offer(on_the_fastest(g, m));  // with costly communication that may be the best
  if (m.plain()) {
    const TaskGraph r = reversed(g);
    offer(backward_list_schedule(g, m, level_ranks(r)));
    offer(backward_list_schedule(g, m, level_successor_ranks(r)));
  }
  return best;
}

// The search on the graph and on its reverse in turn, each with a longer time slice.
class Closing {
 public:
  Closing(const TaskGraph& g, int processors, std::size_t most_states, const Clock& clock)
      : g_(g),
        back_(reversed(g)),
        processors_(processors),
        most_states_(most_states),
        clock_(clock) {}

  // yes: `start` holds a schedule that ends by the deadline. Each direction runs for at most
  // `slice` seconds.
  DeadlineSearch::Answer ask(Time deadline, double slice, std::vector<Time>& start) {
    for (const bool backwards : {false, true}) {
      const double until = clock_.seconds() + slice;
      DeadlineSearch search(backwards ? back_ : g_, processors_, deadline, most_states_);
      const auto answer = search.run([&] { return clock_.over() || clock_.seconds() > until; });
      nodes += search.nodes();
      if (answer == DeadlineSearch::Answer::unknown) continue;
      if (answer == DeadlineSearch::Answer::yes) {
        start = search.start();
        if (backwards)
          for (int t = 0; t < g_.size(); ++t) start[t] = deadline - start[t] - g_[t].duration;
      }
      return answer;
    }
    return DeadlineSearch::Answer::unknown;
  }
  long nodes = 0;

 private:
  const TaskGraph& g_;
  TaskGraph back_;
  int processors_;
  std::size_t most_states_;
  const Clock& clock_;
};

}  // namespace

Outcome exact(const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  const Clock clock(limits);
  Outcome o{best_list_schedule(g, m, limits), lower_bounds(g, m).best()};
  auto length = [&] { return makespan(o.schedule); };
  const bool small = g.size() <= SearchLimits::most_tasks;
  if (!m.plain() && small && length() > o.lower_bound) {
    AppendSearch search(g, m, o.schedule, o.lower_bound, [&] { return clock.over(); });
    const bool complete = search.run();
    o.schedule = search.best();
    if (complete) o.lower_bound = length();
    o.nodes = search.nodes();
  } else if (m.plain() && length() > o.lower_bound) {
    using Answer = DeadlineSearch::Answer;
    Closing closing(g, m.processors, limits.most_states, clock);
    auto ask = [&](Time deadline, double slice) {
      std::vector<Time> start;
      const Answer answer = closing.ask(deadline, slice, start);
      if (answer == Answer::yes) o.schedule = assigned(g, m.processors, start);
      if (answer == Answer::no) o.lower_bound = deadline + 1;
      return answer;
    };
    auto open = [&] { return length() > o.lower_bound && !clock.over(); };
    auto anneal = [&](long rounds, double until) {
      if (!open() || !Justification::covers(g)) return;
      o.schedule = annealed(g, m.processors, o.schedule, o.lower_bound, rounds,
                            [&] { return clock.over() || clock.seconds() > until; });
    };
    anneal(300, 0.1 * limits.seconds);
    while (small && open() && ask(o.lower_bound, 0.1) == Answer::no) {  // it may be easy from below
    }
    anneal(20'000, 0.3 * limits.seconds);
    for (double slice = 0.3; small && open();)
      if (ask(length() - 1, slice) == Answer::unknown) slice *= 3;
    o.nodes = closing.nodes;
  }
  o.proven = length() == o.lower_bound;
  return o;
}

}  // namespace parid::schedule
