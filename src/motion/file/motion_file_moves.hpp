// The kinds of move a motion file may have, and their keys. Private to the reader of motion files.

#pragma once

#include <span>

#include "model/format/toml/toml_table.hpp"
#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

std::span<const Field> move_fields();

using Warnings = std::vector<std::string>;  // "file:line: warning: what is unusual; what is done"

// Positions of the robot: an array of all, or a table of those that differ from `now`. Returns
// normalised quaternions.
std::vector<double> positions(const Robot&, const TomlTable&, const char* key,
                              const std::vector<double>& now, Warnings&);

struct Move {
  TrajectoryPointer trajectory;
  std::vector<double> end;  // positions
};
// The move of a [[move]] table, for a robot at `now`, `t` seconds after the start.
Move read_move(const Robot&, const TomlTable&, const std::vector<double>& now, double t, Warnings&);

}  // namespace parid::motion
