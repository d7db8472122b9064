// The interface of a subcommand: it adds its options and returns its action.
//
// cli/ contains main.cpp, the list of commands (commands.hpp), and one file per command. Commands
// throw parid::Error for errors of the user; main prints it and exits with 2.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

// Adds the command to the app and stores its action in `action`: the action returns 0 for success,
// 1 for a negative result.
using Action = std::function<int()>;
using AddCommand = void (*)(CLI::App&, Action&);

inline constexpr const char* robot_help =
    "a built-in name (see `parid robots`) or a robot file: URDF, xacro, MJCF, SDF or TOML";

}  // namespace parid::cli
