// 10^q to 128 bits for every q that a double can have, shared by the reader and the writer of
// decimal numbers.

#pragma once

#include <array>
#include <cstdint>

#include "base/layer.hpp"

namespace parid::base {

// 10^q = (2^64 high + low) 2^(floor(q log2 10) - 127), high with its top bit set. Exact for q from
// 0 to 55, rounded up for q from -27 to -1 (with which quotients by small powers come out exact),
// truncated elsewhere.
struct PowerOfTen {
  std::uint64_t high, low;
};

inline constexpr int least_power_of_ten = -342, greatest_power_of_ten = 324;

// floor(q log2 10), exact in the range of the table
constexpr int floor_log2_pow10(int q) { return (q * 1741647) >> 19; }

namespace powers_of_ten {

// An integer of 1024 bits, least significant limb first: enough for 2^1023 / 5^342 to 128 bits and
// for 5^324.
struct Wide {
  static constexpr int limbs = 16;
  std::array<std::uint64_t, limbs> limb{};

  constexpr void times5() {
    unsigned __int128 carry = 0;
    for (std::uint64_t& x : limb) {
      carry += static_cast<unsigned __int128>(x) * 5;
      x = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }

  constexpr void over5() {
    unsigned __int128 rest = 0;
    for (int i = limbs - 1; i >= 0; --i) {
      rest = rest << 64 | limb[i];
      limb[i] = static_cast<std::uint64_t>(rest / 5);
      rest %= 5;
    }
  }

  // the 128 bits from the highest set one on, zeros below the number's end
  constexpr PowerOfTen top() const {
    int first = limbs - 1;
    while (limb[first] == 0) --first;
    const auto at = [&](int i) { return i < 0 ? std::uint64_t{0} : limb[i]; };
    int shift = 0;
    while ((limb[first] << shift) >> 63 == 0) ++shift;
    const auto joined = [&](int i) {
      return shift == 0 ? at(i) : at(i) << shift | at(i - 1) >> (64 - shift);
    };
    return {joined(first), joined(first - 1)};
  }
};

constexpr auto table() {
  std::array<PowerOfTen, greatest_power_of_ten - least_power_of_ten + 1> all{};
  Wide up;
  up.limb[0] = 1;
  for (int q = 0; q <= greatest_power_of_ten; ++q, up.times5()) {
    all[q - least_power_of_ten] = up.top();
  }
  Wide down;
  down.limb[Wide::limbs - 1] = std::uint64_t{1} << 63;
  for (int q = -1; q >= least_power_of_ten; --q) {
    down.over5();
    PowerOfTen power = down.top();
    if (q >= -27) ++power.low;  // never from 2^64 - 1
    all[q - least_power_of_ten] = power;
  }
  return all;
}

}  // namespace powers_of_ten

}  // namespace parid::base
