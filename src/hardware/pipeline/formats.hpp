// A graph in fixed point: the range of every value, its number format, and a bound of the error of
// the result.
//
// Ranges follow by interval arithmetic from those of the inputs. A rotated pair, c u ± s v with c
// and s of one angle, is bounded by √(u² + v²) instead of |u| + |v|; otherwise every rotation of a
// chain would lose half a bit. Every word has the same length; the range determines the position of
// the binary point. Errors accumulate in the same way: half a last bit for every rounding, plus the
// errors of the operands.

#pragma once

#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "hardware/layer.hpp"
#include "scalar/fixed_sin_cos.hpp"

namespace parid::hardware {

struct Range {
  double low = 0, high = 0;
  double size() const { return std::max(std::abs(low), std::abs(high)); }
};

struct FixedGraph {
  Graph graph;
  int word = 32;
  FixedSinCos sin_cos;
  // Of every node.
  std::vector<Range> range;
  std::vector<FixedFormat> format;
  std::vector<double> error;  // a bound, in the value's unit, for exact inputs
  std::vector<Raw> constant;  // of those that are

  std::vector<FixedFormat> input_formats() const, output_formats() const;
};

// Throws parid::Error for operations without a fixed-point unit (quotients, roots, selections), and
// for angles beyond 64 rad.
FixedGraph fixed_graph(const Graph&, std::span<const Range> inputs, int word);

// The bit-true model: words in, words out.
std::vector<Raw> evaluate(const FixedGraph&, std::span<const Raw> inputs);

// One operation: exact, then rounded to the result's format.
Raw fixed_operation(Op, Raw a, FixedFormat fa, Raw b, FixedFormat fb, FixedFormat result);

}  // namespace parid::hardware
