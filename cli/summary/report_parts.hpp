// The parts of the page of `parid report`, as JSON: the studies of the other commands, the robot
// and its motion.

#pragma once

#include <string>
#include <vector>

#include "cli/input/control_options.hpp"
#include "cli/input/torque_evaluation.hpp"
#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "parid/robot.hpp"
#include "report/visuals.hpp"

namespace parid::cli {

Json formulations_json(const Robot&);

// On one processor, two, … up to eight or `processors`.
Json schedule_json(const Robot&, const std::string& name, int processors);

// Inverse kinematics on CORDIC boxes if there is a closed form, and inverse dynamics on multipliers
// and adders.
Json pipeline_json(const Robot&);

// The exact law and the named policies, along a motion.
Json control_json(const ControlLawOptions&, const std::optional<std::string>& motion,
                  const std::vector<std::string>& policies, double rate, bool friction);

Json stability_json(const ControlLawOptions&, std::size_t poses);

// ---- The robot and its motion for the page of `parid report`: the tree of links, their visuals,
// and positions, velocities, accelerations and torques as arrays.

// {"f64": "…"}: numbers as base64 of their bytes.
Json packed(const std::vector<double>&);
// (rows, width) → (width, rows), so that each curve is contiguous.
std::vector<double> by_column(const std::vector<double>&, std::size_t width);

Json robot_json(const Robot&);
Json visuals_json(const Robot&, const Visuals&);
Json motion_json(const Robot&, const SampledTrajectory&, const Torques&, const std::string& name);
Json friction_parts_json(const Torques&, std::size_t nv);

}  // namespace parid::cli
