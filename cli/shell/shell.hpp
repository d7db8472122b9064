// Commands about the program itself, which look at all the others: added after them.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/command.hpp"
#include "cli/layer.hpp"

namespace parid::cli {

void add_completion(CLI::App&, Action&);
void add_man(CLI::App&, Action&);

// ---- Scripts that make a shell complete `parid …`: commands, options and the words that they
// take.

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

// ---- What help_of() says as a manual page, in roff: parid.1 and parid-COMMAND.1.

std::string man_page(const CLI::App& program_or_command);

// ---- --version: this program's version on the first line, for scripts; then how it was built and
// what it makes of this machine, for bug reports.

std::string version_text();

}  // namespace parid::cli
