// Arguments of the library as options of the program.
//
// Messages of the library name arguments in backquotes: `grain`, or `tasks=graph` with a value.
// Users of the program read --grain and --tasks graph instead.

#pragma once

#include <string>

#include "cli/layer.hpp"

namespace parid::cli {

std::string in_flags(const std::string& message);

}  // namespace parid::cli
