#include "schedule/gantt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace parid::schedule {
namespace {

constexpr int left = 46, top = 40, row = 30, bar = 24, plane = 1100, foot = 46, legend_row = 20;
// Colours that colour-blind readers can distinguish (after Okabe and Ito), light enough for text.
constexpr const char* colours[] = {"#8EC1E5", "#F0A878", "#7FCFB0", "#E3B5D0",
                                   "#F2D48A", "#BFE3F5", "#C9C9C9", "#D8C3A5"};

// A round distance between ticks, about ten of them.
Time tick(Time length) {
  Time step = 1;
  for (;;)
    for (const int k : {1, 2, 5}) {
      if (length / (step * k) <= 12) return step * k;
      if (k == 5) step *= 10;
    }
}

// What the colours mean, in rows below the chart: a square and a name each.
struct LegendEntry {
  int shade;
  std::string name;
};
std::vector<LegendEntry> legend_of(const TaskGraph& g, const std::vector<int>& layer) {
  std::set<int> joints, layers_without;
  for (int k = 0; k < g.size(); ++k)
    if (g[k].joint > 0)
      joints.insert(g[k].joint);
    else
      layers_without.insert(layer[static_cast<std::size_t>(k)]);
  std::vector<LegendEntry> all;
  for (const int j : joints) all.push_back({j - 1, fmt::format("joint {}", j)});
  // Without joints, colours are those of the layers: tasks of a layer do not depend on each other.
  for (const int l : layers_without)
    if (joints.empty())
      all.push_back({l, fmt::format("layer {}", l + 1)});
    else {
      all.push_back({-1, "no joint: by layer"});
      break;
    }
  constexpr std::size_t most = 48;
  if (all.size() > most) {
    all.resize(most);
    all.push_back({-1, "and so on: colours repeat"});
  }
  return all;
}

std::string legend_svg(const std::vector<LegendEntry>& all, int y, int& rows) {
  std::string svg;
  double x = left;
  rows = 1;
  for (const LegendEntry& e : all) {
    const double wide = 26 + 6.4 * static_cast<double>(e.name.size());
    if (x + wide > left + plane) {
      x = left;
      ++rows;
    }
    const int at = y + legend_row * (rows - 1);
    if (e.shade >= 0)
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{}\" width=\"11\" height=\"11\" fill=\"{}\" "
          "stroke=\"#555555\" stroke-width=\"0.5\"/>",
          x, at - 10, task_colour(e.shade));
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x + 16, at, e.name);
    x += wide;
  }
  return svg;
}

}  // namespace

const char* task_colour(int number) { return colours[number % 8]; }

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string gantt_svg(const TaskGraph& g, const Schedule& s, const std::string& title,
                      const std::string& unit) {
  const Time length = std::max<Time>(1, makespan(s));
  const double scale = static_cast<double>(plane) / static_cast<double>(length);
  const int bottom = top + row * s.processors;
  const std::vector<int> layer = layers(g);
  int legend_rows = 0;
  const std::string legend = legend_svg(legend_of(g, layer), bottom + foot + 4, legend_rows);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
      left + plane + 30, bottom + foot + legend_row * legend_rows, left, xml_text(title));
  for (Time t = 0, step = tick(length); t <= length; t += step) {
    const double x = left + scale * static_cast<double>(t);
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#DDDDDD\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\" fill=\"#555555\">{4}</text>\n",
        x, top - 4, bottom, bottom + 16, t);
  }
  for (int p = 0; p < s.processors; ++p)
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">P{}</text>\n", left - 8,
                       top + row * p + bar - 8, p + 1);
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">time{}; a row is a processor, a box a "
      "task</text>\n",
      left + plane / 2, bottom + 32, unit.empty() ? "" : " in " + xml_text(unit));
  for (const Placement& p : s.placement) {
    const Task& t = g[p.task];
    const int shade = t.joint > 0 ? t.joint - 1 : layer[p.task];
    const double x = left + scale * static_cast<double>(p.start),
                 wide = std::max(0.6, scale * static_cast<double>(p.end - p.start));
    const int y = top + row * p.processor;
    svg += fmt::format(
        "<g><title>{0}: {1} to {2} on P{3}</title><rect x=\"{4:.2f}\" y=\"{5}\" width=\"{6:.2f}\" "
        "height=\"{7}\" fill=\"{8}\" stroke=\"#555555\" stroke-width=\"0.5\"/>",
        xml_text(t.name), p.start, p.end, p.processor + 1, x, y, wide, bar, task_colour(shade));
    const double letters = 6.4 * static_cast<double>(t.name.size());
    if (letters < wide - 2)
      svg += fmt::format("<text x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                         x + wide / 2, y + bar - 8, xml_text(t.name));
    else if (wide >= 9 && letters < bar + 4)  // upright
      svg += fmt::format(
          "<text transform=\"translate({:.2f} {}) rotate(-90)\" text-anchor=\"middle\" "
          "font-size=\"9\">{}</text>",
          x + wide / 2 + 3, y + bar / 2, xml_text(t.name));
    svg += "</g>\n";
  }
  return svg + legend + "</svg>\n";
}

}  // namespace parid::schedule
