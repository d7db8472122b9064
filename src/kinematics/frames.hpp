// The pose of every link of a mechanism in the world.
//
// kinematics/ holds geometry without forces: frames, velocities, Jacobians, inverse kinematics. It
// includes model/ and below. The world is the user's root link frame; frame 0 of a mechanism is
// another one, chosen by CanonicalModel for sparse constants.

#pragma once

#include <vector>

#include "kinematics/layer.hpp"
#include "model/canonical_model.hpp"
#include "model/state.hpp"

namespace parid::kinematics {

// Frame 0 in the root link's frame.
inline Pose<double> base_in_world(const CanonicalModel& c) { return inverse(c.link[c.root].pose); }

template <Scalar T>
class Frames {
 public:
  explicit Frames(const CanonicalModel& c) : pose_(c.topology.n + 1) {
    const Pose<double> base = base_in_world(c);
    pose_[0] = {to<T>(base.R), to<T>(base.p)};
  }

  // Requires a placed state.
  void place(const Mechanism<T>& m, const State<T>& at) {
    for (int i = 1; i <= m.n; ++i) pose_[i] = pose_[m.parent(i)] * Pose<T>{at.R(i), at.p(i)};
  }

  const Pose<T>& operator[](int i) const { return pose_[i]; }  // mechanism link i in the world

 private:
  std::vector<Pose<T>> pose_;
};

// A link of the description in the world.
template <Scalar T>
Pose<T> link_pose(const CanonicalModel& c, const Frames<T>& frames, int link) {
  const LinkPlace& at = c.link[link];
  return frames[at.link] * Pose<T>{to<T>(at.pose.R), to<T>(at.pose.p)};
}

}  // namespace parid::kinematics
