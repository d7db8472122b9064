#include "hardware/verilog/pipeline_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codegen/emit/lines.hpp"

namespace parid::hardware {
namespace {

constexpr int column = 118, row_height = 54, box_width = 74, box_height = 36, margin = 70;

const char* colour(Box b) {
  if (circular(b)) return drives_z(b) ? "#cfe3f7" : "#9cc4ea";
  if (linear(b)) return "#d9efd0";
  return "#f7d9b5";
}

struct Point {
  double x, y;
};

}  // namespace

std::string pipeline_svg(const BoxDesign& d, const Staging& s) {
  const Network n = d.network();
  std::map<int, int> all, used;  // rows of each column; column −1 holds the inputs
  all[-1] = static_cast<int>(d.inputs().size());
  all[s.latency] = static_cast<int>(d.outputs.size());
  for (const int start : s.start) ++all[start];
  int most = 0;
  for (const auto& [stage, rows] : all) most = std::max(most, rows);
  std::vector<Point> left(d.boxes.size());
  auto place = [&](int stage) {
    const double at = used[stage]++ + (most - all[stage]) / 2.0;
    return Point{margin + (stage + 1.0) * column, 40 + at * row_height};
  };
  std::vector<Point> from(d.signals.size());
  for (const int in : d.inputs()) {
    const Point p = place(-1);
    from[in] = {p.x + 18 - column / 3.0, p.y + box_height / 2.0};
  }
  for (std::size_t b = 0; b < d.boxes.size(); ++b) left[b] = place(s.start[b]);
  for (std::size_t k = 0; k < d.signals.size(); ++k)
    if (const int b = d.signals[k].box; b >= 0)
      from[k] = {left[b].x + box_width,
                 left[b].y + box_height * (0.25 + 0.25 * (d.signals[k].port - 'x'))};
  const double width = margin + (s.latency + 1.0) * column + 70;
  std::vector<Point> out;
  for (std::size_t k = 0; k < d.outputs.size(); ++k) {
    const Point p = place(s.latency);
    out.push_back({p.x - 12, p.y + box_height / 2.0});
  }

  Lines text;
  const int height = 40 + most * row_height + 20;
  text.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {}\" "
      "font-family=\"sans-serif\" "
      "font-size=\"11\">",
      width, height);
  text.add("<rect width=\"{:.0f}\" height=\"{}\" fill=\"white\"/>", width, height);
  for (int stage = 0; stage < s.latency; ++stage)
    text.add("<text x=\"{}\" y=\"20\" fill=\"#888\" text-anchor=\"middle\">{}</text>",
             margin + (stage + 1) * column + box_width / 2, stage);
  auto wire = [&](int signal, Point to, int when) {
    const Point a = from[signal];
    const int wait = when - s.ready(n, signal);
    const double bend = std::max(18.0, (to.x - a.x) / 3);
    const bool sign = d.signals[signal].sign;
    text.add(
        "<path d=\"M{:.0f} {:.0f} C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}\" fill=\"none\" "
        "stroke=\"{}\" stroke-width=\"{}\"/>",
        a.x, a.y, a.x + bend, a.y, to.x - bend, to.y, to.x, to.y, sign ? "#c9a" : "#9aa4ad",
        sign ? 0.6 : 0.9);
    if (wait > 0 && !sign)
      text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"9\" fill=\"#b3372f\">{}</text>",
               to.x - 15, to.y - 2, wait);
  };
  for (std::size_t b = 0; b < d.boxes.size(); ++b) {
    int port = 0;
    for (const BoxOperand* o : {&d.boxes[b].x, &d.boxes[b].y, &d.boxes[b].z}) {
      const Point to{left[b].x, left[b].y + box_height * (0.25 + 0.25 * port++)};
      if (!o->is_constant()) wire(o->signal, to, s.start[b]);
      for (const int sign : o->signs) wire(sign, to, s.start[b]);
    }
  }
  for (std::size_t k = 0; k < d.outputs.size(); ++k) {
    if (!d.outputs[k].value.is_constant()) wire(d.outputs[k].value.signal, out[k], s.latency);
    text.add("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>", out[k].x + 4, out[k].y + 4,
             d.outputs[k].name);
  }
  for (const int in : d.inputs())
    text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", from[in].x - 4,
             from[in].y + 4, d.signals[in].name);
  for (std::size_t b = 0; b < d.boxes.size(); ++b) {
    text.add(
        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" "
        "stroke=\"#556\"/>",
        left[b].x, left[b].y, box_width, box_height, colour(d.boxes[b].box));
    text.add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">T{} {}</text>",
             left[b].x + box_width / 2.0, left[b].y + box_height / 2.0 + 4, b + 1,
             name_of(d.boxes[b].box));
  }
  text.line("</svg>");
  return text.text();
}

}  // namespace parid::hardware
