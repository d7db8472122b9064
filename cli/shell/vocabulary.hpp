// The words that an option or argument accepts, for completion in shells. They come from the lists
// that the commands use.

#pragma once

#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/shell/command_help.hpp"

namespace parid::cli {

struct Completion {
  std::vector<std::string> words = {};
  std::vector<std::string> endings = {};   // of files: "urdf"
  bool any_file = false, folders = false;  // files of any suffix; only folders

  bool nothing() const { return words.empty() && endings.empty() && !any_file && !folders; }
};

// `command` is its name, such as "torque"; the entry is one of its options or arguments.
Completion completion_of(const std::string& command, const HelpEntry&);

}  // namespace parid::cli
