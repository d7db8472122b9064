// The thermal limit and the motor of a [[joint]] table:
//
//   continuous_effort = 60
//   motor = {torque = 1.2, continuous_torque = 0.4, speed = 628, power = 250}
//
// Private to the reader and writer of robot files.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/format/toml/toml_table.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Reads both into the joint, whose effort limit is known. Throws Error with the line for values
// that are not above zero and for continuous limits above the peak ones.
void read_motor(const TomlTable&, const std::string& file, const std::string& owner,
                JointDescription&, std::vector<Finding>& remarks);

// Keys and their values as TOML; empty if the joint has none of them.
std::vector<std::pair<std::string, std::string>> motor_keys(const JointDescription&);

}  // namespace parid::model
