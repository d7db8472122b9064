// KDL's Levenberg-Marquardt solver on the same robot: the baseline.

#pragma once

#include <memory>

#include "bench/layer.hpp"
#include "model/description.hpp"

namespace parid::bench {

class Lma {
 public:
  // A chain of joints of one freedom; throws std::runtime_error otherwise.
  Lma(const Description&, double tolerance);
  ~Lma();

  // Twelve numbers of the last link's pose: a rotation, row-major, and a position.
  bool solve(const double* pose, const double* seed, double* q);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid::bench
