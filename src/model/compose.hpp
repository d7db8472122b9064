// Descriptions made from others: frames as links, joints locked, robots attached to one another,
// branches and rotors removed. Torques of the remaining joints are those of the original mechanism.

#pragma once

#include <map>
#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Turns Description::frames into massless links on fixed joints. A frame that cannot become one
// (its name is taken, its link does not exist) is left out with a remark.
void expand_frames(Description&);

// Robot::with_locked(), with_attached(), without_branch(); documented in parid/robot.hpp.
void lock_joints(Description&, const std::map<std::string, double>& positions);
void attach(Description& to, const Description& other, const std::string& link,
            const Pose<double>& at, const std::string& prefix);
void remove_branch(Description&, const std::string& link);
void set_mimic(Description&, const std::string& joint, const Mimic&);
void remove_rotors(Description&);

// The child link's frame in the parent link's, for a joint with one coordinate at position q.
Pose<double> joint_pose(const JointDescription&, double q);

// The link without a parent joint. Throws Error if there is none.
const LinkDescription& root_link(const Description&);

}  // namespace parid::model
