// What every target shares. A target takes bytes that nobody meant well and gives them to one
// reader; the reader may refuse them with parid::Error and nothing else. libFuzzer makes up the
// bytes (`./run fuzz`), and ctest replays those that were kept (replay.cpp, fuzz/corpus/).

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/layer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace parid::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A file that holds the bytes and is in memory alone. Readers that take a path are given this one.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace parid::fuzz
