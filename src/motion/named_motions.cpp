#include "motion/named_motions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/spelling.hpp"
#include "motion/default_motion.hpp"
#include "motion/dhanaraj_line.hpp"

namespace parid::motion {

std::span<const NamedMotion> named_motions() {
  static constexpr NamedMotion all[] = {
      {"default", "all joints together between two poses inside the limits, with least jerk",
       default_trajectory, 201},
      {"in-turn", "the same two poses, one joint after the other, there and back", joints_in_turn,
       201},
      {"dhanaraj",
       "the straight line of Dhanaraj's friction case study (for puma560-positioning and puma560)",
       dhanaraj_line, 201, "thesis"},
  };
  return all;
}

const NamedMotion& named_motion(const std::string& name) {
  std::vector<std::string> names;
  for (const NamedMotion& m : named_motions()) {
    if (m.is(name)) return m;
    names.push_back(m.name);
  }
  throw Error(fmt::format("there is no motion '{}'; {}known are {}", name,
                          did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace parid::motion
