// A text that determines a robot's dynamics and link frames: for cached kernels and for batches
// that continue.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// The description as TOML, without its location and comments, and the exact poses of all joints:
// TOML may have other link frames (DH with added frames) and rounds angles. Throws as to_toml().
std::string identity_text(Description);

}  // namespace parid::model
