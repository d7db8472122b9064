// What `parid report` works out beside the motion: the studies of the other commands, as the page
// has them.

#pragma once

#include <string>
#include <vector>

#include "cli/input/control_options.hpp"
#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "parid/robot.hpp"

namespace parid::cli {

Json formulations_json(const Robot&);

// On one processor, two, … up to eight or `processors`.
Json schedule_json(const std::string& robot_name, int processors);

// Inverse kinematics on CORDIC boxes where there is a closed form, and inverse dynamics on
// multipliers and adders.
Json pipeline_json(const Robot&);

// The exact law and the policies named, along a motion.
Json control_json(const ControlLawOptions&, const std::optional<std::string>& motion,
                  const std::vector<std::string>& policies, double rate, bool friction);

Json stability_json(const ControlLawOptions&, std::size_t poses);

}  // namespace parid::cli
