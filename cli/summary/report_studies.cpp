#include "cli/summary/report_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output/terminal.hpp"
#include "cli/summary/comparison.hpp"
#include "cli/summary/schedule_report.hpp"
#include "cli/summary/stability_report.hpp"
#include "control/loop.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/ik_hardware.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

constexpr long samples_compared = 100;
constexpr int usual_processors = 8, word_of_dynamics = 32;
constexpr double seconds_per_schedule = 2, time_without_end = 10;
constexpr int most_tasks_drawn = 5000;
constexpr std::size_t periods_of_map = 36;

const char* kind_of(Box b) {
  if (circular(b)) return drives_z(b) ? "rotates" : "rotates to zero";
  return linear(b) ? "multiplies or divides" : "takes roots";
}

Json ik_json(const IkArm& arm) {
  const IkHardware h = ik_hardware(arm);
  const BoxDesign& d = h.design;
  Json boxes = Json::array(), wires = Json::array(), outputs = Json::array();
  Json inputs = Json::array();
  for (const int in : d.inputs())
    inputs.push_back({{"name", d.signals[in].name}, {"sign", d.signals[in].sign}});
  auto input_index = [&](int signal) {
    const std::vector<int> all = d.inputs();
    return std::find(all.begin(), all.end(), signal) - all.begin();
  };
  auto wire = [&](int signal, int to_box, int to_output, int port, int when) {
    const BoxDesign::Signal& s = d.signals[signal];
    Json one{
        {"wait", when - h.schedule.ready(h.network, signal)}, {"sign", s.sign}, {"port", port}};
    if (s.box >= 0) {
      one["box"] = s.box;
      one["from_port"] = s.port - 'x';
    } else
      one["input"] = input_index(signal);
    if (to_box >= 0)
      one["to"] = to_box;
    else
      one["output"] = to_output;
    wires.push_back(one);
  };
  for (std::size_t b = 0; b < d.boxes.size(); ++b) {
    boxes.push_back({{"kind", name_of(d.boxes[b].box)},
                     {"does", kind_of(d.boxes[b].box)},
                     {"stage", h.schedule.start[b]}});
    int port = 0;
    for (const BoxOperand* o : {&d.boxes[b].x, &d.boxes[b].y, &d.boxes[b].z}) {
      if (!o->is_constant()) wire(o->signal, static_cast<int>(b), -1, port, h.schedule.start[b]);
      for (const int sign : o->signs)
        wire(sign, static_cast<int>(b), -1, port, h.schedule.start[b]);
      ++port;
    }
  }
  for (std::size_t k = 0; k < d.outputs.size(); ++k) {
    outputs.push_back(d.outputs[k].name);
    if (!d.outputs[k].value.is_constant())
      wire(d.outputs[k].value.signal, -1, static_cast<int>(k), 0, h.schedule.latency);
  }
  return {{"arm", name_of(arm.form.arm)},
          {"arrangement", h.arrangement},
          {"modules", d.boxes.size()},
          {"stages", h.schedule.latency},
          {"buffers", h.buffers.shared},
          {"tapped_lines", h.buffers.tapped},
          {"inputs", inputs},
          {"outputs", outputs},
          {"boxes", boxes},
          {"wires", wires}};
}

// The number of operations of each kind that start at every clock, and of waiting words.
Json dynamics_json(const Robot& robot) {
  const Generated made = generate(robot, Quantity::inverse_dynamics);
  FixedGraph fixed =
      fixed_graph(made.program.graph, input_ranges(robot, made.program.graph), word_of_dynamics);
  const FixedError e = fixed_error(fixed);
  const ArithmeticPipeline p = unrolled(std::move(fixed));
  const Buffers b = buffers(p.network, p.schedule);
  const auto clocks = static_cast<std::size_t>(p.schedule.latency);
  std::vector<int> multiplications(clocks), additions(clocks), sines(clocks), waiting(clocks);
  for (std::size_t k = 0; k < p.network.operations.size(); ++k) {
    const bool product = p.fixed.graph[p.node[k]].op == Op::mul;
    std::vector<int>& to = p.is_sine(static_cast<int>(k)) ? sines
                           : product                      ? multiplications
                                                          : additions;
    if (const auto at = static_cast<std::size_t>(p.schedule.start[k]); at < clocks) ++to[at];
  }
  for (const DelayLine& l : b.lines)
    for (int k = 0; k < l.length; ++k)
      if (const std::size_t at = p.schedule.ready(p.network, l.signal) + k; at < clocks)
        ++waiting[at];
  return {{"word", word_of_dynamics}, {"multipliers", p.multipliers},
          {"adders", p.adders},       {"sine_units", p.sine_units},
          {"interval", p.interval},   {"latency", p.schedule.latency},
          {"registers", p.registers}, {"max_error", e.measured},
          {"error_bound", e.bound},   {"multiplications", multiplications},
          {"additions", additions},   {"sines", sines},
          {"waiting", waiting}};
}

}  // namespace

Json formulations_json(const Robot& robot) {
  std::vector<const MethodEntry*> all;
  for (const MethodEntry& m : methods()) all.push_back(&m);
  return {{"samples", samples_compared},
          {"inverse", rows_json(compare_methods(robot, all, samples_compared, true))},
          {"forward", rows_json(compare_forward(robot, samples_compared))}};
}

Json schedule_json(const Robot& robot, const std::string& name, int processors) {
  TaskSource source;
  source.from = name;
  const Tasks t = tasks_of(robot, source);
  const TaskGraph& g = t.graph.tasks;
  Json names = Json::array(), durations = Json::array(), joints = Json::array(),
       runs = Json::array();
  for (int k = 0; k < g.size(); ++k) {
    names.push_back(g[k].name);
    durations.push_back(g[k].duration);
    joints.push_back(g[k].joint);
  }
  const int most = std::max(usual_processors, processors);
  Progress progress("scheduling");
  for (int p = 1; p <= most; ++p) {
    ScheduleRun r;
    r.machine = Machine{p};
    r.scheduler = "exact";
    SearchLimits limits;
    limits.seconds = seconds_per_schedule;
    r.outcome = run(scheduler(r.scheduler), g, r.machine, limits);
    Json one = run_json(r, t, false);
    one.erase("seconds");
    one.erase("nodes");
    if (g.size() <= most_tasks_drawn) {
      std::vector<long> start(g.size()), on(g.size());
      for (const Placement& at : r.outcome.schedule.placement) {
        start[at.task] = at.start;
        on[at.task] = at.processor;
      }
      one["start"] = start;
      one["on"] = on;
    }
    runs.push_back(one);
    progress.at(static_cast<double>(p) / most);
  }
  Json j = tasks_json(t);
  j["asked"] = processors;
  j["names"] = names;
  j["durations"] = durations;
  j["joints"] = joints;
  j["runs"] = runs;
  return j;
}

Json pipeline_json(const Robot& robot) {
  const auto form = closed_form(robot.canonical(), robot.find_link(robot.tip()));
  return {{"ik", form ? ik_json(IkArm(robot, robot.tip())) : Json(nullptr)},
          {"dynamics", dynamics_json(robot)}};
}

Json control_json(const ControlLawOptions& law, const std::optional<std::string>& motion,
                  const std::vector<std::string>& policies, double rate, bool friction) {
  std::vector<Policy> asked = {policy("exact")};
  for (const std::string& id : policies)
    if (id != "exact") asked.push_back(policy(id));
  const auto [plant, model] = asked_robots(law);
  const TrajectoryPointer trajectory = asked_trajectory(plant, motion, time_without_end);
  const auto n = static_cast<std::size_t>(plant.nq());
  std::vector<double> q(n), v(n), a(n);
  trajectory->at(0, q, v, a);
  Json runs = Json::array();
  LawDesign d = asked_design(law, model, asked[0], q);
  Progress progress("controlling");
  for (std::size_t k = 0; k < asked.size(); ++k) {
    d.policy = asked[k];
    ControlOptions o;
    o.rate = rate;
    o.friction = o.compensate_friction = friction;
    o.progress = [&](double share) {
      progress.at((static_cast<double>(k) + share) / static_cast<double>(asked.size()));
    };
    const ControlResult r = ControlLoop(plant, d, trajectory, o).run();
    const SampledTrajectory& m = r.simulation.motion;
    std::vector<double> error(m.rows * n);
    for (std::size_t i = 0; i < m.rows; ++i) {
      trajectory->at(std::clamp(m.t[i], 0.0, trajectory->duration()), q, v, a);
      for (std::size_t c = 0; c < n; ++c) error[i * n + c] = q[c] - m.q[i * n + c];
    }
    runs.push_back({{"id", asked[k].id},
                    {"max_error", r.max_error},
                    {"rms_error", r.rms_error},
                    {"final_error", r.final_error},
                    {"diverged_at", r.diverged_at ? Json(*r.diverged_at) : Json(nullptr)},
                    {"t", packed(m.t)},
                    {"error", packed(by_column(error, n))},
                    {"tau", packed(by_column(r.simulation.tau, n))}});
  }
  return {{"law", d.law}, {"period", 1 / rate}, {"friction", friction}, {"runs", runs}};
}

Json stability_json(const ControlLawOptions& law, std::size_t poses) {
  const auto [plant, model] = asked_robots(law);
  const std::vector<double> q = plant.neutral();
  const LawDesign d = asked_design(law, model, policy("exact"), q);
  const std::vector<double> periods = usual_periods(plant, d, q, periods_of_map);
  std::vector<Policy> all;
  for (const PolicyEntry& e : policies()) all.push_back(policy(e.id));
  Progress progress("stability");
  MapOptions options;
  options.progress = [&](double share) { progress.at(share); };
  const StabilityMap map =
      stability_map(plant, d, all, random_poses(plant, poses, 1), periods, options);
  Json rows = Json::array();
  for (std::size_t k = 0; k < all.size(); ++k) {
    StabilityRow row{all[k], step_cost(model, all[k]), 0, map.rows[k].safe, {}, {}, {}, {}};
    row.radius = worst_radii(map, k);
    if (const auto& unsafe = map.rows[k].unsafe; !unsafe.empty())
      row.random = RandomReport{{0, *std::min_element(unsafe.begin(), unsafe.end())}};
    row.safe = *std::min_element(row.by_pose.begin(), row.by_pose.end());
    Json j = json_of(row);
    for (const PolicyEntry& e : policies())
      if (e.id == row.policy.id) j["what"] = e.what;
    rows.push_back(j);
  }
  return {{"law", d.law}, {"poses", poses}, {"periods", periods}, {"policies", rows}};
}

}  // namespace parid::cli
