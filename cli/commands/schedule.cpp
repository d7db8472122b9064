// parid schedule: a robot's computations as tasks on p processors.

#include <fmt/format.h>

#include <memory>

#include <charconv>
#include <chrono>
#include <random>

#include "base/file/atomic_file.hpp"
#include "base/threads/thread_pool.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/schedule_report.hpp"
#include "codegen/trace/generate.hpp"
#include "model/sampling_rule.hpp"
#include "parid/error.hpp"
#include "schedule/scheduled_tasks.hpp"
#include "schedule/stg.hpp"
#include "schedule/task_drawing.hpp"

namespace parid::cli {
namespace schedule_command {
namespace {

constexpr int most_processors = 100'000, most_in_a_table = 16;
constexpr Time sixtieth = 60;        // times are integers, and 60 has many divisors
constexpr long longest_table = 400;  // rows, on a terminal or not

struct Options {
  RobotOptions robot;
  TaskSource source;
  std::string what = "inverse", tasks;
  std::string processors = "4", scheduler = "exact";
  std::optional<std::string> weights, speeds, gantt, plot, output, dot, svg, part, programs;
  std::string plot_style;
  std::optional<double> operation_time;  // µs
  long latency = 0, per_word = 0;
  double seconds = 10;
  int evaluations = 20'000;
  bool run = false, published = false, no_table = false, json = false;
};

// "4", "2,4,8", "1-13".
std::vector<int> processors(const Options& o) {
  std::vector<int> all;
  auto fail = [&] {
    throw Error(
        fmt::format("-p: invalid processor count '{}'; give one, such as 4, several, such as "
                    "2,4,8, or a range, such as 1-13",
                    o.processors));
  };
  auto number = [&](const std::string& text) {
    int n = 0;
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (trouble != std::errc() || end != text.data() + text.size() || n < 1 || n > most_processors)
      fail();
    return n;
  };
  std::string rest = o.processors + ",";
  for (std::size_t at; (at = rest.find(',')) != std::string::npos; rest = rest.substr(at + 1)) {
    const std::string part = rest.substr(0, at);
    const std::size_t dash = part.find('-');
    const int first = number(part.substr(0, dash)),
              last = dash == std::string::npos ? first : number(part.substr(dash + 1));
    if (last < first || last - first > 1000) fail();
    for (int p = first; p <= last; ++p) all.push_back(p);
  }
  return all;
}

Machine machine(const Options& o, int processors) {
  const Time unit = o.speeds ? sixtieth : 1;
  Machine m{processors, {}, unit * o.latency, unit * o.per_word};
  if (o.latency < 0 || o.per_word < 0)
    throw Error("--latency and --per-word: times cannot be negative; give 0 or more");
  if (!o.speeds) return m;
  m.speed = numbers("--speeds", *o.speeds);
  if (static_cast<int>(m.speed.size()) != processors)
    throw Error(fmt::format("--speeds: {} numbers for {} processors; give one for each",
                            m.speed.size(), processors));
  for (const double s : m.speed)
    if (!(s > 0)) throw Error(fmt::format("--speeds: {} is not a speed; give numbers above 0", s));
  return m;
}

[[noreturn]] void no_operations(const char* option, const Tasks& t) {
  throw Error(
      fmt::format("{}: the tasks of {} have durations but no operations; use --tasks rules, "
                  "lean, coarse or graph of a robot",
                  option, t.decomposition == Decomposition::stg ? "a file" : "--tasks printed"));
}

Execution executed(const Options& o, const Tasks& t, const ScheduleRun& r) {
  if (!t.executable) no_operations("--run", t);
  Execution e{available_cores(), round_trip_nanoseconds(), {}, 0};
  std::mt19937_64 random(1);
  std::vector<double> inputs(t.graph.graph.inputs().size());
  for (double& x : inputs) x = 2e-19 * static_cast<double>(random() >> 1) - 1;
  const Schedule alone = one_after_another(t.graph.tasks);
  if (r.machine.processors <= e.cores) {
    e.achieved = measure(t.graph, r.outcome.schedule, inputs, o.evaluations);
  } else {
    e.achieved = measure(t.graph, alone, inputs, o.evaluations);
    const ThreadedProgram p = threaded_program(t.graph, r.outcome.schedule);
    e.achieved.crossings = p.crossings;
    e.achieved.waits = p.waits;
    e.achieved.measured = 0;
    e.achieved.model = e.achieved.one_thread / speedup(t, r);
  }
  // Times in hundredths of the tasks' unit, so that a crossing is not rounded to zero.
  constexpr Time fine = 100;
  const double unit =
      e.achieved.one_thread / static_cast<double>(std::max<Time>(1, total(t.graph.tasks)));
  const TaskGraph finer = refined(t.graph.tasks, fine);
  const Machine far{
      r.machine.processors, {}, static_cast<Time>(fine * 0.5 * e.round_trip / unit), 0};
  const Time length = makespan(run(scheduler("heft"), finer, far).schedule);
  e.with_crossings = std::min(e.achieved.one_thread, unit * static_cast<double>(length) / fine);
  return e;
}

ScheduleRun scheduled(const Options& o, const Tasks& t, const std::string& id, int processors,
                      Progress& bar, double from, double share) {
  ScheduleRun r;
  r.machine = machine(o, processors);
  r.scheduler = id;
  SearchLimits limits;
  limits.seconds = o.seconds;
  limits.progress = [&](double x) { bar.at(from + share * x); };
  const auto start = std::chrono::steady_clock::now();
  r.outcome = checked_run(scheduler(id), t.graph.tasks, r.machine, limits);
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return r;
}

void write(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::vector<ScheduleRun> all_runs(const Options& o, const Tasks& t,
                                  const std::vector<int>& counts) {
  std::vector<std::string> ids = {o.scheduler};
  if (o.scheduler == "all") {
    ids.clear();
    for (const Scheduler& s : schedulers())
      if (s.refuses(t.graph.tasks, machine(o, counts[0])).empty()) ids.emplace_back(s.id);
  } else {
    scheduler(o.scheduler);
  }
  Progress bar("searching");
  std::vector<ScheduleRun> runs;
  const double each = 1.0 / static_cast<double>(counts.size() * ids.size());
  for (const int p : counts)
    for (const std::string& id : ids) {
      runs.push_back(scheduled(o, t, id, p, bar, each * static_cast<double>(runs.size()), each));
      if (o.run) runs.back().execution = executed(o, t, runs.back());
    }
  return runs;
}

void draw(const Options& o, const Tasks& t, const std::vector<int>& counts,
          const std::vector<ScheduleRun>& runs) {
  if (o.plot) {
    if (counts.size() > 1 && o.scheduler != "all") {
      plot(processors_figure(t, runs), *o.plot, o.plot_style);
    } else {  // a curve needs more than one point
      Progress bar("searching");
      std::vector<ScheduleRun> curve;
      for (int p = 1; p <= 13; ++p)
        curve.push_back(scheduled(o, t, o.scheduler == "all" ? "exact" : o.scheduler, p, bar,
                                  (p - 1) / 13.0, 1 / 13.0));
      plot(processors_figure(t, curve), *o.plot, o.plot_style);
    }
  }
  if (!o.gantt) return;
  const ScheduleRun& r = runs.front();
  write(*o.gantt, gantt_svg(t, r.outcome.schedule, r.scheduler.c_str()));
}

// The tasks themselves, whatever the schedule.
void draw_tasks(const Options& o, const Tasks& t, const TaskPart& part) {
  if (o.dot) write(*o.dot, task_picture(t, TaskPicture::dot, part));
  if (o.svg) write(*o.svg, task_picture(t, TaskPicture::svg, part));
}

// A C file for each processor; what was written.
std::vector<std::string> write_programs(const Options& o, const Tasks& t, const ScheduleRun& r) {
  return write_files(*o.programs, processor_programs(t, r.outcome.schedule, r.scheduler.c_str()));
}

// How long an evaluation takes, and the natural frequency of the arm that this allows.
SchedulePeriod sampling_time(const Options& o, const Tasks& t, const ScheduleRun& r) {
  return schedule_period(t, r.outcome.schedule, 1e-6 * *o.operation_time);
}

void tell(const Options& o, const Tasks& t, const std::vector<ScheduleRun>& runs) {
  print_tasks(t);
  if (runs.size() == 1) {
    const bool small =
        runs[0].machine.processors <= most_in_a_table && t.graph.tasks.size() <= longest_table;
    print_schedule(t, runs[0], small && !o.no_table);
  } else {
    print_comparison(t, runs);
  }
  if (o.operation_time)
    for (const ScheduleRun& r : runs) {
      const SchedulePeriod x = sampling_time(o, t, r);
      fmt::print(
          "{} on {} processors at {} µs per operation: {:.4g} ms, {:.4g} Hz; sampling {} times per "
          "natural period, arms up to {:.4g} Hz\n",
          r.scheduler, r.machine.processors, *o.operation_time, 1e3 * x.period, x.rate,
          samples_per_natural_period, x.natural_frequency);
    }
  if (runs.size() == 1) return;
  if (!o.run) return;
  for (const ScheduleRun& r : runs) print_schedule(t, r, false);
}

Tasks asked_tasks(Options& o) {
  if (o.source.from.ends_with(".stg")) return tasks_of(o.source);
  o.robot.robot = o.source.from;
  return tasks_of(load_robot(o.robot), o.source);
}

int run(Options& o) {
  if (o.published) {
    if (o.json) throw Error("--published: it prints Markdown only; omit --json");
    print_published();
    return 0;
  }
  if (o.source.from.empty())
    throw Error(
        "ROBOT is missing; give a robot, such as stanford, or a file of tasks, such as graph.stg");
  if (!(o.seconds > 0)) throw Error("--time-limit: give seconds above 0");
  if (o.evaluations < 1) throw Error("--evaluations: give 1 or more");
  if (o.plot) check_plot_path("--plot", *o.plot);
  const std::vector<int> counts = processors(o);
  if (o.gantt && counts.size() * (o.scheduler == "all" ? 2 : 1) > 1)
    throw Error("--gantt: it draws one schedule; give one processor count and one scheduler");
  if (o.gantt && !o.gantt->ends_with(".svg"))
    throw Error(fmt::format("--gantt: '{}' does not end in .svg; use the suffix .svg", *o.gantt));
  for (const auto& [option, path] : {std::pair{"--svg", &o.svg}, std::pair{"--dot", &o.dot}})
    if (const std::string suffix = std::string(".") + (option + 2);
        *path && !(*path)->ends_with(suffix))
      throw Error(fmt::format("{}: '{}' does not end in {}; use the suffix {}", option, **path,
                              suffix, suffix));
  const TaskPart part = o.part ? drawn_part(*o.part) : TaskPart{};
  if (o.programs && o.programs->empty())
    throw Error("--programs: the name of the directory is empty; give one, such as programs");
  if (o.programs && counts.size() * (o.scheduler == "all" ? 2 : 1) > 1)
    throw Error("--programs: it writes one schedule; give one processor count and one scheduler");
  if (o.operation_time && !(*o.operation_time > 0))
    throw Error("--operation-time: give microseconds above 0");
  choose_computation(o.source, o.what);
  if (!o.tasks.empty()) o.source.tasks = task_decomposition(o.tasks);
  if (o.weights) o.source.weights = named_weights(*o.weights);
  Tasks t = asked_tasks(o);
  if (o.operation_time && t.operations_per_unit == 0)
    throw Error(
        "--operation-time: these tasks are not counted in operations; omit --weights, or use a "
        "robot");
  if (o.programs && !t.executable) no_operations("--programs", t);
  if (o.speeds) t = refined(t, sixtieth);  // a level on a processor twice as fast is half a level
  const std::vector<ScheduleRun> runs = all_runs(o, t, counts);
  if (o.output) write(*o.output, stg_text(t.graph.tasks));
  draw(o, t, counts, runs);
  draw_tasks(o, t, part);
  std::vector<std::string> programs;
  if (o.programs) programs = write_programs(o, t, runs[0]);
  if (!o.json) {
    tell(o, t, runs);
    for (const std::string& path : programs) fmt::print("wrote {}\n", harmless(path));
    return 0;
  }
  Json j = {{"schema", "parid.schedule/1"}};
  j.update(tasks_json(t));
  auto one = [&](const ScheduleRun& r) {
    Json run = run_json(r, t, runs.size() == 1);
    if (!o.operation_time) return run;
    const SchedulePeriod x = sampling_time(o, t, r);
    run["period_ms"] = 1e3 * x.period;
    run["rate_hz"] = x.rate;
    run["natural_frequency_hz"] = x.natural_frequency;
    return run;
  };
  if (runs.size() == 1) {
    j.update(one(runs[0]));
  } else {
    j["runs"] = Json::array();
    for (const ScheduleRun& r : runs) j["runs"].push_back(one(r));
  }
  if (o.programs) j["files"] = programs;
  print(j);
  return 0;
}

bool refers_to_link(const std::string& what) {
  TaskSource s;
  choose_computation(s, what);
  return s.control || info(s.quantity).needs_link;
}

// Refuses options that have no effect.
void check_effects(const Options& o, const CLI::App& c) {
  if (o.published)
    refuse_all_but(c, {"--published", "--json"},
                   "--published covers the robots of the papers; omit one of the two");
  if (o.source.from.ends_with(".stg"))
    refuse(c,
           {"--arg", "--env", "--package", "--strict", "--lock", "--attach", "--remove",
            "--no-rotors", "--frame", "--tip"},
           "a file of tasks has no robot; omit the option");
  else if (!refers_to_link(o.what))
    refuse(c, {"--frame", "--tip"},
           fmt::format("{} refers to no link; use the option with orin, hierarchy or a quantity of "
                       "a link, such as jacobian",
                       o.what));
  else if (!given(c, "--tip"))
    refuse(c, {"--frame"}, "it requires --tip, which names the frame");
  if (!given(c, "--run")) refuse(c, {"--evaluations"}, "it requires --run");
  if (!o.dot && !o.svg) refuse(c, {"--part"}, "it requires --dot or --svg");
  const bool searches = std::any_of(schedulers().begin(), schedulers().end(), [&](const auto& s) {
    return s.searches && (o.scheduler == s.id || o.scheduler == "all");
  });
  if (!searches)
    refuse(
        c, {"--time-limit"},
        fmt::format("{} does not search; --time-limit applies to schedulers that do, such as exact",
                    o.scheduler));
}

}  // namespace
}  // namespace schedule_command

void add_schedule(CLI::App& app, Action& action) {
  using namespace schedule_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("schedule", "Schedule a robot's computation on p processors");
  add_robot_changes(*c, o.robot);
  add_no_rotors(*c, o.robot);
  add_frame_and_tip(*c, o.robot);
  c->add_option("ROBOT", o.source.from,
                std::string(robot_help) + "; or a task file, FILE.stg (Standard Task Graph)");
  std::string steps;
  for (const ControlStepInfo& i : control_steps())
    steps += fmt::format("\n  {:<11}{}", i.id, i.meaning);
  c->add_option("WHAT", o.what,
                "quantity, as in `parid generate`, or a whole control step:" + steps)
      ->capture_default_str();
  c->add_option("-p,--processors", o.processors, "processor counts: 4, or 2,4,8, or 1-13")
      ->capture_default_str()
      ->option_text("P");
  std::string ways, names = "\n  all           all of them";
  for (const TaskDecompositionInfo& d : task_decompositions())
    ways += fmt::format("\n  {:<9}{}", d.id, in_flags(d.meaning));
  for (const Scheduler& s : schedulers())
    names += fmt::format("\n  {:<14}{} ({})", s.id, s.says, s.source);
  c->add_option("--tasks", o.tasks,
                "decomposition into tasks (default: rules if applicable, else graph):" + ways)
      ->option_text("WAY");
  c->add_option("--grain", o.source.grain,
                "largest number of operations per task, for --tasks graph (default: 1)")
      ->option_text("K");
  c->add_option("--weights", o.weights,
                "time units per operation, for --tasks graph or coarse, such as divide=4,sine=0: "
                "multiply, add, divide, root, sine (with its cosine) and arctangent (default: 1; 0 "
                "for the sines of coarse tasks)")
      ->option_text("LIST");
  c->add_flag("--friction", o.source.friction, "include the tasks of friction");
  c->add_option("--scheduler", o.scheduler, "scheduler:" + names)
      ->capture_default_str()
      ->option_text("S");
  c->add_option("--time-limit", o.seconds, "time limit of the search in seconds")
      ->option_text("S")
      ->capture_default_str();
  c->add_option("--speeds", o.speeds, "relative speed of each processor, such as 1,1,0.5")
      ->option_text("LIST");
  c->add_option("--latency", o.latency, "communication time of an edge between two processors")
      ->option_text("T")
      ->capture_default_str();
  c->add_option("--per-word", o.per_word, "additional communication time per number")
      ->option_text("T")
      ->capture_default_str();
  c->add_flag("--run", o.run, "execute the schedule on pinned threads and measure it");
  c->add_option("--evaluations", o.evaluations, "number of evaluations to measure")
      ->option_text("N")
      ->capture_default_str();
  c->add_option("--operation-time", o.operation_time,
                "time of one operation in µs: print the sampling period and rate that a schedule "
                "allows")
      ->option_text("US");
  c->add_option("--dot", o.dot, "write the task graph for Graphviz")->option_text("FILE.dot");
  c->add_option("--svg", o.svg, "draw the task graph, layer under layer")->option_text("FILE.svg");
  c->add_option("--part", o.part,
                "part of the task graph to draw: a joint, such as 3, forward or backward, or both, "
                "such as 3.forward (default: all)")
      ->option_text("PART");
  c->add_option("--programs", o.programs,
                "write a C program for each processor, with its messages, to this directory")
      ->option_text("DIR");
  c->add_option("--gantt", o.gantt, "write a Gantt chart")->option_text("FILE.svg");
  c->add_option("--plot", o.plot,
                "plot speed-up and efficiency over the number of processors to .pdf, .svg or .png")
      ->option_text("FILE");
  add_plot_style(*c, o.plot_style);
  c->add_option("-o,--output", o.output, "write the tasks as a Standard Task Graph")
      ->option_text("FILE.stg");
  c->add_flag("--no-table", o.no_table, "omit the assignment of tasks");
  c->add_flag("--published", o.published, "compare with the published schedules, in Markdown");
  c->add_flag("--json", o.json, "print one JSON object");
  c->footer(
      "Every schedule is validated before it is printed.\nExamples:  parid schedule stanford -p "
      "4\n           parid schedule orthogonal:6 -p 1-13 --plot speed-up.svg\n           parid "
      "schedule panda mass -p 3 --grain 10 --scheduler all\n           parid schedule puma560 ik "
      "-p 2 --weights divide=4,root=4,sine=8,arctangent=8\n           parid schedule graph.stg -p "
      "4 --time-limit 60 --gantt gantt.svg\n           parid schedule puma560 -p 2 --run\n         "
      "  parid schedule panda hierarchy --friction -p 3 "
      "--grain 20\n           parid schedule puma560 orin -p 3 --operation-time 45\n           "
      "parid "
      "schedule orthogonal:6 --svg link3.svg --part 3.forward\n           parid schedule stanford "
      "-p 3 --programs programs");
  c->callback([&action, options, c] {
    action = [options, c] {
      check_effects(*options, *c);
      return run(*options);
    };
  });
}

}  // namespace parid::cli
