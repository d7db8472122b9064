// The ten inertial parameters of each moving link in the user's frames: that of the child link of a
// joint, including all links fixed to it.
//
// Mass, first moments (m x, m y, m z), second moments (∫x² dm …, xx yy zz xy xz yz), link by link
// in the mechanism's order. The mechanism has them in canonical frames.

#pragma once

#include <string>
#include <vector>

#include "dynamics/layer.hpp"
#include "math/pose.hpp"
#include "parid/robot.hpp"

namespace parid::dynamics {

// The index of the description's link that joint i of the mechanism moves. The first two links of a
// planar joint exist in the mechanism only: -1.
int moved_link(const Robot&, int i);

// The pose of that link's frame in mechanism link i, [0..n]; the identity if there is
// none.
std::vector<Pose<double>> link_frames(const Robot&);

std::vector<int> links_with_parameters(const Robot&);  // of the mechanism

// "forearm.m", "forearm.mx", …, "forearm.yz"
std::vector<std::string> parameter_names(const Robot&);
std::vector<double> link_parameters(const Robot&);  // this robot's own

}  // namespace parid::dynamics
