#include "model/format/without_tips.hpp"

#include <algorithm>
#include <map>

namespace parid::model {

bool is_identity(const Pose<double>& A) {
  const auto& [r0, r1, r2] = A.R;
  return norm(A.p) == 0 && r0.x == 1 && r1.y == 1 && r2.z == 1 && r0.y == 0 && r0.z == 0 &&
         r1.x == 0 && r1.z == 0 && r2.x == 0 && r2.y == 0;
}

bool has_tips(const Description& d) {
  return std::any_of(d.joints.begin(), d.joints.end(),
                     [](const JointDescription& j) { return !is_identity(j.tip); });
}

Description without_tips(Description d) {
  std::map<std::string, Pose<double>> tip;  // by link
  for (JointDescription& j : d.joints) {
    tip[j.child] = j.tip;
    j.tip = {};
  }
  for (LinkDescription& l : d.links)
    if (const auto at = tip.find(l.name); at != tip.end() && l.inertia)
      l.inertia = moved(at->second, *l.inertia);
  for (FrameDescription& f : d.frames)
    if (const auto at = tip.find(f.link); at != tip.end()) f.pose = at->second * f.pose;
  for (JointDescription& j : d.joints)
    if (const auto at = j.rotor ? tip.find(j.rotor->link) : tip.end(); at != tip.end())
      j.rotor->axis = at->second.R * j.rotor->axis;
  for (JointDescription& j : d.joints)
    if (const auto at = tip.find(j.parent); at != tip.end()) j.origin = at->second * j.origin;
  return d;
}

}  // namespace parid::model
