// A trainable table: Albus' cerebellar model articulation controller.
//
// Source   Albus: A new approach to manipulator control: the cerebellar model articulation
//          controller (CMAC), J. Dyn. Sys. Meas. Control 97 (1975) 220-227.
//
// Several tilings cover the input space, each shifted against the others. A point lies in one tile
// of each tiling, every tile is hashed to one memory cell, and the output is the sum of those
// cells. The memory size is independent of the number of inputs; tiles that share a cell disturb
// each other.
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
  // Values: `outputs` for each cell; their number determines the number of cells.
  Cmac(std::vector<Axis> inputs, int outputs, int tilings, std::vector<double> values);

  // points: tiles along the axis; 0: ignored
  const std::vector<Axis>& inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  int tilings() const { return tilings_; }
  std::size_t cells() const { return cells_; }
  const std::vector<double>& values() const { return values_; }

  // For inputs outside their ranges, and for NaN, the tiles at the border are used.
  void read(const double* x, double* out) const;
  // Moves the output at x by the fraction `rate` towards `wanted`. `room` has outputs() numbers.
  void learn(const double* x, const double* wanted, double rate, double* room);

 private:
  using Cells = std::array<std::uint64_t, most_tilings>;
  void find(const double* x, Cells& cell) const;  // start of each tiling's tile in values
  void sum(const Cells& cell, double* out) const;

  std::vector<Axis> inputs_;
  int outputs_ = 1, tilings_ = 1;
  std::size_t cells_ = 1;
  std::vector<double> values_;
};

}  // namespace parid::lookup
