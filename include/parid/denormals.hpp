// Denormal numbers, below 2.2e-308 (1.2e-38 in single precision), are up to a hundred times as slow
// on many CPUs. Decaying velocities reach them. While this object exists, its thread treats
// denormal operands and results as zero, as is usual in control loops; its destructor restores the
// previous mode.
//
//   const parid::DenormalsAreZero guard;
//   for (;;) { … inverse_dynamics(robot, workspace, q, v, a, tau); … }
//
// Real-time safe: one register is written. Other results do not change. On a CPU without this mode
// it does nothing and active() is false.

#pragma once

#include <cstdint>

#include "parid/export.h"

namespace parid {

/// Neither allocates nor throws. Make and destroy it in the same thread.
class PARID_EXPORT DenormalsAreZero {
 public:
  DenormalsAreZero() noexcept;
  ~DenormalsAreZero();
  DenormalsAreZero(const DenormalsAreZero&) = delete;
  DenormalsAreZero& operator=(const DenormalsAreZero&) = delete;
  /// Whether this CPU takes denormal numbers for zero now.
  bool active() const noexcept { return active_; }

 private:
  std::uint64_t before_ = 0;
  bool active_ = false;
};

}  // namespace parid
