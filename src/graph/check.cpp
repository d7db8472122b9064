// The invariants that every pass may rely on and must preserve.

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "graph/graph.hpp"

namespace parid::graph {
namespace {

void require(bool holds, const auto& what) {
  if (!holds) throw std::logic_error("graph: " + what());
}

}  // namespace

void Graph::check() const {
  for (Id id = 0; id < size(); ++id) {
    const Node& n = node_[id];
    const auto known = static_cast<std::size_t>(n.op) < op_rows.size();
    require(known, [&] { return fmt::format("node {} has an unknown operation", id); });
    const OpRow& r = row(n.op);
    auto because = [&](const char* what) {
      return [=] { return fmt::format("node {} ({}) {}", id, r.name, what); };
    };
    for (const Id a : n.operands()) {
      require(a < id, because("has an operand that does not precede it"));
      const bool asks = n.op == Op::select && a == n.in[0];
      const bool gives = n.op == Op::select && (a == n.in[1] || a == n.in[2]);
      const bool mask = node_[a].op == Op::less;
      require(mask || !asks, because("has a condition that is not a comparison"));
      require(!mask || (asks && !gives), because("uses a comparison as a number"));
    }
    if (r.arity > 0)
      for (std::size_t k = n.operands().size(); k < n.in.size(); ++k)
        require(n.in[k] == 0, because("has too many operands"));
    if (n.op == Op::constant) require(!std::isnan(n.value()), because("is not a number"));
    require(find(n.op, n.in[0], n.in[1], n.in[2]) == id, because("appears twice"));
    if (n.op == Op::input)
      require(n.in[0] < inputs_.size() && inputs_[n.in[0]].id == id, because("has no name"));
  }
  std::unordered_set<std::string> seen;
  for (const Named& i : inputs_) {
    require(!i.name.empty(), [&] { return fmt::format("an input has no name"); });
    require(i.id < size() && node_[i.id].op == Op::input,
            [&] { return fmt::format("input '{}' is not an input node", i.name); });
    require(seen.insert(i.name).second,
            [&] { return fmt::format("two inputs are named '{}'", i.name); });
  }
  seen.clear();
  for (const Named& o : outputs_) {
    require(!o.name.empty(), [&] { return fmt::format("an output has no name"); });
    require(o.id < size() && node_[o.id].op != Op::less,
            [&] { return fmt::format("output '{}' is not a numeric node of this graph", o.name); });
    require(seen.insert(o.name).second,
            [&] { return fmt::format("two outputs are named '{}'", o.name); });
  }
}

}  // namespace parid::graph
