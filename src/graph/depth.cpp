#include "graph/depth.hpp"

#include <algorithm>

namespace parid::graph {
namespace {

bool shorter(const Depth& a, const Depth& b, const OperationWeights& w) {
  const std::int64_t ta = a.time(w), tb = b.time(w);
  return ta != tb ? ta < tb : a.multiplications < b.multiplications;
}

// The step that an operation adds to its path, or none.
int Depth::*step(Op op, const OperationWeights& w) {
  if (w.of(op) == 0) return nullptr;
  // clang-format off
  switch (row(op).cost) {
    case Cost::multiplication: return &Depth::multiplications;
    case Cost::addition: return &Depth::additions;
    case Cost::division: return &Depth::divisions;
    case Cost::square_root: return &Depth::square_roots;
    case Cost::sin_cos: return &Depth::sines;
    case Cost::atan2: return &Depth::arc_tangents;
    case Cost::free: break;
  }
  // clang-format on
  return nullptr;
}

}  // namespace

std::int64_t Depth::time(const OperationWeights& w) const {
  return w.multiply * multiplications + w.add * additions + w.divide * divisions +
         w.root * square_roots + w.sine * sines + w.arctangent * arc_tangents;
}

std::vector<Depth> depth_per_node(const Graph& g, const OperationWeights& w) {
  std::vector<Depth> at(g.size());
  for (Id id = 0; id < g.size(); ++id) {
    Depth d;
    for (const Id a : g[id].operands())
      if (shorter(d, at[a], w)) d = at[a];
    if (const auto s = step(g[id].op, w)) ++(d.*s);
    at[id] = d;
  }
  return at;
}

std::vector<Depth> depth_per_output(const Graph& g, const OperationWeights& w) {
  const std::vector<Depth> at = depth_per_node(g, w);
  std::vector<Depth> out;
  for (const Named& o : g.outputs()) out.push_back(at[o.id]);
  return out;
}

Depth depth(const Graph& g, const OperationWeights& w) {
  const std::vector<Depth> out = depth_per_output(g, w);
  auto less = [&](const Depth& a, const Depth& b) { return shorter(a, b, w); };
  return out.empty() ? Depth() : *std::max_element(out.begin(), out.end(), less);
}

std::vector<long> width(const Graph& g) {
  const std::vector<Depth> at = depth_per_node(g);
  std::vector<long> starting;
  for (Id id = 0; id < g.size(); ++id) {
    if (!step(g[id].op, arithmetic_alone)) continue;
    const auto level = static_cast<std::size_t>(at[id].total());
    if (starting.size() < level) starting.resize(level);
    ++starting[level - 1];
  }
  return starting;
}

}  // namespace parid::graph
