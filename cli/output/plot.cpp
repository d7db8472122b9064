#include "cli/output/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/file/atomic_file.hpp"
#include "base/process/child_process.hpp"
#include "base/text/characters.hpp"
#include "cli/output/numbers.hpp"
#include "cli/shell/option_checks.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

struct Stroke {
  const char* colour;
  int dash;
};
using Strokes = Stroke[most_curves];
constexpr Strokes coloured_strokes = {{"#0072B2", 1}, {"#D55E00", 1}, {"#009E73", 1},
                                      {"#CC79A7", 1}, {"#E69F00", 2}, {"#56B4E9", 2},
                                      {"#000000", 2}, {"#7F7F7F", 3}};
constexpr Strokes grey_strokes = {{"#000000", 1}, {"#000000", 2}, {"#000000", 3}, {"#000000", 4},
                                  {"#8C8C8C", 1}, {"#8C8C8C", 2}, {"#8C8C8C", 3}, {"#8C8C8C", 4}};

// Sizes in pixels of an SVG, 96 to the inch.
struct Look {
  const char* name;
  PlotStyle style;
  int panel, head, foot, left, plane, letter, font, title;
  double line, level;
  const char *grid, *border, *level_colour;
  const Strokes& strokes;
  int png;  // pixels of a PNG per pixel of an SVG
};
constexpr Look looks[] = {{"screen", PlotStyle::screen, 250, 45, 52, 84, 610, 9, 13, 17, 2, 1,
                           "#DDDDDD", "#555555", "#AA0000", coloured_strokes, 1},
                          {"print", PlotStyle::print, 165, 34, 42, 62, 400, 7, 10, 12, 1.3, 0.8,
                           "#E4E4E4", "#000000", "#AA0000", coloured_strokes, 3},
                          {"mono", PlotStyle::mono, 165, 34, 42, 62, 400, 7, 10, 12, 1.3, 0.8,
                           "#E4E4E4", "#000000", "#000000", grey_strokes, 3}};

const Look& look_of(const std::string& style) {
  for (const Look& look : looks)
    if (look.name == style) return look;
  throw Error(fmt::format("--style: unknown style '{}'; use screen, print or mono", style));
}

enum class Kind { svg, png, pdf };
Kind kind_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".png" ? Kind::png : ending == ".pdf" ? Kind::pdf : Kind::svg;
}

constexpr std::size_t longest_name = 60, longest_title = 120;  // characters that are drawn

// At most `most` characters of a text.
std::string shortened(const std::string& text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < most && at < text.size(); ++n)
    at += std::max<std::size_t>(1, utf8_length(std::string_view(text).substr(at)));
  return at < text.size() ? text.substr(0, at) + "…" : text;
}

// Texts of a figure, which gnuplot reads as data: lines of a data block, which the script refers to
// by number. No part of a name becomes part of the script, where gnuplot would execute text in back
// quotes.
class Texts {
 public:
  explicit Texts(Kind kind) : svg_(kind == Kind::svg) {}
  // The expression for the text in the script.
  std::string add(const std::string& text) {
    lines_ += '>';  // so that no text equals the line that ends the block
    for (std::size_t k = 0; k < text.size(); ++k) {
      lines_ += is_control(text[k]) ? ' ' : text[k];
      // gnuplot copies "&#x" into an SVG unchanged, where it begins a character reference: "&#x26;"
      // is "&".
      if (svg_ && text.compare(k, 3, "&#x") == 0) lines_ += "#x26;";
    }
    lines_ += '\n';
    return fmt::format("$texts[{}][2:*]", ++count_);
  }
  std::string block() const { return "$texts << END_OF_TEXTS\n" + lines_ + "END_OF_TEXTS\n"; }

 private:
  std::string lines_;
  int count_ = 0;
  bool svg_;
};

std::size_t letters_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string terminal(Kind kind, const Look& look, int wide, int high) {
  switch (kind) {
    case Kind::png:
      return fmt::format(
          "set terminal pngcairo noenhanced size {},{} font 'sans,{}' background 'white' linewidth "
          "{}\n",
          look.png * wide, look.png * high, 0.82 * look.png * look.font, 1.3 * look.png);
    case Kind::pdf:
      return fmt::format(
          "set terminal pdfcairo noenhanced size {:.3f}in,{:.3f}in font 'sans,{}' linewidth 1\n",
          wide / 96.0, high / 96.0, 0.75 * look.font);
    case Kind::svg: break;
  }
  return fmt::format(
      "set terminal svg noenhanced size {},{} font 'sans,{}' background 'white' linewidth 1.3\n",
      wide, high, look.font);
}

int stroke_of(const Panel& p, std::size_t k) {
  return (p.curves[k].style >= 0 ? p.curves[k].style : static_cast<int>(k)) % most_curves;
}

// The names of all curves with their strokes, if no two curves of a stroke have different names and
// no name has two strokes: then one legend serves all panels. Empty otherwise.
std::vector<std::pair<std::string, int>> shared_legend(const Figure& f) {
  std::vector<std::pair<std::string, int>> all;
  for (const Panel& p : f.panels)
    for (std::size_t k = 0; k < p.curves.size(); ++k) {
      const std::pair<std::string, int> one{p.curves[k].name, stroke_of(p, k)};
      bool known = false;
      for (const auto& other : all) {
        if ((other.first == one.first) != (other.second == one.second)) return {};
        known |= other == one;
      }
      if (!known) all.push_back(one);
    }
  return all;
}

// Curves of a panel that a reader cannot tell apart take turns: each is drawn in every n-th piece,
// so that their colours alternate along the line.
std::vector<std::vector<double>> drawn_values(const Panel& p, bool points) {
  const std::size_t n = p.curves.size();
  std::vector<std::vector<double>> values;
  for (const Curve& c : p.curves) values.push_back(c.y);
  if (points) return values;
  double low = INFINITY, high = -INFINITY;
  for (const Curve& c : p.curves)
    for (const double y : c.y)
      if (std::isfinite(y)) {
        low = std::min(low, y);
        high = std::max(high, y);
      }
  const double close = 0.006 * (high - low);
  auto same = [&](const Curve& a, const Curve& b) {
    return std::equal(a.y.begin(), a.y.end(), b.y.begin(), b.y.end(), [&](double x, double y) {
      return std::abs(x - y) <= close || (!std::isfinite(x) && !std::isfinite(y));
    });
  };
  std::vector<char> done(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> set;
    for (std::size_t k = i; k < n && !done[i]; ++k)
      if (k == i || (!done[k] && same(p.curves[i], p.curves[k]))) set.push_back(k);
    for (std::size_t m = 0; m < set.size() && set.size() > 1; ++m) {
      std::vector<double>& y = values[set[m]];
      const std::size_t piece = std::max<std::size_t>(1, y.size() / (8 * set.size()));
      for (std::size_t r = 0; r < y.size(); ++r) {
        const std::size_t turn = r / piece % set.size();
        // The end of a piece is the beginning of the next.
        if (turn != m && !(r % piece == 0 && turn == (m + 1) % set.size())) y[r] = NAN;
      }
      done[set[m]] = 1;
    }
  }
  return values;
}

// Ticks of a logarithmic axis in seconds: "100 µs" 1e-4, …
std::string time_ticks(const std::vector<double>& x, bool labels) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const bool few = *high / *low < 200;
  std::string s;
  for (int e = static_cast<int>(std::floor(std::log10(*low))); e <= std::log10(*high); ++e)
    for (const int m : {1, 2, 5}) {
      const double t = m * std::pow(10.0, e);
      if (t < 0.999 * *low || t > 1.001 * *high) continue;
      const bool named = labels && (few || m == 1);
      s += fmt::format("{}'{}' {:.6g}", s.empty() ? "" : ", ", named ? human_time(t) : "", t);
    }
  return s;
}

std::string script(const Figure& f, Kind kind, const Look& look) {
  std::size_t longest = 6;  // letters of a name
  for (const Panel& p : f.panels)
    for (const Curve& c : p.curves)
      longest = std::max(longest, letters_of(shortened(c.name, longest_name)));
  const int wide = look.left + look.plane + 60 + look.letter * static_cast<int>(longest + 2);
  auto share = [&](int x) { return static_cast<double>(x) / wide; };
  const int high = look.head + look.foot + look.panel * static_cast<int>(f.panels.size());
  Texts texts(kind);
  std::string s = terminal(kind, look, wide, high);
  s += "$data << END_OF_DATA\n";
  std::vector<std::vector<double>> columns;
  for (const Panel& p : f.panels)
    for (std::vector<double>& y : drawn_values(p, f.points)) columns.push_back(std::move(y));
  for (std::size_t r = 0; r < f.x.size(); ++r) {
    s += fmt::format("{:.9g}", f.x[r]);
    for (const std::vector<double>& y : columns) s += fmt::format(" {:.9g}", y[r]);
    s += '\n';
  }
  s += "END_OF_DATA\n";
  const double top = 1 - static_cast<double>(look.head) / high,
               each = static_cast<double>(look.panel) / high,
               points = kind == Kind::svg   ? 1
                        : kind == Kind::pdf ? 0.75
                                            : 0.82 * look.png;  // of a letter per pixel
  const auto fits = static_cast<std::size_t>(wide / (0.62 * look.title));
  s += fmt::format("set multiplot title {} font ',{}'\n",
                   texts.add(shortened(f.title, std::min(longest_title, fits))),
                   points * look.title);
  s += fmt::format(
      "set grid lc rgb '{}' lt 1 lw 0.7\nset border 3 lc rgb '{}'\nset tics nomirror out\nset "
      "xzeroaxis lt 1 lc rgb '#999999'\nset autoscale xfix\n",
      look.grid, look.border);
  if (f.log_x) s += "set logscale x\nunset mxtics\n";
  s += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n", share(look.left),
                   share(look.left + look.plane));
  const auto legend = shared_legend(f);
  auto stroke = [&](int number) {
    const Stroke& style = look.strokes[number];
    return fmt::format("with {} lw {} dt {} lc rgb '{}'",
                       f.points ? fmt::format("linespoints pt 7 ps {}", 0.25 * look.line) : "lines",
                       look.line, style.dash, style.colour);
  };
  int column = 2;
  for (std::size_t i = 0; i < f.panels.size(); ++i) {
    const Panel& p = f.panels[i];
    const bool last = i + 1 == f.panels.size();  // only the last one has labels of time below it
    const double upper = top - static_cast<double>(i) * each, lower = upper - 0.88 * each;
    s += fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n", upper, lower);
    s += fmt::format(
        "set key at screen {:.5f},{:.5f} left top vertical Left reverse samplen 2 spacing 1.2\n",
        share(look.left + look.plane + 15), upper);
    // Labels of all panels are at one distance from the edge.
    s += fmt::format("set label 1 {} at screen {:.5f},{:.5f} center rotate by 90\n",
                     texts.add(fmt::format("{} ({})", p.what, p.unit)), share(look.font),
                     (upper + lower) / 2);
    s += last ? fmt::format("set xlabel {}\n", texts.add(f.across)) : "unset xlabel\n";
    if (f.log_x)
      s += fmt::format("set xtics ({})\n", time_ticks(f.x, last));
    else
      s += last ? "set format x\n" : "set format x ''\n";
    s += "plot ";
    // The entries of a shared legend are drawn once, beside the first panel.
    if (!legend.empty() && i == 0)
      for (const auto& [name, number] : legend)
        s += fmt::format("NaN {} title {}, ", stroke(number),
                         texts.add(shortened(name, longest_name)));
    for (std::size_t k = 0; k < p.curves.size(); ++k, ++column) {
      s += fmt::format("{}$data using 1:{} {} ", k == 0 ? "" : ", ", column,
                       stroke(stroke_of(p, k)));
      s += legend.empty()
               ? fmt::format("title {}", texts.add(shortened(p.curves[k].name, longest_name)))
               : std::string("notitle");
    }
    for (const double level : p.levels)
      s += fmt::format(", {:.9g} with lines lw {} dt 3 lc rgb '{}' notitle", level, look.level,
                       look.level_colour);
    s += "\n";
  }
  return "set encoding utf8\n" + texts.block() + s + "unset multiplot\n";
}

// Runs gnuplot without a shell, with `input` on standard input, and returns its standard output.
std::string output_of_gnuplot(const std::string& input) {
  // -d: ignores the user's settings
  const ChildResult ran =
      run_child({"gnuplot", "-d"}, {.input = input, .most_output = std::size_t{1} << 30});
  if (ran.error == ENOENT)
    throw Error("--plot: gnuplot is not installed; on Debian install the package gnuplot-nox");
  if (ran.error != 0)
    throw Error(fmt::format("--plot: cannot start gnuplot ({})", std::strerror(ran.error)));
  if (ran.timed_out)
    throw Error("--plot: gnuplot was stopped after 300 s; use fewer samples with --rate");
  if (ran.code != 0 || ran.cut || ran.output.empty())
    throw Error(fmt::format("--plot: gnuplot failed: {}",
                            ran.errors.empty() ? "no message" : ran.errors.substr(0, 500)));
  return ran.output;
}

}  // namespace

std::vector<Panel> split(Panel panel) {
  const std::size_t n = panel.curves.size(), parts = (n + most_curves - 1) / most_curves,
                    each = parts > 0 ? (n + parts - 1) / parts : 0;
  if (parts <= 1) return n > 0 ? std::vector{std::move(panel)} : std::vector<Panel>{};
  std::vector<Panel> all;
  for (std::size_t k = 0; k < n; k += each) {
    Panel part{fmt::format("{} {}/{}", panel.what, k / each + 1, parts), panel.unit, {}};
    for (std::size_t i = k; i < std::min(n, k + each); ++i)
      part.curves.push_back(std::move(panel.curves[i]));
    all.push_back(std::move(part));
  }
  return all;
}

void check_plot_path(const std::string& option, const std::string& path) {
  if (path.empty())
    throw Error(fmt::format(
        "{}: the name of the file is empty; give a path that ends in .pdf, .svg or .png", option));
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".svg" && ending != ".png" && ending != ".pdf")
    throw Error(fmt::format("{}: unknown type of picture '{}'; use the suffix .pdf, .svg or .png",
                            option, path));
}

void add_plot_style(CLI::App& c, std::string& style) {
  style = "screen";
  std::vector<std::string> names;
  for (const Look& look : looks) names.emplace_back(look.name);
  c.add_option("--style", style,
               "look of --plot: screen (default), print (for a column of text), or mono (in black "
               "and grey)")
      ->check(one_of(names))
      ->needs(c.get_option("--plot"))
      ->option_text("STYLE");
}

void plot(const Figure& figure, const std::string& path, const std::string& style) {
  const std::string picture = output_of_gnuplot(script(figure, kind_of(path), look_of(style)));
  AtomicFile file(path);
  file.write(picture);
  file.commit();
}

}  // namespace parid::cli
