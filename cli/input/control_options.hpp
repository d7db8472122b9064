// Options that the commands about sampled control share: the robot and the controller's model of
// it, law, gains, motion.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/input/torque_options.hpp"
#include "cli/layer.hpp"
#include "control/design.hpp"
#include "motion/trajectory.hpp"

namespace parid::cli {

struct ControlLawOptions {
  TorqueOptions robot;  // options of the robot: its name, payload, gravity
  std::string law = "computed_torque";
  std::optional<std::string> gains, kp, kd, model;
  double mass_error = 0;
  bool elastic = false;
  std::string measure = "motor";
};
void add_law_options(CLI::App&, ControlLawOptions&);

// The actual robot, and the controller's model of it: without --payload, with --mass-error, or
// another file's.
struct ControlledRobot {
  Robot plant, model;
};
ControlledRobot asked_robots(const ControlLawOptions&);

// Including gains; q is the start of the motion.
LawDesign asked_design(const ControlLawOptions&, const Robot& model, const Policy&,
                       std::span<const double> q);

// A named motion, a file, "sine:A,...[@W]" about the neutral pose for `time` seconds, or by default
// the default motion.
TrajectoryPointer asked_trajectory(const Robot&, const std::optional<std::string>& motion,
                                   double time);
inline constexpr const char* trajectory_help =
    "motion by name or file, as in `parid torque`; or sine:A,...@W: sine waves of amplitude A "
    "(rad, m) per joint at W rad/s (default: 1)";

// Lines of "exact: …".
std::string policy_help();

// Positions of the robot, one for each coordinate.
std::vector<double> asked_pose(const Robot&, const char* option, const std::string& text);

}  // namespace parid::cli
