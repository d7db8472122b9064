// A graph in fixed point: the range of every value, its number format, and a bound of the error of
// the result.
//
// Ranges and errors are bounds over all inputs within their ranges (set_bounds.hpp): interval
// arithmetic, and bounds of up to three values together, because a rotated vector is no longer than
// before. The range of a value determines the position of its binary point. An error is half a last
// bit for every rounding, plus the errors of the operands. fixed_graph() gives all words the same
// length; word_lengths.hpp chooses the length of each from an error target; float_graph() has
// floating-point words instead (floating.hpp).
//
// Where the graph divides, no range is proven: the ranges are twice the largest values over random
// inputs, and there is no bound of the error.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/floating.hpp"
#include "hardware/pipeline/set_bounds.hpp"
#include "scalar/fixed_sin_cos.hpp"

namespace parid::hardware {

struct FixedGraph {
  Graph graph;
  int word = 32;  // of the longest
  FixedSinCos sin_cos;
  // Of every node.
  std::vector<Range> range;
  std::vector<FixedFormat> format;
  std::vector<double> error;  // a bound, in the value's unit, for exact inputs
  std::vector<Raw> constant;  // of those that are
  // Of the output ports, if they are shorter than the values. Empty: as the values.
  std::vector<FixedFormat> output_format = {};
  // The largest value of each output over random inputs, of which errors are a fraction; empty:
  // that of the samples of fixed_error().
  std::vector<double> full_scale = {};
  std::optional<FloatFormat> floating = {};  // the words are of this kind; formats give the lengths
  bool proven = true;  // ranges and errors hold for all inputs; else errors are infinite

  // A bound of the error of output k at its port.
  double output_error(std::size_t k) const;
  std::vector<FixedFormat> input_formats() const, output_formats() const;
};

// Throws parid::Error for operations without a unit (roots, selections, arc tangents), and for
// angles beyond 64 rad.
FixedGraph fixed_graph(const Graph&, std::span<const Range> inputs, int word);
// In floating point. Throws as above, and if a value may exceed the largest number.
FixedGraph float_graph(const Graph&, std::span<const Range> inputs, FloatFormat);

// A word's value, the nearest word of a value, and the value of a word at output port k.
Quad value_of(const FixedGraph&, Id, Raw);
Raw nearest_word(const FixedGraph&, Id, Quad);
Quad port_value(const FixedGraph&, std::size_t k, Raw);

// Whether ranges and errors can be proven: the graph does not divide.
bool has_proof(const Graph&);
// Twice the largest values over random inputs.
std::vector<Range> measured_ranges(const Graph&, std::span<const Range> inputs);
// Uniformly distributed inputs within their ranges.
std::vector<std::vector<double>> random_inputs(std::span<const Range>, int count, unsigned seed);

// The bit-true model: words in, words out.
std::vector<Raw> evaluate(const FixedGraph&, std::span<const Raw> inputs);
std::vector<Raw> evaluate_nodes(const FixedGraph&, std::span<const Raw> inputs);  // of all nodes

// A word of that length whose integer bits hold values of that size and their rounding.
FixedFormat holding(double size, int word);
// The least number of bits before the point, sign excluded, that hold values of that size.
int integer_bits(double size);

// The word of an operation, from the words of its operands.
Raw operation(const FixedGraph&, Id, Raw a, Raw b);
// The format of a quotient: its own, or with as many fraction bits as the divider needs.
FixedFormat divided_format(const FixedGraph&, Id);

// The value of output k, rounded to its port.
Raw at_port(const FixedGraph&, std::size_t k, Raw value);

// Whether each value is the operand of a sine or cosine, which has the format of the sine unit.
std::vector<bool> angles_of(const Graph&);
// The bits before the point of the angle words. Throws parid::Error beyond 64 rad.
int angle_bits(const Graph&, std::span<const Range>);
// A bound of what the operation itself adds to the error of its operands; formats of operands and
// result are known.
double rounding_error(const FixedGraph&, Id);

// One operation: exact, then rounded to the result's format. A quotient by zero is the word's end.
Raw fixed_operation(Op, Raw a, FixedFormat fa, Raw b, FixedFormat fb, FixedFormat result);

}  // namespace parid::hardware
