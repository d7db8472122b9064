// Physically consistent inertias from those of a robot file.

#pragma once

#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// The inertia about the centre of mass nearest to the given one, in the Frobenius norm of the
// second moments ∫ r rᵀ dm, whose second moments are at least `floor` times the largest along every
// direction: above 0 that is the triangle inequality. Returns whether it changed anything.
bool make_consistent(Sym3<double>& about_com, double floor);

// Mass, centre and inertia of the shapes together, filled with a material of this density (kg/m³).
Inertia inertia_of(const std::vector<PrimitiveShape>&, double density);

// Repairs the inertias of a description:
//   - a negative mass becomes its absolute value;
//   - a physically impossible inertia becomes the nearest possible one;
//   - a link that moves without a mass gets mass and inertia of its primitive shapes at this
//     density;
//   - a link that moves with a mass but without an inertia gets that of its shapes, scaled to its
//     mass.
// Returns one line per change, with the place in the file, the old and the new numbers.
std::vector<std::string> repair_inertias(Description&, double density);

}  // namespace parid::model
