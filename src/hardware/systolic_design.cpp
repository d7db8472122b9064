// The public function of parid/systolic_array.hpp.

#include <fmt/format.h>

#include <algorithm>

#include "codegen/emit/program.hpp"
#include "hardware/array/array_drawings.hpp"
#include "hardware/array/vector_processor.hpp"
#include "hardware/array_hardware.hpp"
#include "hardware/verilog/verilog.hpp"
#include "model/given_values.hpp"
#include "parid/systolic_array.hpp"

namespace parid {

SystolicDesign systolic_design(const Robot& robot, SystolicKind kind,
                               const SystolicOptions& options) {
  using namespace hardware;
  model::require_within("word", options.word, shortest_word, longest_word);
  const SystolicArray a = systolic_array(kind, check_array_scope(robot));
  const ArrayProcessors by_formula = array_processors(kind, robot.nv());
  NodeProcessors built = built_processors(a), formula = by_formula.systolic;
  Staging schedule = a.schedule;
  SystolicDesign d;
  d.interval = a.interval();
  if (options.folded) {
    const FoldedArray f = folded(a);
    check(a, f);
    schedule = f.schedule;
    d.interval = f.interval;
    formula = by_formula.folded;
    built = {f.backward_processors, f.forward_processors};
  }
  const ArrayBuffers waiting = array_buffers(a, schedule, d.interval);
  d.backward_processors = built.backward;
  d.forward_processors = built.forward;
  d.formula_backward = formula.backward;
  d.formula_forward = formula.forward;
  d.nodes = by_formula.nodes;
  d.widest_tier = by_formula.widest;
  d.latency = schedule.latency;
  d.utilisation = utilisation(a, built.backward + built.forward, d.interval);
  d.internal_buffers = waiting.internal;
  d.external_buffers = waiting.external;
  d.max_error = stream_error(robot, a, schedule, d.interval);
  for (const VariableTime& v : variable_times(a)) d.variables.push_back({v.name, v.available});
  d.files.push_back(
      {"parid_vector_processor.v",
       verilog_vector_processor(FixedFormat{options.word, std::max(options.word - 8, 2)})});
  const char* kind_name = kind == SystolicKind::log ? "log" : "linear";
  for (codegen::EmittedFile& f : array_drawings(
           a, schedule, d.interval, options.folded,
           fmt::format("{}_{}", codegen::identifier(robot.name()), kind_name), robot.name()))
    d.files.push_back({std::move(f.name), std::move(f.text)});
  return d;
}

}  // namespace parid
