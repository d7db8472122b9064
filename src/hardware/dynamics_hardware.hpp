// A robot's inverse dynamics as a fixed-point pipeline: from its program and its limits to units,
// words and errors.

#pragma once

#include <span>
#include <string_view>

#include "codegen/trace/generate.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/arithmetic.hpp"

namespace parid::hardware {

// The quantities with a pipeline: inverse kinematics on CORDIC modules, dynamics on multipliers and
// adders.
std::span<const Quantity> pipeline_quantities();
// By its short name. Throws Error, with the nearest name and all of them.
Quantity pipeline_quantity(std::string_view name);

struct MotionRanges {
  double position = 3.14159265358979323846;  // rad or m, where the robot has no limit
  double velocity = 5, acceleration = 20;    // where it has none; accelerations never have
};

// Of the inputs of generate()'s program, in its order.
std::vector<Range> input_ranges(const Robot&, const Graph&, const MotionRanges& = {});

struct FixedError {
  double measured = 0;  // the largest error of an output, over the largest value that output had
  double bound = 0;     // the same by analysis: no sample can be worse
  std::vector<double> full_scale;  // of each output
};
// Random inputs within their ranges, against the same graph on Quad and the same words.
FixedError fixed_error(const FixedGraph&, int samples = 2000, unsigned seed = 1);
std::vector<std::vector<Raw>> fixed_samples(const FixedGraph&, int count, unsigned seed);

}  // namespace parid::hardware
