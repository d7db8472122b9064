// A checksum of rows that is cheap compared with computing them: eight bytes at a time in four
// independent chains, about ten times as fast as FNV. It detects accidental changes, not malicious
// ones.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cluster/layer.hpp"

namespace parid::cluster {

class RowsHash {
 public:
  void add(const void* bytes, std::size_t count) {
    const auto* from = static_cast<const unsigned char*>(bytes);
    const std::size_t length = count;
    std::array<std::uint64_t, 4> words;
    for (; count >= sizeof words; count -= sizeof words, from += sizeof words) {
      std::memcpy(words.data(), from, sizeof words);
      for (std::size_t k = 0; k < 4; ++k) chain_[k] = mixed(chain_[k], words[k]);
    }
    words = {};
    std::memcpy(words.data(), from, count);
    for (std::size_t k = 0; k < 4; ++k) chain_[k] = mixed(chain_[k], words[k]);
    chain_[0] = mixed(chain_[0], length);
  }
  std::uint64_t value() const {
    std::uint64_t h = 0;
    for (const std::uint64_t c : chain_) h = mixed(h, c);
    return h ^ h >> 32;
  }

 private:
  static constexpr std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
    return std::rotl((h ^ word) * 0x9e3779b97f4a7c15u, 29);
  }
  std::array<std::uint64_t, 4> chain_{0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u,
                                      0x082efa98ec4e6c89u};
};

}  // namespace parid::cluster
