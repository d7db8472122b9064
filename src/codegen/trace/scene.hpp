// The mechanism of one graph, and its external loads: constants, or inputs if
// the options request that.
//
// Inputs are in order of creation: coordinates first, then those of a Scene.

#pragma once

#include "codegen/layer.hpp"
#include "codegen/trace/tracing.hpp"
#include "dynamics/model_state.hpp"

namespace parid::codegen {

class Scene {
 public:
  Scene(const Tracing&, Graph&);
  Scene(const Scene&) = delete;  // states point to its wrenches

  Mechanism<Expr> mechanism;

  void act_on(State<Expr>& motion) const {
    motion.gravity = mechanism.gravity;
    motion.external = external_.empty() ? nullptr : external_.data();
  }
  void set(ModelState<Expr>& at) const {
    at.mechanism = mechanism;
    act_on(at.motion);
  }

 private:
  void take_parameters(const Tracing&, Graph&);
  void add_payload(const Tracing&, Graph&);
  void add_wrench(const Tracing&, Graph&);

  std::vector<Wrench<Expr>> external_;
};

// One line about each input that the options add.
std::vector<std::string> input_lines(const Tracing&);

}  // namespace parid::codegen
