// A check for options that take one word of a few: CLI11's own, with what a misspelt word may mean.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

CLI::Validator one_of(std::vector<std::string> words);

}  // namespace parid::cli
