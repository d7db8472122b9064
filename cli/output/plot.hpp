// Curves over time as a picture: SVG or PNG, by gnuplot.
//
// Panels stand one above the other over the same instants. Colours are told apart by colour-blind
// readers too (after Okabe and Ito), and dashes help in grey.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

struct Curve {
  std::string name;
  std::vector<double> y;  // one per instant
  int style = -1;  // the same in every panel for the same thing; -1: by its place in the panel
};
struct Panel {
  std::string what, unit;  // "torque", "N m"
  std::vector<Curve> curves;
  std::vector<double> levels = {};  // drawn across as thin lines: limits
};
struct Figure {
  std::string title;
  std::string across = "time (s)";
  std::vector<double> x;
  std::vector<Panel> panels;
  bool points = false;  // a dot at each x: there is nothing between them
};

inline constexpr int most_curves = 8;  // in a panel that can be read at a glance

// The curves, at most so many to a panel: "torque (1 of 3)" where there are more.
std::vector<Panel> split(Panel);

// Throws Error where the path ends in neither .svg nor .png, before anything is done.
void check_plot_path(const std::string& option, const std::string& path);

// Throws Error where gnuplot is not installed or fails; the file appears whole or not at all.
void plot(const Figure&, const std::string& path);

}  // namespace parid::cli
