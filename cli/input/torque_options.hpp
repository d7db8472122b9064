// Options of `parid torque`, and the robot and loads that follow from them.

#pragma once

#include <optional>
#include <string>

#include "cli/input/motion_options.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/layer.hpp"
#include "lookup/methods.hpp"
#include "parid/robot.hpp"
#include "runtime/external_loads.hpp"

namespace parid::cli {

inline constexpr const char* quickest_method = "auto";

// Texts are optional so that an empty one ("$UNSET" in a script) is an error, not a default.
struct TorqueOptions : RobotOptions {
  std::string method = engines_method;
  MotionOptions motion;
  std::optional<std::string> output, plot;
  std::string plot_style;
  std::optional<std::string> gravity, payload, tip_wrench;
  std::optional<std::string> base_acceleration, base_velocity, base_angular_acceleration;
  bool json = false, explain = false;
  bool friction = false, as_printed = false, elastic = false;
  int threads = 0;
  std::string kernel = "auto";
  std::optional<std::string> device;  // of OpenCL, instead of the CPU
  std::optional<long> row;            // from 0
  std::optional<long> verify;         // rows to recompute
  std::optional<int> processors;      // of --method lee_chang_pfold
};

// Shows the robot's warnings unless --force is given; throws Error with all its errors.
Robot asked_robot(const TorqueOptions&);

// The robot with a payload in the command line's form: "2", "gripper:5,0,0,0.1".
Robot with_payload(const Robot&, const std::string& text);
ExternalLoads asked_external_loads(const TorqueOptions&, const Robot&);

}  // namespace parid::cli
