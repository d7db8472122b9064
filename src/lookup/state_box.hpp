// A box of positions, velocities and accelerations of a robot, and random states in it, which are
// equal on every machine for the same seed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lookup/grid.hpp"
#include "lookup/layer.hpp"
#include "parid/robot.hpp"

namespace parid::lookup {

// By coordinate. Ranges of velocities and accelerations are symmetric.
struct StateBox {
  std::vector<Axis> q;  // the limits; one turn if a revolute joint has none or wider ones
  std::vector<double> v, a;

  int n() const { return static_cast<int>(q.size()); }
};

// Positions within the limits (a prismatic joint without any: 1 m to either side of 0), velocities
// up to their limits (without any: 3 rad/s, 1 m/s), accelerations that reach the velocity in a
// quarter of a second. Throws Error for robots with spherical or floating joints.
StateBox state_box(const Robot&);

struct States {
  std::size_t rows = 0;
  std::vector<double> q, v, a;  // (rows, n)
};
States random_states(const StateBox&, std::size_t rows, std::uint64_t seed);

}  // namespace parid::lookup
