// A description as MJCF, and a list of what MJCF cannot express.
//
// Links become bodies. A massless link between two joints becomes part of the body after it, which
// then has several joints: MuJoCo refuses moving bodies without mass. Coordinates, torques and
// names of moving joints stay the same, except for planar joints, which become three joints.
// Numbers have the fewest digits that read back to the same value.

#pragma once

#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

struct MjcfText {
  std::string text;
  std::vector<std::string> notes;  // parts that are written in another form or left out
};

// Comment lines are written at the top. Throws Error for a robot that MJCF cannot hold: a floating
// joint that is not at the root or is displaced there, or more than 90 nested bodies.
MjcfText to_mjcf(const Description&, const std::vector<std::string>& comments = {});

}  // namespace parid::model
