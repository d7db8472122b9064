// Mass and inertia of a geom: primitives by formula, meshes by their integrals.

#pragma once

#include <optional>

#include "math/pose.hpp"
#include "model/format/mjcf/mjcf_mesh.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

// The inertia of the geom in the frame to which `to_body` maps the frame of its attributes. Its
// mass is zero if the geom has none or its group is left out. A mesh is read only if its inertia is
// needed.
Inertia geom_inertia(const Node& geom, const Pose<double>& to_body, const Compiler&, Meshes&);

}  // namespace parid::model::mjcf
