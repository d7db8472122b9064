// Dynamics of one robot: contestants and states. Inputs alternate over many states, because some
// libraries keep a joint's last angle.

#pragma once

#include <memory>
#include <vector>

#include "bench/benchmark.hpp"
#include "bench/layer.hpp"
#include "model/description.hpp"

namespace parid::bench {

struct States {
  std::size_t rows;
  std::vector<double> q, v, a;  // row-major; a serves as torques for quantities that need them
};
std::shared_ptr<const States> random_states(const Description&, std::size_t rows);

inline constexpr std::size_t few = 1000;      // states that fit in the caches
inline constexpr std::size_t many = 100'000;  // states that do not: a batch to distribute

// `what` is a word of parid/generate. Each contestant adds its entries, if it has any.
void add_peers(Entries&, const Description&, const std::string& what,
               std::shared_ptr<const States>);
void add_parid_single(Entries&, const Description&, const std::string& what,
                      std::shared_ptr<const States>, bool compiled = true);
void add_parid_batch(Entries&, const Description&, const std::string& what,
                     std::shared_ptr<const States> few, std::shared_ptr<const States> many);

}  // namespace parid::bench
