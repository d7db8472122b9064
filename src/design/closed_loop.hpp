// A robot under a delivered controller, simulated: at which period a disturbance grows, and how far
// the robot is from its motion. And the latter predicted without the controller's programs.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "control/design.hpp"
#include "design/artefact.hpp"
#include "design/layer.hpp"
#include "design/timed_loop.hpp"
#include "motion/trajectory.hpp"

namespace parid::design {

// How far rounding alone moves the robot at rest at q from there, in rad or m.
double artefact_floor(const Robot& plant, Artefact&, std::span<const double> q, const LoopTiming&);

// Growth per period of a small disturbance of the full robot at rest at q; below 1 it decays. All
// that the programs keep begins as it is at rest. The disturbance is far above `floor` and so small
// that the robot is nearly linear. Without friction and limits.
double artefact_growth(const Robot& plant, Artefact&, std::span<const double> q, const LoopTiming&,
                       double floor);

// The period at which that disturbance stops to decay, to 0.3 %, between `predicted` / 1.3 and
// 1.6 times it; torques act `latency` after the measurement, or a period if that is less. 0 if it
// grows at the lower end, INFINITY if it decays at the upper end, NAN if rounding hides it.
double artefact_period(const Robot& plant, Artefact&, std::span<const double> q, double latency,
                       double predicted);

struct TrackingError {
  double largest = 0, rms = 0;  // rad or m, over coordinates and periods
  bool lost = false;            // beyond 1 rad or m
};

struct TrackingOptions {
  bool limit_torques = false, friction = false;
  std::function<void(double share)> progress = {};
};
// Along a motion, from its start at rest.
TrackingError artefact_tracking(const Robot& plant, Artefact&, const motion::Trajectory&,
                                const LoopTiming&, const TrackingOptions& = {});

// The same of the law itself in double precision, with the policy's ages, instead of the programs:
// the robot in steps of at most 1 ms, torques held and `latency` late; no friction, no limits.
TrackingError predicted_tracking(const Robot& plant, const control::LawDesign&,
                                 const motion::Trajectory&, const LoopTiming&);
// Of a fixed-point machine, whose rounding is part of it.
TrackingError predicted_tracking(const Robot& plant, Artefact&, const motion::Trajectory&,
                                 const LoopTiming&);

}  // namespace parid::design
