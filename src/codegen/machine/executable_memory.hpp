// Memory for functions that were generated in this process.
//
// It is written first and made executable afterwards; at no time are its pages writable and
// executable at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "codegen/layer.hpp"

namespace parid::codegen {

class ExecutableMemory {
 public:
  // A copy of these bytes, from the start of a page. Null, with the reason in `note`, if the system
  // provides no memory or does not permit executing it.
  static std::unique_ptr<ExecutableMemory> make(std::span<const std::uint8_t>, std::string& note);
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  const std::uint8_t* data() const { return static_cast<const std::uint8_t*>(start_); }
  std::size_t size() const { return size_; }

 private:
  ExecutableMemory(void* start, std::size_t size) : start_(start), size_(size) {}
  void* start_;
  std::size_t size_;  // whole pages
};

}  // namespace parid::codegen
