// A description as URDF, and what URDF has no words for.
//
// Links' frames stand at their joints in URDF (without_tips.hpp). Rotors and gears are written as
// Drake has them, in <transmission>, which urdf_drives.cpp reads. Bearings, drives and gravity go
// into a TOML beside the URDF (to_toml_beside() in toml_writer.hpp). Numbers have the fewest digits
// that read back to the same.

#pragma once

#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

struct UrdfText {
  std::string text;
  std::vector<std::string> notes;  // what is said in another way, or what others may not read
};

// Comment lines go to the head.
UrdfText to_urdf(const Description&, const std::vector<std::string>& comments = {});

}  // namespace parid::model
