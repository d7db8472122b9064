// The text of a file that a package may have compressed.

#pragma once

#include <cstdio>
#include <string>

#include "tests/layer.hpp"

namespace parid::test {

inline std::string unzipped(const std::string& path) {
  const std::string command = (path.ends_with(".gz") ? "gzip -dc '" : "cat '") + path + "'";
  std::string text;
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    char some[4096];
    while (const std::size_t n = std::fread(some, 1, sizeof some, pipe)) text.append(some, n);
    pclose(pipe);
  }
  return text;
}

}  // namespace parid::test
