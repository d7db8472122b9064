// Motion files: TOML files with a list of moves.
//
//   start = [0, "-90 deg", "90 deg"]
//   [[move]]
//   kind = "joint"
//   to = [0.5, "-45 deg", "60 deg"]
//   duration = 2
//
// docs/motions.md has all kinds and keys.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

struct MotionFile {
  TrajectoryPointer trajectory;
  std::optional<double> rate;         // Hz, if the file has one
  std::vector<std::string> warnings;  // "file:line: warning: what is unusual; what is done"
};

// Throws Error with file, line and remedy.
MotionFile read_motion_file(const Robot&, const std::string& path);
MotionFile parse_motion(const Robot&, const std::string& text, const std::string& file);

}  // namespace parid::motion
