// Commands about the program itself, which look at all the others: added after them.

#pragma once

#include "cli/command.hpp"
#include "cli/layer.hpp"

namespace parid::cli {

void add_completion(CLI::App&, Action&);
void add_man(CLI::App&, Action&);

}  // namespace parid::cli
