// A controller core in the loop with a simulated robot, and its tracking predicted beforehand.
//
// The loop: at every control period the robot's positions are measured, and the torque of the core
// acts `feedback_latency` later, held until the next one. The ideal controller is the same law in
// double precision with exact positions, velocities and references, sampled at the same rate, whose
// torques act at once.
//
// The prediction does not simulate the robot or the core. Along the desired motion it integrates
// the linearised robot, x' = A(t) x + B(t) (τ − τ_d), under the law in double precision with the
// core's filters, latency, and the rounding of its words: of the set points, which are known
// beforehand, and of measurements and torques, which are random with the sizes that the bit-true
// model has along the motion.

#pragma once

#include <functional>

#include "hardware/controller/controller_core.hpp"
#include "motion/trajectory.hpp"

namespace parid::hardware {

// From set point and measured words to torques: a model, or a Verilog simulation.
using CoreStep = std::function<CoreResult(std::span<const Raw>, std::span<const Raw>)>;

struct CoreTracking {
  double ideal = 0;        // rad or m, rms over coordinates and periods: error of the ideal law
  double core = 0;         // the same of the core
  double degradation = 0;  // rms distance between the two motions
};

struct CorePrediction {
  CoreTracking tracking;
  double from_filter = 0, from_latency = 0, from_rounding = 0;  // rms parts of the degradation
};
// Throws Error if the motion does not fit the robot, or leaves the core's ranges.
CorePrediction predict_core(const ControllerCore&, const motion::Trajectory&);

struct CoreLoop {
  CoreTracking tracking;
  long periods = 0;
  unsigned status = 0;       // all bits that were raised
  std::vector<Raw> torques;  // (periods, n): words
};
CoreLoop run_core_loop(const ControllerCore&, const motion::Trajectory&, const CoreStep& = {});

// The Verilog of a core under Verilator, sample by sample. Compiles it in `folder`, which must
// exist; takes tens of seconds. Throws Error if Verilator is not installed or fails.
class VerilatedCore {
 public:
  VerilatedCore(const ControllerCore&, const std::string& folder);
  ~VerilatedCore();
  VerilatedCore(const VerilatedCore&) = delete;
  VerilatedCore& operator=(const VerilatedCore&) = delete;
  CoreResult step(std::span<const Raw> setpoint, std::span<const Raw> measured);
  // Clocks of the last sample, from its set point and from its measurement to its torque.
  int clocks() const { return clocks_; }
  int feedback_clocks() const { return feedback_clocks_; }
  static bool installed();

 private:
  struct Process;
  const ControllerCore& core_;
  std::unique_ptr<Process> process_;
  int clocks_ = 0, feedback_clocks_ = 0;
};

}  // namespace parid::hardware
