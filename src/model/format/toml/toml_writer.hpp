// A description as a robot file: what toml.hpp reads, written.
//
// Joints are placed by frames; by standard Denavit-Hartenberg parameters where links' frames stand
// at their far ends, which frames alone cannot say. A description that is neither (no file gives
// one) gets its links' frames moved to the joints; torques are the same. Numbers have the fewest
// digits that read back to the same.

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

// Throws Error where there is no joint: such a file could not be read.
std::string to_toml(const Description&, const TomlComments& = {});

// What the URDF of this robot, a file of that name in the same folder, cannot say: gravity,
// bearings and drives. Empty where that is nothing.
std::string to_toml_beside(const Description&, const std::string& urdf, const TomlComments& = {});

}  // namespace parid::model
