// The number of transfers if each processor is connected to few others.
//
// A scan by recursive doubling on p processors, one element each, needs in round k the
// element 2^k places before. Three networks, after Lee and Chang (section 3.1) and Stone
// (1971):
//
//   cascade          each processor sends to the next: 2^k transfers in round k
//   shuffle          also the perfect shuffle: the element at binary b₁b₂…b moves to b₂…b b₁
//   inverse-shuffle  also the inverse: it moves to b b₁b₂…
//
// After k inverse shuffles, elements that were 2^k apart are neighbours, and after all of
// them every element is back at its place: two moves per round. A shuffle visits the
// distances in reverse order, and matrix products do not commute, so it must go all the way
// round each time.

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

// A machine of p processors; numbers move only along its wires.
struct Routing {
  int rounds = 0;  // rounds of combinations
  int passes = 0;  // transfers to the next processor
  int deals = 0;   // shuffles, or inverse ones
  int steps() const { return passes + deals; }
};

// x[i] becomes x[0] ∘ … ∘ x[i], on as many processors, padded to a power of two: element i is on
// processor i, or on i + `first` where the padding comes before. `moved(from, to)` is called for
// each element that crosses the wire between two processors.
template <class X, class Combine, class Moved>
Routing scan_on(Wiring network, std::vector<X>& x, const Combine& combine, const Moved& moved,
                std::size_t first = 0) {
  struct Cell {
    X value;
    int home = -1;  // index of its element; -1: padding
  };
  Routing r;
  const std::size_t bits = ceil_log2(static_cast<int>(x.size())), p = std::size_t{1} << bits;
  if (x.size() < 2) return r;
  std::vector<Cell> at(p, Cell{x[0], -1});
  for (std::size_t i = 0; i < x.size(); ++i) at[first + i] = {x[i], static_cast<int>(first + i)};
  auto deal = [&] {  // the element at i moves to i rotated by one bit
    std::vector<Cell> next = at;
    for (std::size_t i = 0; i < p; ++i) {
      const std::size_t left = ((i << 1) & (p - 1)) | (i >> (bits - 1)),
                        right = (i >> 1) | ((i & 1) << (bits - 1));
      const std::size_t to = network == Wiring::shuffle ? left : right;
      next[to] = at[i];
      if (to != i && at[i].home >= 0) moved(i, to);
    }
    at = next;
    ++r.deals;
  };
  for (std::size_t k = 0; k < bits; ++k) {
    const int distance = 1 << k;
    const int hops = network == Wiring::cascade ? distance : 1;
    std::vector<Cell> passed = at;  // a register per processor that is sent on
    for (int h = 0; h < hops; ++h, ++r.passes) {
      for (std::size_t i = p - 1; i > 0; --i) {
        passed[i] = passed[i - 1];
        // A cascade has no processors for the padding.
        const bool there = network != Wiring::cascade || (i > first && i < first + x.size());
        if (there && passed[i].home >= 0) moved(i - 1, i);
      }
      passed[0].home = -1;
    }
    for (std::size_t i = 0; i < p; ++i)
      if (at[i].home - distance >= static_cast<int>(first) &&
          passed[i].home == at[i].home - distance)
        at[i].value = combine(passed[i].value, at[i].value);
    ++r.rounds;
    // One bit to the right: one inverse shuffle, or all but one shuffle.
    const std::size_t deals = network == Wiring::cascade   ? 0
                              : network == Wiring::shuffle ? bits - 1
                                                           : bits > 1;
    for (std::size_t d = 0; d < deals; ++d) deal();
  }
  for (const Cell& c : at)
    if (c.home >= 0) x[static_cast<std::size_t>(c.home) - first] = c.value;
  return r;
}
template <class X, class Combine>
Routing scan_on(Wiring network, std::vector<X>& x, const Combine& combine) {
  return scan_on(network, x, combine, [](std::size_t, std::size_t) {});
}

// Directed wires between `processors`, rounded up to a power of two: to the next one, and those of
// a shuffle that leave their processor.
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
