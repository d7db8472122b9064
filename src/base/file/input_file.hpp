// A file opened for reading, or standard input, with messages that a user can act on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/layer.hpp"
#include "parid/error.hpp"

namespace parid::base {

class InputFile {
 public:
  explicit InputFile(const std::string& path);  // "-" is standard input
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }
  std::optional<std::uint64_t> size() const { return size_; }  // of a regular file

  std::size_t read(char* to, std::size_t most);  // bytes available now; 0 at the end

 private:
  std::string name_;
  std::optional<std::uint64_t> size_;
  int descriptor_ = -1;
};

}  // namespace parid::base
