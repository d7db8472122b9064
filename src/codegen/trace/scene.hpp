// A mechanism as one graph has it, and what acts on it: numbers, or inputs where the options say
// so.
//
// Inputs stand in the order they are made: coordinates first, then a Scene.

#pragma once

#include "codegen/layer.hpp"
#include "codegen/trace/tracing.hpp"
#include "dynamics/model_state.hpp"

namespace parid::codegen {

class Scene {
 public:
  Scene(const Tracing&, Graph&);
  Scene(const Scene&) = delete;  // motions point to its wrenches

  Mechanism<Expr> mechanism;

  void act_on(State<Expr>& motion) const {
    motion.gravity = mechanism.gravity;
    motion.external = external_.empty() ? nullptr : external_.data();
  }
  void set(ModelState<Expr>& at) const { at.mechanism = mechanism, act_on(at.motion); }

 private:
  void take_parameters(const Tracing&, Graph&);
  void add_payload(const Tracing&, Graph&);
  void add_wrench(const Tracing&, Graph&);

  std::vector<Wrench<Expr>> external_;
};

// One line for each input that the options add, saying what it is.
std::vector<std::string> input_lines(const Tracing&);

}  // namespace parid::codegen
