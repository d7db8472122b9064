// A robot's computations as hardware: stages, buffers, Verilog.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bindings.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/host_io.hpp"
#include "hardware/ik_hardware.hpp"
#include "hardware/serial/serial_machine.hpp"
#include "hardware/verilog/pipeline_svg.hpp"
#include "hardware/verilog/verilog.hpp"
#include "model/canonical_model.hpp"
#include "parid/systolic_array.hpp"

namespace parid::python {

void add_controller_core(py::module_&);  // controller_core.cpp

namespace {

py::dict ik_pipeline(const Robot& robot, const std::optional<std::string>& link,
                     const std::string& arrangement, int word, int guard) {
  const std::string name = identifier(robot.name()) + "_ik";
  const IkArm arm(robot, link.value_or(robot.tip()));
  const IkHardware h = ik_hardware(arm, arrangement);
  const Cordic<CordicFixed> cordic = cordic_fixed(ik_format(arm, word), guard);
  const IkAccuracy e = ik_accuracy(arm, h.design, cordic);
  py::dict d, files;
  d["what"] = "ik";
  d["unit"] = "cordic";
  d["arrangement"] = h.arrangement;
  d["word"] = word;
  d["modules"] = h.design.boxes.size();
  d["stages"] = h.schedule.latency;
  d["buffers"] = h.buffers.shared;
  d["tapped_lines"] = h.buffers.tapped;
  d["interval"] = 1;
  d["latency"] = h.schedule.latency;
  d["clocks_per_stage"] = clocks_per_stage(h.design, cordic);
  d["max_error"] = e.worst();
  d["link"] = arm.link;
  d["inputs"] = h.design.input_names();
  d["outputs"] = std::vector(arm.joints.begin(), arm.joints.end());
  files[py::str(name + ".v")] = ik_verilog(arm, h, cordic, name);
  files["parid_cordic.v"] = verilog_boxes_of(h.design);
  d["files"] = files;
  d["svg"] = pipeline_svg(h.design, h.schedule);
  return d;
}

struct DynamicsOptions {
  std::optional<int> word, units;
  std::optional<double> max_error;
  std::optional<std::pair<int, int>> floating;
  std::string method;
  std::string link;
  MotionRanges ranges;
};

FixedGraph words_of(const Robot& robot, Quantity which, const DynamicsOptions& o,
                    std::string& method) {
  ProgramOptions program;
  program.link = o.link;
  if (o.floating && (o.word || o.max_error))
    throw Error("floating: it gives the length of all words; omit word and max_error");
  if (o.max_error)
    return fixed_program(robot, which, o.ranges, {*o.max_error, o.word.value_or(64)}, method,
                         program);
  if (method.empty()) method = "specialized";
  program.method = method;
  const Graph g = traced_program(robot, which, program);
  const std::vector<Range> ranges = input_ranges(robot, g, o.ranges);
  return o.floating ? float_graph(g, ranges, float_format(o.floating->first, o.floating->second))
                    : fixed_graph(g, ranges, o.word.value_or(32));
}

py::dict dynamics_pipeline(const Robot& robot, Quantity which, const DynamicsOptions& o) {
  const char* what = name(which);
  std::string method = o.method;
  FixedGraph fixed = words_of(robot, which, o, method);
  const FixedError e = fixed_error(fixed);
  const WordCounts words = word_counts(fixed);
  const bool proven = fixed.proven;
  const ArithmeticPipeline p =
      o.units ? shared_units(std::move(fixed), *o.units) : unrolled(std::move(fixed));
  check(p);
  const std::string module_name = identifier(robot.name()) + "_" + what;
  py::dict d, files;
  d["what"] = what;
  d["unit"] = o.floating ? "float" : "fixed";
  d["word"] = words.longest;
  d["mean_word"] = words.mean;
  d["product_bits"] = words.product_bits;
  d["method"] = method;
  d["modules"] = p.multipliers + p.adders + p.sine_units + p.dividers;
  d["multipliers"] = p.multipliers;
  d["adders"] = p.adders;
  d["sine_units"] = p.sine_units;
  d["dividers"] = p.dividers;
  d["stages"] = p.schedule.latency;
  d["buffers"] = p.registers;
  d["interval"] = p.interval;
  d["tapped_lines"] = buffers(p.network, p.schedule).tapped;
  d["latency"] = p.schedule.latency;
  d["utilisation"] = p.utilisation();
  d["max_error"] = e.measured;
  if (proven) d["error_bound"] = e.bound;
  files[py::str(module_name + ".v")] = verilog_pipeline(p, module_name);
  d["files"] = files;
  return d;
}

// One multiplier, one adder and one CORDIC rotation with a memory.
py::dict serial_pipeline(const Robot& robot, Quantity which, int word) {
  const Generated made = generate(robot, which);
  FixedGraph fixed =
      fixed_graph(made.program.graph, input_ranges(robot, made.program.graph, {}), word);
  const FixedError e = fixed_error(fixed);
  const SerialMachine machine = serial_machine(std::move(fixed));
  const std::string module_name = identifier(robot.name()) + "_" + name(which);
  py::dict d, files;
  d["what"] = name(which);
  d["unit"] = "serial";
  d["word"] = word;
  d["modules"] = machine.angles > 0 ? 3 : 2;
  d["multipliers"] = 1;
  d["adders"] = 1;
  d["sine_units"] = machine.angles > 0 ? 1 : 0;
  for (const char* key : {"stages", "interval", "latency"}) d[key] = machine.interval();
  d["buffers"] = machine.memory.size();
  d["tapped_lines"] = 0;
  d["max_error"] = e.measured;
  d["error_bound"] = e.bound;
  files[py::str(module_name + ".v")] = verilog_serial(machine, module_name);
  files[py::str(module_name + "_spi.v")] = verilog_spi(machine, module_name);
  files[py::str(module_name + "_hx8k.pcf")] = hx8k_pins();
  d["files"] = files;
  return d;
}

// By bus, µs per sample, for a pipeline's numbers of words.
py::dict host_times(int words_in, int words_out, int word) {
  py::dict d;
  for (const HostLoad& l : host_loads(words_in, words_out, word, 1, 1))
    d[l.bus->id] = l.microseconds;
  return d;
}

// Lathrop's arrays of vector processors, as they are built or folded onto one node or tier.
py::dict systolic(const RobotHandle& r, const std::string& kind_name, bool fold, int word) {
  if (kind_name != "linear" && kind_name != "log")
    throw Error("'" + kind_name + "' is not a kind of array; choose from linear, log");
  const SystolicKind kind = kind_name == "log" ? SystolicKind::log : SystolicKind::linear;
  const SystolicDesign design = systolic_design(r.robot, kind, {.folded = fold, .word = word});
  py::dict d, files, variables;
  d["kind"] = kind_name;
  d["folded"] = fold;
  d["word"] = word;
  d["backward_processors"] = design.backward_processors;
  d["forward_processors"] = design.forward_processors;
  d["formula_backward"] = design.formula_backward;
  d["formula_forward"] = design.formula_forward;
  d["nodes"] = design.nodes;
  d["widest_tier"] = design.widest_tier;
  d["interval"] = design.interval;
  d["latency"] = design.latency;
  d["utilisation"] = design.utilisation;
  d["internal_buffers"] = design.internal_buffers;
  d["external_buffers"] = design.external_buffers;
  d["max_error"] = design.max_error;
  for (const CodeFile& f : design.files) files[py::str(f.name)] = f.text;
  d["files"] = files;
  for (const SystolicVariable& v : design.variables) variables[py::str(v.name)] = v.available;
  d["variables"] = variables;
  return d;
}

}  // namespace

void add_hardware(py::module_& m) {
  add_controller_core(m);
  m.def("systolic", systolic);
  m.def("host_times", host_times);
  m.def("hardware", [](const RobotHandle& r, const std::string& what,
                       const std::optional<std::string>& link, const std::string& arrangement,
                       std::optional<int> word, int guard, std::optional<int> units, bool serial,
                       std::optional<double> max_error, std::optional<std::pair<int, int>> floating,
                       const std::optional<std::string>& method, double velocity,
                       double acceleration, double effort) {
    if (word && (*word < shortest_word || *word > longest_word))
      throw Error(fmt::format("word: give {} to {} bits", shortest_word, longest_word));
    if (guard < 1 || guard > longest_guard)
      throw Error(fmt::format("guard: give 1 to {} bits", longest_guard));
    if (units && *units < 1) throw Error("units: give 1 or more");
    for (const auto& [argument, value] :
         {std::pair("velocity", velocity), {"acceleration", acceleration}, {"effort", effort}})
      if (!(value > 0) || !std::isfinite(value))
        throw Error(fmt::format("{}: give a positive number", argument));
    const Quantity which = pipeline_quantity(what);
    if (serial && (units || which == Quantity::inverse_kinematics))
      throw Error(
          "serial: the serial machine computes dynamics with one unit of each kind; omit "
          "units, and give another quantity than ik");
    if (serial && (max_error || floating || method))
      throw Error(
          "max_error, floating, method: the serial machine has words of one length; omit them");
    if (serial) return serial_pipeline(r.robot, which, word.value_or(32));
    if (which == Quantity::inverse_kinematics) {
      if (max_error || floating || method)
        throw Error("max_error, floating, method: they apply to dynamics, not to 'ik'");
      return ik_pipeline(r.robot, link, arrangement, word.value_or(24), guard);
    }
    if (link && !info(which).needs_link)
      throw Error(fmt::format("link: '{}' does not refer to a link; omit it", what));
    DynamicsOptions o{word, units, max_error, floating, method.value_or(""), link.value_or(""), {}};
    o.ranges.velocity = velocity;
    o.ranges.acceleration = acceleration;
    o.ranges.effort = effort;
    return dynamics_pipeline(r.robot, which, o);
  });
}

}  // namespace parid::python
