// The pose of an element: its position, and its orientation in one of five notations.

#pragma once

#include <array>

#include "math/pose.hpp"
#include "model/format/mjcf/mjcf_compiler.hpp"
#include "model/format/mjcf/mjcf_node.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

// `pos`, and one of `quat`, `axisangle`, `xyaxes`, `zaxis`, `euler`; the identity if none is given.
Pose<double> read_pose(const Node&, const Compiler&);

// Three angles in the unit and the sequence of the compiler's settings.
Mat3<double> euler_rotation(const std::array<double, 3>& angles, const Compiler&);

// The shortest rotation of z to this direction, of any nonzero length.
Mat3<double> turn_to(const Vec3<double>& z);

// The rotation about a unit vector.
Mat3<double> rotation_about(const Vec3<double>& axis, double angle);

}  // namespace parid::model::mjcf
