// Inverse kinematics in closed form as a graph: what hardware for it is built from.
//
// Inputs are px py pz, the wrist's centre, and ox oy oz, ax ay az, the last two columns of the rotation,
// all in frame 0 of the form; arm, elbow (the slide, for a Stanford arm) and wrist choose the branch by
// their signs. Outputs are q1 to q6, the angles of the form. What lies between these and a robot's own
// frames, tools and zeros is a constant pose and an offset per joint: ClosedForm has them.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "parid/ir/graph.hpp"
#include "parid/kinematics/closed_form.hpp"
#include "parid/kinematics/puma_arrangement.hpp"
#include "parid/scalar/quad.hpp"

namespace parid {

extern const std::vector<std::string> ik_signs;  // the inputs that are ±1

Graph ik_graph(const ClosedForm&);                           // as the paper has it
Graph ik_graph(const PumaLengths&, const PumaArrangement&);  // of a PUMA, in another arrangement

// What the constants of these graphs are when worked out on Quad, by their sizes on double.
std::map<double, Quad> ik_constants(const ClosedForm&);

}  // namespace parid
