#include "cli/summary/stability_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace parid::cli {
namespace {

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

// The meaning of a safe period for random ages.
void print_random(const StabilityRow& row, const std::vector<double>& periods) {
  const RandomReport& r = *row.random;
  const auto ms = [&](double T) {
    return T >= periods.back() ? fmt::format("> {:.4g} ms", 1e3 * T)
                               : fmt::format("{:.4g} ms", 1e3 * T);
  };
  fmt::print("{}: the ages are random ({} readings, each old or not).\n", row.policy.id,
             r.readings);
  if (row.safe > 0)
    fmt::print("  every realisation   stable up to {}: proven\n", ms(row.safe));
  else
    fmt::print("  every realisation   not proven stable at any period in the list\n");
  if (r.unsafe < periods.back())
    fmt::print("                      an unstable one exists from {}\n", ms(r.unsafe));
  else
    fmt::print("                      no unstable one was found\n");
  if (r.realisations.empty()) return;
  fmt::print(
      "  mean square         {}: not sufficient, some realisations may be unstable\n",
      r.mean_square > 0 ? "stable up to " + ms(r.mean_square) : "stable at no period in the list");
  fmt::print("  {} realisations     stable up to {} to {}, median {}: not sufficient\n",
             r.realisations.size(), ms(r.realisations.front()), ms(r.realisations.back()),
             ms(median(r.realisations)));
}

}  // namespace

void print_table(const std::vector<StabilityRow>& rows, const std::vector<double>& periods) {
  const StabilityRow& any = rows.front();
  const bool many = any.by_pose.size() > 1;
  const bool simulate = std::any_of(rows.begin(), rows.end(),
                                    [](const StabilityRow& r) { return r.simulated.has_value(); });
  const std::string no_shorter = fmt::format("< {:.3g}", periods.front() * 1e3);
  fmt::print("{:<28} {:>12} {:>10} {:>6} {:>6}", "policy", many ? "safe at all" : "safe up to",
             "at least", "steps", "depth");
  if (many) fmt::print(" {:>10}", "median");
  if (simulate) fmt::print(" {:>12} {:>7}", "simulated", "ratio");
  if (any.radius_asked) fmt::print(" {:>9}", "radius");
  if (any.step_time) fmt::print(" {:>10} {:>6}", "time ms", "safe");
  fmt::print("\n{:<28} {:>12} {:>10}\n", "", "ms", "Hz");
  for (const StabilityRow& row : rows) {
    const bool none = row.safe == 0, all = row.safe >= periods.back();
    fmt::print("{:<28} {:>12} {:>10} {:>6} {:>6}", row.policy.id,
               none  ? no_shorter
               : all ? fmt::format("> {:.4g}", row.safe * 1e3)
                     : fmt::format("{:.4g}", row.safe * 1e3),
               none ? "-" : fmt::format("{:.4g}", 1 / row.safe), row.cost.steps,
               row.cost.depth.total());
    if (many) fmt::print(" {:>10.4g}", median(row.by_pose) * 1e3);
    if (simulate)
      row.simulated
          ? fmt::print(" {:>12.4g} {:>7.3f}", *row.simulated * 1e3, *row.simulated / row.foretold)
          : fmt::print(" {:>12} {:>7}", "-", "-");
    if (any.radius_asked) fmt::print(" {:>9.6f}", *row.radius_asked);
    if (any.step_time)
      fmt::print(" {:>10.4g} {:>6}", *row.step_time * 1e3,
                 *row.step_time < row.safe ? "yes" : "no");
    fmt::print("\n");
  }
  for (const StabilityRow& row : rows)
    if (row.random) print_random(row, periods);
}

Figure stability_figure(const Robot& robot, const std::vector<StabilityRow>& rows,
                        const std::vector<double>& periods) {
  Figure figure;
  figure.title = fmt::format("{}: spectral radius", robot.name());
  figure.across = "sampling period";
  figure.log_x = true;
  figure.x = periods;
  Panel panel{"spectral radius", "per period", {}, {1.0}};
  for (const StabilityRow& row : rows) {
    Curve curve;
    curve.name = row.policy.id;
    for (const double r : row.radius) curve.y.push_back(std::min(r, 1.5));
    panel.curves.push_back(std::move(curve));
  }
  for (Panel& part : split(std::move(panel))) {
    part.levels = {1.0};
    figure.panels.push_back(std::move(part));
  }
  return figure;
}

Json json_of(const StabilityRow& row) {
  Json random = nullptr;
  if (row.random) {
    const RandomReport& r = *row.random;
    random = {{"readings", r.readings},
              {"unsafe_period", r.unsafe},
              {"mean_square_period", r.realisations.empty() ? Json(nullptr) : Json(r.mean_square)},
              {"realisation_periods", r.realisations},
              {"found_radius_asked", r.found_asked ? Json(*r.found_asked) : Json(nullptr)}};
  }
  return {{"id", row.policy.id},
          {"largest_safe_period", row.safe},
          {"spectral_radius", row.radius},
          {"by_pose", row.by_pose},
          {"steps", row.cost.steps},
          {"depth", row.cost.depth.total()},
          {"operations", row.cost.operations},
          {"exchanged", row.cost.exchanged},
          {"simulated", row.simulated ? Json(*row.simulated) : Json(nullptr)},
          {"step_time", row.step_time ? Json(*row.step_time) : Json(nullptr)},
          {"spectral_radius_asked", row.radius_asked ? Json(*row.radius_asked) : Json(nullptr)},
          {"random", random}};
}

}  // namespace parid::cli
