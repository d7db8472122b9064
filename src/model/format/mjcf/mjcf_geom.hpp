// Mass and inertia of a geom: primitives by formula, meshes by their integrals.

#pragma once

#include <optional>

#include "math/pose.hpp"
#include "model/format/mjcf/mjcf_mesh.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

// The inertia of the geom in the frame in which `to_body` * (the frame of its attributes) is. Its
// mass is zero where the geom has none or its group is left out. A mesh is read only where its
// inertia is needed.
Inertia geom_inertia(const Node& geom, const Pose<double>& to_body, const Compiler&, Meshes&);

}  // namespace parid::model::mjcf
