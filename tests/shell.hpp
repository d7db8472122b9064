// Tools of others, run through the shell.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/layer.hpp"

namespace parid::test {

// The output of a command; throws if it fails.
inline std::string said(const std::string& command) {
  std::string text;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char part[4096];
  for (std::size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  if (pclose(pipe) != 0) throw std::runtime_error(command + "\n" + text);
  return text;
}

inline bool there(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace parid::test
