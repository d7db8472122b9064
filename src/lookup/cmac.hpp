// A table that learns: Albus' cerebellar model articulation controller.
//
// Source   Albus: A new approach to manipulator control: the cerebellar model articulation
//          controller (CMAC), J. Dyn. Sys. Meas. Control 97 (1975) 220-227.
//
// Several tilings cover the space of inputs, each shifted against the others; a point lies in one
// tile of each, every tile is hashed to one cell of memory, and the answer is the sum of those
// cells. Memory is what one gives it, whatever the number of inputs; where tiles share a cell, they
// disturb each other.
//
// Differs  tiling t is shifted by t·(2d + 1)/tilings of a tile along input d, not by t/tilings
//          along all: shifts along the diagonal alone leave the other directions coarse.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lookup/grid.hpp"
#include "lookup/layer.hpp"

namespace parid::lookup {

class Cmac {
 public:
  static constexpr int most_tilings = 1024;

  Cmac() = default;
  // Values: `outputs` for each cell, so many cells as there are.
  Cmac(std::vector<Axis> inputs, int outputs, int tilings, std::vector<double> values);

  const std::vector<Axis>& inputs() const { return inputs_; }  // points: tiles along it, 0: ignored
  int outputs() const { return outputs_; }
  int tilings() const { return tilings_; }
  std::size_t cells() const { return cells_; }
  const std::vector<double>& values() const { return values_; }

  // Outside the inputs' ranges, and for what is no number, the border's tiles answer.
  void read(const double* x, double* out) const;
  // Moves the answer at x by `rate` of the way to `wanted`. `room` is for outputs() numbers.
  void learn(const double* x, const double* wanted, double rate, double* room);

 private:
  using Cells = std::array<std::uint64_t, most_tilings>;
  void find(const double* x, Cells& cell) const;  // where each tiling's tile begins in values
  void sum(const Cells& cell, double* out) const;

  std::vector<Axis> inputs_;
  int outputs_ = 1, tilings_ = 1;
  std::size_t cells_ = 1;
  std::vector<double> values_;
};

}  // namespace parid::lookup
