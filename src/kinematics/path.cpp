#include "kinematics/path.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "kinematics/frames.hpp"
#include "math/quaternion.hpp"
#include "model/joint/mimic.hpp"
#include "scalar/angle.hpp"

namespace parid::kinematics {
namespace {

bool one_freedom(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::prismatic;
}
int positions(JointKind kind) {
  return one_freedom(kind) ? 1 : kind == JointKind::spherical ? 4 : 7;
}
int velocities(JointKind kind) {
  return one_freedom(kind) ? 1 : kind == JointKind::spherical ? 3 : 6;
}

bool has_limits(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic;
}

}  // namespace

Path path_to(const CanonicalModel& c, const Description& d, int link) {
  Path path;
  path.base = base_in_world(c);
  path.tip = c.link[link].pose;
  const std::vector<MimicChain> follow = mimic_chains(d);
  const std::vector<Limits> limits = shared_limits(d);
  std::vector<int> chain;
  for (int i = c.link[link].link; i > 0; i = c.topology.parent[i]) chain.push_back(i);
  std::reverse(chain.begin(), chain.end());

  std::map<int, int> joint_of;  // by the robot's coordinate, so in the robot's order
  for (int i : chain) joint_of.emplace(c.joint[i].position, i);
  std::map<int, std::size_t> freedom_of;
  for (const auto& [position, i] : joint_of) {
    const JointKind kind = c.topology.kind[i];
    freedom_of[position] = path.freedoms.size();
    path.freedoms.push_back({kind, path.nq, path.nv, -Limits::none, Limits::none});
    for (int k = 0; k < positions(kind); ++k) path.position.push_back(position + k);
    path.nq += positions(kind);
    path.nv += velocities(kind);
  }
  for (int i : chain) path.has_mimic |= c.joint[i].has_mimic;  // its leader may be elsewhere
  path.extent = norm(path.tip.p);
  for (int i : chain) {
    const JointPlace& at = c.joint[i];
    PathFreedom& f = path.freedoms[freedom_of[at.position]];
    const auto placing = c.mechanism.placing[i];
    path.joints.push_back(
        {c.topology.kind[i], placing.mat(0), placing.vec(9), f.q, f.v, at.scale, at.offset});
    if (at.coupling >= 0) path.joints.back().coupling = c.coupling[at.coupling];
    path.extent += norm(path.joints.back().p);
    const int leader = follow[at.joint].leader;
    if (!has_limits(d.joints[leader].type) && !follow[at.joint].coupling) continue;
    f.lower = limits[leader].lower;
    f.upper = limits[leader].upper;
    if (f.kind == JointKind::prismatic && std::isfinite(f.lower) && std::isfinite(f.upper))
      path.extent += std::max(std::abs(f.lower), std::abs(f.upper));
  }
  if (path.extent == 0) path.extent = 1;  // it can only rotate in place
  return path;
}

Pose<double> forward(const Path& path, const double* q) {
  Pose<double> at = path.base;
  for (const PathJoint& j : path.joints) {
    Pose<double> motion;
    switch (j.kind) {
      case JointKind::revolute: motion.R = rotation_z(sin_cos(position_of(j, q[j.q]).value)); break;
      case JointKind::prismatic: motion.p.z = position_of(j, q[j.q]).value; break;
      case JointKind::spherical:
        motion.R = rotation_of_quaternion(q[j.q], q[j.q + 1], q[j.q + 2], q[j.q + 3]);
        break;
      case JointKind::floating:
        motion.p = {q[j.q], q[j.q + 1], q[j.q + 2]};
        motion.R = rotation_of_quaternion(q[j.q + 3], q[j.q + 4], q[j.q + 5], q[j.q + 6]);
        break;
    }
    at = at * Pose<double>{j.E, j.p} * motion;
  }
  return at * path.tip;
}

}  // namespace parid::kinematics
