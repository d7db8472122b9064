#include "cli/output/plot.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/file/atomic_file.hpp"
#include "base/process/child_process.hpp"
#include "base/text/characters.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

struct Style {
  const char* colour;
  int dash;
};
constexpr Style styles[most_curves] = {{"#0072B2", 1}, {"#D55E00", 1}, {"#009E73", 1},
                                       {"#CC79A7", 1}, {"#E69F00", 2}, {"#56B4E9", 2},
                                       {"#000000", 2}, {"#7F7F7F", 3}};

constexpr std::size_t longest_name = 60, longest_title = 120;  // characters that are drawn

bool is_png(const std::string& path) { return std::filesystem::path(path).extension() == ".png"; }

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
  explicit Texts(bool png) : png_(png) {}
  // The expression for the text in the script.
  std::string add(const std::string& text) {
    lines_ += '>';  // so that no text equals the line that ends the block
    for (std::size_t k = 0; k < text.size(); ++k) {
      lines_ += is_control(text[k]) ? ' ' : text[k];
      // gnuplot copies "&#x" into an SVG unchanged, where it begins a character reference: "&#x26;"
      // is "&".
      if (!png_ && text.compare(k, 3, "&#x") == 0) lines_ += "#x26;";
    }
    lines_ += '\n';
    return fmt::format("$texts[{}][2:*]", ++count_);
  }
  std::string block() const { return "$texts << END_OF_TEXTS\n" + lines_ + "END_OF_TEXTS\n"; }

 private:
  std::string lines_;
  int count_ = 0;
  bool png_;
};

std::string script(const Figure& f, bool png) {
  constexpr int panel_height = 250, head = 45, foot = 45, left = 90, plane = 610, letter = 9;
  std::size_t longest = 6;  // letters of a name
  for (const Panel& p : f.panels)
    for (const Curve& c : p.curves)
      longest = std::max(longest, shortened(c.name, longest_name).size());
  const int wide = left + plane + 80 + letter * static_cast<int>(longest);
  auto share = [&](int x) { return static_cast<double>(x) / wide; };
  const int high = head + foot + panel_height * static_cast<int>(f.panels.size());
  Texts texts(png);
  std::string s;
  s += png ? fmt::format(
                 "set terminal pngcairo noenhanced size {},{} font 'sans,11' background "
                 "'white' linewidth 1.4\n",
                 wide, high)
           : fmt::format(
                 "set terminal svg noenhanced size {},{} font 'sans,13' background 'white' "
                 "linewidth 1.3\n",
                 wide, high);
  s += "$data << END_OF_DATA\n";
  for (std::size_t r = 0; r < f.x.size(); ++r) {
    s += fmt::format("{:.9g}", f.x[r]);
    for (const Panel& p : f.panels)
      for (const Curve& c : p.curves) s += fmt::format(" {:.9g}", c.y[r]);
    s += '\n';
  }
  s += "END_OF_DATA\n";
  const double top = 1 - static_cast<double>(head) / high,
               each = static_cast<double>(panel_height) / high;
  s += fmt::format("set multiplot title {} font ',{}'\n",
                   texts.add(shortened(f.title, longest_title)), png ? 14 : 17);
  s += "set grid lc rgb '#DDDDDD' lt 1 lw 0.7\nset border 3 lc rgb '#555555'\n"
       "set tics nomirror out\nset xzeroaxis lt 1 lc rgb '#999999'\nset autoscale xfix\n";
  s += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n", share(left),
                   share(left + plane));
  int column = 2;
  for (std::size_t i = 0; i < f.panels.size(); ++i) {
    const Panel& p = f.panels[i];
    const bool last = i + 1 == f.panels.size();  // only the last one has labels of time below it
    const double upper = top - static_cast<double>(i) * each;
    s += fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n", upper,
                     upper - 0.88 * each);
    s += fmt::format(
        "set key at screen {:.5f},{:.5f} left top vertical Left reverse samplen 2 spacing 1.2\n",
        share(left + plane + 15), upper);
    s += fmt::format("set ylabel {} offset -0.5\n",
                     texts.add(fmt::format("{} ({})", p.what, p.unit)));
    s += last ? fmt::format("set xlabel {}\nset format x\n", texts.add(f.across))
              : "unset xlabel\nset format x ''\n";
    s += "plot ";
    for (std::size_t k = 0; k < p.curves.size(); ++k, ++column) {
      const int chosen = p.curves[k].style >= 0 ? p.curves[k].style : static_cast<int>(k);
      const Style& style = styles[chosen % most_curves];
      s += fmt::format("{}$data using 1:{} with {} lw 2 dt {} lc rgb '{}' title {}",
                       k == 0 ? "" : ", ", column, f.points ? "linespoints pt 7 ps 0.5" : "lines",
                       style.dash, style.colour,
                       texts.add(shortened(p.curves[k].name, longest_name)));
    }
    for (const double level : p.levels)
      s += fmt::format(", {:.9g} with lines lw 1 dt 3 lc rgb '#AA0000' notitle", level);
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
        "{}: the name of the file is empty; give a path that ends in .svg or .png", option));
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw Error(
        fmt::format("{}: unknown type of picture '{}'; use the suffix .svg or .png", option, path));
}

void plot(const Figure& figure, const std::string& path) {
  const std::string picture = output_of_gnuplot(script(figure, is_png(path)));
  AtomicFile file(path);
  file.write(picture);
  file.commit();
}

}  // namespace parid::cli
