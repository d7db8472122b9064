// Dynamics of one robot: who enters, and the states they are asked about. Inputs alternate over
// many states, because some libraries keep a joint's last angle.

#pragma once

#include <memory>
#include <vector>

#include "bench/benchmark.hpp"
#include "bench/layer.hpp"
#include "model/description.hpp"

namespace parid::bench {

struct States {
  std::size_t rows;
  std::vector<double> q, v, a;  // row-major; a serves as torques where those are asked for
};
std::shared_ptr<const States> random_states(const Description&, std::size_t rows);

inline constexpr std::size_t few = 1000;      // states that stay in the nearest caches
inline constexpr std::size_t many = 100'000;  // and those that do not: a batch to share out

// `what` is one word of parid/generate. Each enters as often as it has something to show, or not at
// all.
void add_peers(Entries&, const Description&, const std::string& what,
               std::shared_ptr<const States>);
void add_parid_single(Entries&, const Description&, const std::string& what,
                      std::shared_ptr<const States>);
void add_parid_batch(Entries&, const Description&, const std::string& what,
                     std::shared_ptr<const States> few, std::shared_ptr<const States> many);

}  // namespace parid::bench
