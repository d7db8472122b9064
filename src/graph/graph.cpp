#include "graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace parid::graph {
namespace {

constexpr Id nobody = ~Id{0};

std::uint64_t mixed(const Node& n) {
  std::uint64_t h = (static_cast<std::uint64_t>(n.op) << 32 | n.in[2]) * 0x9e3779b97f4a7c15u;
  h ^= static_cast<std::uint64_t>(n.in[1]) << 32 | n.in[0];
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  return h ^ h >> 32;
}

// The operands of a node are mostly recent nodes. The youngest operand therefore selects the region
// of the table, so that the region in use stays in cache; only if that region is full is the node
// stored elsewhere. Compared with plain hashing, a million nodes are created in half the time.
constexpr std::uint64_t neighbourhood = 1 << 11;
constexpr int crowded = 16;

std::uint64_t near(const Node& n, std::uint64_t anywhere) {
  const auto in = n.operands();
  if (in.empty()) return anywhere;
  return 2 * std::uint64_t{*std::max_element(in.begin(), in.end())} + anywhere % neighbourhood;
}

}  // namespace

double Node::value() const {
  assert(op == Op::constant);
  return std::bit_cast<double>(static_cast<std::uint64_t>(in[1]) << 32 | in[0]);
}

GraphTooLarge::GraphTooLarge(std::size_t nodes)
    : std::runtime_error(
          fmt::format("the graph needs more than {} nodes; increase the limit", nodes)),
      limit(nodes) {}

Id Graph::constant(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return intern({Op::constant, {static_cast<Id>(bits), static_cast<Id>(bits >> 32), 0}});
}

Id Graph::input(const std::string& name) {
  const auto number = static_cast<Id>(inputs_.size());
  const auto [at, fresh] = input_by_name_.try_emplace(name, nobody);
  if (fresh) {
    at->second = intern({Op::input, {number, 0, 0}});
    inputs_.push_back({name, at->second});
  }
  return at->second;
}

Id Graph::operation(Op op, Id a, Id b, Id c) {
  assert(row(op).arity > 0);
  assert(a < size() && b < size() && c < size());
  return intern({op, {a, b, c}});
}

std::optional<Id> Graph::find(Op op, Id a, Id b, Id c) const {
  if (table_.empty()) return {};
  const Id id = table_[slot_of({op, {a, b, c}})];
  return id == nobody ? std::nullopt : std::optional(id);
}

std::size_t Graph::slot_of(const Node& n) const {
  const std::size_t mask = table_.size() - 1;
  const std::uint64_t anywhere = mixed(n);
  auto ends = [&](std::size_t slot) { return table_[slot] == nobody || node_[table_[slot]] == n; };
  std::size_t slot = near(n, anywhere) & mask;
  for (int k = 0; k < crowded; ++k, slot = (slot + 1) & mask)
    if (ends(slot)) return slot;
  slot = anywhere & mask;
  while (!ends(slot)) slot = (slot + 1) & mask;
  return slot;
}

Id Graph::intern(const Node& n) {
  if (2 * (size() + 1) > table_.size()) rehash(std::max<std::size_t>(64, 2 * table_.size()));
  const std::size_t slot = slot_of(n);
  if (table_[slot] == nobody) {
    if (size() >= limit_) throw GraphTooLarge(limit_);
    table_[slot] = static_cast<Id>(size());
    node_.push_back(n);
  }
  return table_[slot];
}

void Graph::rehash(std::size_t slots) {
  table_.assign(slots, nobody);
  for (Id id = 0; id < size(); ++id) table_[slot_of(node_[id])] = id;
}

void Graph::reserve(std::size_t nodes) {
  node_.reserve(nodes);
  if (const std::size_t slots = std::bit_ceil(2 * nodes + 2); slots > table_.size()) rehash(slots);
}

Counts counts(const Graph& g) {
  Counts n;
  std::vector<bool> turned(g.size());  // has a sine or cosine
  n.nodes = static_cast<long>(g.size());
  // clang-format off
  for (const Node& node : g.nodes())
    switch (row(node.op).cost) {
      case Cost::free: break;
      case Cost::addition: ++n.additions; break;
      case Cost::multiplication: ++n.multiplications; break;
      case Cost::division: ++n.divisions; break;
      case Cost::square_root: ++n.square_roots; break;
      case Cost::atan2: ++n.atan2; break;
      case Cost::sin_cos:
        n.sin_cos += !turned[node.in[0]];
        turned[node.in[0]] = true;
    }
  // clang-format on
  return n;
}

}  // namespace parid::graph
