// What `parid stability` found, policy by policy: as a table, a picture, JSON.

#pragma once

#include <optional>
#include <vector>

#include "cli/json.hpp"
#include "cli/plot.hpp"
#include "parid/control/stability.hpp"
#include "parid/control/step_cost.hpp"

namespace parid::cli {

struct StabilityRow {
  Policy policy;
  StepCost cost;
  double safe = 0;                     // the least, over poses or instants
  std::vector<double> by_pose;         // largest safe period of each
  std::vector<double> radius;          // by period, the largest over poses
  std::optional<double> simulated;     // largest period at which a disturbance dies
  std::optional<double> radius_asked;  // at --rate
  std::optional<double> step_time;     // s, on --processors
};

// From a five-hundredth of what the exact law may take to a little above it.
std::vector<double> usual_periods(const Robot& plant, LawDesign, std::span<const double> q,
                                  std::size_t count);

// By period, the largest over the poses.
std::vector<double> worst_radii(const StabilityMap&, std::size_t row);

// Rows must not be none.
void print_table(const std::vector<StabilityRow>&, const std::vector<double>& periods);
Figure stability_figure(const Robot&, const std::vector<StabilityRow>&,
                        const std::vector<double>& periods);
Json json_of(const StabilityRow&);

}  // namespace parid::cli
