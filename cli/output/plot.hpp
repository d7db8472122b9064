// Curves over time as a picture: SVG or PNG, by gnuplot.
//
// Panels are stacked and share the time axis. Colour-blind readers can distinguish the colours
// (after Okabe and Ito), and dashes help in grey.

#pragma once

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
  bool points = false;  // a dot at each x, without lines between them
};

inline constexpr int most_curves = 8;  // readable in one panel

// Splits curves into panels of that many: "torque (1 of 3)" if there are several.
std::vector<Panel> split(Panel);

// Throws Error if the path ends in neither .svg nor .png, before any computation.
void check_plot_path(const std::string& option, const std::string& path);

// Throws Error if gnuplot is not installed or fails; the file appears complete or not at all.
void plot(const Figure&, const std::string& path);

}  // namespace parid::cli
