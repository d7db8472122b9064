// Writes a description as URDF, and reports what URDF cannot express.
//
// Link frames are at their joints in URDF (without_tips.hpp). Rotors and gears are written in
// Drake's form, in <transmission>, which urdf_drives.cpp reads. Bearings, drives and gravity go
// into a TOML file beside the URDF (to_toml_beside() in toml_writer.hpp). Numbers have the fewest
// digits that read back to the same.

#pragma once

#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

struct UrdfText {
  std::string text;
  std::vector<std::string> notes;  // what is expressed differently or not portable
};

// The comment lines are written at the top.
UrdfText to_urdf(const Description&, const std::vector<std::string>& comments = {});

}  // namespace parid::model
