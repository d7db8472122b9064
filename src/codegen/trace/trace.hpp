// The graphs of the quantities; generate.cpp has the list.

#pragma once

#include "codegen/layer.hpp"
#include "codegen/trace/tracing.hpp"

namespace parid::codegen {

Graph torque(const Tracing&, bool velocities, bool accelerations);  // trace_torques.cpp
Graph mass(const Tracing&);                                         // trace_dynamics.cpp
Graph forward(const Tracing&);                                      // likewise
Graph inverse_gradient(const Tracing&);                             // trace_gradients.cpp
Graph forward_gradient(const Tracing&);                             // likewise
Graph kinematics(const Tracing&);                                   // trace_kinematics.cpp
Graph jacobian_of_link(const Tracing&);                             // likewise
Graph ik(const Tracing&);                                           // trace_ik.cpp
Graph ik_step(const Tracing&);                                      // likewise

// What the program of inverse kinematics for a link needs besides the pose.
struct IkProgram {
  int signs = -1;               // of a branch; -1: the arm has no closed form
  const char* redundancy = "";  // "arm angle", "position of the last joint"
  bool exact = false;           // no Newton steps follow
};
IkProgram ik_program(const CanonicalModel&, int link);  // trace_ik.cpp

Graph regressor(const Tracing&);               // trace_regressor.cpp
Graph inverse_vjp(const Tracing&);             // trace_vector_products.cpp
Graph forward_vjp(const Tracing&);             // likewise
Graph inverse_jvp(const Tracing&);             // trace_evaluators.cpp
Graph forward_jvp(const Tracing&);             // likewise
Graph inverse_hvp(const Tracing&);             // likewise
Graph by_evaluator(const Tracing&, Quantity);  // likewise
Graph computed_torque(const Tracing&);         // trace_loops.cpp
Graph rollout(const Tracing&);                 // likewise

}  // namespace parid::codegen
