// The list of named motions, which --motion, its help and the documentation read.

#pragma once

#include <span>
#include <string_view>

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

struct NamedMotion {
  const char* name;
  const char* what;
  // throws Error for a robot that it does not support
  TrajectoryPointer (*trajectory)(const Robot&);
  std::size_t samples;          // without a rate
  const char* alias = nullptr;  // an older name

  bool is(std::string_view called) const { return called == name || (alias && called == alias); }
};
std::span<const NamedMotion> named_motions();

// Throws Error with all names and the nearest one if the name is unknown.
const NamedMotion& named_motion(const std::string& name);

}  // namespace parid::motion
