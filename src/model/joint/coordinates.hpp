// The coordinates of a joint: how many each type has, and what they mean.
//
// Joints are in the file's order; fixed and mimic joints have none. The "moving frame" is the one
// before `tip`: without a tip it is the child link's frame.
//
//   type                  q                          v = velocity, a = its componentwise derivative
//   revolute, continuous  angle                      its rate
//   prismatic             distance                   its rate
//   planar                x y θ                      ẋ ẏ θ̇; x and y along the plane's axes, below
//   spherical             qx qy qz qw                rate of the moving frame, in the moving frame
//   floating              x y z qx qy qz qw          linear, then angular velocity of the moving
//                         frame,
//                                                    in the moving frame
//
// tau is the dual of v: power = v · tau. The a of a floating joint is therefore the spatial
// acceleration; the classical acceleration of the frame's origin is a_linear + w × v_linear.

#pragma once

#include <span>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// The suffixes that name the positions of a joint: "base.x". None for one degree of
// freedom.
inline std::span<const char* const> position_parts(JointType type) {
  static constexpr const char *one[] = {""}, *planar[] = {".x", ".y", ".theta"},
                              *free[] = {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"};
  switch (type) {
    case JointType::fixed: return {};
    case JointType::planar: return planar;
    case JointType::spherical: return std::span(free).last(4);
    case JointType::floating: return free;
    default: return one;
  }
}
// The same for velocities, accelerations and torques.
inline std::span<const char* const> velocity_parts(JointType type) {
  static constexpr const char *one[] = {""}, *planar[] = {".vx", ".vy", ".wz"},
                              *free[] = {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
  switch (type) {
    case JointType::fixed: return {};
    case JointType::planar: return planar;
    case JointType::spherical: return std::span(free).last(3);
    case JointType::floating: return free;
    default: return one;
  }
}
inline int position_count(JointType type) { return static_cast<int>(position_parts(type).size()); }
inline int velocity_count(JointType type) { return static_cast<int>(velocity_parts(type).size()); }
inline int position_count(const JointDescription& j) {
  return j.mimic ? 0 : position_count(j.type);
}
inline int velocity_count(const JointDescription& j) {
  return j.mimic ? 0 : velocity_count(j.type);
}

// The axes of a planar joint, in its joint frame: z is the given unit normal; x and y follow by the
// shortest rotation that takes z there. For the normal -z, where all half turns are equally short,
// the half turn about x.
inline Mat3<double> plane_axes(const Vec3<double>& n) {
  const double across = n.x * n.x + n.y * n.y;
  const double c = n.z < 0 ? across / (1 - n.z) : 1 + n.z;  // 1 + n.z loses digits near -1
  if (c < 1e-12) {  // after the half turn, the shortest rotation from there
    const Mat3<double> A = plane_axes({n.x, -n.y, -n.z});
    return {A.r0, -A.r1, -A.r2};
  }
  return {{1 - n.x * n.x / c, -n.x * n.y / c, n.x},
          {-n.x * n.y / c, 1 - n.y * n.y / c, n.y},
          {-n.x, -n.y, n.z}};
}

}  // namespace parid::model
