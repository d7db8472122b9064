// Formats a number of bytes: 3200000000000 is "3.2 TB".

#pragma once

#include <cstdio>
#include <string>

#include "base/layer.hpp"

namespace parid::base {

inline std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  for (; bytes >= 999.5 && unit < 6; ++unit) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", unit > 0 && bytes < 9.95 ? 1 : 0, bytes, units[unit]);
  return text;
}

}  // namespace parid::base
