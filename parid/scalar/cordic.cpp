#include "parid/scalar/cordic.hpp"

namespace parid {

std::vector<int> cordic_shifts(Box box, int iterations) {
  std::vector<int> shifts;
  int again = 4;  // 4, 13, 40, …: each three times the last plus one
  for (int s = hyperbolic(box) ? 1 : 0; s < iterations; ++s) {
    shifts.push_back(s);
    if (hyperbolic(box) && s == again) {
      shifts.push_back(s);
      again = 3 * again + 1;
    }
  }
  return shifts;
}

long double cordic_angle(Box box, int shift) {
  const long double t = std::ldexp(1.0L, -shift);
  if (circular(box)) return std::atan(t);
  if (hyperbolic(box)) return std::atanh(t);
  return t;
}

std::vector<ScaleStep> cordic_scale(Box box, const std::vector<int>& shifts, int bits) {
  std::vector<ScaleStep> steps;
  if (linear(box)) return steps;
  long double left = 0;  // the logarithm of what is still to be multiplied with
  for (const int s : shifts) {
    const long double square = std::ldexp(1.0L, -2 * s);
    left -= std::log1p(circular(box) ? square : -square) / 2;
  }
  for (int s = 1; s <= bits; ++s)
    for (const int sign : {-1, 1}) {
      const long double factor = std::log1p(static_cast<long double>(sign) * std::ldexp(1.0L, -s));
      if (std::abs(left - factor) < std::abs(left)) {
        steps.push_back({s, sign});
        left -= factor;
        break;
      }
    }
  return steps;
}

}  // namespace parid
