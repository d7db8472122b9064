// The robot and its motion as the page of `parid report` has them: the tree of links, what they
// look like, and positions, velocities, accelerations and torques as arrays.

#pragma once

#include <string>

#include "cli/input/torque_evaluation.hpp"
#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "report/visuals.hpp"

namespace parid::cli {

// {"f64": "…"}: numbers as base64 of their bytes.
Json packed(const std::vector<double>&);
// (rows, width) → (width, rows), so that each curve lies in one piece.
std::vector<double> by_column(const std::vector<double>&, std::size_t width);

Json robot_json(const Robot&);
Json visuals_json(const Robot&, const Visuals&);
Json motion_json(const Robot&, const SampledTrajectory&, const Torques&, const std::string& name);
Json friction_parts_json(const Torques&, std::size_t nv);

}  // namespace parid::cli
