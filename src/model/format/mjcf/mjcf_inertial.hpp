// Mass and inertia of a body by MuJoCo's rules: the values of <inertial> and geoms, and the bounds
// of <compiler>.

#pragma once

#include <optional>

#include "model/description.hpp"
#include "model/format/mjcf/mjcf_compiler.hpp"
#include "model/format/mjcf/mjcf_mesh.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

// Of an <inertial>, in the frame in which `to_body` places its coordinates.
Inertia explicit_inertia(const Node& inertial, const Pose<double>& to_body, const Compiler&);

// Of a geom, in the frame in which `to_body` * (the frame of its attributes) is: primitives by
// formula, meshes by their integrals (mjcf_geom.cpp). Its mass is zero where the geom has none or
// its group is left out. A mesh is read only where its inertia is needed.
Inertia geom_inertia(const Node& geom, const Pose<double>& to_body, const Compiler&, Meshes&);

// Applies boundmass, boundinertia and balanceinertia. A body without mass gets its bounds at the
// point that MuJoCo uses: its own `pos`, in its frame. None: it has no mass.
std::optional<Inertia> bounded_inertia(const std::optional<Inertia>&, const Vec3<double>& pos,
                                       const Compiler&);

// settotalmass: all masses and inertias by the same factor.
void scale_to_total_mass(Description&, const Compiler&);

}  // namespace parid::model::mjcf
