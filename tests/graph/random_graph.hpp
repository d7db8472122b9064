// Random graphs with many opportunities for simplification.

#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "graph/expr.hpp"
#include "tests/layer.hpp"

namespace parid::test {

// With `smooth` nothing that jumps: no choices.
inline Graph random_graph(std::mt19937_64& rng, int operations, bool smooth = false) {
  Graph g;
  std::vector<Expr> made;
  for (int k = 0; k < 5; ++k) made.push_back(input(g, "x" + std::to_string(k)));
  auto any = [&] {  // often a number that rules look for; else rather a late node than an early one
    static constexpr double special[] = {0, -0.0, 1, -1, 2, -2, 0.5};
    if (rng() % 4 == 0) return Expr(special[rng() % 7]);
    const std::size_t back = std::min(rng() % made.size(), rng() % made.size());
    return made[made.size() - 1 - back];
  };
  auto grown = [&](const Expr& a, const Expr& b) -> Expr {
    const Expr one(1.0);
    switch (rng() % (smooth ? 13 : 14)) {
      case 0:
      case 1: return a + b;
      case 2:
      case 3: return a - b;
      case 4:
      case 5: return a * b;
      case 6: return a / (one + abs(b));
      case 7:
      case 8: return -a;
      case 9: return sqrt(abs(a));
      case 10: return sin_cos(a).sin;
      case 11: return sin_cos(a).cos;
      case 12: return atan2(a, one + abs(b));
      default: return select(a < b, any(), any());
    }
  };
  for (int k = 0; k < operations; ++k) {
    const Expr a = any(), b = any(), r = grown(a, b);
    if (!r.is_number()) made.push_back(r);
  }
  for (int k = 0; k < 4; ++k) output(g, "y" + std::to_string(k), any());
  return g;
}

}  // namespace parid::test
