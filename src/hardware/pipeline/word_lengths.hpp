// Formats per signal from an error target.
//
// Half of the allowed error is left to the rounding of each output port; the rest is shared by all
// operations so that each contributes about the same. A signal on which the outputs depend little
// has few bits. How much an output depends on a signal is the largest derivative over random
// inputs; it decides only how the bits are shared. That the target is met follows from the bound of
// formats.hpp, which holds for all inputs: all signals get one bit more until it does. Where the
// graph divides there is no such bound; the errors over random inputs then meet half the target.

#pragma once

#include <span>

#include "hardware/layer.hpp"
#include "hardware/pipeline/formats.hpp"

namespace parid::hardware {

struct ErrorTarget {
  double max_error = 1e-6;  // of each output, as a fraction of its full scale
  int longest = 64;         // word of any signal
};

// The largest magnitude of each output over 2000 random inputs. An output that is zero has 0.
std::vector<double> full_scales(const Graph&, std::span<const Range> inputs);
// An entry that is zero but for rounding has no scale of its own: one below a millionth of the
// largest output of the same name, such as those of a matrix, takes the scale of that output.
void raise_scales(const Graph&, std::span<double> scales);

// Throws parid::Error if words of that length cannot meet the target, and as fixed_graph() does.
FixedGraph fixed_graph(const Graph&, std::span<const Range> inputs, const ErrorTarget&);

// Bits of all products, a word times a word: the size of the multipliers.
long product_bits(const FixedGraph&);

struct WordCounts {
  int shortest = 0, longest = 0;
  double mean = 0;  // over all inputs, results of operations and constants
  long product_bits = 0;
};
WordCounts word_counts(const FixedGraph&);

}  // namespace parid::hardware
