#include "control/table/flow_diagram.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/text/spelling.hpp"
#include "control/design.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

constexpr FlowDetailEntry flow_list[] = {
    {FlowDetail::blocks, "blocks", "forward and backward equations of each link as one block"},
    {FlowDetail::forward, "forward", "variables of the forward equations"},
    {FlowDetail::backward, "backward", "variables of the backward equations"},
    {FlowDetail::both, "both", "variables of both sweeps"},
};

bool in_backward_sweep(Stale s) { return s == Stale::f || s == Stale::n; }

class FlowBuilder {
 public:
  FlowBuilder(const Robot& robot, const Policy& p, FlowDetail detail, std::optional<int> link)
      : c_(robot.canonical()), p_(bound(p, robot)), detail_(detail) {
    const int n = c_.topology.n;
    if (link && (*link < 1 || *link > n))
      throw Error(fmt::format("link {} is out of range; '{}' has {} moving links, counted from 1",
                              *link, robot.name(), n));
    for (int i = 1; i <= n; ++i)
      if (!link || *link == i) links_.push_back(i);
    diagram_.title = fmt::format("{}: {}", robot.name(), p.id.empty() ? "exact" : p.id);
  }

  FlowDiagram build() {
    std::vector<std::pair<int, Stale>> order;  // as they are computed
    for (const int i : links_)
      for (int s = 0; s <= static_cast<int>(Stale::ac); ++s) order.emplace_back(i, Stale(s));
    for (auto i = links_.rbegin(); i != links_.rend(); ++i) {
      order.emplace_back(*i, Stale::f);
      order.emplace_back(*i, Stale::n);
    }
    for (const auto& [i, s] : order)
      if (drawn(i, s)) node(i, s);
    for (const auto& [i, s] : order)
      if (drawn(i, s)) connect(i, s);
    number();
    return std::move(diagram_);
  }

 private:
  int parent(int i) const { return c_.topology.parent[static_cast<std::size_t>(i)]; }
  std::vector<int> children(int i) const {
    std::vector<int> all;
    for (int k = 1; k <= c_.topology.n; ++k)
      if (parent(k) == i) all.push_back(k);
    return all;
  }
  bool blocks() const { return detail_ == FlowDetail::blocks; }

  // A link's e is that of the joints on it.
  bool drawn(int i, Stale s) const {
    if (s == Stale::e && children(i).empty()) return false;
    if (detail_ == FlowDetail::forward && in_backward_sweep(s)) return false;
    if (detail_ == FlowDetail::backward && !in_backward_sweep(s)) return false;
    return std::find(links_.begin(), links_.end(), i) != links_.end();
  }

  // The node of a variable: its link's block, or itself.
  std::pair<int, int> key(int i, Stale s) const {
    return {i, blocks() ? in_backward_sweep(s) : static_cast<int>(s)};
  }
  std::string name(int i, Stale s) const {
    return blocks() ? fmt::format("{}{}", in_backward_sweep(s) ? "B" : "F", i)
                    : fmt::format("{} {}", name_of(s), i);
  }
  int node(int i, Stale s) {
    const auto [at, is_new] = nodes_.try_emplace(key(i, s), diagram_.nodes.size());
    if (is_new) diagram_.nodes.push_back({name(i, s), i, 0, 1});
    return static_cast<int>(at->second);
  }
  int given(int i, Stale s, int age) {
    const auto [at, is_new] =
        given_.try_emplace({key(i, s), age}, static_cast<std::size_t>(diagram_.nodes.size()));
    if (is_new)
      diagram_.nodes.push_back(
          {age == 0 ? name(i, s) : fmt::format("{}, k-{}", name(i, s), age), i, 0, 0});
    return static_cast<int>(at->second);
  }
  void add(int from, int to) {
    const auto same = [&](const FlowEdge& e) { return e.from == from && e.to == to; };
    if (from != to && std::none_of(diagram_.edges.begin(), diagram_.edges.end(), same))
      diagram_.edges.push_back({from, to});
  }

  // What equation `s` of link i reads. An age of its own block is no message and not drawn.
  void connect(int i, Stale s) {
    const int to = node(i, s);
    for (const TermInfo& t : terms()) {
      if (t.equation != s) continue;
      const Age age = p_.age(t.term, i);
      for (const int of : sources(i, t)) {
        const bool here = drawn(of, t.variable);
        if (age.periods == 0) {
          add(here ? node(of, t.variable) : given(of, t.variable, 0), to);
          continue;
        }
        if (blocks() && key(of, t.variable) == key(i, s)) continue;
        add(given(of, t.variable, age.periods), to);
        if (age.prediction == Prediction::linear) add(given(of, t.variable, age.periods + 1), to);
      }
    }
  }
  // The links whose variable a term reads: none across the joints of the stationary base. The
  // parent's equations compute a joint's e.
  std::vector<int> sources(int i, const TermInfo& t) const {
    if (t.reader != Reader::neighbour) return {i};
    if (in_backward_sweep(t.equation)) return children(i);
    return parent(i) == 0 ? std::vector<int>{} : std::vector<int>{parent(i)};
  }

  void number() {
    std::vector<FlowNode>& nodes = diagram_.nodes;
    // Edges lead from nodes that are computed earlier; as often as there are nodes is enough.
    for (bool changed = true; changed;) {
      changed = false;
      for (const FlowEdge& e : diagram_.edges) {
        const int after = nodes[static_cast<std::size_t>(e.from)].step + 1;
        int& step = nodes[static_cast<std::size_t>(e.to)].step;
        if (step < after) {
          step = after;
          changed = true;
        }
      }
    }
    // Link by link from the top of each column.
    std::vector<std::size_t> order(nodes.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return nodes[a].link < nodes[b].link; });
    std::map<int, int> rows;
    for (const std::size_t k : order) {
      diagram_.steps = std::max(diagram_.steps, nodes[k].step);
      nodes[k].row = rows[nodes[k].step]++;
    }
  }

  const CanonicalModel& c_;
  Policy p_;
  FlowDetail detail_;
  std::vector<int> links_;
  FlowDiagram diagram_;
  std::map<std::pair<int, int>, std::size_t> nodes_;
  std::map<std::pair<std::pair<int, int>, int>, std::size_t> given_;
};

std::string markup(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}
std::string dot_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

}  // namespace

std::span<const FlowDetailEntry> flow_details() { return flow_list; }

FlowDetail flow_detail(const std::string& id) {
  std::vector<std::string> names;
  for (const FlowDetailEntry& e : flow_list) {
    if (id == e.id) return e.detail;
    names.emplace_back(e.id);
  }
  throw Error(fmt::format("unknown detail '{}'; {}choose from {}", id, did_you_mean(id, names),
                          fmt::join(names, ", ")));
}

FlowDiagram flow_diagram(const Robot& robot, const Policy& p, FlowDetail detail,
                         std::optional<int> link) {
  demand_single_freedoms(robot);
  return FlowBuilder(robot, p, detail, link).build();
}

std::string flow_svg(const FlowDiagram& d) {
  constexpr int wide = 84, high = 30, across = 150, down = 46, left = 20, top = 62;
  const bool has_given =
      std::any_of(d.nodes.begin(), d.nodes.end(), [](const FlowNode& n) { return n.step == 0; });
  int rows = 1;
  for (const FlowNode& n : d.nodes) rows = std::max(rows, n.row + 1);
  const int shift = has_given ? 0 : 1;
  auto x = [&](const FlowNode& n) { return left + across * (n.step - shift); };
  auto y = [&](const FlowNode& n) { return top + down * n.row; };
  const int width = left + across * (d.steps - shift) + wide + left, height = top + down * rows;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
      "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
      "fill=\"#444444\"/></marker></defs>\n<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
      std::max(width, 320), height, left, markup(d.title));
  for (int step = shift; step <= d.steps; ++step)
    svg +=
        fmt::format("<text x=\"{}\" y=\"46\" text-anchor=\"middle\" fill=\"#555555\">{}</text>\n",
                    left + across * (step - shift) + wide / 2,
                    step == 0 ? "earlier" : fmt::format("step {}", step));
  for (const FlowEdge& e : d.edges) {
    const FlowNode &from = d.nodes[static_cast<std::size_t>(e.from)],
                   &to = d.nodes[static_cast<std::size_t>(e.to)];
    svg += fmt::format(
        "<path d=\"M{} {}L{} {}\" fill=\"none\" stroke=\"#444444\"{} marker-end=\"url(#tip)\"/>\n",
        x(from) + wide, y(from) + high / 2, x(to), y(to) + high / 2,
        from.step == 0 ? " stroke-dasharray=\"4 3\"" : "");
  }
  for (const FlowNode& n : d.nodes)
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" "
        "stroke=\"#444444\"{}/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
        x(n), y(n), wide, high, n.step == 0 ? "#F4F4F4" : "#BFE3F5",
        n.step == 0 ? " stroke-dasharray=\"4 3\"" : "", x(n) + wide / 2, y(n) + high / 2 + 4,
        markup(n.name));
  return svg + "</svg>\n";
}

std::string flow_dot(const FlowDiagram& d) {
  std::string dot = fmt::format(
      "digraph flow {{\n  label=\"{}\";\n  rankdir=LR;\n  node [shape=box];\n", dot_text(d.title));
  for (std::size_t k = 0; k < d.nodes.size(); ++k)
    dot += fmt::format("  n{} [label=\"{}\"{}];\n", k, dot_text(d.nodes[k].name),
                       d.nodes[k].step == 0 ? ", style=dashed" : "");
  for (int step = 0; step <= d.steps; ++step) {
    std::vector<std::string> same;
    for (std::size_t k = 0; k < d.nodes.size(); ++k)
      if (d.nodes[k].step == step) same.push_back(fmt::format("n{}", k));
    if (same.size() > 1) dot += fmt::format("  {{rank=same; {};}}\n", fmt::join(same, "; "));
  }
  for (const FlowEdge& e : d.edges)
    dot +=
        fmt::format("  n{} -> n{}{};\n", e.from, e.to,
                    d.nodes[static_cast<std::size_t>(e.from)].step == 0 ? " [style=dashed]" : "");
  return dot + "}\n";
}

}  // namespace parid::control
