#include "cli/summary/schedule_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "codegen/emit/program.hpp"
#include "papers/shared/printed_schedules.hpp"
#include "schedule/bounds.hpp"
#include "schedule/scheduled_tasks.hpp"

namespace parid::cli {
namespace {

std::string verdict(const Tasks& t, const ScheduleRun& r) {
  auto away = [&](Time bound) {
    return 100.0 * static_cast<double>(r.length() - bound) /
           static_cast<double>(std::max<Time>(1, bound));
  };
  if (optimal(t, r.machine, r.outcome)) return "optimal";
  if (t.program)
    return fmt::format("{}; {:.1f} % above the bound of its operations",
                       r.outcome.proven
                           ? "optimal for these tasks"
                           : fmt::format("at most {:.1f} % above the optimum for these tasks",
                                         away(r.outcome.lower_bound)),
                       away(lower_bounds(*t.program, r.machine).best()));
  return fmt::format("{}at most {:.1f} % above the optimum",
                     r.outcome.best_order ? "the shortest with one processor per joint, " : "",
                     away(r.outcome.lower_bound));
}

Json counts_json(const Counts& n) {
  Json j = Json::object();
  for (const OperationKind& k : operation_kinds) j[k.name] = n.*k.count;
  return j;
}

Time exact_length(const TaskGraph& g, int processors) {
  return makespan(run(scheduler("exact"), g, {processors}).schedule);
}

}  // namespace

double speedup(const Tasks& t, const ScheduleRun& r) {
  return schedule::speedup(t, r.outcome.schedule);
}
double efficiency(const Tasks& t, const ScheduleRun& r) {
  return speedup(t, r) / r.machine.processors;
}

void print_tasks(const Tasks& t) {
  const TaskGraph& g = t.graph.tasks;
  fmt::print("{}{}: {} tasks ({}), total {}, critical path {} {}\n", t.name,
             t.what.empty() ? "" : " " + t.what, g.size(), name(t.decomposition), total(g),
             critical_path(g), t.unit);
  fmt::print("{} edges, {} layers of at most {} tasks\n", g.edges(), layer_count(g),
             concurrency(g));
  if (t.executable) {
    fmt::print("operations in tasks: {}\n", operations_text(scheduled_counts(t.graph)));
    if (const Counts n = prepared_counts(t.graph); total(n, OperationWeights{}) > 0)
      fmt::print("precomputed, not in the total: {}\n", operations_text(n));
  }
  if (t.graph.weights) {
    std::vector<std::string> each;
    for (const WeightName& w : weight_names)
      each.push_back(fmt::format("{} {}", w.name, (*t.graph.weights).*w.weight));
    fmt::print("weights: {}\n", fmt::join(each, ", "));
  }
  if (t.program)
    fmt::print("critical path with one task per operation: {}\n", critical_path(*t.program));
  if (!t.note.empty()) fmt::print("{}\n", t.note);
}

void print_schedule(const Tasks& t, const ScheduleRun& r, bool with_table) {
  if (with_table) fmt::print("\n{}", table(t.graph.tasks, r.outcome.schedule));
  const LowerBounds b = lower_bounds(t.graph.tasks, r.machine);
  const bool levels = t.unit == "levels of three operations";
  fmt::print("\n{} on {} processors: makespan {} {} ({}{})\n", r.scheduler, r.machine.processors,
             r.length(), levels ? "levels" : t.unit, verdict(t, r),
             levels ? "; 1 level = 3 operations" : "");
  fmt::print("lower bound {} (critical path {}, load {}, Fernandez-Bussell {}, energetic {})\n",
             r.outcome.lower_bound, b.critical_path, b.load, b.fernandez_bussell, b.energetic);
  fmt::print("speed-up {:.3f}, efficiency {:.1f} %\n", speedup(t, r), 100 * efficiency(t, r));
  if (!r.execution) return;
  const Execution& e = *r.execution;
  const Achieved& a = e.achieved;
  fmt::print("\nmeasured on threads ({}), ns per evaluation:\n",
             a.compiled ? "compiled" : "interpreted");
  fmt::print("  one thread                     {:8.0f}\n", a.one_thread);
  fmt::print("  model, free communication      {:8.0f}\n", a.model);
  fmt::print("  model, with communication      {:8.0f}\n", e.with_crossings);
  if (a.measured > 0)
    fmt::print("  measured on {} cores            {:8.0f}   {}\n", r.machine.processors, a.measured,
               a.measured < a.one_thread
                   ? fmt::format("{:.2f} times as fast as one thread", a.one_thread / a.measured)
                   : fmt::format("{:.2f} times slower than one thread", a.measured / a.one_thread));
  else
    fmt::print("  not measured: {} processors and {} cores\n", r.machine.processors, e.cores);
  fmt::print(
      "{} edges between processors, {} synchronizations; a round trip between cores takes {:.0f} "
      "ns on this machine\n",
      a.crossings, a.waits, e.round_trip);
}

void print_comparison(const Tasks& t, const std::vector<ScheduleRun>& runs) {
  fmt::print("\n{}", heading(fmt::format("{:>10}  {:<14}{:>9}{:>9}  {:<8}{:>10}{:>12}{:>10}\n",
                                         "processors", "scheduler", "length", "bound", "optimal",
                                         "speed-up", "efficiency", "time")));
  for (const ScheduleRun& r : runs)
    fmt::print("{:>10}  {:<14}{:>9}{:>9}  {:<8}{:>10.3f}{:>10.1f} %{:>10}\n", r.machine.processors,
               r.scheduler, r.length(), r.outcome.lower_bound,
               optimal(t, r.machine, r.outcome) ? "yes" : "", speedup(t, r), 100 * efficiency(t, r),
               human_time(r.seconds));
}

void print_published() {
  auto ms = [](double x) { return x > 0 ? fmt::format("{:.2f}", x) : std::string("–"); };
  auto tasks = [](const char* robot, Decomposition way) {
    TaskSource source;
    source.from = robot;
    source.tasks = way;
    return tasks_of(source);
  };
  const Tasks printed = tasks("stanford", Decomposition::printed),
              rules = tasks("stanford", Decomposition::rules),
              general = tasks("orthogonal:6", Decomposition::rules);
  fmt::print("Stanford arm, ms: Table 4.8 of Dhanaraj (1990), and ours at {} ms per level\n\n",
             printed_level_ms);
  MarkdownTable table(
      {"p", "Luh, Lin", "Kasahara, Narita", "Chen, Lee, Hou", "Dhanaraj", "its levels",
       "ours, its tasks", "ours, rules", "levels, its tasks", "levels, rules"},
      0);
  for (const PrintedTimes& p : printed_stanford_times) {
    const Time a = exact_length(printed.graph.tasks, p.processors),
               b = exact_length(rules.graph.tasks, p.processors);
    auto time = [](Time levels) {
      return fmt::format("{:.2f}", printed_level_ms * static_cast<double>(levels));
    };
    table.add({std::to_string(p.processors), ms(p.luh_lin), ms(p.kasahara_narita),
               ms(p.chen_lee_hou), ms(p.thesis), std::to_string(p.levels), time(a), time(b),
               std::to_string(a), std::to_string(b)});
  }
  table.print();
  fmt::print("\nGeneral six-link arm, levels: Tables C.1 to C.8 of Dhanaraj (1990), and ours\n\n");
  MarkdownTable other({"p", "Dhanaraj", "ours", "speed-up", "efficiency"}, 0);
  for (int p = 1; p <= 13; ++p) {
    const Time length = exact_length(general.graph.tasks, p);
    const bool given = p >= 2 && p <= 9;
    const double s = static_cast<double>(total(general.graph.tasks)) / static_cast<double>(length);
    other.add({std::to_string(p), given ? std::to_string(printed_general_levels[p - 2]) : "–",
               std::to_string(length), fmt::format("{:.2f}", s),
               fmt::format("{:.1f} %", 100 * s / p)});
  }
  other.print();
}

Json tasks_json(const Tasks& t) {
  const TaskGraph& g = t.graph.tasks;
  const std::optional<Time> path = program_critical_path(t);
  Json weights = nullptr;
  if (t.graph.weights)
    for (const WeightName& w : weight_names) weights[w.name] = (*t.graph.weights).*w.weight;
  return {{"source", t.name},
          {"what", t.what.empty() ? Json(nullptr) : Json(t.what)},
          {"decomposition", name(t.decomposition)},
          {"unit", t.unit},
          {"tasks", g.size()},
          {"edges", g.edges()},
          {"total", total(g)},
          {"critical_path", critical_path(g)},
          {"program_critical_path", path ? Json(*path) : Json(nullptr)},
          {"weights", weights},
          {"operations", t.executable ? counts_json(scheduled_counts(t.graph)) : Json(nullptr)},
          {"prepared", t.executable ? counts_json(prepared_counts(t.graph)) : Json(nullptr)},
          {"layers", layer_count(g)},
          {"concurrency", concurrency(g)},
          {"note", t.note}};
}

Json run_json(const ScheduleRun& r, const Tasks& t, bool assignment) {
  Json j = {
      {"processors", r.machine.processors},
      {"scheduler", r.scheduler},
      {"makespan", r.length()},
      {"lower_bound", r.outcome.lower_bound},
      {"optimal", optimal(t, r.machine, r.outcome)},
      {"optimal_for_tasks", r.outcome.proven},
      {"best_order", scheduler(r.scheduler).by_joint ? Json(r.outcome.best_order) : Json(nullptr)},
      {"speedup", speedup(t, r)},
      {"efficiency", efficiency(t, r)},
      {"nodes", r.outcome.nodes},
      {"seconds", r.seconds}};
  if (r.execution) {
    const Execution& e = *r.execution;
    const Achieved& a = e.achieved;
    j["execution"] = {{"cores", e.cores},
                      {"compiled", a.compiled},
                      {"one_thread_ns", a.one_thread},
                      {"model_ns", a.model},
                      {"model_with_crossings_ns", e.with_crossings},
                      {"measured_ns", a.measured > 0 ? Json(a.measured) : Json(nullptr)},
                      {"crossings", a.crossings},
                      {"waits", a.waits},
                      {"round_trip_ns", e.round_trip}};
  }
  if (!assignment) return j;
  j["assignment"] = Json::array();
  for (const Placement& p : r.outcome.schedule.placement)
    j["assignment"].push_back({{"task", t.graph.tasks[p.task].name},
                               {"processor", p.processor + 1},
                               {"start", p.start},
                               {"end", p.end}});
  return j;
}

Figure processors_figure(const Tasks& t, const std::vector<ScheduleRun>& runs) {
  Figure f{
      fmt::format("{} {}: {} tasks", t.name, t.what, t.graph.tasks.size()), "processors", {}, {}};
  f.points = true;
  Curve gain{"ours", {}}, ideal{"ideal", {}}, use{"ours", {}}, length{"ours", {}};
  const double nothing = std::nan("");
  const bool levels_only =
      t.decomposition != Decomposition::graph && t.decomposition != Decomposition::coarse;
  const bool stanford = t.name == "stanford" && levels_only;
  const bool general = t.name == "orthogonal:6" && levels_only;
  Curve luh{"Luh, Lin", {}}, kasahara{"Kasahara, Narita", {}}, chen{"Chen, Lee, Hou", {}},
      thesis{"Dhanaraj", {}}, dhanaraj_gain{"Dhanaraj", {}}, dhanaraj_use{"Dhanaraj", {}};
  const double work = static_cast<double>(total(t.graph.tasks));
  for (const ScheduleRun& r : runs) {
    const int p = r.machine.processors;
    f.x.push_back(p);
    gain.y.push_back(speedup(t, r));
    ideal.y.push_back(p);
    use.y.push_back(100 * efficiency(t, r));
    length.y.push_back(static_cast<double>(r.length()) * (stanford ? printed_level_ms : 1));
    const PrintedTimes* row = stanford && p <= static_cast<int>(printed_stanford_times.size())
                                  ? &printed_stanford_times[p - 1]
                                  : nullptr;
    auto time = [&](double x) { return row && x > 0 ? x : nothing; };
    luh.y.push_back(time(row ? row->luh_lin : 0));
    kasahara.y.push_back(time(row ? row->kasahara_narita : 0));
    chen.y.push_back(time(row ? row->chen_lee_hou : 0));
    double levels = nothing;
    if (row) levels = static_cast<double>(row->levels);
    if (general && p >= 2 && p <= 9) levels = static_cast<double>(printed_general_levels[p - 2]);
    thesis.y.push_back(levels * (stanford ? printed_level_ms : 1));
    const double printed_work = stanford ? 156 : work;
    dhanaraj_gain.y.push_back(printed_work / levels);
    dhanaraj_use.y.push_back(100 * printed_work / levels / p);
  }
  Panel speed{"speed-up", "times", {gain, ideal}}, usage{"efficiency", "%", {use}},
      lengths{"time", stanford ? "ms" : t.unit, {length}};
  if (stanford || general) {
    speed.curves.push_back(dhanaraj_gain);
    usage.curves.push_back(dhanaraj_use);
    usage.curves.back().style = speed.curves.back().style = 2;
    thesis.style = 2;
    lengths.curves.push_back(thesis);
  }
  if (stanford) {
    kasahara.style = 1;
    chen.style = 3;
    luh.style = 4;
    for (Curve* c : {&kasahara, &chen, &luh}) lengths.curves.push_back(*c);
  }
  speed.curves[1].style = 7;
  f.panels = {speed, usage, lengths};
  return f;
}

}  // namespace parid::cli
