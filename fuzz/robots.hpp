// Robots that complement the built-in ones of a target: joints with more positions than velocities,
// and mimic joints.

#pragma once

#include "fuzz/layer.hpp"
#include "model/format/toml/toml.hpp"
#include "parid/robot.hpp"

namespace parid::fuzz {

// A free base with a quaternion, and an arm.
inline const Robot& floating_robot() {
  static const Robot robot(parse_toml(R"(name = 'floats'
[[joint]]
name = 'free'
type = 'floating'
link = 'trunk'
mass = 2
inertia = [0.02, 0.03, 0.04]
[[joint]]
name = 'arm'
link = 'hand'
axis = [0, 1, 0]
xyz = [0.1, 0, 0.2]
mass = 1
com = [0.1, 0.02, 0]
inertia = [0.02, 0.03, 0.04]
)",
                                      "floats.toml"));
  return robot;
}

// An arm with two fingers, one of which mimics the other.
inline const Robot& following_robot() {
  static const Robot robot(parse_toml(R"(name = 'grips'
[[joint]]
name = 'arm'
link = 'hand'
axis = [0, 1, 0]
mass = 1
com = [0.2, 0, 0]
inertia = [0.02, 0.03, 0.04]
[[joint]]
name = 'finger'
parent = 'hand'
link = 'tip1'
axis = [0, 0, 1]
xyz = [0.4, 0, 0]
lower = -1
upper = 1
velocity = 2
mass = 1
inertia = [0.02, 0.03, 0.04]
[[joint]]
name = 'thumb'
parent = 'hand'
link = 'tip2'
axis = [0, 0, 1]
xyz = [0.4, 0.1, 0]
mass = 1
inertia = [0.02, 0.03, 0.04]
mimic = {joint = 'finger', multiplier = -2, offset = 0.1}
)",
                                      "grips.toml"));
  return robot;
}

}  // namespace parid::fuzz
