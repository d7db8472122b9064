// Checks of options: those without effect are refused, not ignored; misspelt words get a
// suggestion.

#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

// Whether an option was given. It must be one of the command's.
bool given(const CLI::App&, const char* option);

// Throws Error "OPTION: WHY" for the first of `options` that was given.
void refuse(const CLI::App&, std::initializer_list<const char*> options, const std::string& why);

// The same for every option and argument of the command that was given and is not among `allowed`.
void refuse_all_but(const CLI::App&, std::initializer_list<const char*> allowed,
                    const std::string& why);

// ---- A check for options that accept one of a few words: CLI11's own, with a suggestion for a
// misspelt word.

CLI::Validator one_of(std::vector<std::string> words);

}  // namespace parid::cli
