#include "scalar/cordic_constants.hpp"

#include <array>
#include <cmath>

namespace parid::scalar {
namespace {

// Σ (±1)^k t^n / n for n = 1, 1 + step, …, with t = 1 / base, times 2^126: t − t^3/3 + … or t ±
// t²/2 + …. Each term has an error of at most half a unit, and there are at most 126.
Raw series(int base, int step, bool alternating) {
  const RawBits one = RawBits{1} << log_bits;
  Raw sum = 0;
  RawBits power = static_cast<RawBits>(base);
  for (int n = 1, sign = 1;; n += step, sign = alternating ? -sign : sign) {
    const RawBits divisor = power * static_cast<RawBits>(n);
    sum += sign * static_cast<Raw>((one + divisor / 2) / divisor);
    for (int k = 0; k < step; ++k) {
      if (power > one / static_cast<RawBits>(base)) return sum;
      power *= static_cast<RawBits>(base);
    }
    if (power > one / static_cast<RawBits>(n + step)) return sum;
  }
}
// The same for t = 2^−shift, computed by shifts alone.
Raw series_of_shift(int shift, int step, bool alternating) {
  Raw sum = 0;
  for (int n = 1, sign = 1; shift * n <= log_bits; n += step, sign = alternating ? -sign : sign) {
    const Raw power = Raw{1} << (log_bits - shift * n);
    sum += sign * ((power + n / 2) / n);
  }
  return sum;
}

Raw eighth_turn() {  // π / 4 after Machin
  static const Raw value = 4 * series(5, 2, true) - series(239, 2, true);
  return value;
}

template <class Of>
std::array<Raw, log_bits + 1> table(int first, Of of) {
  std::array<Raw, log_bits + 1> all{};
  for (int s = first; s <= log_bits; ++s) all[static_cast<std::size_t>(s)] = of(s);
  return all;
}
Raw at(const std::array<Raw, log_bits + 1>& all, int shift) {
  return shift > log_bits ? 0 : all[static_cast<std::size_t>(shift)];
}
CordicConstant kept(Raw fine, int doublings = 0) {
  return {rounded_shift(fine, log_bits - constant_bits - doublings)};
}

}  // namespace

double CordicConstant::value() const { return std::ldexp(static_cast<double>(q), -constant_bits); }

const CordicConstant& quarter_turn() {
  static const CordicConstant c = kept(eighth_turn(), 1);
  return c;
}
const CordicConstant& half_turn() {
  static const CordicConstant c = kept(eighth_turn(), 2);
  return c;
}
const CordicConstant& whole_turn() {
  static const CordicConstant c = kept(eighth_turn(), 3);
  return c;
}
const CordicConstant& log_of_two() {
  static const CordicConstant c = kept(log_of_factor(0, 1));
  return c;
}

CordicConstant arc_tangent(int shift) {
  static const auto all =
      table(0, [](int s) { return s == 0 ? eighth_turn() : series_of_shift(s, 2, true); });
  return kept(at(all, shift));
}
CordicConstant hyperbolic_arc_tangent(int shift) {
  static const auto all = table(1, [](int s) { return series_of_shift(s, 2, false); });
  return kept(at(all, shift));
}

Raw log_of_factor(int shift, int sign) {
  static const auto less = table(1, [](int s) { return -series_of_shift(s, 1, false); });
  static const auto more =
      table(0, [](int s) { return s == 0 ? -at(less, 1) : series_of_shift(s, 1, true); });
  return at(sign < 0 ? less : more, shift);
}

}  // namespace parid::scalar
