// The words of the vocabulary, as graphs; generate.cpp has the list.

#pragma once

#include "codegen/layer.hpp"
#include "codegen/trace/tracing.hpp"

namespace parid::codegen {

Graph torque(const Tracing&, bool velocities, bool accelerations);  // torque_word.cpp
Graph mass(const Tracing&);                                         // dynamic_words.cpp
Graph forward(const Tracing&);                                      // likewise
Graph energy(const Tracing&);                                       // likewise
Graph inverse_gradient(const Tracing&);                             // gradient_words.cpp
Graph forward_gradient(const Tracing&);                             // likewise
Graph kinematics(const Tracing&);                                   // kinematic_words.cpp
Graph jacobian_of_link(const Tracing&);                             // likewise
Graph ik(const Tracing&);                                           // ik_words.cpp
Graph ik_step(const Tracing&);                                      // likewise
Graph regressor(const Tracing&);                                    // regressor_word.cpp
Graph inverse_vjp(const Tracing&);                                  // vector_products.cpp
Graph forward_vjp(const Tracing&);                                  // likewise
Graph computed_torque(const Tracing&);                              // loops.cpp
Graph rollout(const Tracing&);                                      // likewise

}  // namespace parid::codegen
