// Results of `parid stability` by policy: as a table, a picture, JSON.

#pragma once

#include <optional>
#include <vector>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/plot.hpp"
#include "control/stability/random_ages.hpp"
#include "control/stability/stability.hpp"
#include "control/step_cost.hpp"

namespace parid::cli {

// Random policies; periods are minima over poses or times. Only for a single pose the mean square
// and realisations are computed; there are none otherwise.
struct RandomReport : PoseStability::Random {
  std::optional<double> found_asked = {};  // at --rate, for the worst realisation found
};

struct StabilityRow {
  Policy policy;
  StepCost cost;
  double safe = 0;                     // the least, over poses or instants
  std::vector<double> by_pose;         // largest safe period of each
  std::vector<double> radius;          // by period, the largest over poses
  std::optional<double> simulated;     // largest period at which a disturbance decays
  std::optional<double> radius_asked;  // at --rate
  std::optional<double> step_time;     // s, on --processors
  std::optional<RandomReport> random = {};
  double foretold = 0;  // compared with `simulated`: `safe`, or that of the one realisation
};

// `rows` must not be empty.
void print_table(const std::vector<StabilityRow>&, const std::vector<double>& periods);
Figure stability_figure(const Robot&, const std::vector<StabilityRow>&,
                        const std::vector<double>& periods);
Json json_of(const StabilityRow&);

}  // namespace parid::cli
