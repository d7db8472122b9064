// The joints between the root and a link, which inverse kinematics moves. Its
// coordinates are those of the robot that move the link, in the robot's
// order.

#pragma once

#include <optional>
#include <vector>

#include "kinematics/layer.hpp"
#include "model/canonical_model.hpp"
#include "scalar/angle.hpp"

namespace parid::kinematics {

struct PathJoint {
  JointKind kind = JointKind::revolute;
  Mat3<double> E;  // as in Mechanism::placing
  Vec3<double> p;
  int q = 0, v = 0;                       // index of its first coordinates in the path
  double scale = 1, offset = 0;           // of a joint with one freedom, as in JointPlace
  std::optional<Coupling> coupling = {};  // likewise
};

// Position of a joint with one freedom, and its derivative by the path's coordinate.
template <class T>
struct PathPosition {
  T value, d1;
};
template <class T>
PathPosition<T> position_of(const PathJoint& j, const T& q) {
  if (j.coupling) {
    const CouplingValue<T> f = (*j.coupling)(q);
    return {angle_sum(f.value, T(j.offset)), f.d1};
  }
  return {j.kind == JointKind::revolute ? mimic_angle(q, j.scale, j.offset)
                                        : T(j.scale) * q + T(j.offset),
          T(j.scale)};
}

// One coordinate of one freedom, or the block of a joint with several.
struct PathFreedom {
  JointKind kind = JointKind::revolute;
  int q = 0, v = 0;
  double lower = 0, upper = 0;  // of one freedom; infinite without a limit
};

struct Path {
  std::vector<PathJoint> joints;  // from the root on
  std::vector<PathFreedom> freedoms;
  bool has_mimic = false;     // some coordinate moves several joints
  std::vector<int> position;  // the path's k-th coordinate is the robot's position[k]-th
  int nq = 0, nv = 0;
  Pose<double> base;  // frame 0 in the world
  Pose<double> tip;   // the link in the last joint's mechanism link
  double extent = 0;  // m: approximate reach from the base; positive
};

// Limits are those of the description's joints, including mimic joints.
Path path_to(const CanonicalModel&, const Description&, int link);

// The pose of the link in the world for the path's coordinates.
Pose<double> forward(const Path&, const double* q);

}  // namespace parid::kinematics
