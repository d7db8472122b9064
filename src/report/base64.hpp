// Base64 encoding of bytes, to embed arrays of numbers in a page.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/layer.hpp"

namespace parid::report {

std::string base64(std::span<const unsigned char> bytes);

// Numbers in the machine's byte order, which is little-endian on all supported platforms.
template <class T>
std::string base64_of(const std::vector<T>& numbers) {
  return base64(
      {reinterpret_cast<const unsigned char*>(numbers.data()), numbers.size() * sizeof(T)});
}

}  // namespace parid::report
