// A sampled controller: its robot model, its law, its gains and its policy of stale data.
//
// A public header: no template, no type of another library.

#pragma once

#include <string>
#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "motion/trajectory.hpp"
#include "parid/controllers.hpp"

namespace parid::control {

struct LawDesign {
  Robot model;
  std::string law = "computed_torque";  // an id of the list in parid/controllers.hpp
  Gains gains;                          // complete: by coordinate
  Policy policy;
  // Of the plant: its elastic joints have motors of their own, on which torques act, and the law
  // reads motors instead of links, unless measure_links.
  bool elastic = false;
  bool measure_links = false;
};

enum class LawKind : std::uint8_t { computed_torque, pd_gravity, pd, pd_feedforward };
// Throws Error with all names, and the one that was probably meant.
LawKind law_kind(const std::string& id);

// Gains for a law. Missing gains are those of a critically damped loop (kp = kd²/4); if none are
// given, the defaults are those of parid/controllers.hpp.
LawDesign design(const Robot& model, const std::string& law, Gains, const Policy&,
                 std::span<const double> q);

// The desired state of a robot.
struct Desired {
  std::vector<double> q, v, a;
};
// The desired state at any instant of a motion; after its end, the final position at rest. Does not
// resize.
void aim(const Trajectory&, double t, Desired&);

// Throws Error if the robot has a joint with several degrees of freedom.
void demand_single_freedoms(const Robot&);

}  // namespace parid::control
