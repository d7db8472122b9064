// The integers that hold hardware words: 128 bits, and 256 bits for values before rounding.
//
// Wide supports what an exact product or sum needs: addition, shifts and rounding.

#pragma once

#include <bit>
#include <cstdint>

#include "scalar/layer.hpp"

namespace parid::scalar {

__extension__ typedef __int128 Raw;
__extension__ typedef unsigned __int128 RawBits;

constexpr RawBits magnitude(Raw x) {
  return x < 0 ? -static_cast<RawBits>(x) : static_cast<RawBits>(x);
}
// 2^place ≤ |x| < 2^(place + 1), for x ≠ 0.
constexpr int highest_bit(Raw x) {
  const RawBits size = magnitude(x);
  const auto high = static_cast<std::uint64_t>(size >> 64), low = static_cast<std::uint64_t>(size);
  return high ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
}

// x · 2^−right to the nearest integer, halves upwards; `right` may be negative.
constexpr Raw rounded_shift(Raw x, int right) {
  if (right <= 0) return x << -right;
  if (right > 126) return 0;
  return (x >> right) + (x >> (right - 1) & 1);
}

struct Wide {
  Raw high = 0;
  RawBits low = 0;

  constexpr Wide(Raw x) : high(x < 0 ? -1 : 0), low(static_cast<RawBits>(x)) {}
  constexpr Wide(RawBits h, RawBits l) : high(static_cast<Raw>(h)), low(l) {}

  friend constexpr Wide operator+(Wide a, Wide b) {
    const RawBits low = a.low + b.low;
    return {a.top() + b.top() + (low < a.low ? 1 : 0), low};
  }
  friend constexpr Wide operator-(Wide a, Wide b) {
    return {a.top() - b.top() - (a.low < b.low ? 1 : 0), a.low - b.low};
  }
  friend constexpr Wide operator<<(Wide a, int left) {
    if (left == 0) return a;
    if (left >= 128) return {a.low << (left - 128), RawBits{0}};
    return {a.top() << left | a.low >> (128 - left), a.low << left};
  }
  friend constexpr Wide operator>>(Wide a, int right) {
    if (right == 0) return a;
    if (right >= 128) return a.high >> (right < 255 ? right - 128 : 127);
    return {static_cast<RawBits>(a.high >> right), a.top() << (128 - right) | a.low >> right};
  }
  constexpr bool operator==(const Wide&) const = default;

 private:
  constexpr RawBits top() const { return static_cast<RawBits>(high); }
};

constexpr Wide exact_product(Raw a, Raw b) {
  const RawBits x = magnitude(a), y = magnitude(b), half = ~std::uint64_t{0};
  const RawBits low = (x & half) * (y & half), one = (x >> 64) * (y & half),
                other = (x & half) * (y >> 64), high = (x >> 64) * (y >> 64);
  const RawBits middle = (low >> 64) + (one & half) + (other & half);
  const Wide size{high + (one >> 64) + (other >> 64) + (middle >> 64), middle << 64 | (low & half)};
  return (a < 0) != (b < 0) ? Wide(0) - size : size;
}

// As above; the result fits 128 bits.
constexpr Raw rounded_shift(Wide x, int right) {
  if (right <= 0) return static_cast<Raw>((x << -right).low);
  if (right > 254) return 0;
  return static_cast<Raw>((x >> right).low + ((x >> (right - 1)).low & 1));
}

}  // namespace parid::scalar
