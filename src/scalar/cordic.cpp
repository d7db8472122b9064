#include "scalar/cordic.hpp"

namespace parid::scalar {

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

CordicConstant cordic_angle(Box box, int shift) {
  if (circular(box)) return arc_tangent(shift);
  if (hyperbolic(box)) return hyperbolic_arc_tangent(shift);
  return {shift > constant_bits ? 0 : Raw{1} << (constant_bits - shift)};
}

std::vector<ScaleStep> cordic_scale(Box box, const std::vector<int>& shifts, int bits) {
  std::vector<ScaleStep> steps;
  if (linear(box)) return steps;
  Raw left = 0;  // the logarithm of the remaining factor
  for (const int s : shifts) left -= log_of_factor(2 * s, circular(box) ? 1 : -1);
  left = rounded_shift(left, 1);
  for (int s = 1; s <= bits; ++s)
    for (const int sign : {-1, 1}) {
      const Raw factor = log_of_factor(s, sign);
      if (magnitude(left - factor) < magnitude(left)) {
        steps.push_back({s, sign});
        left -= factor;
        break;
      }
    }
  return steps;
}

CordicConstant cordic_start(int turns) {
  static const auto all = [] {
    std::array<CordicConstant, constant_bits> starts;
    for (std::size_t n = 0; n < starts.size(); ++n) {
      const auto shifts = cordic_shifts(Box::circ1, static_cast<int>(n));
      Raw x = Raw{1} << log_bits;
      for (const ScaleStep& f : cordic_scale(Box::circ1, shifts, log_bits))
        x += f.sign * rounded_shift(x, f.shift);
      starts[n].q = rounded_shift(x, log_bits - constant_bits);
    }
    return starts;
  }();
  return all[static_cast<std::size_t>(turns)];
}

}  // namespace parid::scalar
