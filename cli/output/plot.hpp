// Curves over time as a picture: PDF, SVG or PNG, by gnuplot.
//
// Panels are stacked and share the time axis, and one legend if a curve looks the same in all of
// them. Colour-blind readers can distinguish the colours (after Okabe and Ito), and dashes help in
// grey.

#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

struct Curve {
  std::string name;
  std::vector<double> y;  // one per instant
  int style = -1;  // equal in all panels for the same curve; -1: by its position in the panel
};
struct Panel {
  std::string what, unit;  // "torque", "N m"
  std::vector<Curve> curves;
  std::vector<double> levels = {};  // horizontal thin lines: limits
};
struct Figure {
  std::string title;
  std::string across = "time (s)";
  std::vector<double> x;
  std::vector<Panel> panels;
  bool points = false;  // a dot at each x
  bool log_x = false;   // x is in seconds, on a logarithmic axis with units
};

// screen: large, in colour. print: for a column of text, small letters and thin lines; a PNG has
// 300 dots per inch. mono: as print, in black and grey with dashes.
enum class PlotStyle { screen, print, mono };

// Adds --style, which requires --plot.
void add_plot_style(CLI::App&, std::string& style);

inline constexpr int most_curves = 8;  // readable in one panel

// Splits curves into panels of that many: "torque (1 of 3)" if there are several.
std::vector<Panel> split(Panel);

// Throws Error if the path does not end in .pdf, .svg or .png, before any computation.
void check_plot_path(const std::string& option, const std::string& path);

// Throws Error if gnuplot is not installed or fails; the file appears complete or not at all.
void plot(const Figure&, const std::string& path, const std::string& style = "screen");

}  // namespace parid::cli
