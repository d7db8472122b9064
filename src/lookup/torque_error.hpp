// Errors of torques relative to exact ones.

#pragma once

#include <cstdint>
#include <span>

#include "lookup/layer.hpp"
#include "lookup/torque_table.hpp"

namespace parid::lookup {

// A sample's relative error is max|Δτ| / max|τ| over its joints.
struct TorqueError {
  double max_relative = 0, rms_relative = 0;  // over samples
  double max_absolute = 0;                    // N m or N, over samples and joints
  std::size_t samples = 0;
};
TorqueError torque_error(int nv, std::span<const double> tau, std::span<const double> exact);

// Compares the table with exact torques of `robot` at random states in its box. The robot may
// differ from the table's: with another payload, this is the error of picking something up.
TorqueError table_error(const TorqueTable&, const Robot& robot, std::size_t samples = 2000,
                        std::uint64_t seed = 560);

}  // namespace parid::lookup
