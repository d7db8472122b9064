// Files that a command makes, whole or not at all.

#pragma once

#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "codegen/emit/targets.hpp"

namespace parid::cli {

// Into a directory that is made where it is missing. Gives the paths.
std::vector<std::string> write_files(const std::string& directory,
                                     const std::vector<EmittedFile>& files);

}  // namespace parid::cli
