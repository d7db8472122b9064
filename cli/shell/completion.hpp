// Scripts that make a shell complete `parid …`: commands, options and the words that they take.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/layer.hpp"

namespace parid::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

// What a menu has room for: a text up to its first stop.
inline std::string brief(const std::string& text) {
  const std::string first = text.substr(0, text.find_first_of(":;(\n"));
  const std::size_t sentence = first.find(". ");
  const std::string said = sentence == std::string::npos ? first : first.substr(0, sentence);
  return said.substr(0, said.find_last_not_of(' ') + 1);
}

}  // namespace parid::cli
