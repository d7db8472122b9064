// Lathrop's Figs. 1 to 5, of which the scan has lost the drawings: what their captions and the text
// say about them, read off the arrays that we draw.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "hardware/array/array_drawings.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"

namespace parid::papers {
namespace of_lathrop_figures {
namespace {

constexpr const char* by_drawing = "src/hardware/array/array_drawings.hpp: array_arcs";
constexpr const char* by_timing = "src/hardware/array/array_drawings.hpp: variable_times";

int available(const std::vector<VariableTime>& times, const std::string& name) {
  for (const VariableTime& v : times)
    if (v.name == name) return v.available;
  return -1;
}

// "Bkwd 1 > Bkwd 2"
std::set<std::string> arcs_of(const SystolicArray& a) {
  std::set<std::string> all;
  for (const ArrayArc& arc : array_arcs(a))
    if (arc.from >= 0) all.insert(a.nodes[arc.from].name + " > " + a.nodes[arc.to].name);
  return all;
}

void linear(Claims& r) {
  const int n = 4;
  const SystolicArray a = systolic_array(ArrayKind::linear, n);
  std::set<std::string> figure;
  for (int i = 1; i <= n; ++i) {
    figure.insert(fmt::format("Bkwd {0} > Fwd {0}", i));
    if (i < n) figure.insert(fmt::format("Bkwd {} > Bkwd {}", i, i + 1));
    if (i < n) figure.insert(fmt::format("Fwd {} > Fwd {}", i + 1, i));
  }
  const std::set<std::string> ours = arcs_of(a);
  r.add("Fig. 1", "dependencies of the linear recursive structure, n = 4",
        exact(fmt::format("{}", fmt::join(figure, ", ")), fmt::format("{}", fmt::join(ours, ", "))),
        by_drawing, reproduced("from joint to joint outward and inward, and F and N of each"));
  r.add("Fig. 2", "one joint more takes 2 (MV + VA) longer, nonsystolic",
        exact(8, systolic_array(ArrayKind::linear, 9).schedule.latency -
                     systolic_array(ArrayKind::linear, 8).schedule.latency),
        "src/hardware/array/systolic.hpp: systolic_array",
        reproduced("with one multiplication and one addition a flop each"));
  r.add("Fig. 3", "flops between sets of torques, systolic: MV + VA", exact(4, a.interval()),
        "src/hardware/array/systolic.hpp: SystolicArray", reproduced("1 mult + 3 addns"));
  const std::vector<VariableTime> times = variable_times(a);
  std::vector<int> steps, offsets;
  for (int i = 2; i <= n; ++i) {
    if (i > 2)
      steps.push_back(available(times, fmt::format("ω{}", i)) -
                      available(times, fmt::format("ω{}", i - 1)));
    offsets.push_back(available(times, fmt::format("ω̇{}", i)) -
                      available(times, fmt::format("ω{}", i)));
  }
  r.add("Fig. 4", "flops between ω_2, ω_3 and ω_4: MV + VA",
        exact("4, 4", fmt::format("{}", fmt::join(steps, ", "))), by_timing,
        reproduced("each as soon as its operands are there"));
  r.add("Fig. 4", "flops from ω_i to ω̇_i, i = 2, 3, 4: VC + VA",
        exact("3, 3, 3", fmt::format("{}", fmt::join(offsets, ", "))), by_timing,
        reproduced("the offset between the two rows of the figure"));
}

void logarithmic(Claims& r) {
  const int n = 8;  // elements, as in the figure: seven links and a base that moves
  const SystolicArray a = systolic_array(ArrayKind::log, n);
  // Which stretches the text lists is in context.cpp; here the way back.
  std::set<std::tuple<int, int, int>> outward, inward;  // tier and stretch, the latter mirrored
  for (const auto& node : a.nodes) {
    if (!node.combines) continue;
    if (node.forward)
      inward.insert({node.tier - 1, n + 1 - node.last, n + 1 - node.first});
    else
      outward.insert({node.tier, node.first, node.last});
  }
  r.add("Fig. 5", "graph of the forward recursion, as drawn, eight elements",
        holds("the backward one's, mirrored", outward == inward,
              fmt::format("{} of its {} nodes are mirror images",
                          std::count_if(inward.begin(), inward.end(),
                                        [&](const auto& node) { return outward.contains(node); }),
                          inward.size())),
        "src/hardware/array/systolic.hpp: systolic_array",
        reproduced("tier by tier; of the figure the scan has some labels left"));
  // Every combination reads two stretches, and one of them is the last of the left half.
  int two = 0, all = 0;
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    if (!a.nodes[k].combines) continue;
    std::set<int> from;
    for (const ArrayArc& arc : array_arcs(a))
      if (arc.to == static_cast<int>(k) && arc.from >= 0) from.insert(arc.from);
    ++all, two += from.size() <= 2;
  }
  r.add("Eq. (7)", "every node combines two stretches, X_{a,k} and X_{k+1,b}", exact(all, two),
        by_drawing, reproduced("of all combinations of the array, both ways"));
}

}  // namespace
}  // namespace of_lathrop_figures

void lathrop_figures(Claims& r) {
  using namespace of_lathrop_figures;
  linear(r);
  logarithmic(r);
}

}  // namespace parid::papers
