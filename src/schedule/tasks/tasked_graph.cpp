#include "schedule/tasks/tasked_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace parid::schedule {
namespace {

constexpr int nobody = -1;

std::vector<int> owners(const TaskedGraph& g) {
  std::vector<int> owner(g.graph.size(), nobody);
  for (std::size_t t = 0; t < g.operations.size(); ++t)
    for (const Id id : g.operations[t]) owner[id] = static_cast<int>(t);
  return owner;
}

void perform(const Graph& g, Id id, std::span<const double> inputs, std::vector<double>& x) {
  const Node& n = g[id];
  if (n.op == Op::constant)
    x[id] = n.value();
  else if (n.op == Op::input)
    x[id] = inputs[n.in[0]];
  else
    x[id] = apply(n.op, x[n.in[0]], x[n.in[1]], x[n.in[2]]);
}

}  // namespace

Counts counts(const Graph& g, std::span<const Id> ids) {
  Counts n;
  std::set<Id> turned;  // has a sine or cosine among those
  n.nodes = static_cast<long>(ids.size());
  // clang-format off
  for (const Id id : ids)
    switch (row(g[id].op).cost) {
      case Cost::free: break;
      case Cost::addition: ++n.additions; break;
      case Cost::multiplication: ++n.multiplications; break;
      case Cost::division: ++n.divisions; break;
      case Cost::square_root: ++n.square_roots; break;
      case Cost::atan2: ++n.atan2; break;
      case Cost::sin_cos: n.sin_cos += turned.insert(g[id].in[0]).second; break;
    }
  // clang-format on
  return n;
}

Counts scheduled_counts(const TaskedGraph& g) {
  std::vector<Id> all;
  for (const auto& ids : g.operations) all.insert(all.end(), ids.begin(), ids.end());
  return counts(g.graph, all);
}

Counts prepared_counts(const TaskedGraph& g) { return counts(g.graph, g.prepared); }

bool counts_as_operation(Op op) {
  const Cost c = row(op).cost;
  return c == Cost::addition || c == Cost::multiplication || c == Cost::division ||
         c == Cost::square_root || c == Cost::atan2;
}

int operation_count(const TaskedGraph& g, int task) {
  return static_cast<int>(
      std::count_if(g.operations[task].begin(), g.operations[task].end(),
                    [&](Id id) { return counts_as_operation(g.graph[id].op); }));
}

void add_data_edges(TaskedGraph& g) {
  const std::vector<int> owner = owners(g);
  for (int t = 0; t < g.tasks.size(); ++t) {
    std::map<int, std::set<Id>> from;
    for (const Id id : g.operations[t])
      for (const Id in : g.graph[id].operands())
        if (owner[in] != nobody && owner[in] != t) from[owner[in]].insert(in);
    for (const auto& [task, values] : from)
      g.tasks.precede(task, t, static_cast<int>(values.size()));
  }
}

void check(const TaskedGraph& g) {
  auto fail = [](const std::string& what) { throw std::logic_error("tasks of a graph: " + what); };
  if (static_cast<int>(g.operations.size()) != g.tasks.size()) fail("sizes differ");
  std::vector<int> place(g.tasks.size());
  const std::vector<int> order = g.tasks.order();
  for (int k = 0; k < g.tasks.size(); ++k) place[order[k]] = k;
  std::vector<char> known(g.graph.size(), 0);
  for (Id id = 0; id < g.graph.size(); ++id)
    if (g.graph[id].op == Op::constant || g.graph[id].op == Op::input) known[id] = 1;
  auto perform_in = [&](const std::vector<Id>& ids, const std::string& who) {
    for (const Id id : ids) {
      for (const Id in : g.graph[id].operands())
        if (!known[in]) fail(fmt::format("{} reads node {} too early", who, in));
      known[id] = 1;
    }
  };
  perform_in(g.prepared, "what is prepared");
  const std::vector<int> owner = owners(g);
  for (const int t : order) {
    for (const Id id : g.operations[t]) {
      if (owner[id] != t) fail(fmt::format("node {} belongs to two tasks", id));
      for (const Id in : g.graph[id].operands()) {
        const int o = owner[in];
        if (o == nobody || o == t) continue;
        const auto& before = g.tasks.before(t);
        if (std::none_of(before.begin(), before.end(), [&](const Link& l) { return l.task == o; }))
          fail(fmt::format("task {} reads what {} computes, without an edge", g.tasks[t].name,
                           g.tasks[o].name));
      }
    }
    perform_in(g.operations[t], "task " + g.tasks[t].name);
  }
  for (const Named& out : g.graph.outputs())
    if (!known[out.id]) fail("nobody computes " + out.name);
}

std::vector<double> evaluate(const TaskedGraph& g, const Schedule& s,
                             std::span<const double> inputs) {
  std::vector<double> x(g.graph.size(), std::numeric_limits<double>::quiet_NaN());
  for (Id id = 0; id < g.graph.size(); ++id)
    if (const Op op = g.graph[id].op; op == Op::constant || op == Op::input)
      perform(g.graph, id, inputs, x);
  for (const Id id : g.prepared) perform(g.graph, id, inputs, x);
  std::vector<Placement> order = s.placement;
  std::stable_sort(order.begin(), order.end(), [](const Placement& a, const Placement& b) {
    return std::pair(a.start, a.end) < std::pair(b.start, b.end);
  });
  for (const Placement& p : order)
    for (const Id id : g.operations[p.task]) perform(g.graph, id, inputs, x);
  std::vector<double> out;
  for (const Named& o : g.graph.outputs()) out.push_back(x[o.id]);
  return out;
}

}  // namespace parid::schedule
