#include "schedule/search/deadline_search.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace parid::schedule {
namespace {

constexpr int most_intervals = 96;  // looked at in every state
constexpr int nodes_between_looks = 256;

}  // namespace

DeadlineSearch::DeadlineSearch(const TaskGraph& g, int processors, Time deadline,
                               std::size_t most_states)
    : g_(g),
      n_(g.size()),
      processors_(processors),
      deadline_(deadline),
      most_states_(most_states),
      order_(g.order()),
      waits_(n_),
      by_urgency_(n_),
      latest_(levels(g)),
      start_(n_, 0),
      earliest_(heads(g)),
      done_(n_, 0),
      passed_(n_, 0),
      mark_(n_),
      left_(n_) {
  std::mt19937_64 random(20260101);
  for (int t = 0; t < n_; ++t) {
    latest_[t] = deadline - latest_[t];
    waits_[t] = static_cast<int>(g.before(t).size());
    mark_[t].a = random();
    mark_[t].b = random();
  }
  std::iota(by_urgency_.begin(), by_urgency_.end(), 0);
  std::stable_sort(by_urgency_.begin(), by_urgency_.end(), [&](int a, int b) {
    return std::pair(latest_[a], -static_cast<long>(g.after(a).size())) <
           std::pair(latest_[b], -static_cast<long>(g.after(b).size()));
  });
  find_tight_intervals();
}

// The part of the task that must be in the interval if it starts at `earliest` or later.
Time DeadlineSearch::inside(int t, const Interval& i, Time earliest) const {
  const Time d = g_[t].duration;
  return std::max<Time>(0, std::min({d, earliest + d - i.from, i.to - latest_[t], i.to - i.from}));
}

// The intervals with the least slack are the most likely to overflow.
void DeadlineSearch::find_tight_intervals() {
  std::vector<Time> from, to;
  for (int t = 0; t < n_; ++t) {
    from.push_back(earliest_[t]);
    from.push_back(latest_[t]);
    to.push_back(latest_[t] + g_[t].duration);
    to.push_back(earliest_[t] + g_[t].duration);
  }
  auto thin = [](std::vector<Time>& x) {
    std::sort(x.begin(), x.end());
    x.erase(std::unique(x.begin(), x.end()), x.end());
    if (x.size() <= 300) return;
    std::vector<Time> some;
    for (std::size_t k = 0; k < 300; ++k) some.push_back(x[k * x.size() / 300]);
    x = some;
  };
  thin(from);
  thin(to);
  std::vector<std::pair<Time, Interval>> room;
  for (const Time a : from)
    for (const Time b : to) {
      if (b <= a) continue;
      Time work = 0;
      for (int t = 0; t < n_; ++t) work += inside(t, {a, b}, earliest_[t]);
      room.push_back({processors_ * (b - a) - work, {a, b}});
    }
  const std::size_t keep = std::min<std::size_t>(most_intervals, room.size());
  std::partial_sort(room.begin(), room.begin() + static_cast<long>(keep), room.end(),
                    [](const auto& x, const auto& y) { return x.first < y.first; });
  for (std::size_t k = 0; k < keep; ++k) tight_.push_back(room[k].second);
}

DeadlineSearch::Answer DeadlineSearch::run(const std::function<bool()>& stop) {
  stop_ = stop;
  for (int t = 0; t < n_; ++t)
    if (earliest_[t] > latest_[t]) return Answer::no;
  if (search(0)) return Answer::yes;
  return stopped_ ? Answer::unknown : Answer::no;
}

void DeadlineSearch::begin(int t, Time now) {
  start_[t] = now;
  done_[t] = 1;
  --left_;
  key_.a ^= mark_[t].a;
  key_.b ^= mark_[t].b;
  running_.push_back({t, now + g_[t].duration});
}
void DeadlineSearch::undo(int t) {
  done_[t] = 0;
  ++left_;
  key_.a ^= mark_[t].a;
  key_.b ^= mark_[t].b;
  running_.pop_back();
}

bool DeadlineSearch::possible(Time now) {
  // The earliest possible start of each task now.
  for (const int t : order_) {
    if (done_[t]) continue;
    Time ready = now;
    for (const Link& l : g_.before(t))
      ready = std::max(ready,
                       (done_[l.task] ? start_[l.task] : earliest_[l.task]) + g_[l.task].duration);
    if (ready > latest_[t]) return false;
    earliest_[t] = ready;
  }
  // Compares required work with capacity, from now to latest ends and over the intervals that were
  // tight at the beginning.
  auto room = [&](const Interval& i) {
    Time must = 0;
    for (const Running& r : running_) must += std::max<Time>(0, std::min(r.end, i.to) - i.from);
    for (int t = 0; t < n_; ++t)
      if (!done_[t]) must += inside(t, i, earliest_[t]);
    return must <= processors_ * (i.to - i.from);
  };
  int k = 0;
  for (const int t : by_urgency_)
    if (!done_[t] && ++k % 4 == 0 && !room({now, latest_[t] + g_[t].duration})) return false;
  for (const Interval& i : tight_)
    if (i.to > now && !room({std::max(i.from, now), i.to})) return false;
  return true;
}

bool DeadlineSearch::seen_before(Time now) const {
  const auto at = seen_.find(key_);
  if (at == seen_.end()) return false;
  for (const Seen& s : at->second) {
    if (s.now > now) continue;
    bool covers = true;
    if (s.passed.empty()) {
      // In that state every processor was free no later: tasks running there have ended here, or
      // end here no sooner.
      for (const Running& r : s.running) {
        if (r.end <= now) continue;
        const auto here = std::find_if(running_.begin(), running_.end(),
                                       [&](const Running& x) { return x.task == r.task; });
        if (here == running_.end() || here->end < r.end) {
          covers = false;
          break;
        }
      }
    } else {
      covers = s.now == now && s.running == running_;
      for (const int t : s.passed) covers = covers && passed_[t];
    }
    if (covers) return true;
  }
  return false;
}

void DeadlineSearch::remember(Time now) {
  if (states_ >= most_states_) return;
  ++states_;
  Seen s{now, running_, {}};
  for (int t = 0; t < n_; ++t)
    if (passed_[t]) s.passed.push_back(t);
  seen_[key_].push_back(std::move(s));
}

bool DeadlineSearch::search(Time now) {
  if (left_ == 0) return true;
  if (++nodes_ % nodes_between_looks == 0 && stop_()) stopped_ = true;
  if (stopped_ || !possible(now) || seen_before(now)) return false;
  std::vector<int> ready;
  for (const int t : by_urgency_)
    if (!done_[t] && waits_[t] == 0 && !passed_[t]) ready.push_back(t);
  if (choose(now, ready, 0)) return true;
  if (!stopped_) remember(now);
  return false;
}

// Takes or skips tasks ready[from], … at `now`.
bool DeadlineSearch::choose(Time now, std::vector<int>& ready, std::size_t from) {
  if (stopped_) return false;
  if (static_cast<int>(running_.size()) == processors_ || from == ready.size()) return advance();
  const int t = ready[from];
  if (g_[t].duration == 0) {  // takes no processor
    start_[t] = now;
    done_[t] = 1;
    --left_;
    key_.a ^= mark_[t].a;
    key_.b ^= mark_[t].b;
    std::vector<int> more = ready;
    for (const Link& l : g_.after(t))
      if (--waits_[l.task] == 0) more.push_back(l.task);
    const bool found = left_ == 0 || choose(now, more, from + 1);
    if (found) return true;
    for (const Link& l : g_.after(t)) ++waits_[l.task];
    done_[t] = 0;
    ++left_;
    key_.a ^= mark_[t].a;
    key_.b ^= mark_[t].b;
    return false;
  }
  begin(t, now);
  if (left_ == 0 || choose(now, ready, from + 1)) return true;
  undo(t);
  Time next = deadline_;  // when it could start instead
  for (const Running& r : running_) next = std::min(next, r.end);
  if (running_.empty() || latest_[t] < next) return false;
  passed_[t] = 1;
  const bool found = choose(now, ready, from + 1);
  passed_[t] = 0;
  return found;
}

// Advances to the next end of a task, or of several that end together.
bool DeadlineSearch::advance() {
  if (running_.empty()) return false;
  const bool full = static_cast<int>(running_.size()) == processors_;
  Time next = running_[0].end;
  for (const Running& r : running_) next = std::min(next, r.end);
  const std::vector<Running> was = running_;
  const std::vector<char> passed = passed_;
  if (full) std::fill(passed_.begin(), passed_.end(), 0);
  std::vector<int> ended;
  running_.clear();
  for (const Running& r : was) {
    if (r.end > next)
      running_.push_back(r);
    else
      ended.push_back(r.task);
  }
  std::sort(running_.begin(), running_.end(),
            [](const Running& a, const Running& b) { return a.task < b.task; });
  for (const int t : ended)
    for (const Link& l : g_.after(t)) --waits_[l.task];
  if (search(next)) return true;
  for (const int t : ended)
    for (const Link& l : g_.after(t)) ++waits_[l.task];
  running_ = was;
  passed_ = passed;
  return false;
}

}  // namespace parid::schedule
