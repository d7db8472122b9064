// Damped steps of inverse kinematics compiled for one instruction set, one register of searches at
// a time.

#pragma once

#include <memory>
#include <vector>

#include "kinematics/path.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Not thread-safe. Arrays hold a row of lanes() numbers for each quantity, aligned to 64 bytes.
class IkKernel {
 public:
  virtual ~IkKernel() = default;
  virtual int lanes() const = 0;

  // One step of every lane, from q to next. A target is a rotation, row-major, and a position.
  // Distances are those of q, squared (kinematics/damped_step.hpp).
  virtual void step(const double* q, const double* target, bool turning, double* next,
                    double* position2, double* angle2) = 0;
};

struct IkKernelSet {
  const char* name;
  std::unique_ptr<IkKernel> (*make)(const Path&);  // the path must outlive it
};

}  // namespace parid::runtime
