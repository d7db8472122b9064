#include "schedule/scheduled_tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/emit/program.hpp"
#include "model/given_values.hpp"
#include "model/sampling_rule.hpp"
#include "parid/error.hpp"
#include "schedule/gantt.hpp"
#include "schedule/processor_programs.hpp"
#include "schedule/task_drawing.hpp"

namespace parid::schedule {
namespace {

std::string subject(const Tasks& t) { return t.what.empty() ? t.name : t.name + " " + t.what; }

}  // namespace

TaskGraph refined(const TaskGraph& g, Time factor) {
  TaskGraph finer;
  for (int k = 0; k < g.size(); ++k) {
    Task task = g[k];
    task.duration *= factor;
    finer.add(std::move(task));
  }
  for (int k = 0; k < g.size(); ++k)
    for (const Link& l : g.after(k)) finer.precede_newly(k, l.task, l.words);
  return finer;
}

Tasks refined(Tasks t, Time factor) {
  t.graph.tasks = refined(t.graph.tasks, factor);
  if (t.program) t.program = refined(*t.program, factor);
  if (t.graph.weights)
    for (const WeightName& w : weight_names) (*t.graph.weights).*w.weight *= factor;
  t.unit = factor == 60 ? "sixtieths of " + t.unit : fmt::format("1/{} of {}", factor, t.unit);
  t.operations_per_unit /= static_cast<double>(factor);
  return t;
}

double speedup(const Tasks& t, const Schedule& s) {
  const Time length = makespan(s);
  return length == 0 ? 1 : static_cast<double>(total(t.graph.tasks)) / static_cast<double>(length);
}

std::string gantt_svg(const Tasks& t, const Schedule& s, const char* scheduler) {
  return gantt_svg(t.graph.tasks, s,
                   fmt::format("{}: {} tasks on {} processors, {} {} ({})", subject(t),
                               t.graph.tasks.size(), s.processors, makespan(s), t.unit, scheduler),
                   t.unit);
}

std::string task_picture(const Tasks& t, TaskPicture format, const TaskPart& part) {
  const TaskGraph& g = t.graph.tasks;
  std::string title = fmt::format("{}: {} tasks, critical path {} {}", subject(t), g.size(),
                                  critical_path(g), t.unit);
  std::vector<std::string> chosen;
  if (part.joint) chosen.push_back(std::to_string(*part.joint));
  if (part.recursion == TaskRecursion::forward) chosen.emplace_back("forward");
  if (part.recursion == TaskRecursion::backward) chosen.emplace_back("backward");
  if (!chosen.empty()) title += fmt::format(", part {}", fmt::join(chosen, "."));
  return format == TaskPicture::dot ? task_dot(g, title, part) : task_svg(g, title, part);
}

std::vector<EmittedFile> processor_programs(const Tasks& t, const Schedule& s,
                                            const char* scheduler) {
  if (!t.executable)
    throw Error(
        "`programs`: these tasks have durations but no operations; use `tasks=rules`, `lean`, "
        "`coarse`, `stages` or `graph` of a robot");
  return processor_programs(t.graph, s, identifier(fmt::format("{}_{}", t.name, t.what)),
                            {fmt::format("{} on {} processors by {}: {} {}", subject(t),
                                         s.processors, scheduler, makespan(s), t.unit),
                             "written by parid schedule"});
}

SchedulePeriod schedule_period(const Tasks& t, const Schedule& s, double operation_time) {
  require_above_zero("operation_time", operation_time, "1e-6");
  if (t.operations_per_unit == 0)
    throw Error(
        "operation_time: these tasks are not counted in operations; leave out `weights`, or use a "
        "robot");
  const double period = operation_time * t.operations_per_unit * static_cast<double>(makespan(s));
  return {period, 1 / period, 1 / (samples_per_natural_period * period)};
}

}  // namespace parid::schedule
