// A robot's computations as hardware: stages, buffers, Verilog.

#include <fmt/format.h>

#include <algorithm>

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

py::dict dynamics_pipeline(const Robot& robot, Quantity which, int word, std::optional<int> units) {
  const char* what = name(which);
  const Generated made = generate(robot, which);
  FixedGraph fixed =
      fixed_graph(made.program.graph, input_ranges(robot, made.program.graph, {}), word);
  const FixedError e = fixed_error(fixed);
  const ArithmeticPipeline p =
      units ? shared_units(std::move(fixed), *units) : unrolled(std::move(fixed));
  check(p);
  const std::string module_name = identifier(robot.name()) + "_" + what;
  py::dict d, files;
  d["what"] = what;
  d["unit"] = "fixed";
  d["word"] = word;
  d["modules"] = p.multipliers + p.adders + p.sine_units;
  d["multipliers"] = p.multipliers;
  d["adders"] = p.adders;
  d["sine_units"] = p.sine_units;
  d["stages"] = p.schedule.latency;
  d["buffers"] = p.registers;
  d["interval"] = p.interval;
  d["tapped_lines"] = buffers(p.network, p.schedule).tapped;
  d["latency"] = p.schedule.latency;
  d["utilisation"] = p.utilisation();
  d["max_error"] = e.measured;
  d["error_bound"] = e.bound;
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
  m.def("systolic", systolic);
  m.def("host_times", host_times);
  m.def("hardware", [](const RobotHandle& r, const std::string& what,
                       const std::optional<std::string>& link, const std::string& arrangement,
                       std::optional<int> word, int guard, std::optional<int> units, bool serial) {
    if (word && (*word < shortest_word || *word > longest_word))
      throw Error(fmt::format("word: give {} to {} bits", shortest_word, longest_word));
    if (guard < 1 || guard > longest_guard)
      throw Error(fmt::format("guard: give 1 to {} bits", longest_guard));
    if (units && *units < 1) throw Error("units: give 1 or more");
    const Quantity which = pipeline_quantity(what);
    if (serial && (units || which == Quantity::inverse_kinematics))
      throw Error(
          "serial: the serial machine computes dynamics with one unit of each kind; omit "
          "units, and give another quantity than ik");
    if (serial) return serial_pipeline(r.robot, which, word.value_or(32));
    return which == Quantity::inverse_kinematics
               ? ik_pipeline(r.robot, link, arrangement, word.value_or(24), guard)
               : dynamics_pipeline(r.robot, which, word.value_or(32), units);
  });
}

}  // namespace parid::python
