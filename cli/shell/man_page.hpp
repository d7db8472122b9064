// What help_of() says as a manual page, in roff: parid.1 and parid-COMMAND.1.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/layer.hpp"

namespace parid::cli {

std::string man_page(const CLI::App& program_or_command);

}  // namespace parid::cli
