// A robot's specialized program: files in memory, and its operation count.

#include <fmt/format.h>

#include "base/text/spelling.hpp"
#include "bindings.hpp"
#include "codegen/emit/targets.hpp"
#include "codegen/trace/casadi_program.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/depth.hpp"
#include "graph/passes.hpp"
#include "identification/base_choice.hpp"
#include "parid/dynamics.hpp"

namespace parid::python {
namespace {

const Target& target(const std::string& language) {
  std::vector<std::string> known;
  for (const Target& t : targets()) {
    if (language == t.id) return t;
    known.emplace_back(t.id);
  }
  throw Error(fmt::format("language: unknown language '{}'; {}choose from {}", language,
                          did_you_mean(language, known), fmt::join(known, ", ")));
}

void choose_inputs(GenerateOptions& g, const std::vector<std::string>& words) {
  for (const std::string& w : words) {
    if (w == "parameters")
      g.parameters = true;
    else if (w == "gravity")
      g.gravity = true;
    else if (w == "payload")
      g.payload = true;
    else if (w == "wrench")
      g.wrench = true;
    else if (w == "friction")
      g.friction_coefficients = true;
    else if (w == "dt")
      g.step = true;
    else
      throw Error(fmt::format(
          "inputs: unknown input '{}'; {}choose from parameters, gravity, payload, wrench, "
          "friction, dt",
          w, did_you_mean(w, {"parameters", "gravity", "payload", "wrench", "friction", "dt"})));
  }
}

py::dict sizes(const std::vector<Argument>& arguments) {
  py::dict d;
  for (const Argument& a : arguments) d[py::str(a.name)] = a.count;
  return d;
}

py::dict generated(const RobotHandle& r, const std::string& what, const py::dict& o) {
  GenerateOptions g;
  g.standard_parameters = o["standard_parameters"].cast<bool>();
  g.friction = o["friction"].cast<bool>();
  g.link = o["link"].cast<std::optional<std::string>>().value_or("");
  g.point = o["point"].cast<std::array<double, 3>>();
  g.steps = o["steps"].cast<int>();
  g.dt = o["dt"].cast<double>();
  g.integrator = o["integrator"].cast<std::string>();
  g.path = o["path"].cast<bool>();
  choose_inputs(g, o["inputs"].cast<std::vector<std::string>>());
  if (o["base"].cast<bool>()) g.choice = base_choice(r.robot, g.gravity);
  const EmitOptions e{o["single_precision"].cast<bool>(), o["libm"].cast<bool>(),
                      o["lanes"].cast<int>(), o["fma"].cast<bool>()};
  const Quantity which = generated_quantity(what);
  const Target& t = target(o["language"].cast<std::string>());
  const bool casadi = o["casadi"].cast<bool>();
  if (casadi) require_casadi(which);
  Generated made;
  std::vector<EmittedFile> files;
  {
    const Unlocked unlocked;
    made = generate(r.robot, which, g);
    if (casadi) {
      CasadiCode code = casadi_code(r.robot, which, made, {false, e.libm_sin_cos, e.fma});
      files.push_back({code.name + ".c", std::move(code.text)});
    } else {
      files = t.emit(made.program, e);
    }
  }
  const Counts n = counts(made.program.graph);
  const Depth depth_of = depth(made.program.graph);
  py::dict d, texts;
  for (const EmittedFile& f : files) texts[py::str(f.name)] = f.text;
  d["what"] = what;
  d["language"] = t.id;
  d["files"] = texts;
  d["multiplications"] = n.multiplications;
  d["additions"] = n.additions;
  d["sincos"] = n.sin_cos;
  d["divisions"] = n.divisions;
  d["square_roots"] = n.square_roots;
  d["arc_tangents"] = n.atan2;
  d["critical_path"] = depth(made.program.graph, OperationWeights{}).total();
  d["fma_slots"] = fma_slots(made.program.graph);
  d["depth"] = depth_of.total();
  d["values_alive"] = most_alive(made.program.graph);
  d["base_parameters"] = made.base_parameters;
  d["takes"] = sizes(made.program.inputs);
  d["gives"] = sizes(made.program.outputs);
  d["parameter_names"] = py::tuple(py::cast(made.parameter_names));
  d["parameter_values"] = array(made.parameter_values);
  return d;
}

}  // namespace

void add_generate(py::module_& m) {
  m.def("generate", generated);
  m.def("quantities", [] {
    py::list all;
    for (const Quantity one : generated_quantities()) {
      const QuantityInfo& about = info(one);
      all.append(py::make_tuple(about.name, parid::text(about.inputs), parid::text(about.outputs),
                                about.meaning));
    }
    return all;
  });
  m.def("languages", [] {
    py::list all;
    for (const Target& t : targets()) all.append(py::make_tuple(t.id, t.says));
    return all;
  });
}

}  // namespace parid::python
