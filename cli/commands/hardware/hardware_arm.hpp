// Inverse kinematics of arms beyond the PUMA and the Stanford arm on CORDIC modules.

#pragma once

#include <optional>
#include <string>

#include "cli/layer.hpp"
#include "parid/robot.hpp"
#include "scalar/cordic.hpp"

namespace parid::cli {

struct ArmRun {
  std::string schema, link, unit, normalise;
  Normalising normalising = Normalising::after;
  std::optional<std::string> output;
  int word = 24, guard = 6, samples = 1000;
  bool boxes = false, json = false;
};
int run_serial_arm(const ArmRun&, const Robot&);

}  // namespace parid::cli
