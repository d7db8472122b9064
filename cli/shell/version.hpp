// --version: this program's version on the first line, for scripts; then how it was built and what
// it makes of this machine, for bug reports.

#pragma once

#include <string>

#include "cli/layer.hpp"

namespace parid::cli {

std::string version_text();

}  // namespace parid::cli
