// External programs of tests; a test without its program is SKIPPED with a message.

#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/layer.hpp"

namespace parid::test {

inline bool installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

struct Said {
  int code = -1;
  std::string text;
};
inline Said shell(const std::string& line) {
  Said s;
  FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  if (!pipe) return s;
  std::array<char, 4096> part;
  while (fgets(part.data(), part.size(), pipe)) s.text += part.data();
  s.code = pclose(pipe);
  return s;
}

}  // namespace parid::test
