// Some tests try a sample of many cases. `./run test full` sets PARID_FULL, and they try them all.

#pragma once

#include <cstdlib>

#include "tests/layer.hpp"

namespace parid::test {

inline bool full_tests() {
  const char* value = std::getenv("PARID_FULL");
  return value != nullptr && *value != '\0' && *value != '0';
}

// `sample` cases in an ordinary run, `all` of them in a full one.
inline int cases(int sample, int all) { return full_tests() ? all : sample; }

}  // namespace parid::test
