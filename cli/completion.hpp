// Scripts that make a shell complete `parid …`: commands, options and the words that they take.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace parid::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace parid::cli
