// The ten inertial parameters of each moving link as users know them: in the frame of the link that
// a joint moves, with whatever fixed joints hang on it.
//
// Mass, first moments (m x, m y, m z), second moments (∫x² dm …, xx yy zz xy xz yz), link by link
// in the mechanism's order. The mechanism has them in frames of its own.

#pragma once

#include <string>
#include <vector>

#include "dynamics/layer.hpp"
#include "math/pose.hpp"
#include "parid/robot.hpp"

namespace parid::dynamics {

// The description's link that joint i of the mechanism moves, by index. A planar joint's first two
// links are of the mechanism alone: -1.
int moved_link(const Robot&, int i);

// Where that link's frame stands in mechanism link i, [0..n]; the mechanism's own where there is
// none.
std::vector<Pose<double>> link_frames(const Robot&);

std::vector<int> links_with_parameters(const Robot&);  // of the mechanism

// "forearm.m", "forearm.mx", …, "forearm.yz"
std::vector<std::string> parameter_names(const Robot&);
std::vector<double> link_parameters(const Robot&);  // this robot's own

}  // namespace parid::dynamics
