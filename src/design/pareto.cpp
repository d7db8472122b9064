#include "design/pareto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schedule/gantt.hpp"

namespace parid::design {
namespace {

constexpr Criterion criterion_list[] = {
    {"price", "price (USD)", [](const DesignCandidate& c) { return c.price; }},
    {"power", "power (W)", [](const DesignCandidate& c) { return c.power; }},
    {"processors", "processors",
     [](const DesignCandidate& c) {
       return c.multipliers ? std::optional<double>() : std::optional<double>(c.processors);
     }},
    {"multipliers", "built-in multipliers",
     [](const DesignCandidate& c) {
       return c.multipliers ? std::optional<double>(static_cast<double>(*c.multipliers))
                            : std::optional<double>();
     }},
};

constexpr double panel_width = 380, panel_height = 300, margin_left = 66, margin_top = 44,
                 margin_bottom = 52, gap = 84;

// From a range of positive numbers to a length, on a logarithmic scale of whole decades or, for
// narrow ranges, of the range itself.
class LogScale {
 public:
  LogScale(double low, double high, double length) : length_(length) {
    low_ = std::log10(std::max(low, 1e-12));
    high_ = std::log10(std::max(high, 1e-12));
    const double room = std::max(0.08, 0.08 * (high_ - low_));
    low_ -= room;
    high_ += room;
  }
  double operator()(double x) const {
    return length_ * (std::log10(std::max(x, 1e-12)) - low_) / (high_ - low_);
  }
  std::vector<double> ticks() const {
    std::vector<double> all;
    for (int decade = static_cast<int>(std::floor(low_)); decade <= static_cast<int>(high_) + 1;
         ++decade)
      for (const double step : {1.0, 2.0, 5.0}) {
        const double x = step * std::pow(10.0, decade);
        if (std::log10(x) >= low_ && std::log10(x) <= high_) all.push_back(x);
      }
    if (all.size() > 9)
      std::erase_if(
          all, [](double x) { return std::abs(std::log10(x) - std::round(std::log10(x))) > 1e-9; });
    return all;
  }

 private:
  double low_ = 0, high_ = 1, length_;
};

bool usable(const DesignCandidate& c) { return c.refused.empty() && c.reachable > 0; }

struct Point {
  const DesignCandidate* candidate;
  double cost;
};

// One panel: bandwidth upwards, cost to the right.
std::string panel(const Criterion& criterion, const std::vector<Point>& points, double left,
                  double top) {
  double cheap = INFINITY, dear = 0, slow = INFINITY, fast = 0;
  for (const Point& p : points) {
    cheap = std::min(cheap, p.cost);
    dear = std::max(dear, p.cost);
    slow = std::min(slow, p.candidate->reachable);
    fast = std::max(fast, p.candidate->reachable);
  }
  const LogScale across(cheap, dear, panel_width), up(slow, fast, panel_height);
  std::string s = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" "
      "stroke=\"#888\"/>\n",
      left, top, panel_width, panel_height);
  for (const double x : across.ticks())
    s += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#e4e4e4\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:g}</text>\n",
        left + across(x), top, top + panel_height, top + panel_height + 16, x);
  for (const double y : up.ticks())
    s += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"#e4e4e4\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
        left, top + panel_height - up(y), left + panel_width, left - 6,
        top + panel_height - up(y) + 4, y);
  s += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                   left + panel_width / 2, top + panel_height + 36, criterion.axis);
  s += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">reachable "
      "bandwidth (Hz)</text>\n",
      left - 46, top + panel_height / 2);
  std::vector<Point> front;
  for (const Point& p : points) {
    const auto& f = p.candidate->front;
    if (std::find(f.begin(), f.end(), criterion.id) != f.end()) front.push_back(p);
  }
  std::sort(front.begin(), front.end(),
            [](const Point& a, const Point& b) { return a.cost < b.cost; });
  const auto x_of = [&](const Point& p) { return left + across(p.cost); };
  const auto y_of = [&](const Point& p) { return top + panel_height - up(p.candidate->reachable); };
  std::string path;
  for (std::size_t k = 0; k < front.size(); ++k)
    path += k == 0 ? fmt::format("M{:.1f} {:.1f}", x_of(front[k]), y_of(front[k]))
                   : fmt::format("H{:.1f}V{:.1f}", x_of(front[k]), y_of(front[k]));
  s +=
      fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#d55e00\" stroke-width=\"1.5\"/>\n", path);
  for (const Point& p : points) {
    const bool best = std::any_of(front.begin(), front.end(),
                                  [&](const Point& f) { return f.candidate == p.candidate; });
    s += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}: {:.3g} Hz, "
        "{:g}</title></circle>\n",
        x_of(p), y_of(p), best ? 4.5 : 2.5, best ? "#d55e00" : "#0072b2",
        schedule::xml_text(p.candidate->id), p.candidate->reachable, p.cost);
  }
  // Names of the front, on the side with more room; none closer than a line to the last one.
  double last = -INFINITY;
  for (const Point& p : front) {
    const double x = x_of(p);
    double y = y_of(p) - 7;
    if (std::abs(y - last) < 11) y = last - 11;
    if (y < top + 10) y = y_of(p) + 15;
    last = y;
    const bool right = x > left + panel_width * 0.55;
    s += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"n\">{}</text>\n",
                     right ? x - 7 : x + 7, y, right ? "end" : "start",
                     schedule::xml_text(p.candidate->id));
  }
  return s;
}

}  // namespace

std::span<const Criterion> criteria() { return criterion_list; }

void mark_fronts(std::vector<DesignCandidate>& all) {
  for (DesignCandidate& c : all) c.front.clear();
  for (const Criterion& criterion : criterion_list)
    for (DesignCandidate& c : all) {
      const auto cost = criterion.cost(c);
      if (!usable(c) || !cost) continue;
      const bool beaten = std::any_of(all.begin(), all.end(), [&](const DesignCandidate& other) {
        const auto its = criterion.cost(other);
        return &other != &c && usable(other) && its && *its <= *cost &&
               other.reachable >= c.reachable && (*its < *cost || other.reachable > c.reachable);
      });
      if (!beaten) c.front.emplace_back(criterion.id);
    }
}

std::string pareto_svg(const DesignResult& result, const std::string& title) {
  std::vector<std::pair<const Criterion*, std::vector<Point>>> panels;
  for (const Criterion& criterion : criterion_list) {
    std::vector<Point> points;
    for (const DesignCandidate& c : result.candidates)
      if (const auto cost = criterion.cost(c); usable(c) && cost && *cost > 0)
        points.push_back({&c, *cost});
    if (!points.empty()) panels.emplace_back(&criterion, std::move(points));
  }
  const double rows = static_cast<double>((panels.size() + 1) / 2),
               columns = panels.size() > 1 ? 2 : 1;
  const double width = columns * (panel_width + gap) + 20,
               height = margin_top + rows * (panel_height + margin_bottom + 14);
  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<style>.n{{font-size:10px}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
      width, std::max(height, 80.0), margin_left, schedule::xml_text(title));
  for (std::size_t k = 0; k < panels.size(); ++k)
    s += panel(*panels[k].first, panels[k].second,
               margin_left + static_cast<double>(k % 2) * (panel_width + gap),
               margin_top + static_cast<double>(k / 2) * (panel_height + margin_bottom + 14));
  if (panels.empty())
    s += fmt::format("<text x=\"{}\" y=\"60\">no usable candidate</text>\n", margin_left);
  return s + "</svg>\n";
}

}  // namespace parid::design
