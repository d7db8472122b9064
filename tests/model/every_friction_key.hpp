// A robot with all keys of friction and drives.

#pragma once

#include "tests/layer.hpp"

namespace parid::test {

inline constexpr const char* every_friction_key = R"(
name = "all"
gravity = [0, 0, -3.7]
[[joint]]
name = "turn"
axis = [0, 1, 0]
mass = 2
com = [0.1, 0.2, 0]
inertia = [1, 1, 1]
effort = 80
damping = 0.3
friction = 0.5
rotor_inertia = 0.3
gear_ratio = -7
smoothing = 0.01
stribeck = {breakaway = 0.8, velocity = 0.05}
journal = {friction = 0.1, radius = 0.05, spacing = 0.12, at = -0.02}
thrust = {friction = 0.2, radius = 0.04}
drive = {breakaway = 5, rated = 70, efficiency = [[0.1, 0.5], [0.5, 0.7], [1, 0.75]], interpolation = "spline"}
[[joint]]
name = "slide"
type = "prismatic"
axis = [0.6, 0, 0.8]
mass = 1
com = [0, 0.1, 0.3]
inertia = [1, 1, 1]
effort = 40
linear = {friction = 0.3, spacing = 0.2, at = 0.1}
drive = {efficiency = 0.9}
[[joint]]
name = "follow"
axis = [1, 0, 0]
xyz = [0, 0, 0.3]
mass = 1
com = [0, 0.2, 0.1]
inertia = [1, 1, 1]
friction = 0.1
smoothing = 0.005
journal = {friction = 0.1, radius = 0.05, spacing = 0.12}
mimic = {joint = "turn", multiplier = -0.5}
[[joint]]
name = "no load"
axis = [0, 0, 1]
mass = 1
com = [0, 0.2, 0.1]
inertia = [1, 1, 1]
drive = {breakaway = 2, efficiency = [[0.5, 0.8]]}
)";

}  // namespace parid::test
