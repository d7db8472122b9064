// A robot's computation as tasks on p processors.

#include "parid/schedule.hpp"
#include "bindings.hpp"
#include "schedule/task_drawing.hpp"

namespace parid::python {
namespace {

py::dict counts_dict(const OperationCounts& n) {
  py::dict d;
  d["multiplications"] = n.multiplications;
  d["additions"] = n.additions;
  d["divisions"] = n.divisions;
  d["square_roots"] = n.square_roots;
  d["sincos"] = n.sin_cos;
  d["arc_tangents"] = n.arc_tangents;
  return d;
}

TaskOptions task_options(const py::dict& o) {
  TaskOptions options;
  if (const auto tasks = o["tasks"].cast<std::optional<std::string>>())
    options.decomposition = task_decomposition(*tasks);
  options.grain = o["grain"].cast<std::optional<int>>();
  options.friction = o["friction"].cast<bool>();
  if (const py::object weights = o["weights"]; !weights.is_none())
    for (const auto& [name, weight] : py::dict(weights)) try {
        options.weights[name.cast<std::string>()] = weight.cast<std::int64_t>();
      } catch (const py::cast_error&) {
        throw Error("weights: " + py::str(name).cast<std::string>() + " is " +
                    py::str(weight).cast<std::string>() +
                    "; give whole units of time, such as {'add': 1}");
      }
  return options;
}

// The tasks of a robot, of one by name, or of a file of tasks.
TaskSet tasks_from(const std::optional<Robot>& robot, const std::string& from,
                   const std::string& what, const TaskOptions& options) {
  if (!robot && from.ends_with(".stg")) {
    if (options.decomposition || options.grain || options.friction || what != "inverse" ||
        !options.weights.empty())
      throw Error(from +
                  ": a task file is complete; omit `what`, `tasks`, `grain`, `weights` and "
                  "`friction`");
    return TaskSet::read_stg(from);
  }
  const Robot of = robot ? *robot : Robot::load(from);
  for (const ControlStepInfo& i : control_steps())
    if (what == i.id) return {of, i.value, options};
  return {of, generated_quantity(what), options};
}

py::dict scheduled(const py::object& from, int processors, const py::dict& o) {
  std::optional<Robot> robot;
  std::string name_or_path;
  if (py::isinstance<py::str>(from))
    name_or_path = from.cast<std::string>();
  else
    robot = from.cast<const RobotHandle&>().robot;
  const auto what = o["what"].cast<std::string>();
  const TaskOptions options = task_options(o);
  TaskMachine machine;
  machine.processors = processors;
  if (const py::object speeds = o["speeds"]; !speeds.is_none())
    machine.speeds = speeds.cast<std::vector<double>>();
  // With speeds, times are in sixtieths, as on the command line.
  const std::int64_t factor = machine.speeds.empty() ? 1 : 60;
  machine.latency = factor * o["latency"].cast<std::int64_t>();
  machine.per_word = factor * o["per_word"].cast<std::int64_t>();
  SearchOptions limits;
  limits.seconds = o["seconds"].cast<double>();
  const SchedulingMethod by = scheduling_method(o["scheduler"].cast<std::string>());
  const auto [t, s] = [&] {
    const Unlocked unlocked;
    TaskSet tasks = tasks_from(robot, name_or_path, what, options);
    if (factor > 1) tasks = tasks.refined(factor);
    TaskSchedule schedule = schedule_tasks(tasks, machine, by, limits);
    return std::pair(std::move(tasks), std::move(schedule));
  }();
  py::dict d;
  d["source"] = t.name();
  d["what"] = t.computation();
  d["decomposition"] = name(t.decomposition());
  d["unit"] = t.unit();
  d["note"] = t.note();
  d["scheduler"] = name(s.method);
  d["processors"] = processors;
  d["tasks"] = t.size();
  d["edges"] = t.edges().size();
  d["total"] = t.total();
  d["critical_path"] = t.critical_path();
  d["makespan"] = s.makespan;
  d["lower_bound"] = s.lower_bound;
  d["optimal"] = s.optimal;
  d["optimal_for_tasks"] = s.optimal_for_tasks;
  d["program_critical_path"] = t.program_critical_path();
  for (const char* key : {"weights", "operations", "prepared"}) d[key] = py::none();
  if (const auto weights = t.weights(); !weights.empty()) d["weights"] = weights;
  if (t.has_operations()) {
    d["operations"] = counts_dict(t.operations());
    d["prepared"] = counts_dict(t.prepared());
  }
  const std::vector<TaskInfo> tasks = t.tasks();
  py::list placements;
  for (const TaskPlacement& p : s.placements)
    placements.append(py::make_tuple(tasks[p.task].name, p.processor, p.start, p.end));
  d["placements"] = placements;
  d["gantt_svg"] = gantt_chart(t, s);
  d["best_order"] = s.best_order;
  // Pictures and programs take time and memory, so they are created on demand.
  const auto kept = std::make_shared<std::pair<TaskSet, TaskSchedule>>(t, s);
  d["_draw"] = py::cpp_function([kept](const std::string& format, const std::string& part) {
    return kept->first.picture(format == "dot" ? TaskPicture::dot : TaskPicture::svg,
                               drawn_part(part));
  });
  d["_programs"] = py::cpp_function([kept] {
    py::dict files;
    for (const CodeFile& f : processor_code(kept->first, kept->second))
      files[f.name.c_str()] = f.text;
    return files;
  });
  d["_period"] = py::cpp_function([kept](double operation_time) {
    const SchedulePeriod p = schedule_period(kept->first, kept->second, operation_time);
    return py::make_tuple(p.period, p.rate, p.natural_frequency);
  });
  return d;
}

}  // namespace

void add_schedule(py::module_& m) {
  m.def("schedule", scheduled);
  m.def("control_graphs", [] {
    py::list all;
    for (const ControlStepInfo& i : control_steps()) all.append(py::make_tuple(i.id, i.meaning));
    return all;
  });
  m.def("schedulers", [] {
    py::list all;
    for (const SchedulingMethodInfo& s : scheduling_methods())
      all.append(py::make_tuple(s.id, s.meaning));
    return all;
  });
}

}  // namespace parid::python
