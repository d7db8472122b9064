// Which words an option or argument knows, for shells to complete. The words stand in the lists
// that the commands themselves walk.

#pragma once

#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/shell/command_help.hpp"

namespace parid::cli {

struct Completion {
  std::vector<std::string> words = {};
  std::vector<std::string> endings = {};   // of files: "urdf"
  bool any_file = false, folders = false;  // files of any ending; folders alone

  bool nothing() const { return words.empty() && endings.empty() && !any_file && !folders; }
};

// `command` is its word, such as "torque"; the entry one of its options or arguments.
Completion completion_of(const std::string& command, const HelpEntry&);

}  // namespace parid::cli
