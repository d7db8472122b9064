// MJCF, the model format of MuJoCo (docs/robot-files.md, section MJCF).
//
// The files of this folder, each with one idea:
//   mjcf_document      XML with its includes in place
//   mjcf_defaults      default classes
//   mjcf_node          an element with its class: attributes as text, numbers and vectors
//   mjcf_compiler      <compiler> settings
//   mjcf_frame         pos, quat, euler, axisangle, xyaxes, zaxis
//   mjcf_mesh          mesh assets and their volume integrals
//   mjcf_geom          mass and inertia of geoms
//   mjcf_body          bodies, joints, inertials and sites
//   mjcf_extras        equality, actuators, keyframes: what refers to joints by name
//   mjcf_vocabulary    misspelt words, and what has no equivalent here
//   mjcf_writer        a description as MJCF

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model {

// Throws Error if the text cannot be read as MJCF; physical errors are left to check(). Included
// files and meshes are searched for beside `file`, which must exist in that case.
Description parse_mjcf(const std::string& text, const std::string& file,
                       const LoadOptions& options = {});

}  // namespace parid::model
