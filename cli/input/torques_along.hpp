// Torques of a motion by the Engine, as time scaling and advice on sampling ask for them: of so few
// samples that compiling the robot's own program first, which takes minutes where it is long, would
// not pay.

#pragma once

#include <memory>

#include "cli/layer.hpp"
#include "motion/scaling/time_scaling.hpp"
#include "parid/engine.hpp"
#include "runtime/external_loads.hpp"

namespace parid::cli {

inline TorquesAlong torques_along(const Robot& robot, const ExternalLoads& around, int threads) {
  auto engine = std::make_shared<Engine>(
      robot, EngineOptions{.threads = threads, .kernel = KernelKind::generic});
  engine->set_external_loads(around);
  return [engine, nv = static_cast<std::size_t>(robot.nv())](const SampledTrajectory& m) {
    std::vector<double> tau(m.rows * nv);
    engine->inverse_dynamics(m.rows, m.q, m.v, m.a, tau);
    return tau;
  };
}

}  // namespace parid::cli
