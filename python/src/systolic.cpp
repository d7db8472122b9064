// Lathrop's arrays of vector processors, as they are built or folded onto one node or tier.

#include <algorithm>

#include "bindings.hpp"
#include "hardware/array/vector_processor.hpp"
#include "hardware/array_hardware.hpp"
#include "hardware/verilog/verilog.hpp"

namespace parid::python {
namespace {

py::dict systolic(const RobotHandle& r, const std::string& kind_name, bool fold, int word) {
  if (kind_name != "linear" && kind_name != "log")
    throw Error("'" + kind_name + "' is no kind of array; choose from linear, log");
  if (word < shortest_word || word > longest_word)
    throw Error("word: give " + std::to_string(shortest_word) + " to " +
                std::to_string(longest_word) + " bits");
  const ArrayKind kind = kind_name == "log" ? ArrayKind::log : ArrayKind::linear;
  const Robot& robot = r.robot;
  const SystolicArray a = systolic_array(kind, check_array_scope(robot));
  const ArrayProcessors by_formula = array_processors(kind, robot.nv());
  NodeProcessors built = built_processors(a), formula = by_formula.systolic;
  Staging schedule = a.schedule;
  int interval = a.interval();
  if (fold) {
    const FoldedArray f = folded(a);
    check(a, f);
    schedule = f.schedule, interval = f.interval, formula = by_formula.folded;
    built = {f.backward_processors, f.forward_processors};
  }
  const ArrayBuffers waiting = array_buffers(a, schedule, interval);
  py::dict d, files;
  d["kind"] = kind_name, d["folded"] = fold, d["word"] = word;
  d["backward_processors"] = built.backward, d["forward_processors"] = built.forward;
  d["formula_backward"] = formula.backward, d["formula_forward"] = formula.forward;
  d["nodes"] = by_formula.nodes, d["widest_tier"] = by_formula.widest;
  d["interval"] = interval, d["latency"] = schedule.latency;
  d["utilisation"] = utilisation(a, built.backward + built.forward, interval);
  d["internal_buffers"] = waiting.internal, d["external_buffers"] = waiting.external;
  d["max_error"] = stream_error(robot, a, schedule, interval);
  files["parid_vector_processor.v"] =
      verilog_vector_processor(FixedFormat{word, std::max(word - 8, 2)});
  d["files"] = files;
  return d;
}

}  // namespace

void add_systolic(py::module_& m) { m.def("systolic", systolic); }

}  // namespace parid::python
