#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace parid::schedule {

Time makespan(const Schedule& s) {
  Time last = 0;
  for (const Placement& p : s.placement) last = std::max(last, p.end);
  return last;
}

const char* name(Fault::Kind kind) {
  static constexpr const char* names[] = {"missing",  "repeated", "unknown",   "processor",
                                          "duration", "overlap",  "precedence"};
  return names[static_cast<int>(kind)];
}

std::vector<std::vector<Placement>> by_processor(const Schedule& s) {
  std::vector<std::vector<Placement>> row(s.processors);
  for (const Placement& p : s.placement)
    if (p.processor >= 0 && p.processor < s.processors) row[p.processor].push_back(p);
  for (auto& r : row)
    std::stable_sort(r.begin(), r.end(), [](const Placement& a, const Placement& b) {
      return std::pair(a.start, a.end) < std::pair(b.start, b.end);
    });
  return row;
}

namespace {

class Checker {
 public:
  Checker(const TaskGraph& g, const Machine& m, const Schedule& s)
      : g_(g), m_(m), s_(s), first_(g.size(), nullptr) {}

  std::vector<Fault> run() {
    for (const Placement& p : s_.placement) one(p);
    for (int t = 0; t < g_.size(); ++t)
      if (!first_[t]) add(Fault::Kind::missing, t, -1, "task {} is not scheduled", g_[t].name);
    overlaps();
    for (const Placement& p : s_.placement)
      if (known(p.task) && first_[p.task] == &p) precedences(p);
    return std::move(faults_);
  }

 private:
  bool known(int t) const { return t >= 0 && t < g_.size(); }

  template <class... Words>
  void add(Fault::Kind kind, int task, int other, fmt::format_string<Words...> text,
           Words&&... words) {
    faults_.push_back({kind, task, other, fmt::format(text, std::forward<Words>(words)...)});
  }

  void one(const Placement& p) {
    if (!known(p.task)) {
      add(Fault::Kind::unknown, p.task, -1, "there is no task {}", p.task);
      return;
    }
    const std::string& name = g_[p.task].name;
    if (first_[p.task])
      add(Fault::Kind::repeated, p.task, -1, "task {} is scheduled twice, again at {}", name,
          p.start);
    else
      first_[p.task] = &p;
    if (p.processor < 0 || p.processor >= m_.processors) {
      add(Fault::Kind::processor, p.task, -1, "task {} is on processor {} of {}", name,
          p.processor + 1, m_.processors);
      return;
    }
    const Time takes = m_.duration(g_[p.task].duration, p.processor);
    if (p.start < 0 || p.end - p.start != takes)
      add(Fault::Kind::duration, p.task, -1, "task {} is scheduled from {} to {}, but takes {}",
          name, p.start, p.end, takes);
  }

  void overlaps() {
    for (const auto& row : by_processor(s_)) {
      const Placement* last = nullptr;  // the one with the latest end so far
      for (const Placement& p : row) {
        if (!known(p.task) || p.end == p.start) continue;
        if (last && p.start < last->end)
          add(Fault::Kind::overlap, p.task, last->task,
              "task {} starts at {} on processor {}, where task {} runs until {}", g_[p.task].name,
              p.start, p.processor + 1, g_[last->task].name, last->end);
        if (!last || p.end > last->end) last = &p;
      }
    }
  }

  // A task that is listed twice counts from its first placement.
  void precedences(const Placement& p) {
    for (const Link& l : g_.before(p.task)) {
      const Placement* b = first_[l.task];
      if (!b) continue;
      const bool crosses = b->processor != p.processor;
      const Time ready = b->end + (crosses ? m_.communication(l.words) : 0);
      if (p.start < ready)
        add(Fault::Kind::precedence, p.task, l.task,
            "task {} starts at {}, but its input {} is available at {}", g_[p.task].name, p.start,
            g_[l.task].name, ready);
    }
  }

  const TaskGraph& g_;
  const Machine& m_;
  const Schedule& s_;
  std::vector<const Placement*> first_;
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> check(const TaskGraph& g, const Machine& m, const Schedule& s) {
  return Checker(g, m, s).run();
}

std::string table(const TaskGraph& g, const Schedule& s) {
  std::map<Time, std::vector<const Placement*>> rows;
  std::size_t width = 2;
  for (const Placement& p : s.placement) {
    auto& row = rows[p.start];
    row.resize(s.processors);
    // Several tasks of no duration may start together; the longest task is shown.
    const Placement*& cell = row[p.processor];
    if (!cell || p.end > cell->end) cell = &p;
    width = std::max(width, std::min<std::size_t>(g[p.task].name.size(), 14));
  }
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(makespan(s)).size());
  std::string text = fmt::format("{:>{}}", "time", digits);
  for (int p = 1; p <= s.processors; ++p)
    text += fmt::format("  {:>{}}", fmt::format("P{}", p), width);
  text += '\n';
  for (const auto& [start, row] : rows) {
    std::string line = fmt::format("{:>{}}", start, digits);
    for (const Placement* p : row)
      line += fmt::format("  {:>{}.{}}", p ? g[p->task].name : "", width, width);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace parid::schedule
