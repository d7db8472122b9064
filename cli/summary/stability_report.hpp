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

// Random policies; periods are minima over poses or times.
struct RandomReport {
  int readings = 0;        // number of random readings
  double unsafe = 0;       // a growing realisation was found at this period
  double mean_square = 0;  // the mean square decays up to this period; 0: not computed, or at none
  // periods up to which realisations decay, ascending; empty: not computed
  std::vector<double> sampled = {};
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

// A random policy at one pose: proven, found and sampled bounds.
inline constexpr int sampled_realisations = 16;
RandomReport random_report(const RandomAges&, const PeriodRange&, std::uint64_t seed, double& safe);

// From a five-hundredth of the exact law's largest period to a little above it.
std::vector<double> usual_periods(const Robot& plant, LawDesign, std::span<const double> q,
                                  std::size_t count);

// By period, the largest over the poses.
std::vector<double> worst_radii(const StabilityMap&, std::size_t row);

// `rows` must not be empty.
void print_table(const std::vector<StabilityRow>&, const std::vector<double>& periods);
Figure stability_figure(const Robot&, const std::vector<StabilityRow>&,
                        const std::vector<double>& periods);
Json json_of(const StabilityRow&);

}  // namespace parid::cli
