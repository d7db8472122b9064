// What a motion asks of joints and motors, as tables and as JSON: of `parid limits`, and of
// `parid torque` on a terminal.

#pragma once

#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/plot.hpp"
#include "parid/limits.hpp"

namespace parid::cli {

// A motion that was checked: its name, and the instants of its samples (empty: none).
struct CheckedMotion {
  std::string name;
  std::vector<double> t;
  LimitsReport report;
};

// The tables on standard output: joints, motors where the file rates them, and power. `which[k]` is
// the motion that gives joint k its largest torque.
void print_loads(const LimitsReport&, const std::vector<CheckedMotion>&,
                 const std::vector<std::size_t>& which);

// The answer, with one line per limit that does not hold.
void print_verdict(const LimitsReport&, const std::vector<CheckedMotion>&, bool allow_missing);

// "joints", "limits_broken", "limits_missing" and sums, for an object that has them.
void add_loads(Json& object, const LimitsReport&, const std::vector<CheckedMotion>&,
               const std::vector<std::size_t>& which);
// true, false, or null where a torque limit is not given and not allowed to be missing.
Json holds_json(LimitsVerdict, bool allow_missing);

// Each torque as a share of its limit; empty panels if no joint has a limit.
Figure limits_figure(const Robot&, const SampledTrajectory&, const std::vector<double>& tau);

// ---- payload maps

void print_map(const PayloadMap&, double margin);
Json json_of(const PayloadMap&);
Figure map_figure(const Robot&, const PayloadMap&);

}  // namespace parid::cli
