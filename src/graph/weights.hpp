// The duration of each operation, in whole units of time. Signs and choices are free.

#pragma once

#include <array>
#include <cstdint>

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

// By default every operation takes one unit, so that a total is a number of operations.
struct OperationWeights {
  std::int64_t multiply = 1, add = 1, divide = 1, root = 1;
  std::int64_t sine = 1;  // a sine and a cosine of the same number, together
  std::int64_t arctangent = 1;

  constexpr std::int64_t of(Op op) const {
    // clang-format off
    switch (row(op).cost) {
      case Cost::multiplication: return multiply;
      case Cost::addition: return add;
      case Cost::division: return divide;
      case Cost::square_root: return root;
      case Cost::sin_cos: return sine;
      case Cost::atan2: return arctangent;
      case Cost::free: break;
    }
    // clang-format on
    return 0;
  }
  bool operator==(const OperationWeights&) const = default;
};

// The papers' model: sines and cosines are computed beforehand.
inline constexpr OperationWeights sines_prepared{.sine = 0};
// Multiplications, additions, divisions and square roots only.
inline constexpr OperationWeights arithmetic_alone{.sine = 0, .arctangent = 0};

struct WeightName {
  const char* name;
  std::int64_t OperationWeights::*weight;
};
inline constexpr std::array<WeightName, 6> weight_names = {{
    {"multiply", &OperationWeights::multiply},
    {"add", &OperationWeights::add},
    {"divide", &OperationWeights::divide},
    {"root", &OperationWeights::root},
    {"sine", &OperationWeights::sine},
    {"arctangent", &OperationWeights::arctangent},
}};

// Of this many operations in sequence.
constexpr std::int64_t total(const Counts& n, const OperationWeights& w) {
  return w.multiply * n.multiplications + w.add * n.additions + w.divide * n.divisions +
         w.root * n.square_roots + w.sine * n.sin_cos + w.arctangent * n.atan2;
}

}  // namespace parid::graph
