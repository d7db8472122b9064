#include "cli/output/counts.hpp"

#include <fmt/format.h>

#include "cli/output/documents.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/depth.hpp"
#include "graph/passes.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

// A program's operations, with those of rotors separate.
struct Cost {
  long multiplications, additions;
  Counts all;
  Depth depth;
  long fma_slots;
};
Cost program_cost(const Robot& robot, Quantity which, bool standard) {
  const Generated g = generate(robot, which, {.standard_parameters = standard});
  const Counts n = counts(g.program.graph);
  return {n.multiplications - g.rotors.multiplications, n.additions - g.rotors.additions, n,
          depth(g.program.graph), static_cast<long>(fma_slots(g.program.graph))};
}
std::string pair(long m, long a) { return fmt::format("{}/{}", m, a); }

// Quantities whose programs depend on inertias; a loop or a Jacobian has one form.
constexpr Quantity counted[] = {Quantity::inverse_dynamics, Quantity::bias,
                                Quantity::gravity,          Quantity::mass_matrix,
                                Quantity::forward_dynamics, Quantity::inverse_gradient,
                                Quantity::forward_gradient};

struct Published {
  const char *source, *robot;
  long multiplications, additions;
  const char* reason;
};
constexpr Published published[] = {
    {"Dhanaraj (1990), Table 2.10", "puma560", 208, 152,
     "the printed program omits λ₁p₁ and has fewer parameters than its own tables"},
    {"Dhanaraj (1990), Table 2.10", "puma560-3", 80, 55,
     "its lines for JF3 miss a factor; corrected, and with λ₁p₁, they take 88/62"},
    {"Dhanaraj (1990), Table 2.10", "stanford", 183, 140,
     "its text has 186/141, some with undefined names; λ₃ has a wrong sign"},
    {"Dhanaraj (1990), Table 2.10", "stanford-3", 48, 33,
     "as its text counts; without λ₁p₁, and frame 3 does not slide"},
    {"Luh, Walker and Paul (1980), as counted by Hollerbach (1980): 150n − 48, 131n − 48",
     "chain:6", 852, 738, "as written, not customised, inertias about the centres of mass"},
    {"Khalil and Kleinfinger (1987): 92n − 127, 81n − 117 (as cited, not verified)", "chain:6", 425,
     369,
     "base parameters and customised; ours splits the screw and shares common terms of parallel "
     "axes"},
};

}  // namespace

void print_counts(const Robot& robot, CountsAs as) {
  Json words = Json::array();
  MarkdownTable table(
      {"program", "standard M/A", "base M/A", "÷", "sin, cos", "fused slots", "depth"}, 1);
  if (as == CountsAs::text)
    fmt::print("{:<18} {:>14} {:>14} {:>4} {:>9} {:>12} {:>6}\n", robot.name(), "standard M/A",
               "base M/A", "÷", "sin, cos", "fused slots", "depth");
  for (const Quantity one : counted) {
    const char* what = name(one);
    const Cost standard = program_cost(robot, one, true), base = program_cost(robot, one, false);
    const std::string s = pair(standard.multiplications, standard.additions),
                      b = pair(base.multiplications, base.additions);
    if (as == CountsAs::text)
      fmt::print("{:<18} {:>14} {:>14} {:>4} {:>9} {:>12} {:>6}\n", what, s, b, base.all.divisions,
                 base.all.sin_cos, base.fma_slots, base.depth.total());
    table.add({what, s, b, fmt::format("{}", base.all.divisions),
               fmt::format("{}", base.all.sin_cos), fmt::format("{}", base.fma_slots),
               fmt::format("{}", base.depth.total())});
    words.push_back({{"what", what},
                     {"standard", {standard.multiplications, standard.additions}},
                     {"base", {base.multiplications, base.additions}},
                     {"divisions", base.all.divisions},
                     {"sincos", base.all.sin_cos},
                     {"fma_slots", base.fma_slots},
                     {"depth", base.depth.total()}});
  }
  if (as == CountsAs::markdown) table.print();
  if (as == CountsAs::json)
    print({{"schema", "parid.generate.counts/1"}, {"robot", robot.name()}, {"words", words}});
}

void print_published_counts(CountsAs as) {
  Json rows = Json::array();
  MarkdownTable table({"source", "robot", "printed M/A", "ours, standard", "ours, base", "why"});
  for (const Published& p : published) {
    const Robot robot = Robot::load(p.robot);
    const Cost standard = program_cost(robot, Quantity::inverse_dynamics, true),
               base = program_cost(robot, Quantity::inverse_dynamics, false);
    const std::string printed = pair(p.multiplications, p.additions),
                      s = pair(standard.multiplications, standard.additions),
                      b = pair(base.multiplications, base.additions);
    if (as == CountsAs::text)
      fmt::print("{}: {} printed for {}; ours {}, with base parameters {}\n  {}\n", p.source,
                 printed, p.robot, s, b, p.reason);
    table.add({p.source, p.robot, printed, s, b, p.reason});
    rows.push_back({{"source", p.source},
                    {"robot", p.robot},
                    {"printed", {p.multiplications, p.additions}},
                    {"standard", {standard.multiplications, standard.additions}},
                    {"base", {base.multiplications, base.additions}},
                    {"reason", p.reason}});
  }
  if (as == CountsAs::markdown) table.print();
  if (as == CountsAs::json) print({{"schema", "parid.generate.published/1"}, {"rows", rows}});
}

}  // namespace parid::cli
