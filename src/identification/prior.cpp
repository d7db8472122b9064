#include "identification/prior.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "model/joint/coordinates.hpp"
#include "model/lint/check.hpp"

namespace parid::identification {
namespace {

Inertia ball() { return {1, {}, {0.004, 0.004, 0.004, 0, 0, 0}}; }  // 2/5 m r²

// Second moments about the centre of mass must not be negative along any direction: that is the
// triangle inequality. Those that are become a hundredth of the largest.
bool mend(Sym3<double>& about_com) {
  const Sym3<double> K = second_moments(about_com);
  Eigen::Matrix3d A;
  A << K.xx, K.xy, K.xz, K.xy, K.yy, K.yz, K.xz, K.yz, K.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(A);
  Eigen::Vector3d size = axes.eigenvalues();
  const double largest = size.cwiseAbs().maxCoeff();
  if (!(size[0] < -1e-9 * largest)) return false;
  size = size.cwiseMax(0.01 * largest);
  A = axes.eigenvectors() * size.asDiagonal() * axes.eigenvectors().transpose();
  about_com = tensor(Sym3<double>{A(0, 0), A(1, 1), A(2, 2), A(0, 1), A(0, 2), A(1, 2)});
  return true;
}

bool has_code(const Description& d, const char* code) {
  const std::vector<Finding> all = check(d);
  return std::any_of(all.begin(), all.end(), [&](const Finding& f) { return f.code == code; });
}

// The body that a link is part of, from it outwards: its mass, and whether joints that move stand
// on it.
struct Beyond {
  double mass = 0;
  bool joints = false;
};
Beyond beyond_of(const Description& d, const std::string& link, std::size_t depth = 0) {
  Beyond b;
  for (const LinkDescription& l : d.links)
    if (l.name == link && l.inertia) b.mass += l.inertia->mass;
  for (const JointDescription& j : d.joints) {
    if (j.parent != link || depth > d.links.size()) continue;  // a circle is check()'s to find
    if (j.type != JointType::fixed) {
      b.joints = true;
      continue;
    }
    const Beyond next = beyond_of(d, j.child, depth + 1);
    b.mass += next.mass, b.joints |= next.joints;
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
    if (mend(link.inertia->about_com))
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
