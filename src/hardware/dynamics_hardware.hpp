// A robot's inverse dynamics as a fixed-point pipeline: units, word formats and errors from its
// graph and its limits.

#pragma once

#include <span>
#include <string_view>

#include "codegen/trace/generate.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/arithmetic.hpp"

namespace parid::hardware {

// The quantities that have a pipeline: inverse kinematics on CORDIC modules, dynamics on
// multipliers and adders.
std::span<const Quantity> pipeline_quantities();
// The quantity of that short name. Throws Error with all names and the nearest one.
Quantity pipeline_quantity(std::string_view name);

struct MotionRanges {
  double position = 3.14159265358979323846;  // rad or m, for joints without limits
  // for joints without limits; accelerations never have limits
  double velocity = 5, acceleration = 20;
};

// Ranges of the inputs of generate()'s graph, in its order.
std::vector<Range> input_ranges(const Robot&, const Graph&, const MotionRanges& = {});

struct FixedError {
  // the largest error of an output, relative to the largest value of that output
  double measured = 0;
  double bound = 0;                // an upper bound of the same, by analysis
  std::vector<double> full_scale;  // of each output
};
// Random inputs within their ranges, compared with the same graph on Quad at the same words.
FixedError fixed_error(const FixedGraph&, int samples = 2000, unsigned seed = 1);
std::vector<std::vector<Raw>> fixed_samples(const FixedGraph&, int count, unsigned seed);

}  // namespace parid::hardware
