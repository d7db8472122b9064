// A robot under a sampled law with stale data. The robot is integrated with steps far shorter than
// the control period, with torque limits, measurement noise, model errors and friction.
//
//   ControlLoop loop(robot, design(robot, "computed_torque", {{}, {20}}, policy("hamilton"), q),
//   course,
//                    {.rate = 333, .switch_at = 1.57});
//   ControlResult result = loop.run();
//
// A public header: no template, no type of another library.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "motion/trajectory.hpp"
#include "parid/simulation.hpp"

namespace parid::control {

// What goes wrong in the robot, as a change of the torques that act on it. Between its breaks it is
// smooth.
class PlantFault {
 public:
  virtual ~PlantFault() = default;
  virtual void begin(double t) = 0;       // at the start and at every break
  virtual double next_break() const = 0;  // after begin()
  virtual void change(std::span<const double> q, std::span<const double> v,
                      std::span<double> tau) = 0;
};

struct ControlOptions {
  double rate = 1000;  // control periods per second
  // s; 0: duration of the motion. After the motion its final position is held
  double time = 0;
  double switch_at = 0;              // s: before, the law is exact
  double position_noise = 0;         // rad, m: standard deviation of each measurement
  double velocity_noise = 0;         // rad/s, m/s
  std::uint64_t seed = 1;            // of the noise
  bool limit_torques = false;        // to the effort limits of the robot file
  bool friction = false;             // in the robot
  bool compensate_friction = false;  // from the model, at the desired velocity
  std::vector<double> start_offset;  // rad, m: initial position error; empty: none
  double lost = 1;                   // rad, m: a larger error counts as divergence
  double record_rate = 200;          // samples per second of the recorded motion
  std::string integrator = "dopri5";
  double step = 0;          // s, for methods with fixed steps; 0: a tenth of a period
  double tolerance = 1e-9;  // for adaptive methods
  std::function<void(double share)> progress = {};
  // Called at every control period, before its torques are computed: measurements, and the torques
  // commanded since the last one.
  std::function<void(double t, std::span<const double> q, std::span<const double> v,
                     std::span<const double> tau)>
      observe = {};
  std::shared_ptr<PlantFault> fault = {};
};

struct ControlResult {
  SimulationResult simulation;
  double period = 0;
  // Errors of the links' position over coordinates and the instants at which the law is evaluated,
  // without measurement noise.
  double max_error = 0, max_error_after_switch = 0, rms_error = 0;
  // the largest error in the last tenth of the time; after a divergence, the last error
  double final_error = 0;
  std::vector<double> max_error_by_coordinate;
  std::optional<double> diverged_at;  // s
  long periods = 0;
  long limited = 0;  // periods with a torque at its limit
};

class ControlLoop {
 public:
  // Throws Error if options are invalid or robot, model and motion do not match.
  ControlLoop(const Robot& plant, const LawDesign&, TrajectoryPointer, const ControlOptions& = {});
  ControlResult run() const;

 private:
  Robot plant_;
  LawDesign design_;
  TrajectoryPointer trajectory_;
  ControlOptions options_;
};

}  // namespace parid::control
