// The description of a command as data, from which help, man pages and completions are generated,
// so that they agree.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

struct HelpEntry {
  std::vector<std::string>
      names;          // "-o", "--output"; of an argument "ROBOT"; of a command its word
  std::string value;  // "FILE"; empty if it takes none
  std::string text;   // lines; those after the first are a list

  std::string left() const;  // "-o, --output FILE"
};

struct CommandHelp {
  std::string name;  // "parid torque"
  std::string summary, usage;
  std::vector<HelpEntry> arguments, options, commands;
  // of the footer: lines before the examples, and the examples
  std::vector<std::string> notes, examples;
};

CommandHelp help_of(const CLI::App&);

// ---- --help: the text of help_of(), wrapped to the terminal, with bold headings on a terminal.

class HelpText : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App*, std::string, CLI::AppFormatMode) const override;
};

}  // namespace parid::cli
