#include "scalar/angle.hpp"

namespace parid::scalar {

// 2π in three parts; the first two have 33 bits, so n times them is exact for n < 2²⁰.
double reduced_angle(double x) {
  constexpr double p1 = 0x1.921fb544p+2, p2 = 0x1.0b4611a6p-32, p3 = 0x1.3198a2e037073p-67;
  if (std::abs(x) <= 1e5) {
    const double n = std::floor(x * 0.15915494309189535 + 0.5);
    return ((x - n * p1) - n * p2) - n * p3;
  }
  return std::atan2(std::sin(x), std::cos(x));  // the C library reduces exactly
}

double reduced_angle(double scale, double q, double offset) {
  const double product = scale * q, rest = std::fma(scale, q, -product);
  const double turn = reduced_angle(product);
  return rest == 0 ? turn + offset : turn + (reduced_angle(rest) + offset);
}

}  // namespace parid::scalar
