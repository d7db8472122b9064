// Torques along a motion, with separate parts if friction is requested.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/input/torque_options.hpp"
#include "cli/layer.hpp"
#include "motion/derive.hpp"
#include "motion/scaling/time_scaling.hpp"
#include "parid/engine.hpp"
#include "parid/sampled_trajectory.hpp"
#include "runtime/external_loads.hpp"

namespace parid::cli {

// Each rows × nv, in the robot's order; the parts are empty without friction.
struct Torques {
  std::vector<double> tau, rigid, bearing, drive;
  // With elastic joints: torques on the links, and how far motors are ahead of links, rad or m.
  std::vector<double> link, deflection;
  std::string taken;   // with --method auto, the chosen method
  std::string device;  // with --device, its name

  struct Part {
    const char* name;  // replaces "tau" in a column's name
    const std::vector<double>* values;
  };
  std::vector<Part> parts() const {
    if (!link.empty()) return {{"tau", &tau}, {"link", &link}, {"deflection", &deflection}};
    if (rigid.empty()) return {{"tau", &tau}};
    return {{"tau", &tau}, {"rigid", &rigid}, {"bearing", &bearing}, {"drive", &drive}};
  }
};

// "motion.csv:7", or "sample 7" of a motion that is in no file.
std::string place(const SampledTrajectory&, std::size_t row);

// Throws Error if a torque overflows a double.
Torques asked_torques(const TorqueOptions&, const Robot&, const ExternalLoads&,
                      const SampledTrajectory&);

// Torques of motors and rigid joints, where elastic joints count.
Torques elastic_torques(const TorqueOptions&, const Robot&, const SampledTrajectory&,
                        const HigherDerivatives&);

// ---- Torques of a motion by the Engine, for time scaling and sampling advice: for so few samples
// that compiling the robot's specialized program first, which takes minutes if it is long, would
// not pay.

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
