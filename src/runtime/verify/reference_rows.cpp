#include "runtime/verify/reference_rows.hpp"

#include <algorithm>
#include <random>

#include "graph/evaluate.hpp"
#include "parid/dynamics.hpp"
#include "parid/engine.hpp"
#include "runtime/engine/generic_rows.hpp"

namespace parid::runtime {
namespace {

bool same(const std::vector<Argument>& arguments, const std::vector<std::string>& names,
          const std::vector<std::size_t>& counts) {
  if (arguments.size() != names.size()) return false;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (arguments[k].name != names[k] || static_cast<std::size_t>(arguments[k].count) != counts[k])
      return false;
  return true;
}

// Whether the library's kernels compute exactly this quantity: no further arguments, no further
// terms.
bool is_computed_over_rows(const Robot& robot, Quantity which, const GenerateOptions& how,
                           const Program& p) {
  if (!info(which).batched || how.friction || how.choice || how.link == "all" ||
      how.point != std::array<double, 3>{})
    return false;
  const Shape shape = shape_of(robot, which);
  return same(p.inputs, shape.in_names, shape.in) && same(p.outputs, shape.out_names, shape.out);
}

std::vector<double> by_engine(Engine& engine, Quantity which, const std::string& link,
                              const Program& p, const std::vector<double>& in) {
  std::size_t size = 0;
  for (const Argument& a : p.outputs) size += static_cast<std::size_t>(a.count);
  std::vector<double> out(size);
  std::vector<StridedInput> from;
  std::vector<StridedOutput> to;
  const double* next = in.data();
  for (const Argument& a : p.inputs) {
    from.push_back({next, static_cast<std::size_t>(a.count)});
    next += a.count;
  }
  double* place = out.data();
  for (const Argument& a : p.outputs) {
    to.push_back({place, static_cast<std::size_t>(a.count)});
    place += a.count;
  }
  engine.evaluate(which, 1, from, to, {}, link);
  return out;
}

}  // namespace

ReferenceRows reference_rows(const Robot& robot, Quantity which, const GenerateOptions& how,
                             const Generated& made, int rows) {
  const Program& p = made.program;
  const bool library = is_computed_over_rows(robot, which, how, p);
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
  std::mt19937_64 random(1);
  // Distributions of the standard library differ between implementations; this one does not.
  auto any = [&] { return 0x1p-52 * static_cast<double>(random() >> 11) - 1; };  // −1 to 1
  ReferenceRows known;
  known.by = library ? "Parid's library, independent of this program"
                     : "the graph from which this program was generated";
  for (int r = 0; r < rows; ++r) {
    ReferenceRow row;
    for (const Argument& a : p.inputs) {
      std::vector<double> values(static_cast<std::size_t>(a.count));
      for (double& x : values) x = any();
      if (a.name == "q" && a.count == robot.nq()) {
        std::vector<double> step(static_cast<std::size_t>(robot.nv()));
        for (double& x : step) x = 2 * any();
        integrate(robot, robot.neutral(), step, values);
      }
      if (a.name == "pi" && values.size() == made.parameter_values.size())
        values = made.parameter_values;
      row.in.insert(row.in.end(), values.begin(), values.end());
    }
    row.out = library ? by_engine(engine, which, how.link, p, row.in) : evaluate(p.graph, row.in);
    known.rows.push_back(std::move(row));
  }
  return known;
}

}  // namespace parid::runtime
