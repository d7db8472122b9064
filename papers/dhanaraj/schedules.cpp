// Dhanaraj's Appendix C: his schedules, checked and run, and compared with the shortest ones.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "papers/dhanaraj/printed_tables.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/decompositions.hpp"
#include "schedule/tasks/subtasks.hpp"

namespace parid::papers {
namespace of_dhanaraj_schedules {
namespace {

// In terms of g's tasks; a number that g does not have becomes a task beyond its last.
Schedule schedule_of(const TaskGraph& g, const PrintedSchedule& printed,
                     std::vector<int>& strange) {
  Schedule s{printed.processors, {}};
  for (std::size_t level = 0; level < printed.level.size(); ++level)
    for (std::size_t p = 0; p < printed.level[level].size(); ++p) {
      const int number = printed.level[level][p];
      if (number == 0) continue;
      int t = g.find(std::to_string(number));
      if (t < 0) {
        t = g.size() + static_cast<int>(strange.size());
        strange.push_back(number);
      }
      const Time start = static_cast<Time>(level);
      s.placement.push_back({t, static_cast<int>(p), start, start + 1});
    }
  return s;
}

struct Audit {
  std::vector<std::string> missing, repeated, early;
  std::vector<int> strange;
  bool first_lambda_early = false;

  bool sound() const {
    return missing.empty() && repeated.empty() && early.empty() && strange.empty();
  }
  std::string text() const {
    std::vector<std::string> parts;
    auto add = [&](const char* kind, const std::vector<std::string>& names) {
      if (names.empty()) return;
      if (names.size() > 6)
        parts.push_back(fmt::format("{} {}", names.size(), kind));
      else
        parts.push_back(fmt::format("{} {}", fmt::join(names, ", "), kind));
    };
    add("missing", missing);
    add("twice", repeated);
    add("(too early)", early);
    if (!strange.empty())
      parts.push_back(fmt::format("{} not in the set", fmt::join(strange, ", ")));
    return parts.empty() ? "no fault" : fmt::format("{}", fmt::join(parts, "; "));
  }
};

// All of them place 120 to 122 together with 110, although they wait for it in Table 4.1. No torque
// depends on that value, so it is counted separately.
Audit audit(const TaskGraph& g, const PrintedSchedule& printed) {
  Audit a;
  const Schedule s = schedule_of(g, printed, a.strange);
  for (const schedule::Fault& f : check(g, {s.processors}, s)) {
    const std::string name = f.task < g.size() ? g[f.task].name : "";
    if (f.kind == schedule::Fault::Kind::missing) a.missing.push_back(name);
    if (f.kind == schedule::Fault::Kind::repeated) a.repeated.push_back(name);
    if (f.kind != schedule::Fault::Kind::precedence) continue;
    const std::string other = g[f.other].name;
    if (other == "110")
      a.first_lambda_early = true;
    else
      a.early.push_back(fmt::format("{} with {}", name, other));
  }
  return a;
}

// Runs the schedule level by level: the tasks of a level read results of earlier levels. Returns
// the number of correct torques of six. 110 runs first: in Dhanaraj (1990) it has no operation,
// ours squares q̇_1, on which no torque depends.
int torques_of(const TaskedGraph& g, const PrintedSchedule& printed) {
  std::map<int, int> place;
  for (int k = 0; const int t : g.tasks.order()) place[t] = k++;
  Schedule s{1, {}};
  Time now = 1;
  s.placement.push_back({g.tasks.find("110"), 0, 0, 1});
  for (const auto& level : printed.level) {
    std::vector<int> tasks;
    for (const int number : level)
      if (const int t = number ? g.tasks.find(std::to_string(number)) : -1; t >= 0 && number != 110)
        tasks.push_back(t);
    // Readers first, so that none reads results of its own level.
    std::sort(tasks.begin(), tasks.end(), [&](int x, int y) { return place[x] > place[y]; });
    for (const int t : tasks) {
      s.placement.push_back({t, 0, now, now + 1});
      ++now;
    }
  }
  std::vector<double> x(g.graph.inputs().size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<double>(k + 1));
  int n = 0;
  for (const double y : evaluate(g, s, x)) n += std::isfinite(y);
  return n;
}

// As his schedules have it: 120 to 122 do not wait for 110.
TaskGraph as_scheduled(const TaskGraph& g) {
  TaskGraph to;
  for (int t = 0; t < g.size(); ++t) to.add(g[t]);
  for (int t = 0; t < g.size(); ++t)
    for (const Link& l : g.after(t))
      if (g[t].name != "110") to.precede(t, l.task, l.words);
  return to;
}

}  // namespace
}  // namespace of_dhanaraj_schedules

void dhanaraj_schedules(Claims& r) {
  using namespace of_dhanaraj_schedules;
  const TaskGraph general = subtask_graph(6, printed_general_subtasks()),
                  stanford = subtask_graph(6, printed_stanford_subtasks());
  const TaskedGraph work = streamlined(Robot::load("orthogonal:6"));
  for (const PrintedSchedule& printed : printed_schedules()) {
    const TaskGraph& g = printed.stanford ? stanford : general;
    const Audit a = audit(g, printed);
    r.add(
        printed.where,
        fmt::format("a schedule of its {} subtasks on {} processors", g.size(), printed.processors),
        holds("every subtask once, none before what it waits for", a.sound(), a.text()),
        "src/schedule/schedule.hpp: check",
        a.sound() ? reproduced("but for 120 to 122 beside 110, of which no torque needs anything")
                  : refuted("checked against the edges of Table 4.1"));
    const auto found = run(scheduler("exact"), g, {printed.processors});
    const long long levels = static_cast<long long>(printed.level.size()),
                    ours = makespan(found.schedule);
    r.add(printed.where, "levels, and the fewest that there can be",
          found.proven ? exact(levels, ours) : beyond(std::to_string(levels), "no proof found"),
          "src/schedule/scheduler.hpp: run",
          levels == ours
              ? reproduced("the bounds allow no fewer")
              : refuted(fmt::format("{} can be saved; bounds and schedule meet", levels - ours)));
    const long long strategy =
        makespan(run(scheduler("dhanaraj"), as_scheduled(g), {printed.processors}).schedule);
    r.add(printed.where, "levels by the strategy of Section 4.3.3, carried out by a program",
          exact(levels, strategy), "src/schedule/list/list_scheduling.cpp: dhanaraj",
          levels == strategy
              ? reproduced("120 to 122 beside 110, as he has them")
              : refuted(strategy < levels ? "it fills cycles that the table leaves idle"
                                          : "the table is shorter because of its faults"));
    if (printed.stanford) continue;
    const int torques = torques_of(work, printed);
    r.add(printed.where, "carried out as printed, the torques of six links that come out",
          exact(6, torques), "src/schedule/tasks/tasked_graph.hpp: evaluate",
          torques == 6 ? a.sound() ? reproduced("level by level")
                                   : reproduced("what is wrong with it does no harm")
                       : refuted("the others read a number that is not there, or not yet"));
  }
}

}  // namespace parid::papers
