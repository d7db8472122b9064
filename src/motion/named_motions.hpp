// Motions by name. The one list: --motion, its help and the documents read it.

#pragma once

#include <span>
#include <string_view>

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

struct NamedMotion {
  const char* name;
  const char* what;
  TrajectoryPointer (*trajectory)(const Robot&);  // throws Error for a robot it is not meant for
  std::size_t samples;                            // without a rate
  const char* alias = nullptr;                    // an older name

  bool is(std::string_view called) const { return called == name || (alias && called == alias); }
};
std::span<const NamedMotion> named_motions();

// Throws Error with all names, and the one that was probably meant.
const NamedMotion& named_motion(const std::string& name);

}  // namespace parid::motion
