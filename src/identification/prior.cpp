#include "identification/prior.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/joint/coordinates.hpp"
#include "model/lint/check.hpp"
#include "model/repair.hpp"

namespace parid::identification {
namespace {

Inertia ball() { return {1, {}, {0.004, 0.004, 0.004, 0, 0, 0}}; }  // 2/5 m r²

bool has_code(const Description& d, const char* code) {
  const std::vector<Finding> all = check(d);
  return std::any_of(all.begin(), all.end(), [&](const Finding& f) { return f.code == code; });
}

// The body that contains a link, from it outwards: its mass, and whether moving joints are
// attached.
struct Beyond {
  double mass = 0;
  bool joints = false;
};
Beyond beyond_of(const Description& d, const std::string& link, std::size_t depth = 0) {
  Beyond b;
  for (const LinkDescription& l : d.links)
    if (l.name == link && l.inertia) b.mass += l.inertia->mass;
  for (const JointDescription& j : d.joints) {
    if (j.parent != link || depth > d.links.size()) continue;  // check() reports cycles
    if (j.type != JointType::fixed) {
      b.joints = true;
      continue;
    }
    const Beyond next = beyond_of(d, j.child, depth + 1);
    b.mass += next.mass;
    b.joints |= next.joints;
  }
  return b;
}

}  // namespace

Description usable_prior(Description d, std::vector<std::string>& notes) {
  for (LinkDescription& link : d.links) {
    if (!link.inertia) continue;
    const std::string place = d.at(link.inertia_line ? link.inertia_line : link.line).text();
    if (link.inertia->mass < 0) {
      notes.push_back(fmt::format("{}: link '{}' has mass {:g}; starting from its magnitude", place,
                                  link.name, link.inertia->mass));
      link.inertia->mass = -link.inertia->mass;
    }
    if (make_consistent(link.inertia->about_com, 0.01))
      notes.push_back(
          fmt::format("{}: link '{}' has a physically impossible inertia; starting from the "
                      "nearest consistent one",
                      place, link.name));
  }
  const bool idle = has_code(d, "singular-mass");
  for (const JointDescription& j : d.joints) {
    if (velocity_count(j.type) == 0) continue;
    const Beyond beyond = beyond_of(d, j.child);
    if (beyond.mass > 0 || (beyond.joints && !idle)) continue;
    for (LinkDescription& link : d.links)
      if (link.name == j.child) {
        link.inertia = ball();
        notes.push_back(fmt::format(
            "{}: link '{}' moves but has no mass; starting from a ball of 1 kg and 0.1 m radius",
            d.at(link.line).text(), link.name));
      }
  }
  return d;
}

}  // namespace parid::identification
