// Bytes as text, so that arrays of numbers fit into a page as they are in memory.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/layer.hpp"

namespace parid::report {

std::string base64(std::span<const unsigned char> bytes);

// Numbers in the machine's order of bytes, which is little-endian wherever Parid and browsers run.
template <class T>
std::string base64_of(const std::vector<T>& numbers) {
  return base64(
      {reinterpret_cast<const unsigned char*>(numbers.data()), numbers.size() * sizeof(T)});
}

}  // namespace parid::report
