// A robot's inverse dynamics as a fixed-point pipeline: units, word formats and errors from its
// graph and its limits.

#pragma once

#include <span>
#include <string_view>

#include "codegen/trace/generate.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/arithmetic.hpp"
#include "hardware/pipeline/word_lengths.hpp"
#include "hardware/traced_program.hpp"

namespace parid::hardware {

// The quantities that have a pipeline: inverse kinematics on CORDIC modules, the others on
// multipliers, adders, sine units and dividers.
std::span<const Quantity> pipeline_quantities();
// The quantity of that short name. Throws Error with all names and the nearest one.
Quantity pipeline_quantity(std::string_view name);

struct MotionRanges {
  double position = 3.14159265358979323846;  // rad or m, for joints without limits
  // for joints without limits; accelerations never have limits
  double velocity = 5, acceleration = 20;
  double effort = 100;  // N m or N, for joints without limits
  double gain = 100;    // of a control law
};

// Ranges of the inputs of generate()'s graph, in its order. Weights and directions are within ±1.
std::vector<Range> input_ranges(const Robot&, const Graph&, const MotionRanges& = {});

struct FixedError {
  // the largest error of an output, relative to its largest value or as raise_scales() says
  double measured = 0;
  double bound = 0;                // an upper bound of the same, by analysis; infinite: none
  std::vector<double> full_scale;  // of each output
  // The same before the outputs are rounded to their ports, where those are shorter.
  double inner_measured = 0, inner_bound = 0;
};
// Random inputs within their ranges, compared with the same graph on Quad at the same words.
FixedError fixed_error(const FixedGraph&, int samples = 2000, unsigned seed = 1);
FixedError fixed_error(const FixedGraph&, std::span<const std::vector<Raw>> samples);
std::vector<std::vector<Raw>> fixed_samples(const FixedGraph&, int count, unsigned seed);
// Samples in the corners: every input is at one of its ends, at zero or anywhere.
std::vector<std::vector<Raw>> corner_samples(const FixedGraph&, int count, unsigned seed);

// The program in the formats that meet the target: the specialized program or, if its multipliers
// are larger, Newton-Euler in link coordinates (inverse, bias and gravity only). `method` is set to
// the one chosen; if it is not empty, only that one is tried.
FixedGraph fixed_program(const Robot&, Quantity, const MotionRanges&, const ErrorTarget&,
                         std::string& method, const ProgramOptions& = {});

}  // namespace parid::hardware
