// Arguments and functions of the library as options and commands of the program.
//
// Messages of the library name them in backquotes: `grain`, `tasks=graph` with a value, `check()`.
// Users of the program read --grain, --tasks graph and `parid check` instead.

#pragma once

#include <string>

#include "cli/layer.hpp"

namespace parid::cli {

std::string in_flags(const std::string& message);

}  // namespace parid::cli
