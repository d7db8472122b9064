// Writes a description as a robot file that toml.hpp reads.
//
// Joints are placed by frames, or by standard Denavit-Hartenberg parameters if link frames are at
// the distal ends, which frames cannot express. In a description that is neither (no file gives
// one), link frames are moved to the joints; torques are the same. Numbers have the fewest digits
// that read back to the same value.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Comment lines, without their '#'.
struct TomlComments {
  std::vector<std::string> head;
  std::map<std::string, std::vector<std::string>> joint;  // by name, above its table
};

// Throws Error if there is no joint: such a file could not be read.
std::string to_toml(const Description&, const TomlComments& = {});

// What the URDF file of that name in the same directory cannot express: gravity, bearings and
// drives. Empty if there is nothing.
std::string to_toml_beside(const Description&, const std::string& urdf, const TomlComments& = {});

}  // namespace parid::model
