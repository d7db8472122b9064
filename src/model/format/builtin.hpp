// The built-in robots: every file of robots/, and two families of any length.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

struct BuiltinRobot {
  std::string name;     // "puma560"; "chain:N"
  std::string summary;  // one line
  std::string dof;      // "6"; "N"
};

std::vector<BuiltinRobot> builtin_robots();

// None if no built-in robot has that name; throws Error for a member of a family that does not
// exist ("chain:0"). With `floating`, the robot gets a floating base.
std::optional<Description> builtin(const std::string& name, bool floating = false);

// The built-in name closest to a misspelt one, or none.
std::string nearest_builtin(const std::string& name);

}  // namespace parid::model
