// Faults of a robot under control, and how soon a momentum observer finds them.
//
//   loss:JOINT=SHARE@T[+D]              the motor gives that share less, from T on, for D seconds
//   payload:LINK=KG[,X,Y,Z]@T[+D]       a point mass is on the link (at its origin, or there)
//   collision:LINK=FX,FY,FZ[,X,Y,Z]@T[+D]
//                                       a force in N along the root's axes acts on the link's point
//
// The observer (parid/momentum_observer.hpp) reads what the controller reads: measured positions
// and velocities, its own torques, and its model of the robot. Its estimate of outer torques is the
// residual; a fault is detected at the first control period at which a coordinate's residual
// exceeds its threshold. Without thresholds, they are a margin times the largest residuals of the
// same run without the fault and with other noise.
//
// A public header: no template, no type of another library.

#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "control/layer.hpp"
#include "control/loop.hpp"

namespace parid::control {

enum class FaultKind : std::uint8_t { loss, payload, collision };
const char* name_of(FaultKind);

struct Fault {
  FaultKind kind = FaultKind::loss;
  std::string text;               // as it was given
  int coordinate = -1;            // of loss
  int link = -1;                  // of payload and collision, of the description
  double size = 0;                // share, kg
  std::array<double, 3> force{};  // N, along the root's axes
  std::array<double, 3> point{};  // in the link's frame
  double start = 0;               // s
  double end = std::numeric_limits<double>::infinity();
};
// Throws Error for texts of another form, unknown joints and links, and sizes that cannot be.
Fault parse_fault(const Robot& plant, const std::string& text);

struct ObserverDesign {
  double gain = 50;               // 1/s
  std::vector<double> threshold;  // N m or N, by coordinate; empty: calibrated
  double margin = 1.5;            // of calibrated thresholds
};

struct FaultDetection {
  ControlResult control;
  std::vector<double> threshold;
  std::optional<double> detected_at;  // s
  std::optional<double> delay;        // s, since the fault's start
  int coordinate = -1;                // whose residual exceeded its threshold first
  std::vector<double> peak;           // by coordinate: the largest residual since the start
  int outermost = -1;                 // the last coordinate whose peak is above its threshold
  long false_alarms = 0;              // periods before the start above a threshold
  std::vector<double> t, residual;    // at every control period: (periods), (periods, nv)
};

// Without a fault, `control`, `threshold`, `peak`, `t` and `residual` are those of the run. Throws
// Error where ControlLoop does, and for payload faults of a robot with friction.
FaultDetection detect_fault(const Robot& plant, const LawDesign&, const TrajectoryPointer&,
                            const ControlOptions&, const std::optional<Fault>&,
                            const ObserverDesign& = {});

}  // namespace parid::control
