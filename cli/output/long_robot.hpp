// Torques take time in proportion to the links; some studies take their square, cube or fourth
// power. Those refuse a robot that would take the machine's memory or the day, before they begin.

#pragma once

#include <fmt/format.h>

#include "cli/layer.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"
#include "parid/robot.hpp"

namespace parid::cli {

// `what` is the subject: "its program", "a map of stability".
inline void require_moving_links(const Robot& robot, int most, const char* what) {
  if (const int n = robot.canonical().topology.n; n > most)
    throw Error({robot.description().file, 0},
                fmt::format("robot '{}' has {} moving links, and {} is made for at most {}",
                            robot.name(), n, what, most),
                "take a part of the robot; `parid torque` takes the whole");
}

}  // namespace parid::cli
