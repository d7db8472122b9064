// parid hardware: a robot's computations as hardware that accepts a sample per stage.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <random>

#include "base/file/atomic_file.hpp"
#include "base/text/spelling.hpp"
#include "cli/command.hpp"
#include "cli/commands/hardware/hardware_arm.hpp"
#include "cli/commands/hardware/hardware_serial.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "cli/output/waiting.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/hardware/core_report.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/array/array_drawings.hpp"
#include "hardware/array/vector_processor.hpp"
#include "hardware/array_hardware.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/ik_hardware.hpp"
#include "hardware/pipeline/run_boxes.hpp"
#include "hardware/verilog/pipeline_svg.hpp"
#include "hardware/verilog/verilog.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"
#include "parid/robot.hpp"

namespace parid::cli {
namespace hardware_command {
namespace {

struct Options {
  RobotOptions robot;
  std::string schema;  // of the JSON object
  std::string what, unit = "cordic", arrangement = "paper", normalise = "after";
  std::optional<std::string> output, link, offset;
  std::optional<int> word, units;
  std::optional<double> max_error;
  std::optional<std::string> floating;  // "E,M"
  std::string method;
  int guard = 6, samples = 1000;
  MotionRanges ranges;
  std::optional<std::string> array;
  bool velocity_given = false, folded = false, boxes = false, json = false, serial = false;
  bool clock_given = false;
  double megahertz = 100;
  CoreRunOptions controller;
};

std::vector<std::string> write(const Options& o, const std::vector<EmittedFile>& files) {
  return o.output ? write_files(*o.output, files) : std::vector<std::string>{};
}

// ---- inverse kinematics on CORDIC boxes
// ----------------------------------------------------------

std::vector<EmittedFile> ik_files(const Options& o, const IkArm& arm, const IkHardware& h,
                                  const Cordic<CordicFixed>& cordic, const std::string& name) {
  const auto in = input_ports(h.design, cordic.arithmetic.format.word),
             out = output_ports(h.design, cordic.arithmetic.format.word);
  const BoxRunner<CordicFixed> run(h.design, cordic);
  std::string sent, wanted;
  for (const auto& words : ik_samples(arm, cordic.arithmetic.format, o.samples, 1)) {
    sent += verilog_memory_line(in, words);
    wanted += verilog_memory_line(out, run(words));
  }
  return {{name + ".v", ik_verilog(arm, h, cordic, name)},
          {"parid_cordic.v", verilog_boxes_of(h.design)},
          {name + "_bench.v", verilog_bench(name, in, out, o.samples)},
          {name + "_in.hex", sent},
          {name + "_out.hex", wanted},
          {name + ".svg", pipeline_svg(h.design, h.schedule)}};
}

Normalising normalising(const Options& o) {
  if (o.normalise == "after") return Normalising::after;
  if (o.normalise == "interleaved") return Normalising::interleaved;
  throw Error(
      fmt::format("--normalise: unknown value '{}'; choose from after, interleaved", o.normalise));
}

int run_ik(const Options& o) {
  const Robot robot = load_robot(o.robot);
  std::string link = o.link.value_or(robot.tip());
  const Robot with_tip = o.offset ? with_tip_offset(robot, *o.offset, link) : robot;
  if (!closed_form(with_tip.canonical(), with_tip.find_link(link))) {
    if (o.arrangement != "paper")
      throw Error(
          "--arrangement: it rearranges the equations of the PUMA and the Stanford arm; "
          "omit it");
    return run_serial_arm({o.schema, link, o.unit, o.normalise, normalising(o), o.output,
                           o.word.value_or(24), o.guard, o.samples, o.boxes, o.json},
                          with_tip);
  }
  const IkArm arm(with_tip, link);
  const IkHardware h = ik_hardware(arm, o.arrangement);
  const FixedFormat word = ik_format(arm, o.word.value_or(24));
  const Cordic<CordicFixed> cordic = cordic_fixed(word, o.guard, normalising(o));
  const IkAccuracy e = ik_accuracy(arm, h.design, cordic);
  const std::string name = identifier(robot.name()) + "_ik";
  const auto written =
      write(o, o.output ? ik_files(o, arm, h, cordic, name) : std::vector<EmittedFile>{});
  const long per_edge = buffers(h.network, balanced(h.network, Chains::per_edge)).per_edge,
             per_port = buffers(h.network, balanced(h.network, Chains::per_port)).per_port;
  Json lines = Json::array(), kinds = Json::object();
  for (const DelayLine& l : h.buffers.lines)
    if (h.network.signals[l.signal].weight > 0)
      lines.push_back(
          {{"signal", h.design.signals[l.signal].name}, {"stages", l.length}, {"taps", l.taps}});
  for (std::size_t b = 0; b < box_names.size(); ++b)
    if (const int n = h.design.count(static_cast<Box>(b))) kinds[box_names[b]] = n;
  std::string listing = text(h.design);
  if (o.json) {
    print({{"schema", o.schema},
           {"robot", robot.name()},
           {"what", "ik"},
           {"link", arm.link},
           {"inputs", h.design.input_names()},
           {"outputs", arm.joints},
           {"unit", o.unit},
           {"arrangement", h.arrangement},
           {"modules", h.design.boxes.size()},
           {"kinds", kinds},
           {"stages", h.schedule.latency},
           {"buffers", h.buffers.shared},
           {"buffer_lines", lines.size()},
           {"buffers_per_edge", per_edge},
           {"buffers_per_port", per_port},
           {"tapped_lines", h.buffers.tapped},
           {"interval", 1},
           {"latency", h.schedule.latency},
           {"clocks_per_stage", clocks_per_stage(h.design, cordic)},
           {"utilisation", utilisation(h.design, cordic)},
           {"word", word.word},
           {"guard", o.guard},
           {"normalise", o.normalise},
           {"max_error", e.worst()},
           {"position_error", e.position},
           {"orientation_error", e.orientation},
           {"singular_position_error", e.singular_position},
           {"singular_orientation_error", e.singular_orientation},
           {"lines", lines},
           {"files", written}});
    return 0;
  }
  fmt::print("{}: inverse kinematics of the {} on {} CORDIC modules, arrangement '{}'\n",
             robot.name(), arm.form.arm == ClosedForm::Arm::puma ? "PUMA" : "Stanford arm",
             h.design.boxes.size(), h.arrangement);
  fmt::print(
      "{} stages of {} clocks; latency: {} stages; throughput: one pose per stage; modules are "
      "busy {:.0f} % of the time\n",
      h.schedule.latency, clocks_per_stage(h.design, cordic), h.schedule.latency,
      100 * utilisation(h.design, cordic));
  fmt::print(
      "{} buffer stages in {} buffers, {} of them tapped ({} with a chain per edge, {} per port)\n",
      h.buffers.shared, lines.size(), h.buffers.tapped, per_edge, per_port);
  fmt::print(
      "words of {} bits, {} fraction bits, {} guard bits; error {:.2g} m and {:.2g} on regular "
      "poses, {:.2g} m and {:.2g} on singular ones\n",
      word.word, word.fraction, o.guard, e.position, e.orientation, e.singular_position,
      e.singular_orientation);
  for (const std::string& line : ik_ports(arm, h.design)) fmt::print("{}\n", line);
  if (o.boxes) {
    std::size_t line = 0, from = 0;
    fmt::print("\n");
    while (from < listing.size()) {
      const std::size_t end = listing.find('\n', from);
      const std::string one = listing.substr(from, end - from);
      if (line < h.schedule.start.size())
        fmt::print("{:>3}  {}\n", h.schedule.start[line], one);
      else
        fmt::print("     {}\n", one);
      ++line, from = end + 1;
    }
  }
  for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  return 0;
}

// ---- dynamics on multipliers and adders
// ------------------------------------------------------------

std::vector<EmittedFile> fixed_files(const Options& o, const ArithmeticPipeline& p,
                                     const std::string& name) {
  const auto in = input_ports(p), out = output_ports(p);
  std::string sent, wanted;
  for (const auto& words : fixed_samples(p.fixed, o.samples, 1)) {
    sent += verilog_memory_line(in, words);
    wanted += verilog_memory_line(out, evaluate(p.fixed, words));
  }
  return {{name + ".v", verilog_pipeline(p, name)},
          {name + "_bench.v", verilog_bench(name, in, out, o.samples)},
          {name + "_in.hex", sent},
          {name + "_out.hex", wanted}};
}

// From "8,23".
FloatFormat float_option(const std::string& text) {
  int exponent = 0, mantissa = 0, read = 0;
  if (std::sscanf(text.c_str(), "%d,%d%n", &exponent, &mantissa, &read) != 2 ||
      read != static_cast<int>(text.size()))
    throw Error(fmt::format("--float: '{}' is not of the form E,M, such as 8,23", text));
  try {
    return float_format(exponent, mantissa);
  } catch (const Error& e) {
    throw Error(fmt::format("--float: {}", e.what()));
  }
}

// In words of one length, in floating point, or in formats that meet an error target.
FixedGraph words_of(const Options& o, const Robot& robot, Quantity which, std::string& method) {
  ProgramOptions program;
  program.link = o.link.value_or("");
  if (o.max_error)
    return fixed_program(robot, which, o.ranges, {*o.max_error, o.word.value_or(64)}, method,
                         program);
  if (method.empty()) method = "specialized";
  program.method = method;
  const Graph g = traced_program(robot, which, program);
  const std::vector<Range> ranges = input_ranges(robot, g, o.ranges);
  return o.floating ? float_graph(g, ranges, float_option(*o.floating))
                    : fixed_graph(g, ranges, o.word.value_or(32));
}

Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(); }

int run_dynamics(const Options& o, Quantity which) {
  const Robot robot = load_robot(o.robot);
  const auto& limits = robot.limits();
  if (o.velocity_given && std::all_of(limits.begin(), limits.end(), [](const Robot::Limit& l) {
        return std::isfinite(l.velocity);
      }))
    throw Error(
        "--velocity: every joint of this robot has a velocity limit, which is used; omit "
        "--velocity");
  std::optional<Waiting> waiting(std::in_place, "generating");
  std::string method = o.method;
  FixedGraph fixed = words_of(o, robot, which, method);
  waiting.reset();
  const FixedError e = fixed_error(fixed);
  if (o.serial)
    return run_serial({o.schema, robot.name(), o.what, o.output, o.samples, o.megahertz, e.measured,
                       e.bound, o.json},
                      std::move(fixed));
  const WordCounts words = word_counts(fixed);
  const ArithmeticPipeline p =
      o.units ? shared_units(std::move(fixed), *o.units) : unrolled(std::move(fixed));
  check(p);
  const Buffers b = buffers(p.network, p.schedule);
  const std::string name = identifier(robot.name()) + "_" + o.what;
  const auto written = write(o, o.output ? fixed_files(o, p, name) : std::vector<EmittedFile>{});
  const int units = p.multipliers + p.adders + p.sine_units + p.dividers;
  const HostNeeds needs{static_cast<int>(p.fixed.graph.inputs().size()),
                        static_cast<int>(p.fixed.graph.outputs().size()), words.longest, p.interval,
                        o.megahertz};
  if (o.json) {
    print({{"schema", o.schema},
           {"robot", robot.name()},
           {"what", o.what},
           {"unit", o.floating ? "float" : "fixed"},
           {"modules", units},
           {"multipliers", p.multipliers},
           {"adders", p.adders},
           {"sine_units", p.sine_units},
           {"dividers", p.dividers},
           {"multiplications", p.multiplications},
           {"additions", p.additions},
           {"divisions", p.divisions},
           {"stages", p.schedule.latency},
           {"buffers", p.registers},
           {"buffers_per_edge", b.per_edge},
           {"buffers_per_port", b.per_port},
           {"tapped_lines", b.tapped},
           {"interval", p.interval},
           {"latency", p.schedule.latency},
           {"utilisation", p.utilisation()},
           {"word", words.longest},
           {"shortest_word", words.shortest},
           {"mean_word", words.mean},
           {"product_bits", words.product_bits},
           {"method", method},
           {"target", o.max_error ? Json(*o.max_error) : Json()},
           {"max_error", e.measured},
           {"error_bound", number_or_null(e.bound)},
           {"inner_error", e.inner_measured},
           {"inner_error_bound", number_or_null(e.inner_bound)},
           {"words_in", needs.words_in},
           {"words_out", needs.words_out},
           {"megahertz", needs.megahertz},
           {"host", host_json(needs)},
           {"files", written}});
    return 0;
  }
  const auto counted = [](int n, const char* kind) {
    return fmt::format("{} {}{}", n, kind, n == 1 ? "" : "s");
  };
  fmt::print("{}: {} on {}, {} and {}, words of {} bits\n", robot.name(), o.what,
             counted(p.multipliers, "multiplier"), counted(p.adders, "adder"),
             counted(p.sine_units, "sine unit") +
                 (p.dividers ? " and " + counted(p.dividers, "divider") : ""),
             o.floating ? fmt::format("{} ({} exponent, {} mantissa)", words.longest,
                                      p.fixed.floating->exponent, p.fixed.floating->mantissa)
             : words.shortest == words.longest
                 ? fmt::format("{}", words.longest)
                 : fmt::format("{} to {}", words.shortest, words.longest));
  if (o.max_error)
    fmt::print("method {}; the mean word has {:.1f} bits, all products together {} bits\n", method,
               words.mean, words.product_bits);
  fmt::print("one sample every {}; latency: {} clocks; units are busy {:.0f} % of the time\n",
             p.interval == 1 ? "clock" : fmt::format("{} clocks", p.interval), p.schedule.latency,
             100 * p.utilisation());
  if (p.is_shared())
    fmt::print("{} registers for {} values\n", p.registers, b.lines.size());
  else
    fmt::print("pipeline registers: {} in {} lines, {} of them tapped\n", p.registers,
               b.lines.size(), b.tapped);
  if (p.fixed.proven)
    fmt::print("largest error on random samples: {:.2g} of full scale; proven bound: {:.2g}\n",
               e.measured, e.bound);
  else
    fmt::print(
        "largest error on random samples: {:.2g} of full scale; no bound is proven, because the "
        "program divides\n",
        e.measured);
  if (o.max_error && p.fixed.proven)
    fmt::print("before the outputs are rounded to their ports: {:.2g}; proven bound: {:.2g}\n",
               e.inner_measured, e.inner_bound);
  if (o.clock_given) print_host(needs);
  for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  return 0;
}

// ---- Lathrop's arrays --------------------------------------------------------------------------

// The processor of the arrays, and random operations for its test bench.
std::vector<EmittedFile> processor_files(const Options& o) {
  const int word = o.word.value_or(24);
  const FixedFormat format{word, std::max(word - 8, 2)};
  const std::string name = "parid_vector_processor";
  std::vector<VerilogPort> in{{"op", 3}}, out;
  for (int k = 0; k < 9; ++k) in.push_back({fmt::format("a{}", k), word});
  for (int k = 0; k < 3; ++k) in.push_back({fmt::format("b{}", k), word});
  for (int k = 0; k < 3; ++k) out.push_back({fmt::format("y{}", k), word});
  constexpr VectorOp operations[] = {VectorOp::matrix_vector, VectorOp::cross, VectorOp::add,
                                     VectorOp::scale, VectorOp::dot};  // by `op`
  std::mt19937_64 random(1);
  VectorProcessor model(format);
  std::string sent, wanted;
  for (int k = 0; k < o.samples; ++k) {
    std::vector<Raw> words{static_cast<Raw>(random() % 5)};
    for (int j = 0; j < 12; ++j)
      words.push_back(format.raw(std::uniform_real_distribution<>(-4, 4)(random)));
    std::array<Raw, 9> a;
    std::array<Raw, 3> b;
    std::copy_n(words.begin() + 1, 9, a.begin());
    std::copy_n(words.begin() + 10, 3, b.begin());
    sent += verilog_memory_line(in, words);
    wanted +=
        verilog_memory_line(out, model.run(operations[static_cast<std::size_t>(words[0])], a, b));
  }
  return {{name + ".v", verilog_vector_processor(format)},
          {name + "_bench.v", verilog_bench(name, in, out, o.samples)},
          {name + "_in.hex", sent},
          {name + "_out.hex", wanted}};
}

// By operation.
template <class Clocks>
Json clocks(Clocks of) {
  return {{"matrix_vector", of(VectorOp::matrix_vector)},
          {"cross", of(VectorOp::cross)},
          {"add", of(VectorOp::add)},
          {"scale", of(VectorOp::scale)},
          {"dot", of(VectorOp::dot)}};
}

int run_array(const Options& o, Quantity which) {
  const ArrayKind kind = *o.array == "log" ? ArrayKind::log : ArrayKind::linear;
  if (which != Quantity::inverse_dynamics) throw Error("--array: arrays compute `inverse` only");
  const Robot robot = load_robot(o.robot);
  const std::vector<bool> prismatic = check_array_scope(robot);
  const SystolicArray a = systolic_array(kind, prismatic);
  const ArrayProcessors p = array_processors(kind, robot.nv());
  Staging schedule = a.schedule;
  int interval = a.interval();
  NodeProcessors built = built_processors(a), formula = p.systolic;
  const SystolicArray emitted = systolic_array(kind, prismatic, emitted_clocks);
  int emitted_interval = emitted.interval(), emitted_latency = emitted.schedule.latency;
  if (o.folded) {
    const FoldedArray f = folded(a), e = folded(emitted);
    check(a, f);
    check(emitted, e);
    schedule = f.schedule;
    interval = f.interval;
    built = {f.backward_processors, f.forward_processors};
    formula = p.folded;
    emitted_interval = e.interval;
    emitted_latency = e.schedule.latency;
  }
  const Buffers b = buffers(a.network, schedule);
  const ArrayBuffers waiting = array_buffers(a, schedule, interval);
  const double busy = utilisation(a, built.backward + built.forward, interval),
               formula_busy = utilisation(a, formula.backward + formula.forward, interval);
  const int many = 1000;
  const int ways = systolic_array(kind, prismatic, {many, 1}).schedule.latency;
  const double error = stream_error(robot, a, schedule, interval);
  const std::vector<GroupWires> groups = group_wires(kind);
  const ProcessorParts parts = processor_parts();
  std::vector<EmittedFile> files;
  if (o.output) {
    files = processor_files(o);
    for (EmittedFile& f : array_drawings(a, schedule, interval, o.folded,
                                         identifier(robot.name()) + "_" + *o.array, robot.name()))
      files.push_back(std::move(f));
  }
  const auto written = write(o, files);
  if (o.json) {
    Json wires = Json::array(), variables = Json::object();
    for (const VariableTime& v : variable_times(a)) variables[v.name] = v.available;
    for (const GroupWires& g : groups)
      wires.push_back({{"group", g.group},
                       {"processors", g.processors},
                       {"wires", g.wires},
                       {"within", g.within}});
    print({{"schema", o.schema},
           {"robot", robot.name()},
           {"what", o.what},
           {"array", *o.array},
           {"folded", o.folded},
           {"modules", built.backward + built.forward},
           {"backward_processors", built.backward},
           {"forward_processors", built.forward},
           {"formula",
            {{"modules", formula.backward + formula.forward},
             {"backward_processors", formula.backward},
             {"forward_processors", formula.forward},
             {"utilisation", formula_busy}}},
           {"node_backward", p.node.backward},
           {"node_forward", p.node.forward},
           {"nodes", p.nodes},
           {"widest_tier", p.widest},
           {"stages", (schedule.latency + a.interval() - 1) / a.interval()},
           {"buffers", waiting.internal + waiting.external},
           {"internal_buffers", waiting.internal},
           {"most_internal_buffers", waiting.most_internal},
           {"external_buffers", waiting.external},
           {"buffers_per_edge", b.per_edge},
           {"buffers_per_port", b.per_port},
           {"tapped_lines", b.tapped},
           {"interval", interval},
           {"latency", schedule.latency},
           {"utilisation", busy},
           {"clocks", clocks([&](VectorOp op) { return a.clocks.of(op); })},
           {"emitted_clocks", clocks(processor_clocks)},
           {"emitted_interval", emitted_interval},
           {"emitted_latency", emitted_latency},
           {"depth_split", {ways / many, ways % many}},
           {"variables", variables},
           {"groups", wires},
           {"processor",
            {{"modules", parts.modules},
             {"multipliers", parts.multipliers},
             {"adders", parts.adders},
             {"registers", parts.registers},
             {"busses", parts.busses},
             {"operand_wires", parts.operand_wires},
             {"result_wires", parts.result_wires}}},
           {"word", 64},
           {"max_error", error},
           {"files", written}});
    return error < 1e-9 ? 0 : 1;
  }
  fmt::print("{}: the {} array of Lathrop (1985){}\n", robot.name(),
             kind == ArrayKind::log ? "logarithmic" : "linear",
             !o.folded                ? ""
             : kind == ArrayKind::log ? ", folded onto one tier"
                                      : ", folded onto one node");
  fmt::print("built: {} processors, {} outward and {} inward, busy {:.1f} % of the time\n",
             built.backward + built.forward, built.backward, built.forward, 100 * busy);
  fmt::print(
      "Lathrop (1985), Table 6: {} processors, {} outward ({} per node) and {} inward ({} per "
      "node), for {}{}, all of them general; {:.1f} % of those would be busy\n",
      formula.backward + formula.forward, formula.backward, p.node.backward, formula.forward,
      p.node.forward,
      !o.folded                ? fmt::format("{} nodes", p.nodes)
      : kind == ArrayKind::log ? fmt::format("the {} nodes of the widest tier", p.widest)
                               : "one node",
      !o.folded && kind == ArrayKind::log ? fmt::format(", at most {} in a tier", p.widest) : "",
      100 * formula_busy);
  fmt::print(
      "one torque set every {} operations; latency: {} operations, of which {} multiplications and "
      "{} additions are on the critical path\n",
      interval, schedule.latency, ways / many, ways % many);
  fmt::print("buffered vectors: {}; {} within nodes (at most {} in one), {} outside\n",
             waiting.internal + waiting.external, waiting.internal, waiting.most_internal,
             waiting.external);
  fmt::print("operand wires: {} outward, {} for force and moment, {} inward (Lathrop (1985): 50)\n",
             groups[0].wires, groups[1].wires, groups[2].wires);
  fmt::print("one processor: {} modules of {} multipliers, {} adder, {} registers, {} busses\n",
             parts.modules, parts.multipliers, parts.adders, parts.registers, parts.busses);
  fmt::print(
      "these figures are for the machine of the paper: {} clock for a sum, {} for a matrix times a "
      "vector. The processor that -o writes loads its operands first and takes {} and {} clocks, "
      "which gives {} clocks between torque sets and a latency of {} clocks\n",
      a.clocks.of(VectorOp::add), a.clocks.of(VectorOp::matrix_vector),
      processor_clocks(VectorOp::add), processor_clocks(VectorOp::matrix_vector), emitted_interval,
      emitted_latency);
  fmt::print(
      "clock-accurate simulation of a stream of states: error {:.2g} against the serial "
      "recursion\n",
      error);
  for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  return error < 1e-9 ? 0 : 1;
}

constexpr const char* controller_word = "controller";

int run_controller(const Options& o, const CLI::App& c) {
  const Robot robot = load_robot(o.robot);
  CoreRunOptions core = o.controller;
  core.schema = o.schema;
  core.output = o.output;
  core.samples = o.samples;
  core.json = o.json;
  core.clock_mhz = o.megahertz;
  core.core.link = o.link.value_or(robot.tip());
  if (given(c, "--arrangement")) core.core.arrangement = o.arrangement;
  if (o.word) core.core.word = *o.word;
  core.core.guard = o.guard;
  for (const char* option : {"--arrangement", "--link", "--guard", "--offset"})
    if (given(c, option)) core.for_poses = option;
  core.velocity_given = given(c, "--velocity");
  core.acceleration_given = given(c, "--acceleration");
  if (given(c, "--velocity")) core.core.velocity = o.ranges.velocity;
  if (given(c, "--acceleration")) core.core.acceleration = o.ranges.acceleration;
  return run_core(o.offset ? with_tip_offset(robot, *o.offset, core.core.link) : robot, core);
}

int run(const Options& o, const CLI::App& c) {
  if (o.what == controller_word) return run_controller(o, c);
  const Quantity which = pipeline_quantity(o.what);
  if (which == Quantity::inverse_kinematics) return run_ik(o);
  return o.array ? run_array(o, which) : run_dynamics(o, which);
}

// Refuses options that have no effect.
void check_effects(Options& o, const CLI::App& c) {
  check_core_options(o.controller, c, o.what == controller_word);
  if (!o.output)
    refuse(c, {"--samples"}, "it sets the samples of the test bench; give a directory with -o");
  if (o.what == controller_word) return;
  const Quantity which = pipeline_quantity(o.what);
  if (which == Quantity::inverse_kinematics)
    refuse(c,
           {"--units", "--array", "--folded", "--velocity", "--acceleration", "--no-rotors",
            "--effort", "--max-error", "--method", "--float"},
           "it applies to dynamics, not to 'ik'");
  else
    refuse(c, {"--unit", "--arrangement", "--offset", "--frame", "--tip", "--guard", "--normalise"},
           fmt::format("it applies to ik, not to '{}'", o.what));
  if (which == Quantity::inverse_kinematics)
    refuse(c, {"--serial", "--clock"}, "it applies to dynamics, not to 'ik'");
  if (o.serial)
    refuse(c, {"--units", "--array", "--folded", "--modules", "--max-error", "--float"},
           "the serial machine has one unit of each kind and words of one length; omit --serial or "
           "this option");
  if (o.array) refuse(c, {"--clock"}, "it does not apply to an array of vector processors");
  if (!info(which).needs_link)
    refuse(c, {"--link"}, fmt::format("'{}' does not refer to a link; omit it", o.what));
  if (o.floating)
    refuse(c, {"--word", "--max-error"}, "--float gives the length of all words; omit it");
  if (!o.array) refuse(c, {"--folded"}, "it requires --array");
  if (o.array)
    refuse(c,
           {"--units", "--velocity", "--acceleration", "--effort", "--modules", "--max-error",
            "--method", "--float"},
           "it does not apply to an array of vector processors; omit --array");
  const auto reads = [&](std::initializer_list<std::string_view> names) {
    const auto& inputs = info(which).inputs;
    return std::any_of(inputs.begin(), inputs.end(), [&](const ArrayInfo& in) {
      return std::find(names.begin(), names.end(), in.name) != names.end();
    });
  };
  const std::string no_effect = fmt::format("'{}' does not depend on it; omit it", o.what);
  if (!reads({"v", "v_wanted"})) refuse(c, {"--velocity"}, no_effect);
  if (!reads({"a", "a_wanted"})) refuse(c, {"--acceleration"}, no_effect);
  if (!reads({"tau"})) refuse(c, {"--effort"}, no_effect);
  o.velocity_given = given(c, "--velocity");
  o.clock_given = given(c, "--clock");
}

std::vector<std::string> dynamics_names() {
  std::vector<std::string> all = names(pipeline_quantities());
  all.erase(std::find(all.begin(), all.end(), "ik"));
  return all;
}

// The command under one of its names.
CLI::App* add(CLI::App& app, Action& action, const std::string& name, const char* says) {
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  o.schema = fmt::format("parid.{}/1", name);
  CLI::App* c = app.add_subcommand(name, says);
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  add_robot_changes(*c, o.robot);
  add_frame_and_tip(*c, o.robot);
  add_no_rotors(*c, o.robot);
  c->add_option("WHAT", o.what,
                fmt::format("ik: joint positions of a pose, with CORDIC modules\nwith multipliers, "
                            "adders, sine units and dividers: {}\ncontroller: from set points "
                            "and measured positions to torques",
                            fmt::join(dynamics_names(), ", ")))
      ->required();
  c->add_option("--unit", o.unit, "type of the modules")
      ->check(one_of({"cordic"}))
      ->option_text("KIND")
      ->capture_default_str();
  std::string arrangements;
  for (const IkArrangement& a : ik_arrangements())
    arrangements += fmt::format("\n  {:<9}{}", a.id, a.says);
  c->add_option("--arrangement", o.arrangement,
                "arrangement of the equations (controller: fastest unless given):" + arrangements)
      ->option_text("NAME")
      ->capture_default_str();
  c->add_option("--offset", o.offset, std::string("ik: ") + tip_offset_help)
      ->option_text("X,Y,Z[,R,P,Y]");
  c->add_option("--link", o.link,
                "link whose pose is given, or to which the quantity refers (default: the tip)")
      ->option_text("NAME");
  c->add_option("--word", o.word,
                fmt::format("word length in bits, sign included, {} to {} (default: 24 for ik, 32 "
                            "for dynamics and controllers, which accept 12 to 64); with "
                            "--max-error the longest word (default: 64)",
                            shortest_word, longest_word))
      ->check(CLI::Range(shortest_word, longest_word))
      ->option_text("W");
  c->add_option("--max-error", o.max_error,
                "dynamics: choose the format of every signal so that no output is off by more than "
                "this fraction of its largest value; the bound holds for all inputs")
      ->check(CLI::Range(1e-25, 0.5))
      ->option_text("E");
  c->add_option(
       "--float", o.floating,
       "dynamics: floating-point units with E exponent bits and M mantissa bits instead of "
       "fixed point")
      ->option_text("E,M");
  c->add_option("--method", o.method,
                fmt::format("dynamics: the program: {} (default: specialized; with --max-error the "
                            "one of specialized and newton_euler_link with smaller multipliers)",
                            fmt::join(program_methods(), ", ")))
      ->option_text("NAME");
  c->add_option("--guard", o.guard, "guard bits inside a CORDIC module")
      ->check(CLI::Range(1, longest_guard))
      ->capture_default_str()
      ->option_text("G");
  c->add_option("--normalise", o.normalise,
                "when a CORDIC module corrects its gain: after the rotations, with one clock per "
                "correction, or interleaved with them, which saves clocks and makes each longer")
      ->capture_default_str()
      ->option_text("WHEN");
  c->add_option("--units", o.units,
                "share this many multipliers and adders (default: one unit per operation)")
      ->check(CLI::Range(1, 100000))
      ->option_text("P");
  c->add_flag("--serial", o.serial,
              "one multiplier, one adder and one CORDIC rotation, used by instructions one after "
              "another, with the values in a memory: the smallest machine");
  c->add_option("--clock", o.megahertz,
                "clock of the machine in MHz; its rate is compared with three buses to a host; "
                "controller: for latencies")
      ->check(CLI::PositiveNumber)
      ->option_text("MHZ")
      ->capture_default_str();
  c->add_option("--array", o.array,
                "use an array of vector processors: linear (one node per link) or log (a binary "
                "tree of links)")
      ->check(one_of({"linear", "log"}))
      ->option_text("KIND");
  c->add_flag("--folded", o.folded,
              "fold the array: one node of the linear array or one tier of the tree, reused");
  c->add_option("--velocity", o.ranges.velocity, "largest velocity of joints without a limit")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->option_text("V");
  c->add_option("--acceleration", o.ranges.acceleration,
                "largest acceleration of all joints (controller: 100 unless given)")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->option_text("A");
  c->add_option("--effort", o.ranges.effort,
                "largest torque or force of joints without a limit, where it is an input")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->option_text("T");
  c->add_flag("--modules", o.boxes, "list every module: its stage, its kind, its inputs");
  add_core_options(*c, o.controller);
  c->add_option("-o,--output", o.output,
                "write Verilog, a test bench, its samples and a diagram to this directory (array: "
                "the Verilog of its processor; graphs of its nodes and operations as DOT and SVG, "
                "timing charts as SVG)")
      ->option_text("DIR");
  c->add_option("--samples", o.samples, "number of samples of the test bench")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->option_text("N");
  c->add_flag("--json", o.json, "print figures and files as one JSON object");
  c->footer(
      "Examples:  parid hardware puma560 ik --unit cordic\n"
      "           parid hardware puma560 ik --arrangement fastest --word 32 -o hardware\n"
      "           parid hardware puma560 inverse --word 32 --units 8\n"
      "           parid hardware panda inverse --max-error 1e-6\n"
      "           parid hardware puma560 forward --float 8,30 --units 8\n"
      "           parid hardware planar3 inverse -o hardware\n"
      "           parid hardware planar3 inverse --serial --clock 48 -o hardware\n"
      "           parid hardware stanford inverse --array log --folded\n"
      "           parid hardware puma560 inverse --array linear -o array\n"
      "           parid hardware puma560 controller --law computed_torque -o core --verify model\n"
      "In the directory:  verilator --binary -Wno-fatal --top-module puma560_ik_bench *.v && "
      "obj_dir/Vpuma560_ik_bench");
  c->callback([&action, options, c] {
    action = [options, c] {
      check_effects(*options, *c);
      return run(*options, *c);
    };
  });
  return c;
}

}  // namespace
}  // namespace hardware_command

void add_hardware(CLI::App& app, Action& action) {
  using namespace hardware_command;
  add(app, action, "hardware", "Design a hardware pipeline: stages, buffers, error, Verilog");
  // Its older name, which keeps its own name of the JSON object; not listed in --help.
  add(app, action, "pipeline", "the older name of `parid hardware`")->group("");
}

}  // namespace parid::cli
