#include "runtime/cost/cost.hpp"

#include <fmt/format.h>

#include "formulation/all.hpp"
#include "graph/passes.hpp"
#include "runtime/cost/formulation_graph.hpp"

namespace parid::runtime {
namespace {

template <template <class> class F>
OperationCount count_as_written(const CanonicalModel& c, int processors) {
  Evaluation<F, Counted> e = evaluation<F, Counted>(c, processors);
  auto some = [](int k) { return Counted(0.1 * (k + 1)); };  // counts do not depend on the state
  e.load(some, some, some);
  e.place();
  Counted::reset();
  e.run();
  return Counted::count();
}

template <template <class> class F>
FormulationCost cost_of(const CanonicalModel& c, const CostOptions& options) {
  FormulationCost cost{.as_written = count_as_written<F>(c, options.processors),
                       .dense = {},
                       .customised = {},
                       .depth = {},
                       .why_not_traced = {}};
  // A graph has at most as many operations as the formulation as written; this check avoids a long
  // failing trace.
  if (static_cast<std::size_t>(cost.as_written.multiplications + cost.as_written.additions) >
      options.limit) {
    cost.why_not_traced = fmt::format("its graph would have more than {} nodes", options.limit);
    return cost;
  }
  try {
    TraceOptions traced{.placements_given = true,
                        .rotors = false,
                        .limit = options.limit,
                        .processors = options.processors};
    cost.dense = counts(simplify(trace<F>(c, traced)));
    traced.placements_given = false;
    const Graph g = simplify(trace<F>(c, traced));
    cost.customised = counts(g);
    cost.depth = depth(g);
  } catch (const GraphTooLarge& e) {
    cost.why_not_traced = fmt::format("its graph has more than {} nodes", e.limit);
  }
  return cost;
}

}  // namespace

FormulationCost cost(const std::string& id, const Robot& robot, const CostOptions& options) {
  std::optional<FormulationCost> found;
  Formulations::each([&]<template <class> class F>() {
    if (id == F<double>::id) found = cost_of<F>(robot.canonical(), options);
  });
  if (!found) throw std::logic_error("cost: unknown formulation '" + id + "'");
  return *found;
}

}  // namespace parid::runtime
