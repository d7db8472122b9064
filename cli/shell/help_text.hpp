// --help: what help_of() says, wrapped to the terminal, with headings in bold where there is one.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/layer.hpp"

namespace parid::cli {

class HelpText : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App*, std::string, CLI::AppFormatMode) const override;
};

}  // namespace parid::cli
