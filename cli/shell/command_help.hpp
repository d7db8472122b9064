// What a command says about itself, as data: help, man pages and completions are made of it, so
// that they never tell different stories.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

struct HelpEntry {
  std::vector<std::string>
      names;          // "-o", "--output"; of an argument "ROBOT"; of a command its word
  std::string value;  // "FILE"; empty where it takes none
  std::string text;   // lines; those after the first are a list

  std::string left() const;  // "-o, --output FILE"
};

struct CommandHelp {
  std::string name;  // "parid torque"
  std::string summary, usage;
  std::vector<HelpEntry> arguments, options, commands;
  std::vector<std::string> notes, examples;  // of the footer: lines before, and those of examples
};

CommandHelp help_of(const CLI::App&);

// ---- --help: what help_of() says, wrapped to the terminal, with headings in bold where there is
// one.

class HelpText : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App*, std::string, CLI::AppFormatMode) const override;
};

}  // namespace parid::cli
