// The robots that come with Parid: every file of robots/, and two families of any length.

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

// Nothing where no built-in robot has that name; throws Error where the name asks for a family's
// member that cannot be ("chain:0"). With `floating`, the root hangs on a floating joint.
std::optional<Description> builtin(const std::string& name, bool floating = false);

// The built-in name nearest to a mistyped one, or nothing.
std::string nearest_builtin(const std::string& name);

}  // namespace parid::model
