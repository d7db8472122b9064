#include "schedule/threaded_program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parid::schedule {
namespace {

std::string decimal(double x) {
  const std::string s = fmt::format("{}", x);
  return "(" + (s.find_first_of(".en") == std::string::npos ? s + ".0" : s) + ")";
}

std::vector<int> processor_of_nodes(const TaskedGraph& g, const ThreadedProgram& p) {
  std::vector<int> at(g.graph.size(), -1);
  for (std::size_t k = 0; k < p.steps.size(); ++k)
    for (const ThreadStep& s : p.steps[k])
      for (const Id id : g.operations[s.task]) at[id] = static_cast<int>(k);
  return at;
}

// Whether a node is read on another processor or is an output.
std::vector<char> shared_nodes(const Graph& g, const std::vector<int>& at) {
  std::vector<char> shared(g.size(), 0);
  for (Id id = 0; id < g.size(); ++id)
    for (const Id in : g[id].operands())
      if (at[id] >= 0 && at[in] >= 0 && at[in] != at[id]) shared[in] = 1;
  for (const Named& o : g.outputs()) shared[o.id] = 1;
  return shared;
}

void give_slots(const TaskedGraph& g, ThreadedProgram& program) {
  constexpr int line = 16;  // doubles: two cache lines, which are often fetched together
  const std::vector<int> at = processor_of_nodes(g, program);
  const std::vector<char> shared = shared_nodes(g.graph, at);
  program.slot.assign(g.graph.size(), 0);
  int next = 0;
  auto new_line = [&] { next = (next + line - 1) / line * line; };
  for (Id id = 0; id < g.graph.size(); ++id)
    if (at[id] < 0) program.slot[id] = next++;
  for (const auto& steps : program.steps)
    for (const bool crossing : {true, false}) {
      new_line();
      for (const ThreadStep& s : steps)
        for (const Id id : g.operations[s.task])
          if (static_cast<bool>(shared[id]) == crossing) program.slot[id] = next++;
    }
  new_line();
  program.slots = next;
}

}  // namespace

ThreadedProgram threaded_program(const TaskedGraph& g, const Schedule& s) {
  ThreadedProgram program;
  program.steps.resize(s.processors);
  std::vector<int> rank(g.tasks.size()), at(g.tasks.size()), place(g.tasks.size());
  const std::vector<int> topological = g.tasks.order();
  for (int k = 0; k < g.tasks.size(); ++k) rank[topological[k]] = k;
  std::vector<Placement> order = s.placement;
  std::sort(order.begin(), order.end(), [&](const Placement& a, const Placement& b) {
    return a.start != b.start ? a.start < b.start : rank[a.task] < rank[b.task];
  });
  for (const Placement& p : order) {
    auto& steps = program.steps[p.processor];
    at[p.task] = p.processor;
    place[p.task] = static_cast<int>(steps.size()) + 1;
    steps.push_back({p.task, {}, 0});
  }
  for (int p = 0; p < s.processors; ++p) {
    std::vector<int> known(s.processors, 0);  // counts seen by earlier waits
    for (ThreadStep& step : program.steps[p]) {
      std::vector<int> needed(s.processors, 0);
      for (const Link& l : g.tasks.before(step.task)) {
        if (at[l.task] == p || l.words == 0) continue;
        ++program.crossings;
        needed[at[l.task]] = std::max(needed[at[l.task]], place[l.task]);
      }
      for (int q = 0; q < s.processors; ++q) {
        if (needed[q] <= known[q]) continue;
        known[q] = needed[q];
        step.waits.push_back({q, needed[q]});
        ++program.waits;
        program.steps[q][needed[q] - 1].show = needed[q];
      }
    }
  }
  give_slots(g, program);
  return program;
}

std::string c_text(const TaskedGraph& g, const ThreadedProgram& program) {
  const Graph& graph = g.graph;
  const std::vector<int> at = processor_of_nodes(g, program);
  const std::vector<char> shared = shared_nodes(graph, at);
  std::string text =
      "#include <math.h>\n"
      "struct count { unsigned long tasks; char rest[128 - sizeof(unsigned long)]; };\n"
      "#if defined(__x86_64__)\n#define PAUSE __builtin_ia32_pause()\n#else\n#define "
      "PAUSE\n#endif\n"
      "#define WAIT(p, k) while (__atomic_load_n(&counts[p].tasks, __ATOMIC_ACQUIRE) < base + k) "
      "PAUSE\n"
      "#define SHOW(p, k) __atomic_store_n(&counts[p].tasks, base + k, __ATOMIC_RELEASE)\n";
  for (std::size_t p = 0; p < program.steps.size(); ++p) {
    text += fmt::format(
        "void processor{}(double* x, struct count* counts, unsigned long base) {{\n", p);
    auto name = [&](Id id) {
      if (graph[id].op == Op::constant) return decimal(graph[id].value());
      return at[id] == static_cast<int>(p) ? fmt::format("t{}", id)
                                           : fmt::format("x[{}]", program.slot[id]);
    };
    for (const ThreadStep& step : program.steps[p]) {
      for (const Wait& w : step.waits)
        text += fmt::format("  WAIT({}, {});\n", w.processor, w.count);
      for (const Id id : g.operations[step.task]) {
        const Node& n = graph[id];
        const std::string a = name(n.in[0]), b = row(n.op).arity > 1 ? name(n.in[1]) : "",
                          c = row(n.op).arity > 2 ? name(n.in[2]) : "";
        text += fmt::format("  const double t{} = {};\n", id,
                            fmt::format(fmt::runtime(row(n.op).c), a, b, c));
        if (shared[id]) text += fmt::format("  x[{}] = t{};\n", program.slot[id], id);
      }
      if (step.show > 0) text += fmt::format("  SHOW({}, {});\n", p, step.show);
    }
    text += "}\n";
  }
  return text;
}

}  // namespace parid::schedule
