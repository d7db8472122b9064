// How a floating base is added to a robot:
//
//   root `base`                        a link `world` and a floating joint `base` to it are added
//   root `world`, massless, with one   that joint becomes the floating one, named after its child.
//   fixed joint                        Its origin is dropped: coordinates give the child's pose
//   a root with one joint, floating    it has a floating base already
//   root `world` otherwise             the file fixes the robot to the world: an Error, because a
//                                      floating world is not meant
//   no root, or several                unchanged; check() reports it

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "model/floating.hpp"

namespace parid::model {

namespace {

template <class Named>
std::string free_name(const std::vector<Named>& taken, std::string name, const char* suffix) {
  const auto is_taken = [&] {
    return std::any_of(taken.begin(), taken.end(), [&](auto& t) { return t.name == name; });
  };
  while (is_taken()) name += suffix;
  return name;
}

void release_world(Description& d, const LinkDescription& world) {
  std::vector<JointDescription*> joints;
  for (JointDescription& j : d.joints)
    if (j.parent == world.name) joints.push_back(&j);
  const bool massless = !world.inertia || world.inertia->mass == 0;
  if (!massless || joints.size() != 1 || joints[0]->type != JointType::fixed)
    throw Error(
        d.at(world.line),
        "the robot cannot have a floating base: its root link 'world' has mass, or joints other "
        "than one fixed joint",
        "load it without a floating base, or remove link 'world' and its joints from the file");
  JointDescription& joint = *joints[0];
  joint.name.clear();  // its own name becomes available
  joint.name = free_name(d.joints, joint.child, "_floating");
  joint.type = JointType::floating;
  joint.origin = {};
  std::rotate(
      d.joints.begin(), d.joints.begin() + (&joint - d.joints.data()),
      d.joints.begin() + (&joint - d.joints.data()) + 1);  // the base's coordinates come first
}

}  // namespace

void float_root(Description& d) {
  std::vector<const LinkDescription*> roots;
  std::unordered_set<std::string_view> children;
  for (const JointDescription& j : d.joints) children.insert(j.child);
  for (const LinkDescription& link : d.links)
    if (!children.contains(link.name)) roots.push_back(&link);
  if (roots.size() != 1) return;
  const LinkDescription root = *roots[0];
  const auto hangs_on_root = [&](const JointDescription& j) { return j.parent == root.name; };
  const auto first = std::find_if(d.joints.begin(), d.joints.end(), hangs_on_root);
  if (first != d.joints.end() && first->type == JointType::floating &&
      std::none_of(first + 1, d.joints.end(), hangs_on_root))
    return;
  if (root.name == "world") return release_world(d, root);

  LinkDescription world;
  world.name = free_name(d.links, "world", "_");
  world.line = root.line;
  JointDescription joint;
  joint.name = free_name(d.joints, root.name, "_floating");
  joint.type = JointType::floating;
  joint.parent = world.name;
  joint.child = root.name;
  joint.line = root.line;
  d.links.insert(d.links.begin(), world);
  d.joints.insert(d.joints.begin(), joint);
}

}  // namespace parid::model
