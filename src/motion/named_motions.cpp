#include "motion/named_motions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/spelling.hpp"
#include "motion/default_motion.hpp"
#include "motion/dhanaraj_line.hpp"
#include "motion/work_motions.hpp"

namespace parid::motion {

std::span<const NamedMotion> named_motions() {
  static constexpr NamedMotion all[] = {
      {"default", "every joint swings in its own way inside the limits, minimum jerk",
       default_trajectory, 201},
      {"together", "all joints alike between two poses inside the limits, minimum jerk",
       joints_together, 201},
      {"in-turn", "the same two poses, one joint at a time, forth and back", joints_in_turn, 201},
      {"dhanaraj",
       "the straight line of the friction study of Dhanaraj (1990), for puma560 and "
       "puma560-positioning",
       dhanaraj_line, 201, "thesis"},
      {"pick-and-place", "the tip goes down, waits, up, across, down, waits, up and back, straight",
       pick_and_place, 201},
      {"circle", "the tip goes round a circle", circle, 201},
      {"lissajous", "every joint swings with a frequency of its own: an excitation", lissajous,
       401},
      {"gait", "legs swing in the order of a trot, without ground; for robots with a floating base",
       gait, 201},
  };
  return all;
}

const NamedMotion& named_motion(const std::string& name) {
  std::vector<std::string> names;
  for (const NamedMotion& m : named_motions()) {
    if (m.is(name)) return m;
    names.push_back(m.name);
  }
  throw Error(fmt::format("unknown motion '{}'; {}choose from {}", name, did_you_mean(name, names),
                          fmt::join(names, ", ")));
}

}  // namespace parid::motion
