#include "hardware/array/array_drawings.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "codegen/emit/lines.hpp"

namespace parid::hardware {
namespace {

// Told apart by colour-blind readers too (after Okabe and Ito).
constexpr const char* shades[] = {"#8EC1E5", "#F0A878", "#7FCFB0", "#E3B5D0",
                                  "#F2D48A", "#BFE3F5", "#C9C9C9", "#D8C3A5"};

const char* short_name(VectorOp op) {
  switch (op) {
    case VectorOp::matrix_vector: return "MV";
    case VectorOp::cross: return "VC";
    case VectorOp::add: return "VA";
    case VectorOp::scale: return "SV";
    case VectorOp::dot: return "dot";
  }
  return "";
}

// The node of each operation, as an index of a.nodes.
std::vector<int> node_of_operation(const SystolicArray& a) {
  std::map<std::pair<bool, int>, int> index;
  for (std::size_t k = 0; k < a.nodes.size(); ++k)
    index[{a.nodes[k].forward, a.nodes[k].node}] = static_cast<int>(k);
  std::vector<int> of;
  for (const auto& o : a.operations) of.push_back(index.at({o.forward, o.node}));
  return of;
}

// The link whose input this is, from 1; 0 for inputs of the whole robot.
int link_of_input(const std::string& name) {
  const std::size_t digit = name.find_first_of("0123456789");
  return digit == std::string::npos ? 0 : std::stoi(name.substr(digit));
}

void begin_svg(Lines& text, double width, double height, const std::string& title) {
  text.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 "
      "0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">",
      width, height);
  text.line("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
  std::string escaped;
  for (const char c : title)
    escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  text.add("<text x=\"14\" y=\"22\" font-size=\"15\">{}</text>", escaped);
}

// Vertical lines at round clocks.
void clock_axis(Lines& text, int length, double left, double scale, double top, double bottom) {
  int step = 1;  // 1, 2, 5, 10, 20, …
  for (int k = 0; length / step > 24; ++k) step = k % 3 == 1 ? step / 2 * 5 : step * 2;
  for (int t = 0; t <= length; t += step)
    text.add(
        "<line x1=\"{0:.1f}\" y1=\"{1:.0f}\" x2=\"{0:.1f}\" y2=\"{2:.0f}\" stroke=\"#DDDDDD\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.0f}\" text-anchor=\"middle\" fill=\"#555555\">{4}</text>",
        left + scale * t, top, bottom, bottom + 14, t);
}

}  // namespace

std::vector<ArrayArc> array_arcs(const SystolicArray& a) {
  const std::vector<int> node = node_of_operation(a);
  std::map<int, std::vector<int>> handed;  // signal: the nodes that hand it on, in their order
  for (std::size_t k = 0; k < a.nodes.size(); ++k)
    for (const int signal : a.nodes[k].hands_on) handed[signal].push_back(static_cast<int>(k));
  std::map<std::pair<int, int>, std::vector<int>> carried;  // signals, each once
  for (std::size_t op = 0; op < a.operations.size(); ++op)
    for (const int in : a.network.operations[op].in) {
      const auto& s = a.network.signals[in];
      if (s.operation >= 0 && node[s.operation] == node[op]) continue;
      int from = s.operation >= 0 ? node[s.operation] : -link_of_input(s.name);
      for (const int k : handed[in])  // the last before it
        if (k < node[op]) from = k;
      if (s.operation < 0 && from == 0 && handed[in].empty()) continue;  // of the whole robot
      auto& list = carried[{from, node[op]}];
      if (std::find(list.begin(), list.end(), in) == list.end()) list.push_back(in);
    }
  std::vector<ArrayArc> arcs;
  for (const auto& [ends, signals] : carried)
    arcs.push_back({ends.first, ends.second, static_cast<int>(signals.size())});
  return arcs;
}

namespace {

// Inputs are drawn where a way begins; lengths, masses and inertias of later nodes are left out.
bool is_drawn(const SystolicArray& a, const ArrayArc& arc) {
  return arc.from >= 0 || (!a.nodes[arc.to].forward && a.nodes[arc.to].combines);
}

// Torque i comes from the node that computes output i; −1 where it is an input.
int node_of_output(const SystolicArray& a, const std::vector<int>& node, int i) {
  const int op = a.network.signals[a.network.outputs[i]].operation;
  return op < 0 ? -1 : node[op];
}

}  // namespace

std::string array_graph_dot(const SystolicArray& a, const std::string& name) {
  Lines o;
  o.open("digraph {} {{", name);
  o.line("rankdir = TB; node [shape = box, fontname = \"sans-serif\", fontsize = 10];");
  for (int i = 1; i <= a.links; ++i) o.add("in{0} [label = \"joint {0}\", shape = plaintext];", i);
  for (std::size_t k = 0; k < a.nodes.size(); ++k)
    o.add("n{} [label = \"{}\"{}];", k, a.nodes[k].name,
          a.nodes[k].forward ? ", style = rounded" : "");
  for (const ArrayArc& arc : array_arcs(a)) {
    if (!is_drawn(a, arc)) continue;
    const std::string from =
        arc.from < 0 ? fmt::format("in{}", -arc.from) : fmt::format("n{}", arc.from);
    o.add("{} -> n{} [label = \"{}\", fontsize = 8];", from, arc.to, arc.vectors);
  }
  const std::vector<int> node = node_of_operation(a);
  for (int i = 0; i < a.links; ++i) {
    o.add("tau{0} [label = \"τ{0}\", shape = plaintext];", i + 1);
    if (const int k = node_of_output(a, node, i); k >= 0) o.add("n{} -> tau{};", k, i + 1);
  }
  o.close();
  return o.text();
}

std::string array_graph_svg(const SystolicArray& a, const std::string& title) {
  constexpr double column = 92, row = 74, width = 66, height = 28, left = 20, top = 44;
  int outward = 0, inward = 0;  // rows
  for (const auto& n : a.nodes) {
    int& rows = n.forward ? inward : outward;
    rows = std::max(rows, n.tier + 1);
  }
  struct Point {
    double x, y;
  };
  auto at = [&](int col, int r) { return Point{left + column * (col - 1), top + row * r}; };
  auto place = [&](int k) {
    if (k < 0) return at(-k, 0);
    const auto& n = a.nodes[k];
    return n.forward ? at(n.first, 1 + outward + n.tier) : at(n.last, 1 + n.tier);
  };
  const int rows = 2 + outward + inward;
  Lines text;
  begin_svg(text, std::max(2 * left + column * a.links, 420.0), top + row * rows, title);
  text.line(
      "<defs><marker id=\"head\" markerWidth=\"7\" markerHeight=\"7\" refX=\"6\" refY=\"3\" "
      "orient=\"auto\"><path d=\"M0 0 L6 3 L0 6 z\" fill=\"#556\"/></marker></defs>");
  auto arrow = [&](Point from, Point to, int vectors) {
    // Sideways within a row, else from the lower edge to the upper.
    Point p{from.x + width / 2, from.y + height}, q{to.x + width / 2, to.y};
    if (from.y == to.y) {
      const bool right = to.x > from.x;
      p = {from.x + (right ? width : 0), from.y + height / 2};
      q = {to.x + (right ? 0 : width), to.y + height / 2};
    }
    text.add(
        "<line x1=\"{:.0f}\" y1=\"{:.0f}\" x2=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"#556\" "
        "stroke-width=\"0.8\" marker-end=\"url(#head)\"/>",
        p.x, p.y, q.x, q.y);
    if (vectors > 0)
      text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"9\" fill=\"#b3372f\">{}</text>",
               p.x + 0.6 * (q.x - p.x) + 3, p.y + 0.6 * (q.y - p.y) - 2, vectors);
  };
  for (const ArrayArc& arc : array_arcs(a))
    if (is_drawn(a, arc)) arrow(place(arc.from), place(arc.to), arc.vectors);
  for (int i = 1; i <= a.links; ++i) {
    const Point p = at(i, 0);
    text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">joint {}</text>",
             p.x + width / 2, p.y + height - 6, i);
  }
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    const auto& n = a.nodes[k];
    const Point p = place(static_cast<int>(k));
    text.add(
        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"{}\" "
        "fill=\"{}\" stroke=\"#556\"/>",
        p.x, p.y, width, height, n.forward ? 10 : 2, n.forward ? "#d9efd0" : "#cfe3f7");
    text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>", p.x + width / 2,
             p.y + height / 2 + 4, n.name);
  }
  const std::vector<int> node = node_of_operation(a);
  for (int i = 0; i < a.links; ++i) {
    const Point p = at(i + 1, rows - 1);
    if (const int k = node_of_output(a, node, i); k >= 0) arrow(place(k), p, 0);
    text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">τ{}</text>", p.x + width / 2,
             p.y + 14, i + 1);
  }
  text.line("</svg>");
  return text.text();
}

std::string array_operations_dot(const SystolicArray& a, const std::string& name) {
  const std::vector<int> node = node_of_operation(a);
  Lines o;
  o.open("digraph {} {{", name);
  o.line("rankdir = LR; node [shape = box, fontname = \"sans-serif\", fontsize = 10];");
  for (std::size_t s = 0; s < a.network.signals.size(); ++s)
    if (a.network.signals[s].operation < 0)
      o.add("s{} [label = \"{}\", shape = plaintext];", s, a.network.signals[s].name);
  std::vector<std::string> result(a.operations.size());
  for (const auto& s : a.network.signals)
    if (s.operation >= 0) result[s.operation] = s.name;
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    o.open("subgraph cluster{} {{", k);
    o.add("label = \"{}\"; fontname = \"sans-serif\"; fontsize = 11;", a.nodes[k].name);
    for (std::size_t op = 0; op < a.operations.size(); ++op)
      if (node[op] == static_cast<int>(k))
        o.add("o{} [label = \"{}{}{}\"];", op, short_name(a.operations[op].op),
              result[op].empty() ? "" : "\\n", result[op]);
    o.close();
  }
  for (std::size_t op = 0; op < a.operations.size(); ++op)
    for (const int in : a.network.operations[op].in) {
      const int from = a.network.signals[in].operation;
      o.add("{}{} -> o{};", from < 0 ? "s" : "o", from < 0 ? in : from, op);
    }
  for (std::size_t i = 0; i < a.network.outputs.size(); ++i) {
    const int signal = a.network.outputs[i], from = a.network.signals[signal].operation;
    o.add("tau{0} [label = \"τ{0}\", shape = plaintext];", i + 1);
    o.add("{}{} -> tau{};", from < 0 ? "s" : "o", from < 0 ? signal : from, i + 1);
  }
  o.close();
  return o.text();
}

std::vector<VariableTime> variable_times(const SystolicArray& a) {
  const Staging soon = earliest(a.network);
  std::vector<VariableTime> all;
  for (std::size_t s = 0; s < a.network.signals.size(); ++s) {
    const auto& signal = a.network.signals[s];
    if (signal.operation < 0 || signal.name.empty()) continue;
    const int ready = soon.ready(a.network, static_cast<int>(s));
    // The columns of a matrix have one name.
    if (!all.empty() && all.back().name == signal.name)
      all.back().available = std::max(all.back().available, ready);
    else
      all.push_back({signal.name, ready});
  }
  return all;
}

std::string array_timing_svg(const SystolicArray& a, const std::string& title) {
  const Network& n = a.network;
  const Staging soon = earliest(n);
  // Every operation belongs to the variable that it is computed for: of those that need it, the
  // one that is available first.
  std::vector<VariableTime> variables = variable_times(a);
  std::stable_sort(
      variables.begin(), variables.end(),
      [](const VariableTime& x, const VariableTime& y) { return x.available < y.available; });
  std::map<std::string, std::vector<int>> signals;  // the columns of a matrix have one name
  for (std::size_t k = 0; k < n.signals.size(); ++k)
    if (n.signals[k].operation >= 0 && !n.signals[k].name.empty())
      signals[n.signals[k].name].push_back(static_cast<int>(k));
  std::vector<int> owner(n.operations.size(), -1);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    std::vector<int> open;
    for (const int signal : signals[variables[v].name]) open.push_back(n.signals[signal].operation);
    while (!open.empty()) {
      const int op = open.back();
      open.pop_back();
      if (owner[op] >= 0) continue;
      owner[op] = static_cast<int>(v);
      for (const int in : n.operations[op].in) {
        const auto& before = n.signals[in];
        if (before.operation >= 0 && before.name.empty()) open.push_back(before.operation);
      }
    }
  }
  // Operations of a variable side by side, as few lines as hold them.
  std::vector<std::vector<int>> ends(variables.size());
  std::vector<int> line(n.operations.size(), 0), order(n.operations.size());
  for (std::size_t op = 0; op < order.size(); ++op) order[op] = static_cast<int>(op);
  std::stable_sort(order.begin(), order.end(),
                   [&](int x, int y) { return soon.start[x] < soon.start[y]; });
  for (const int op : order) {
    if (owner[op] < 0) continue;
    auto& lines = ends[owner[op]];
    std::size_t k = 0;
    while (k < lines.size() && lines[k] > soon.start[op]) ++k;
    if (k == lines.size()) lines.push_back(0);
    lines[k] = soon.start[op] + n.operations[op].latency;
    line[op] = static_cast<int>(k);
  }
  constexpr double row = 13, left = 66, top = 40, gap = 4;
  std::vector<double> y(variables.size());
  double bottom = top;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    y[v] = bottom;
    bottom += row * static_cast<double>(std::max<std::size_t>(1, ends[v].size())) + gap;
  }
  const double scale = std::clamp(1400.0 / std::max(1, soon.latency), 3.0, 30.0);
  Lines text;
  begin_svg(text, left + scale * soon.latency + 40, bottom + 26, title);
  clock_axis(text, soon.latency, left, scale, top - 4, bottom);
  for (std::size_t v = 0; v < variables.size(); ++v)
    text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", left - 6,
             y[v] + row - 3, variables[v].name);
  for (std::size_t op = 0; op < n.operations.size(); ++op) {
    if (owner[op] < 0) continue;
    const double x = left + scale * soon.start[op], wide = scale * n.operations[op].latency,
                 at = y[owner[op]] + row * line[op];
    const char* kind = short_name(a.operations[op].op);
    text.add(
        "<g><title>{0} of {1}: {2} to {3}</title><rect x=\"{4:.1f}\" y=\"{5:.1f}\" "
        "width=\"{6:.1f}\" height=\"{7:.0f}\" fill=\"{8}\" stroke=\"#555\" "
        "stroke-width=\"0.4\"/>{9}</g>",
        kind, variables[owner[op]].name, soon.start[op], soon.start[op] + n.operations[op].latency,
        x, at, wide, row - 1, shades[static_cast<int>(a.operations[op].op) % 8],
        wide >= 16 ? fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"9\" "
                                 "text-anchor=\"middle\">{}</text>",
                                 x + wide / 2, at + row - 4, kind)
                   : "");
  }
  for (std::size_t v = 0; v < variables.size(); ++v)
    text.add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"9\" fill=\"#b3372f\">{}</text>",
             left + scale * variables[v].available + 3, y[v] + row - 4, variables[v].available);
  text.line("</svg>");
  return text.text();
}

std::string array_process_svg(const SystolicArray& a, const Staging& schedule, int interval,
                              bool folded, int sets, const std::string& title) {
  const Network& n = a.network;
  using Place = std::tuple<bool, int, int>;  // way, node or node of the tier, processor
  std::map<Place, int> rows;
  auto place = [&](std::size_t op) {
    const auto& o = a.operations[op];
    return Place{o.forward, folded ? o.slot : o.node, o.place};
  };
  for (std::size_t op = 0; op < n.operations.size(); ++op) rows[place(op)] = 0;
  int k = 0;
  for (auto& [p, r] : rows) r = k++;
  const int length = schedule.latency + (sets - 1) * interval;
  constexpr double row = 6, left = 76, top = 40;
  const double scale = std::clamp(1300.0 / std::max(1, length), 1.5, 16.0),
               bottom = top + row * static_cast<double>(rows.size());
  Lines text;
  begin_svg(text, left + scale * length + 30, bottom + 26, title);
  clock_axis(text, length, left, scale, top - 4, bottom);
  // The name of a node at the first of its processors.
  std::map<std::pair<bool, int>, std::string> names;
  for (const auto& node : a.nodes) names[{node.forward, node.node}] = node.name;
  std::pair<bool, int> group{false, -1};
  for (const auto& [p, r] : rows) {
    const std::pair<bool, int> now{std::get<0>(p), std::get<1>(p)};
    if (now == group) continue;
    group = now;
    const std::string label =
        folded ? fmt::format("{} {}", now.first ? "Fwd" : "Bkwd", now.second + 1) : names[now];
    text.add(
        "<line x1=\"{0:.0f}\" y1=\"{1:.0f}\" x2=\"{2:.0f}\" y2=\"{1:.0f}\" stroke=\"#BBBBBB\"/>"
        "<text x=\"{3:.0f}\" y=\"{4:.0f}\" font-size=\"9\" text-anchor=\"end\">{5}</text>",
        left, top + row * r, left + scale * length, left - 6, top + row * r + 8, label);
  }
  for (int set = 0; set < sets; ++set)
    for (std::size_t op = 0; op < n.operations.size(); ++op) {
      const int start = schedule.start[op] + set * interval;
      text.add(
          "<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\" "
          "stroke=\"#555\" stroke-width=\"0.2\"><title>set {}: {} at {}</title></rect>",
          left + scale * start, top + row * rows[place(op)], scale * n.operations[op].latency,
          row - 1, shades[set % 8], set + 1, short_name(a.operations[op].op), start);
    }
  text.line("</svg>");
  return text.text();
}

std::vector<EmittedFile> array_drawings(const SystolicArray& a, const Staging& schedule,
                                        int interval, bool folded, const std::string& name,
                                        const std::string& robot) {
  const std::string kind = a.kind == ArrayKind::log ? "logarithmic" : "linear";
  const std::string array = fmt::format("{}: {} array", robot, kind);
  constexpr int sets = 3;
  return {{name + "_nodes.dot", array_graph_dot(a, name + "_nodes")},
          {name + "_nodes.svg", array_graph_svg(a, array + ", nodes and the vectors between them")},
          {name + "_operations.dot", array_operations_dot(a, name + "_operations")},
          {name + "_timing.svg",
           array_timing_svg(a, array + ", when each variable becomes available, in clocks")},
          {name + "_process.svg",
           array_process_svg(a, schedule, interval, folded, sets,
                             fmt::format("{}{}, {} sets of torques, one every {} clocks", array,
                                         folded ? ", folded" : "", sets, interval))}};
}

}  // namespace parid::hardware
