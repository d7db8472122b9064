#include "parid/model/floating.hpp"

#include <algorithm>

namespace parid {

void float_root(Description& robot, const std::string& root) {
  const auto hangs_on_root = [&](const JointDescription& j) { return j.parent == root; };
  const auto first = std::find_if(robot.joints.begin(), robot.joints.end(), hangs_on_root);
  if (first != robot.joints.end() && first->type == JointType::floating) return;

  for (const LinkDescription& link : robot.links)
    if (link.name == "world")
      throw Error(robot.at(link.line),
                  "a floating base hangs on the link 'world', and the robot has one already",
                  "give that link another name");
  for (const JointDescription& joint : robot.joints)
    if (joint.name == root)
      throw Error(robot.at(joint.line),
                  "the floating base's joint is named after the root link, and joint '" + root +
                      "' exists already",
                  "give one of the two another name");

  JointDescription base;
  base.name = root;
  base.type = JointType::floating;
  base.parent = "world";
  base.child = root;
  base.axis = {0, 0, 1};
  LinkDescription world;
  world.name = "world";
  for (const LinkDescription& link : robot.links)
    if (link.name == root) base.line = world.line = link.line;
  robot.links.insert(robot.links.begin(), world);
  robot.joints.insert(robot.joints.begin(), base);
}

}  // namespace parid
