#include "graph/text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace parid::graph {

std::string text(const Graph& g) {
  std::string all;
  const auto end = std::back_inserter(all);
  std::vector<Id> number(g.size());  // of operations
  auto name = [&](Id id) {
    const Node& n = g[id];
    if (n.op == Op::constant) return fmt::format("{}", n.value());
    if (n.op == Op::input) return g.inputs()[n.in[0]].name;
    return fmt::format("t{}", number[id]);
  };

  if (!g.inputs().empty()) {
    all += "input";
    for (const Named& i : g.inputs()) fmt::format_to(end, " {}", i.name);
    all += '\n';
  }
  Id operations = 0;
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.operands().empty()) continue;
    number[id] = ++operations;
    fmt::format_to(end, "t{} = {}", operations, row(n.op).name);
    for (const Id a : n.operands()) fmt::format_to(end, " {}", name(a));
    all += '\n';
  }
  for (const Named& o : g.outputs()) fmt::format_to(end, "output {} = {}\n", o.name, name(o.id));
  return all;
}

}  // namespace parid::graph
