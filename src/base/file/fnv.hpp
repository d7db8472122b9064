// FNV-1a, 64 bits: a checksum against accidental damage, not against manipulation.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/layer.hpp"

namespace parid::base {

class Fnv {
 public:
  void add(const void* bytes, std::size_t count) {
    const auto* b = static_cast<const unsigned char*>(bytes);
    for (std::size_t k = 0; k < count; ++k) hash_ = (hash_ ^ b[k]) * 0x100000001b3u;
  }
  void add(std::uint64_t word) { add(&word, sizeof word); }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace parid::base
