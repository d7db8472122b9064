// Commands about the program itself, which read all other commands: added after them.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/command.hpp"
#include "cli/layer.hpp"

namespace parid::cli {

void add_completion(CLI::App&, Action&);
void add_man(CLI::App&, Action&);

// ---- Scripts that make a shell complete `parid …`: commands, options and their words.

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

// A text up to its first full stop, for menus.
inline std::string brief(const std::string& text) {
  const std::string first = text.substr(0, text.find_first_of(":;(\n"));
  const std::size_t sentence = first.find(". ");
  const std::string said = sentence == std::string::npos ? first : first.substr(0, sentence);
  return said.substr(0, said.find_last_not_of(' ') + 1);
}

// ---- The text of help_of() as a manual page, in roff: parid.1 and parid-COMMAND.1.

std::string man_page(const CLI::App& program_or_command);

// ---- --version: this program's version on the first line, for scripts; then its build and the
// machine's features, for bug reports.

std::string version_text();

}  // namespace parid::cli
