// Shared by all targets. A target passes arbitrary bytes to one reader; the reader may refuse them
// only with parid::Error. libFuzzer generates the bytes (`./run fuzz`), and ctest replays the
// stored ones (replay.cpp, fuzz/corpus/).

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

// An in-memory file with these bytes, for readers that take a path.
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
