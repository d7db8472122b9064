// The formulations, by name. The Engine runs one of them, on packs and threads; the others run here,
// one sample after another in double, for those who want to compare.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parid/motion/trajectory.hpp"
#include "parid/run/surroundings.hpp"

namespace parid::cli {

inline constexpr const char* engines_method = "newton_euler_link";

std::string method_names();  // with commas between
bool is_method(const std::string& name);

// Row after row, in the robot's order. `progress` is told the share done.
std::vector<double> torques_by(const std::string& method, const Robot&, const Surroundings&,
                               const Trajectory&, const std::function<void(double)>& progress);

}  // namespace parid::cli
