// Numbers next to zero, below 2.2e-308 (1.2e-38 in single precision), cost many CPUs a hundred
// times what others cost. Velocities that die away reach them. While this object lives, the thread
// that made it takes them for zero and rounds them to zero, as one wants in a control loop;
// afterwards all is as it was.
//
//   const parid::DenormalsAreZero guard;
//   for (;;) { … inverse_dynamics(robot, workspace, q, v, a, tau); … }
//
// Real-time safe: one register is written. Other results do not change. Where the CPU cannot, it
// does nothing and active() is false.

#pragma once

#include <cstdint>

#include "parid/export.h"

namespace parid {

class PARID_EXPORT DenormalsAreZero {
 public:
  DenormalsAreZero() noexcept;
  ~DenormalsAreZero();
  DenormalsAreZero(const DenormalsAreZero&) = delete;
  DenormalsAreZero& operator=(const DenormalsAreZero&) = delete;
  bool active() const noexcept { return active_; }

 private:
  std::uint64_t before_ = 0;
  bool active_ = false;
};

}  // namespace parid
