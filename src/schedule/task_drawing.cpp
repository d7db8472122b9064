#include "schedule/task_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "codegen/emit/program.hpp"
#include "parid/error.hpp"
#include "schedule/gantt.hpp"

namespace parid::schedule {
namespace {

constexpr int most_drawn = 3000;

// The tasks of a part, and those outside that they wait for.
struct Drawn {
  std::vector<int> tasks;    // inside first
  std::vector<char> inside;  // of all tasks
  std::vector<int> layer;    // of all tasks, as drawn: from 0, without gaps
};

Drawn drawn(const TaskGraph& g, const TaskPart& part) {
  Drawn d;
  d.inside.assign(g.size(), 0);
  std::vector<char> outside(g.size(), 0);
  for (int t = 0; t < g.size(); ++t)
    if ((!part.joint || g[t].joint == *part.joint) &&
        (part.recursion == Task::Recursion::none || g[t].recursion == part.recursion)) {
      d.inside[t] = 1;
      d.tasks.push_back(t);
    }
  if (d.tasks.empty())
    throw Error(
        "`part`: no task belongs to it; recursions are those of the tasks rules, lean, "
        "printed and coarse");
  const std::size_t own = d.tasks.size();
  for (std::size_t k = 0; k < own; ++k)
    for (const Link& l : g.before(d.tasks[k]))
      if (!d.inside[l.task] && !outside[l.task]) {
        outside[l.task] = 1;
        d.tasks.push_back(l.task);
      }
  std::sort(d.tasks.begin() + static_cast<std::ptrdiff_t>(own), d.tasks.end());
  d.layer = layers(g);
  std::vector<int> used;
  for (const int t : d.tasks) used.push_back(d.layer[t]);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (const int t : d.tasks)
    d.layer[t] =
        static_cast<int>(std::lower_bound(used.begin(), used.end(), d.layer[t]) - used.begin());
  return d;
}

int shade_of(const TaskGraph& g, int t, int layer) {
  return g[t].joint > 0 ? g[t].joint - 1 : layer;
}

// For Graphviz, within quotes.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : comment_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Places within layers: each task next to the mean of its neighbours, layer by layer, down and up.
std::vector<std::vector<int>> arranged(const TaskGraph& g, const Drawn& d) {
  int last = 0;
  for (const int t : d.tasks) last = std::max(last, d.layer[t]);
  std::vector<std::vector<int>> row(static_cast<std::size_t>(last) + 1);
  for (const int t : d.tasks) row[static_cast<std::size_t>(d.layer[t])].push_back(t);
  std::vector<double> x(g.size(), 0);
  std::vector<char> shown(g.size(), 0);
  for (const int t : d.tasks) shown[t] = 1;
  auto place = [&](std::vector<int>& tasks) {
    for (std::size_t k = 0; k < tasks.size(); ++k)
      x[tasks[k]] = static_cast<double>(k) - 0.5 * static_cast<double>(tasks.size() - 1);
  };
  for (auto& tasks : row) place(tasks);
  for (int sweep = 0; sweep < 6; ++sweep) {
    const bool down = sweep % 2 == 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      auto& tasks = row[down ? k : row.size() - 1 - k];
      std::vector<std::pair<double, int>> keyed;
      for (const int t : tasks) {
        double sum = 0;
        int n = 0;
        for (const Link& l : down ? g.before(t) : g.after(t))
          if (shown[l.task]) {
            sum += x[l.task];
            ++n;
          }
        keyed.push_back({n > 0 ? sum / n : x[t], t});
      }
      std::stable_sort(keyed.begin(), keyed.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = keyed[i].second;
      place(tasks);
    }
  }
  return row;
}

}  // namespace

TaskPart drawn_part(const std::string& text) {
  TaskPart part;
  if (text == "all") return part;
  std::string rest = text;
  int joint = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), joint);
  if (trouble == std::errc() && joint > 0) {
    part.joint = joint;
    rest = text.substr(static_cast<std::size_t>(end - text.data()));
    if (rest.empty()) return part;
    if (rest.size() > 1 && rest[0] == '.') rest = rest.substr(1);
  }
  if (rest == "forward")
    part.recursion = Task::Recursion::forward;
  else if (rest == "backward")
    part.recursion = Task::Recursion::backward;
  else
    throw Error(fmt::format(
        "`part`: invalid part '{}'; give all, a joint, such as 3, forward, backward, or both, such "
        "as 3.forward",
        text));
  return part;
}

std::string task_dot(const TaskGraph& g, const std::string& title, const TaskPart& part) {
  const Drawn d = drawn(g, part);
  std::string dot = fmt::format(
      "digraph tasks {{\n  label = {}; labelloc = t; rankdir = TB; fontname = \"sans-serif\";\n"
      "  node [shape = box, style = filled, fontname = \"sans-serif\", fontsize = 10];\n"
      "  edge [color = \"#555555\", fontsize = 8];\n",
      quoted(title));
  for (const int t : d.tasks)
    dot += fmt::format("  t{} [label = {}, fillcolor = \"{}\"{}];\n", t, quoted(g[t].name),
                       task_colour(shade_of(g, t, d.layer[t])),
                       d.inside[t] ? "" : ", style = \"filled,dashed\"");
  for (const std::vector<int>& row : arranged(g, d)) {
    dot += "  { rank = same;";
    for (const int t : row) dot += fmt::format(" t{};", t);
    dot += " }\n";
  }
  for (const int t : d.tasks) {
    if (!d.inside[t]) continue;
    for (const Link& l : g.before(t))
      dot += fmt::format("  t{} -> t{}{};\n", l.task, t,
                         l.words > 1 ? fmt::format(" [label = {}]", l.words) : "");
  }
  return dot + "}\n";
}

std::string task_svg(const TaskGraph& g, const std::string& title, const TaskPart& part) {
  const Drawn d = drawn(g, part);
  if (d.tasks.size() > most_drawn)
    throw Error(
        fmt::format("`svg`: {} tasks are too many to draw, at most {}; draw a part, or write "
                    "a file for Graphviz",
                    d.tasks.size(), most_drawn));
  const std::vector<std::vector<int>> row = arranged(g, d);
  std::size_t letters = 3, widest = 1;
  for (const int t : d.tasks)
    letters = std::max(letters, std::min<std::size_t>(18, g[t].name.size()));
  for (const auto& tasks : row) widest = std::max(widest, tasks.size());
  const int box = 14 + 7 * static_cast<int>(letters), step = box + 14, tall = 22, down = 58;
  const int left = 50, top = 56;
  const int width = std::max(left + step * static_cast<int>(widest) + 20,
                             left + 40 + 8 * static_cast<int>(title.size())),
            height = top + down * static_cast<int>(row.size());
  std::vector<double> x(g.size()), y(g.size());
  for (std::size_t k = 0; k < row.size(); ++k)
    for (std::size_t i = 0; i < row[k].size(); ++i) {
      x[row[k][i]] = left + 0.5 * step * static_cast<double>(widest - row[k].size()) +
                     step * static_cast<double>(i) + 0.5 * box;
      y[row[k][i]] = top + down * static_cast<double>(k);
    }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"24\" font-size=\"15\">{3}</text>\n",
      width, height, left, xml_text(title));
  for (std::size_t k = 0; k < row.size(); ++k)
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555555\">{}</text>\n",
                       left - 14, top + down * static_cast<int>(k) + 15, k + 1);
  for (const int t : d.tasks) {
    if (!d.inside[t]) continue;
    for (const Link& l : g.before(t)) {
      const double from = y[l.task] + tall, to = y[t], bend = 0.4 * (to - from);
      svg += fmt::format(
          "<path d=\"M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" "
          "stroke=\"#888888\" stroke-width=\"{}\"{}/>\n",
          x[l.task], from, x[l.task], from + bend, x[t], to - bend, x[t], to,
          d.inside[l.task] ? "0.7" : "1.6", l.words == 0 ? " stroke-dasharray=\"2 2\"" : "");
    }
  }
  for (const int t : d.tasks)
    svg += fmt::format(
        "<g><title>{0}: {1}{2}</title><rect x=\"{3:.1f}\" y=\"{4:.1f}\" width=\"{5}\" "
        "height=\"{6}\" rx=\"4\" fill=\"{7}\" stroke=\"#555555\"{8}/><text x=\"{9:.1f}\" "
        "y=\"{10:.1f}\" text-anchor=\"middle\">{11}</text></g>\n",
        xml_text(g[t].name), g[t].duration, g[t].duration == 1 ? " unit" : " units",
        x[t] - 0.5 * box, y[t], box, tall, task_colour(shade_of(g, t, d.layer[t])),
        d.inside[t] ? "" : " stroke-dasharray=\"4 3\"", x[t], y[t] + 15,
        xml_text(g[t].name.substr(0, 18)));
  return svg + "</svg>\n";
}

}  // namespace parid::schedule
