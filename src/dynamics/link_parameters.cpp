#include "dynamics/link_parameters.hpp"

#include "dynamics/composite.hpp"

namespace parid::dynamics {

int moved_link(const Robot& robot, int i) {
  const CanonicalModel& c = robot.canonical();
  if (i < c.links && c.joint[i + 1].joint == c.joint[i].joint) return -1;
  const std::string& name = robot.description().joints[c.joint[i].joint].child;
  return robot.find_link(name);
}

std::vector<Pose<double>> link_frames(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  std::vector<Pose<double>> frame(c.topology.n + 1);
  for (int i = 1; i <= c.links; ++i)
    if (const int l = moved_link(robot, i); l >= 0) frame[i] = c.link[l].pose;
  return frame;
}

std::vector<int> links_with_parameters(const Robot& robot) {
  std::vector<int> links;
  for (int i = 1; i <= robot.canonical().links; ++i)
    if (moved_link(robot, i) >= 0) links.push_back(i);
  return links;
}

std::vector<std::string> parameter_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const int i : links_with_parameters(robot))
    for (const char* part : {"m", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz"})
      names.push_back(robot.link_names()[moved_link(robot, i)] + "." + part);
  return names;
}

std::vector<double> link_parameters(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  std::vector<double> parameters;
  for (const int i : links_with_parameters(robot)) {
    const auto body = c.mechanism.body[i];
    const Pose<double> to_link = inverse(c.link[moved_link(robot, i)].pose);
    const Moments<double> b =
        moved(to_link.R, to_link.p, Moments<double>{body[0], body.vec(1), body.sym(4)});
    parameters.insert(parameters.end(), {b.m, b.ms.x, b.ms.y, b.ms.z, b.K.xx, b.K.yy, b.K.zz,
                                         b.K.xy, b.K.xz, b.K.yz});
  }
  return parameters;
}

}  // namespace parid::dynamics
