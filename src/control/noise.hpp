// Measurement noise: normally distributed numbers from a seed, by the method of Box and Muller. The
// numbers are the same with every standard library.
//
// Private: included only by .cpp files.

#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "control/layer.hpp"

namespace parid::control {

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double operator()() {
    const double r = std::sqrt(-2 * std::log(1 - share())),
                 angle = 2 * 3.14159265358979323846 * share();
    return r * std::cos(angle);
  }

 private:
  double share() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  std::mt19937_64 random_;
};

}  // namespace parid::control
