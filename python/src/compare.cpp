// Comparison of all formulations, and torques by one of them.

#include "base/text/spelling.hpp"
#include "bindings.hpp"
#include "lookup/comparison.hpp"
#include "parid/parallel_evaluation.hpp"

namespace parid::python {
namespace {

const MethodEntry& formulation(const std::string& id) {
  std::vector<std::string> known;
  for (const MethodEntry& m : methods()) {
    if (id == m.id) return m;
    known.emplace_back(m.id);
  }
  throw Error("unknown formulation '" + id + "'; " + did_you_mean(id, known) + "choose from " +
              method_names());
}

py::object counts_of(const std::optional<Counts>& c) {
  if (!c) return py::none();
  return py::make_tuple(c->multiplications, c->additions);
}

py::list compared(const RobotHandle& r, long samples, bool timed,
                  const std::optional<std::vector<std::string>>& only) {
  std::vector<const MethodEntry*> asked;
  if (only)
    for (const std::string& id : *only) asked.push_back(&formulation(id));
  else
    for (const MethodEntry& m : methods()) asked.push_back(&m);
  if (samples < 1) throw Error("samples: give 1 or more");
  if (r.nv == 0) throw Error("robot '" + r.robot.name() + "' has no moving joint");
  std::vector<MethodComparison> rows;
  {
    const Unlocked unlocked;
    rows = compare_methods(r.robot, asked, samples, timed);
  }
  py::list all;
  for (const MethodComparison& row : rows) {
    const bool can = row.reason.empty();
    py::dict d;
    d["id"] = row.entry->id;
    d["exact"] = row.entry->exact;
    d["reason"] = can ? row.cost.why_not_traced : row.reason;
    d["max_relative_error"] = can ? py::object(py::float_(row.error)) : py::object(py::none());
    d["as_written"] = can ? py::object(py::make_tuple(row.cost.as_written.multiplications,
                                                      row.cost.as_written.additions))
                          : py::object(py::none());
    d["simplified"] = counts_of(row.cost.dense);
    d["customised"] = counts_of(row.cost.customised);
    d["depth"] =
        row.cost.depth ? py::object(py::int_(row.cost.depth->total())) : py::object(py::none());
    d["nanoseconds"] = can && timed ? py::object(py::float_(row.ns)) : py::object(py::none());
    all.append(d);
  }
  return all;
}

py::array_t<double> torques_by(const RobotHandle& r, const std::string& id, const Numbers& q,
                               const Numbers& v, const Numbers& a,
                               const std::optional<int>& processors) {
  if (processors && *processors < 1) throw Error("processors: give 1 or more");
  const std::size_t rows = q.ndim() == 2 ? static_cast<std::size_t>(q.shape(0)) : 1;
  const std::vector<double> x = vector("q", q, rows * r.nq), y = vector("v", v, rows * r.nv),
                            z = vector("a", a, rows * r.nv);
  std::vector<double> tau(rows * r.nv);
  {
    const Unlocked unlocked;
    const auto chosen =
        make_method(formulation(id), r.robot, {}, {.processors = processors.value_or(0)});
    for (std::size_t k = 0; k < rows; ++k)
      chosen->torque(&x[k * r.nq], &y[k * r.nv], &z[k * r.nv], &tau[k * r.nv]);
  }
  return q.ndim() == 2 ? array(tau, r.nv) : array(tau);
}

py::tuple pair_of(const ProcessorOperations& o) {
  return py::make_tuple(o.multiplications, o.additions);
}

py::dict on_processors(const RobotHandle& r, int processors, int matrix_cells) {
  ParallelEvaluation e;
  {
    const Unlocked unlocked;
    e = parallel_evaluation(r.robot, processors, matrix_cells);
  }
  py::list each, steps, networks;
  for (const ProcessorOperations& o : e.processor) each.append(pair_of(o));
  for (const ParallelStep& s : e.steps) steps.append(py::make_tuple(s.equations, pair_of(s.time)));
  for (const ParallelNetwork& w : e.networks) {
    py::list recurrences;
    for (const ParallelTransfer& t : w.recurrences)
      recurrences.append(py::make_tuple(t.equation, t.width, t.passes, t.shuffles, t.words));
    py::dict d;
    d["network"] = w.network;
    d["nodes"] = w.nodes;
    d["links"] = w.links;
    d["moves"] = w.moves;
    d["words"] = w.words;
    d["word_times"] = w.word_times;
    d["busiest_link_words"] = w.busiest_link;
    d["recurrences"] = recurrences;
    networks.append(d);
  }
  py::dict d;
  d["processors"] = e.processors;
  d["processors_used"] = e.used;
  d["links_per_processor"] = e.links_per_processor;
  d["operations"] = each;
  d["steps"] = steps;
  d["time"] = pair_of(e.time);
  d["serial"] = pair_of(e.serial);
  d["speedup"] = e.speedup;
  d["k1"] = e.k1;
  d["k2"] = e.k2;
  d["levels"] = e.levels;
  d["lower_bound"] = pair_of(e.bound);
  d["over_bound"] = e.over_bound;
  d["networks"] = networks;
  return d;
}

}  // namespace

void add_compare(py::module_& m) {
  m.def("parallel_evaluation", on_processors);
  m.def("compare", compared);
  m.def("torques_by", torques_by);
  m.def("formulations", [] {
    py::list all;
    for (const MethodEntry& e : methods()) all.append(py::make_tuple(e.id, e.exact));
    return all;
  });
}

}  // namespace parid::python
