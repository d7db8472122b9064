// Random numbers that are equal on every machine.

#pragma once

#include <cstdint>

#include "math/mat3.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  double in(double low, double high) {  // Knuth's linear congruence, its upper bits
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  Vec3<double> vector() {
    const double x = in(-1, 1), y = in(-1, 1), z = in(-1, 1);
    return {x, y, z};
  }
  Mat3<double> rotation() {  // about three axes in turn
    const auto [s, c] = pair();
    const auto [t, d] = pair();
    const Mat3<double> Z{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, X{{1, 0, 0}, {0, d, -t}, {0, t, d}};
    const auto [u, e] = pair();
    const Mat3<double> W{{e, -u, 0}, {u, e, 0}, {0, 0, 1}};
    return Z * X * W;
  }

 private:
  struct SineCosine {
    double s, c;
  };
  SineCosine pair() {
    const double t = in(-0.9, 0.9);  // tan of half the angle
    return {2 * t / (1 + t * t), (1 - t * t) / (1 + t * t)};
  }
  std::uint64_t state_;
};

}  // namespace parid::papers
