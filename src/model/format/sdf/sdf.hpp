// SDFormat, versions 1.4 to 1.11: one model, or one model of a world.
//
// Frames follow the specification: a pose is relative to the frame that it names, a link's to its
// model, a joint's to its child, a frame's to the frame that it is attached to. Links of nested
// models are named NESTED::LINK. Explicit frames become frames of the description.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model {

// Throws Error, with file, line and remedy, for text that cannot be read.
// options.arguments["model"] chooses the model of a world that has several. The model's pose places
// it in the world; with options.floating its root is free, as for URDF.
Description parse_sdf(const std::string& text, const std::string& file, const LoadOptions&);

}  // namespace parid::model
