// A directory that lives as long as one test, and what tests of files do in it.

#pragma once

#include <stdlib.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "parid/error.hpp"
#include "tests/layer.hpp"

namespace parid::test {

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "parid-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string file(const std::string& name, const std::string& content) const {
    std::filesystem::remove(path(name));  // ext4 waits for the disk when it overwrites a file
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      found.push_back(entry.path().filename().string());
    }
    return found;
  }

 private:
  std::filesystem::path folder_;
};

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What `action` complains about; empty if it does not. Anything but an Error is a failed test.
template <class Action>
std::string complaint(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (double value : values) out.push_back(std::bit_cast<std::uint64_t>(value));
  return out;
}

// Every kind of finite double: the ends of the range, and `count` at random over all bit patterns.
inline std::vector<double> awkward_doubles(std::size_t count) {
  std::vector<double> values = {0.0,
                                -0.0,
                                1e308,
                                -1e308,
                                5e-324,
                                -5e-324,
                                0.1,
                                1.0 / 3,
                                1e22,
                                1e23,
                                1e-5,
                                123456789012345680.0,
                                0x1p-1022,
                                0x1.fffffffffffffp1023,
                                0x0.fffffffffffffp-1022,
                                9007199254740993.0};
  std::mt19937_64 random(1);
  while (values.size() < count) {
    const double value = std::bit_cast<double>(random());
    if (value - value == 0) values.push_back(value);
  }
  return values;
}

// The values as they lie in memory, one after the other.
inline std::string bytes_of(const auto&... values) {
  std::string bytes;
  const auto append = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  (append(values), ...);
  return bytes;
}

inline std::string random_bytes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

}  // namespace parid::test
