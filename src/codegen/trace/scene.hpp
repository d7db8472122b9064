// The mechanism of one graph, and its external loads: constants, or inputs if
// the options request that.
//
// Inputs are in order of creation: coordinates first, then those of a Scene.

#pragma once

#include <optional>

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
    if (base_)
      motion.set_base(mechanism, *base_);
    else
      motion.gravity = mechanism.gravity;
    motion.external = wrenches_;
  }
  void set(ModelState<Expr>& at) const {
    at.mechanism = mechanism;
    act_on(at.motion);
  }

 private:
  void take_parameters(const Tracing&, Graph&);
  void add_payload(const Tracing&, Graph&);
  void add_wrench(const Tracing&, Graph&);
  void take_rows(const Tracing&, Graph&);

  std::vector<Wrench<Expr>> external_;
  RowValues<Expr> row_;
  std::optional<BaseMotion<Expr>> base_;  // none: stationary
  const Wrench<Expr>* wrenches_ = nullptr;
};

// One line about each input that the options add.
std::vector<std::string> input_lines(const Tracing&);

}  // namespace parid::codegen
