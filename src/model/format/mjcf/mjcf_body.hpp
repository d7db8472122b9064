// Bodies, joints, inertials and sites: the tree of the robot.
//
//   worldbody          the root link, `world`
//   body               a link. Without joints it is fixed to its parent
//   several joints     massless links between them, named BODY.JOINT
//   free joint         a floating joint; its position is the world's, as in MuJoCo
//   joint pos          origin of the joint's frame; the link's frame is the body's (`tip`)
//   joint ref          part of the joint's origin, so that positions are MuJoCo's
//   mocap body         left out
//   frame, replicate   applied to their contents

#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/description.hpp"
#include "model/format/mjcf/mjcf_compiler.hpp"
#include "model/format/mjcf/mjcf_defaults.hpp"
#include "model/format/mjcf/mjcf_vocabulary.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model::mjcf {

// A joint as other sections refer to it.
struct NamedJoint {
  int joint;          // of Description::joints
  double ref = 0;     // position in the file's zero configuration
  Pose<double> body;  // free joints: pose of the body in the file
  int qpos;           // the first of its numbers in a keyframe
};

struct JointList {
  std::vector<NamedJoint> joints;  // in MuJoCo's order; fixed joints are not in it
  std::unordered_map<std::string, int> by_name;
  int nq = 0;  // numbers of a keyframe
};

JointList read_bodies(const Document&, const Compiler&, const Defaults&, const LoadOptions&,
                      NotRepresented&, Description&);

}  // namespace parid::model::mjcf
