// Closed-form inverse kinematics as a graph, from which hardware is built.
//
// Inputs describe the pose of the robot's link in the world: nx ny nz, ox oy oz, ax ay az are the
// columns of its rotation, as far as the arm needs them, and px py pz its origin minus the origin
// of `base`, frame 0 of the form. arm, elbow (the slide, for a Stanford arm) and wrist select the
// branch by their signs. Outputs are q1 to q6, the angles θ of the form; IkFrames converts them to
// the robot's coordinates.

#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "codegen/layer.hpp"
#include "graph/graph.hpp"
#include "kinematics/closed_form.hpp"
#include "kinematics/puma_arrangement.hpp"
#include "scalar/quad.hpp"

namespace parid::codegen {

extern const std::vector<std::string> ik_signs;  // the inputs that are ±1

// The frames and zeros of a form. Directions along axes and quarter turns, which double represents
// as 6e-17 or 1.5707963267948966, are exact here, because long words show the difference.
struct IkFrames {
  Pose<Quad> base, tool;
  std::array<Quad, 6> zero;
  std::array<bool, 3> needed;  // columns n o a of the link's rotation

  explicit IkFrames(const ClosedForm&);
};

Graph ik_graph(const ClosedForm&);                          // as in Lee and Chang
Graph ik_graph(const ClosedForm&, const PumaArrangement&);  // of a PUMA, in another arrangement

// The constants of these graphs computed on Quad, by their values on double.
std::map<double, Quad> ik_constants(const ClosedForm&);

}  // namespace parid::codegen
