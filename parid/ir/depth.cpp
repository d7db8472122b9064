#include "parid/ir/depth.hpp"

#include <algorithm>

namespace parid {
namespace {

bool shorter(const Depth& a, const Depth& b) {
  const int ta = a.total(), tb = b.total();
  return ta != tb ? ta < tb : a.multiplications < b.multiplications;
}

// The step that an operation adds to its path, or none.
int Depth::*step(Op op) {
  // clang-format off
  switch (row(op).cost) {
    case Cost::multiplication: return &Depth::multiplications;
    case Cost::addition: return &Depth::additions;
    case Cost::division: return &Depth::divisions;
    case Cost::square_root: return &Depth::square_roots;
    default: return nullptr;
  }
  // clang-format on
}

}  // namespace

std::vector<Depth> depth_per_node(const Graph& g) {
  std::vector<Depth> at(g.size());
  for (Id id = 0; id < g.size(); ++id) {
    Depth d;
    for (const Id a : g[id].operands())
      if (shorter(d, at[a])) d = at[a];
    if (const auto s = step(g[id].op)) ++(d.*s);
    at[id] = d;
  }
  return at;
}

std::vector<Depth> depth_per_output(const Graph& g) {
  const std::vector<Depth> at = depth_per_node(g);
  std::vector<Depth> out;
  for (const Named& o : g.outputs()) out.push_back(at[o.id]);
  return out;
}

Depth depth(const Graph& g) {
  const std::vector<Depth> out = depth_per_output(g);
  return out.empty() ? Depth() : *std::max_element(out.begin(), out.end(), shorter);
}

std::vector<long> width(const Graph& g) {
  const std::vector<Depth> at = depth_per_node(g);
  std::vector<long> starting;
  for (Id id = 0; id < g.size(); ++id) {
    if (!step(g[id].op)) continue;
    const auto level = static_cast<std::size_t>(at[id].total());
    if (starting.size() < level) starting.resize(level);
    ++starting[level - 1];
  }
  return starting;
}

}  // namespace parid
