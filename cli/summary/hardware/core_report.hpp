// `parid hardware ROBOT controller`: its options, its figures, and its verification.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/layer.hpp"
#include "hardware/controller/controller_core.hpp"

namespace parid::cli {

struct CoreRunOptions {
  CoreOptions core;
  std::optional<std::string> setpoint, kp, kd, motion, verify;
  double clock_mhz = 100;      // of --clock
  std::string for_poses = {};  // an option that was given and needs a pose set point
  bool velocity_given = false, acceleration_given = false;
  // Of `parid hardware`.
  std::string schema;
  std::optional<std::string> output;
  int samples = 1000;
  bool json = false;
};

// The options that `parid hardware` has for controllers alone.
void add_core_options(CLI::App&, CoreRunOptions&);
// Refuses them for other quantities, and those without effect for a controller.
void check_core_options(const CoreRunOptions&, const CLI::App&, bool is_controller);

// Returns 1 if the verification fails.
int run_core(const Robot&, CoreRunOptions);

}  // namespace parid::cli
