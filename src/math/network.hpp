// How many times processors must pass numbers on, if each is wired to few others.
//
// A scan by recursive doubling on p processors, one element each, needs in its k-th round what
// stands 2^k before. Three networks, after Lee and Chang (section 3.1) and Stone (1971):
//
//   cascade          each processor passes to the next: 2^k passes in round k
//   shuffle          and besides all can deal like cards: what stands at binary b₁b₂…b goes to b₂…b
//                    b₁
//   inverse-shuffle  and besides the other way: to b b₁b₂…
//
// After k inverse shuffles elements that were 2^k apart are neighbours, and after all of them
// everyone is at home again: two passes a round. A shuffle goes through the distances the wrong way
// about, and a product of matrices cannot be taken in any order, so it must go all the way round
// each time.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "math/layer.hpp"
#include "math/scan_plan.hpp"

namespace parid::math {

enum class Wiring { cascade, shuffle, inverse_shuffle };
inline constexpr Wiring networks[] = {Wiring::cascade, Wiring::shuffle, Wiring::inverse_shuffle};
inline const char* name_of(Wiring n) {
  return n == Wiring::cascade ? "cascade" : n == Wiring::shuffle ? "shuffle" : "inverse-shuffle";
}

// What a machine of p processors does, every number moved as its wires allow.
struct Routing {
  int rounds = 0;  // of combinations
  int passes = 0;  // to the next processor
  int deals = 0;   // shuffles, or inverse ones
  int steps() const { return passes + deals; }
};

// x[i] becomes x[0] ∘ … ∘ x[i], on as many processors, padded to a power of two.
template <class X, class Combine>
Routing scan_on(Wiring network, std::vector<X>& x, const Combine& combine) {
  struct Cell {
    X value;
    int home = -1;  // the element that it is; -1: padding
  };
  Routing r;
  const std::size_t bits = ceil_log2(static_cast<int>(x.size())), p = std::size_t{1} << bits;
  if (x.size() < 2) return r;
  std::vector<Cell> at(p, Cell{x[0], -1});
  for (std::size_t i = 0; i < x.size(); ++i) at[i] = {x[i], static_cast<int>(i)};
  auto deal = [&] {  // what stands at i goes to i turned by one bit
    std::vector<Cell> next = at;
    for (std::size_t i = 0; i < p; ++i) {
      const std::size_t left = ((i << 1) & (p - 1)) | (i >> (bits - 1)),
                        right = (i >> 1) | ((i & 1) << (bits - 1));
      next[network == Wiring::shuffle ? left : right] = at[i];
    }
    at = next, ++r.deals;
  };
  for (std::size_t k = 0; k < bits; ++k) {
    const int distance = 1 << k;
    const int hops = network == Wiring::cascade ? distance : 1;
    std::vector<Cell> passed = at;  // a register of each that travels
    for (int h = 0; h < hops; ++h, ++r.passes)
      for (std::size_t i = p - 1; i > 0; --i) passed[i] = passed[i - 1];
    for (std::size_t i = 0; i < p; ++i)
      if (at[i].home >= distance && passed[i].home == at[i].home - distance)
        at[i].value = combine(passed[i].value, at[i].value);
    ++r.rounds;
    // One bit to the right: by the inverse shuffle at once, by the shuffle the long way round.
    const std::size_t deals = network == Wiring::cascade   ? 0
                              : network == Wiring::shuffle ? bits - 1
                                                           : bits > 1;
    for (std::size_t d = 0; d < deals; ++d) deal();
  }
  for (const Cell& c : at)
    if (c.home >= 0) x[c.home] = c.value;
  return r;
}

// Wires from one processor to another, one way each, of `processors` rounded up to a power of two:
// to the next one, and those of a deal that leave their processor.
inline int links(Wiring network, int processors) {
  const std::size_t bits = ceil_log2(processors), p = std::size_t{1} << bits;
  std::set<std::pair<std::size_t, std::size_t>> wires;
  for (std::size_t i = 0; i + 1 < p; ++i) wires.insert({i, i + 1});
  if (network != Wiring::cascade && bits > 0)
    for (std::size_t i = 0; i < p; ++i) {
      const std::size_t left = ((i << 1) & (p - 1)) | (i >> (bits - 1));
      if (left != i)
        wires.insert(network == Wiring::shuffle ? std::pair(i, left) : std::pair(left, i));
    }
  return static_cast<int>(wires.size());
}

inline Routing routing(Wiring network, int processors) {
  std::vector<int> x(processors, 1);
  return scan_on(network, x, [](int a, int b) { return a + b; });
}

}  // namespace parid::math
