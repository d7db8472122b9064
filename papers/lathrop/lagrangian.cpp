// Lathrop's remark in section 3.1: the Lagrangian attains essentially the same time bounds, with
// substantially more hardware. He gives no method; formulation/hollerbach3_scan.hpp is one.

#include <fmt/format.h>

#include "formulation/hollerbach3_scan.hpp"
#include "formulation/lathrop.hpp"
#include "graph/depth.hpp"
#include "model/format/parametric.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "parid/robot.hpp"
#include "runtime/cost/formulation_graph.hpp"

namespace parid::papers {
namespace of_lathrop_lagrangian {
namespace {

template <class T>
using Lagrangian = Hollerbach3Scan<T, divided_scan>;
template <class T>
using Newton = Lathrop<T, divided_scan>;

struct Traced {
  int depth;
  long operations;
};
template <template <class> class F>
Traced traced(int n) {
  const Robot robot(chain(n));
  const Graph g = trace<F>(robot.canonical(), {.placements_given = true, .rotors = false});
  const Counts c = counts(g);
  return {depth(g).total(), c.multiplications + c.additions};
}

}  // namespace
}  // namespace of_lathrop_lagrangian

void lathrop_lagrangian(Claims& r) {
  using namespace of_lathrop_lagrangian;
  const Traced lagrange8 = traced<Lagrangian>(8), lagrange16 = traced<Lagrangian>(16),
               newton8 = traced<Newton>(8), newton16 = traced<Newton>(16);
  const int l = lagrange16.depth - lagrange8.depth, n = newton16.depth - newton8.depth;
  r.add(
      "Section 3.1", "the Lagrangian takes as long for every doubling of the links",
      holds("essentially the same time bounds", l <= n + 4,
            fmt::format("{} operations more, against {} for Newton-Euler", l, n)),
      "src/formulation/hollerbach3_scan.hpp: Hollerbach3Scan",
      reproduced(
          "logarithmic too: rotations with their two derivatives combine as functions of time do"));
  const double more =
      static_cast<double>(lagrange16.operations) / static_cast<double>(newton16.operations);
  r.add("Section 3.1", "the Lagrangian needs more hardware, 16 links",
        holds("substantially more", more > 1.3, fmt::format("{:.1f} times the operations", more)),
        "src/formulation/hollerbach3_scan.hpp: Hollerbach3Scan",
        reproduced("products of matrices where Newton-Euler has vectors"));
}

}  // namespace parid::papers
