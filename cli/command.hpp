// What a subcommand is: how it asks for its options, and what it does.
//
// cli/ holds main.cpp, the list of commands (commands.hpp), and one file per command. Commands
// throw parid::Error for whatever the user did wrong; main prints it and exits with 2.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

// Adds the command to the app and leaves in `action` what to run if it is chosen: 0 for success, 1
// where the answer is "no".
using Action = std::function<int()>;
using AddCommand = void (*)(CLI::App&, Action&);

inline constexpr const char* robot_help =
    "a built-in name (see `parid robots`) or a path to a .urdf or .toml file";

}  // namespace parid::cli
