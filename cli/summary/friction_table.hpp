// One sample's torques with friction, joint by joint: what --explain --friction shows.

#pragma once

#include "cli/input/torque_evaluation.hpp"
#include "cli/layer.hpp"
#include "cli/output/json.hpp"

namespace parid::cli {

void print_friction(const Robot&, const Torques&);
Json friction_json(const Robot&, const Torques&);

}  // namespace parid::cli
