// Frames and Jacobian of a chain in logarithmic depth: the poses of all links by one scan.
//
// Order    poses: ⌈log2 n⌉ products of poses deep with divided_scan, about n/2 log2 n of them.
//          Jacobian: the same and one cross product; its columns do not depend on each other.
//
// A product of poses is four operations deep, a multiplication, two additions of a rotation's entry
// and one of the position. So a doubling of the links adds four.

#pragma once

#include <vector>

#include "kinematics/frames.hpp"
#include "kinematics/layer.hpp"
#include "math/scan.hpp"
#include "math/twist.hpp"

namespace parid::kinematics {

// A single path of joints with one freedom each, none of which mimics another.
inline bool is_plain_chain(const CanonicalModel& c) {
  bool plain = !c.has_mimic && c.topology.free == 0 && c.topology.n > 0;
  for (int i = 1; i <= c.topology.n && plain; ++i) plain = c.topology.parent[i] == i - 1;
  return plain;
}

template <Scalar T, ScanPlan (*Plan)(int) = divided_scan>
class ChainFrames {
 public:
  static bool covers(const CanonicalModel& c) { return is_plain_chain(c); }

  explicit ChainFrames(const CanonicalModel& c)
      : c_(c), plan_(Plan(c.topology.n)), pose_(c.topology.n + 1) {
    const Pose<double> base = base_in_world(c);
    pose_[0] = {to<T>(base.R), to<T>(base.p)};
  }

  // Requires a placed state.
  void place(const State<T>& at) {
    const int n = c_.topology.n;
    for (int i = 1; i <= n; ++i) pose_[i] = {at.R(i), at.p(i)};
    pose_[1] = pose_[0] * pose_[1];
    scan(plan_, &pose_[1], [](const Pose<T>& A, const Pose<T>& B) { return A * B; });
  }

  const Pose<T>& operator[](int i) const { return pose_[i]; }  // mechanism link i in the world

  // A link of the description in the world.
  Pose<T> link_pose(int link) const {
    const LinkPlace& at = c_.link[link];
    return pose_[at.link] * Pose<T>{to<T>(at.pose.R), to<T>(at.pose.p)};
  }

  // Of the origin of a link of the description, in the world's axes; nv columns.
  void jacobian(int link, Twist<T>* J) const {
    const Vec3<T> p = link_pose(link).p;
    for (int i = 1; i <= c_.topology.n; ++i) {
      const Vec3<T> e = pose_[i].R.column(2);
      Twist<T>& column = J[c_.joint[i].velocity];
      if (i > c_.link[link].link)
        column = {};
      else if (c_.topology.kind[i] == JointKind::revolute)
        column = {cross(e, p - pose_[i].p), e};
      else
        column = {e, {}};
    }
  }

 private:
  const CanonicalModel& c_;
  ScanPlan plan_;
  std::vector<Pose<T>> pose_;
};

}  // namespace parid::kinematics
