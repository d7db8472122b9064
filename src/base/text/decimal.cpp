#include "base/text/decimal.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "base/text/powers_of_ten.hpp"

namespace parid::base {
namespace {

using u64 = std::uint64_t;
using u128 = unsigned __int128;

constexpr auto powers = powers_of_ten::table();
constexpr PowerOfTen power_of_ten(int q) { return powers[q - least_power_of_ten]; }

constexpr u64 integer_powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
constexpr double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr u64 ones = 0x0101010101010101;

// The first character is in the lowest byte.
u64 eight_characters(const char* from) {
  u64 x;
  std::memcpy(&x, from, 8);
  if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap64(x);
  return x;
}

void put_eight(char* to, u64 x) {
  if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap64(x);
  std::memcpy(to, &x, 8);
}

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// Number of digits among eight characters, from the first on.
int leading_digits(u64 x) {
  const u64 value = x ^ (ones * '0');               // 0 to 9 for digits
  const u64 wrong = (value + ones * 0x76) | value;  // top bit set where above 9
  const u64 stops = wrong & (ones * 0x80);
  return stops == 0 ? 8 : std::countr_zero(stops) / 8;
}

// The value of eight digits 0 to 9, one per byte, most significant in the lowest byte.
[[gnu::always_inline]] inline u64 value_of_eight(u64 x) {
  x = x * 10 + (x >> 8);
  constexpr u64 mask = 0x000000ff000000ff;
  return ((x & mask) * 0x000f424000000064 + ((x >> 16) & mask) * 0x0000271000000001) >> 32;
}

struct Digits {
  u64 value = 0;
  int count = 0;
};

// Stops after 24 digits, which the caller refuses.
const char* read_digits(const char* at, Digits& digits) {
  for (;;) {
    const u64 x = eight_characters(at);
    const int n = leading_digits(x);
    // Moves the digits to the end and zeros before them.
    const u64 aligned = n == 0 ? 0 : (x ^ (ones * '0')) << (64 - 8 * n);
    digits.value = digits.value * integer_powers[n] + value_of_eight(aligned);
    digits.count += n;
    at += n;
    if (n < 8 || digits.count > 19) return at;
  }
}

// w 10^q, correctly rounded; false where the result is not a normal number.
inline bool scaled(u64 w, int q, double& value) {
  if (q < least_power_of_ten || q > 308) return false;
  const int zeros = std::countl_zero(w);
  w <<= zeros;
  const PowerOfTen power = power_of_ten(q);
  u128 product = static_cast<u128>(w) * power.high;
  if ((static_cast<u64>(product >> 64) & 0x1ff) == 0x1ff)
    product += static_cast<u128>(w) * power.low >> 64;
  const u64 high = static_cast<u64>(product >> 64), low = static_cast<u64>(product);
  if (low == ~u64{0} && (q < -27 || q > 55)) return false;
  const int top = static_cast<int>(high >> 63);
  u64 mantissa = high >> (top + 9);
  int exponent = floor_log2_pow10(q) + 63 + top - zeros + 1023;
  if (exponent <= 0) return false;
  if (low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << (top + 9) == high)
    mantissa &= ~u64{1};  // halfway: to even
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  if (mantissa >> 53 != 0) {
    mantissa >>= 1;
    ++exponent;
  }
  if (exponent >= 2047) return false;
  value =
      std::bit_cast<double>((mantissa & ((u64{1} << 52) - 1)) | static_cast<u64>(exponent) << 52);
  return true;
}

}  // namespace

namespace {

// w 10^exponent with a sign, correctly rounded; false where read_decimal leaves it to others.
inline bool valued(bool negative, u64 w, int exponent, double& value) {
  double magnitude;
  if (w < 1000000000000000 && exponent >= -22 && exponent <= 22) {
    magnitude = static_cast<double>(w);
    if (exponent < 0)
      magnitude /= exact_powers[-exponent];
    else
      magnitude *= exact_powers[exponent];
  } else if (w == 0) {
    magnitude = 0;
  } else if (!scaled(w, exponent, magnitude)) {
    return false;
  }
  value = std::bit_cast<double>(std::bit_cast<u64>(magnitude) | static_cast<u64>(negative) << 63);
  return true;
}

}  // namespace

bool read_plain_decimal(const char* from, const char* end, double& value) {
  const bool negative = *from == '-';
  from += negative;
  const u64 front = eight_characters(from);
  // the point: the only character whose difference from one is zero, in the lowest byte first
  const u64 other = front ^ (ones * '.');
  const u64 points = (other - ones) & ~other & (ones * 0x80);
  if (points == 0) return false;
  const int whole = std::countr_zero(points) / 8;
  const auto length = static_cast<int>(end - from) - whole - 1;  // of the fraction
  if (whole == 0 || length < 0 || whole + length > 19) return false;
  const char* fraction = from + whole + 1;
  const int first = std::min(length, 8), second = std::clamp(length - 8, 0, 8),
            third = std::max(length - 16, 0);
  const u64 x0 = front ^ (ones * '0'), x1 = eight_characters(fraction) ^ (ones * '0'),
            x2 = eight_characters(fraction + 8) ^ (ones * '0'),
            x3 = eight_characters(fraction + 16) ^ (ones * '0');
  // n digits moved to the end with zeros before them
  const auto moved = [](u64 x, int n) { return (x << 4 * (8 - n)) << 4 * (8 - n); };
  const u64 w = moved(x0, whole), a = moved(x1, first), b = moved(x2, second), c = moved(x3, third);
  const auto above_nine = [](u64 x) { return (x + ones * 0x76) | x; };
  if (((above_nine(w) | above_nine(a) | above_nine(b) | above_nine(c)) & (ones * 0x80)) != 0)
    return false;
  const u64 sum = (value_of_eight(w) * integer_powers[first] + value_of_eight(a)) *
                      (integer_powers[second] * integer_powers[third]) +
                  value_of_eight(b) * integer_powers[third] + value_of_eight(c);
  return valued(negative, sum, -length, value);
}

const char* read_decimal(const char* from, double& value) {
  const char* at = from;
  const bool negative = *at == '-';
  at += negative;
  Digits digits;
  int whole = 0;
  // Positions and torques have one or two digits before the point.
  while (is_digit(*at)) {
    digits.value = digits.value * 10 + static_cast<u64>(*at - '0');
    ++whole;
    ++at;
    if (whole == 19) break;
  }
  if (whole == 19 && is_digit(*at)) return nullptr;
  digits.count = whole;
  int exponent = 0;
  if (*at == '.') {
    ++at;
    const char* start = at;
    if (digits.value == 0) {
      while (*at == '0') ++at;
      digits.count = 0;
    }
    at = read_digits(at, digits);
    exponent = static_cast<int>(start - at);
    if (whole == 0 && exponent == 0) return nullptr;
    if (exponent < -400) return nullptr;
  } else if (whole == 0) {
    return nullptr;
  }
  if (digits.count > 19) return nullptr;
  if ((*at | 0x20) == 'e') {
    const char* mark = at + 1;
    const bool minus = *mark == '-';
    mark += minus || *mark == '+';
    if (!is_digit(*mark)) return nullptr;
    int written = 0;
    while (is_digit(*mark) && written < 1000) written = written * 10 + (*mark++ - '0');
    if (is_digit(*mark)) return nullptr;
    exponent += minus ? -written : written;
    at = mark;
  }
  return valued(negative, digits.value, exponent, value) ? at : nullptr;
}

namespace {

struct Decimal {
  u64 digits;
  int exponent;
};

// a ? b : c without a branch
u64 chosen(bool a, u64 b, u64 c) { return c ^ ((b ^ c) & -static_cast<u64>(a)); }

// Symbols as in the paper, for a normal number. The three products of the paper differ by multiples
// of g, so one multiplication and shifts give them.
Decimal shortest(u64 fraction, int biased) {
  const u64 c = fraction | u64{1} << 52, odd = c & 1;
  const int q = biased - 1075;
  const bool closer = fraction == 0 && biased > 1;  // the lower neighbour is
  const int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
  const int h = q + floor_log2_pow10(-k) + 1;
  PowerOfTen g = power_of_ten(-k);
  g.low += k > 27 || k < -55;  // rounded up where not exact; never to 0
  const u128 below_64 = static_cast<u128>(g.low) * (4 * c << h);
  const u128 product = static_cast<u128>(g.high) * (4 * c << h) + (below_64 >> 64);
  const u64 low = static_cast<u64>(below_64);
  // g 2^(h + 1) and half of it, in the same units
  const u128 step = static_cast<u128>(g.high) << (h + 1) | g.low >> (63 - h);
  const u64 step_low = g.low << (h + 1);
  const u128 down = closer ? static_cast<u128>(g.high) << h | (g.low >> 1) >> (63 - h) : step;
  const u64 down_low = closer ? g.low << h : step_low;
  const auto odd_rounded = [](u128 x) {
    return static_cast<u64>(x >> 64) | (static_cast<u64>(x) > 1);
  };
  const u64 vb = odd_rounded(product), lower = odd_rounded(product - down - (low < down_low)) + odd,
            upper = odd_rounded(product + step + (low > ~step_low)) - odd;
  const u64 s = vb / 4, tens = s / 10;
  const bool below_tens = lower <= 40 * tens, above_tens = 40 * tens + 40 <= upper;
  const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
  const u64 middle = 4 * s + 2;
  const bool nearer = (vb > middle) | ((vb == middle) & (s & 1));
  // Half of all numbers need seventeen digits, so branches here would be mispredicted.
  const u64 up = chosen(below != above, above, nearer);
  return {chosen(below_tens != above_tens, 10 * (tens + above_tens), s + up), k};
}

// Eight digits, most significant in the lowest byte, 0 to 9 each.
[[gnu::always_inline]] inline u64 eight_digits(std::uint32_t x) {
  u64 y = x / 10000 | static_cast<u64>(x % 10000) << 32;
  const u64 hundreds = ((y * 10486) >> 20) & 0x0000007f0000007f;
  y = hundreds | (y - 100 * hundreds) << 16;
  const u64 tens = ((y * 103) >> 10) & 0x000f000f000f000f;
  return tens | (y - 10 * tens) << 8;
}

}  // namespace

char* write_decimal(char* to, double value) {
  const u64 bits = std::bit_cast<u64>(value);
  const u64 fraction = bits & ((u64{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52) & 0x7ff;
  if ((bits << 1) == 0) {
    *to = '-';
    to += bits >> 63;
    *to = '0';
    return to + 1;
  }
  // Subnormal numbers, infinities, NaN, and whole numbers with digits below one ulp.
  if (biased == 0 || biased >= 1023 + 53) return std::to_chars(to, to + decimal_room, value).ptr;
  *to = '-';
  to += bits >> 63;
  Decimal d = shortest(fraction, biased);
  // to seventeen digits; there are sixteen or more but for the smallest numbers
  const bool sixteen = d.digits < 10000000000000000;
  d.digits = chosen(sixteen, 10 * d.digits, d.digits);
  d.exponent -= sixteen;
  while (d.digits < 10000000000000000) {
    d.digits *= 10;
    --d.exponent;
  }
  const u64 upper = d.digits / 100000000;
  const auto last = static_cast<std::uint32_t>(d.digits - upper * 100000000);
  const auto first = static_cast<std::uint32_t>(upper / 100000000);
  const auto middle = static_cast<std::uint32_t>(upper - u64{100000000} * first);
  const u64 m = eight_digits(middle), l = eight_digits(last);
  const int length = l != 0   ? 17 - std::countl_zero(l) / 8
                     : m != 0 ? 9 - std::countl_zero(m) / 8
                              : 1;
  const int power = d.exponent + 16;  // of the first digit
  const u128 rest = static_cast<u128>(l | ones * '0') << 64 | (m | ones * '0');
  const auto put = [](char* at, u128 x) {
    put_eight(at, static_cast<u64>(x));
    put_eight(at + 8, static_cast<u64>(x >> 64));
  };
  // std::to_chars chooses the shorter notation, the fixed one if both are as long.
  const int exponent = power + 1 - length, one = length == 1;
  if (exponent < -(length + 3) + one || exponent > 5 - one) {
    *to = static_cast<char>('0' + first);
    to[1] = '.';
    put(to + 2, rest);
    to += length + (length > 1);
    const int size = power < 0 ? -power : power;
    *to++ = 'e';
    *to++ = power < 0 ? '-' : '+';
    if (size >= 100) *to++ = static_cast<char>('0' + size / 100);
    *to++ = static_cast<char>('0' + size / 10 % 10);
    *to++ = static_cast<char>('0' + size % 10);
    return to;
  }
  if (power < 0) {
    std::memcpy(to, "0.000000", 8);
    to += 1 - power;
    *to = static_cast<char>('0' + first);
    put(to + 1, rest);
    return to + length;
  }
  *to = static_cast<char>('0' + first);
  if (power >= 16) {
    put(to + 1, rest);
    std::memset(to + 17, '0', 8);
    return to + power + 1;
  }
  put(to + 1, rest);
  if (exponent >= 0) return to + power + 1;
  to[power + 1] = '.';
  put(to + power + 2, rest >> (8 * power));
  return to + length + 1;
}

}  // namespace parid::base
