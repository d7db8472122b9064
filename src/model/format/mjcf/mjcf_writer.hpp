// A description as MJCF, and what MJCF cannot express.
//
// Links become bodies. A massless link between two joints becomes part of the body after it, which
// then has several joints: MuJoCo refuses moving bodies without mass. Coordinates, torques and
// names of moving joints stay the same, but for planar joints, which become three joints. Numbers
// have the fewest digits that read back to the same.

#pragma once

#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

struct MjcfText {
  std::string text;
  std::vector<std::string> notes;  // what is written in another way, or left out
};

// Comment lines go to the head. Throws Error for a robot that MJCF cannot hold: a floating joint
// that is not at the root or is displaced there, a mimic joint by a four-bar linkage or by a
// polynomial beyond degree 4, or more than 90 bodies in a row.
MjcfText to_mjcf(const Description&, const std::vector<std::string>& comments = {});

}  // namespace parid::model
