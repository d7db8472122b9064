// Numbers that change lanes: shifts along a register, and a square of registers turned over.

#pragma once

#include <utility>

#include "parid/scalar/pack.hpp"

namespace parid {

namespace detail {
template <int D, int W, class R, class I, std::size_t... j>
Pack<W, R, I> lanes_up(Pack<W, R, I> x, const Pack<W, R, I>& from, std::index_sequence<j...>) {
  x.lane = __builtin_shufflevector(
      x.lane, from.lane,
      (static_cast<int>(j) < D ? W + static_cast<int>(j) : static_cast<int>(j) - D)...);
  return x;
}
template <int D, int W, class R, class I, std::size_t... j>
Pack<W, R, I> lanes_down(Pack<W, R, I> x, const Pack<W, R, I>& from, std::index_sequence<j...>) {
  x.lane = __builtin_shufflevector(
      x.lane, from.lane,
      (static_cast<int>(j) + D < W ? static_cast<int>(j) + D : W + static_cast<int>(j))...);
  return x;
}
// Of a and b, D apart: what stands in the columns of a's lower half of each pair, or its upper.
template <int D, int W, class R, class I, std::size_t... j>
void exchange(Pack<W, R, I>& a, Pack<W, R, I>& b, std::index_sequence<j...>) {
  const auto low = __builtin_shufflevector(
      a.lane, b.lane,
      (static_cast<int>(j) & D ? W + static_cast<int>(j) - D : static_cast<int>(j))...);
  b.lane = __builtin_shufflevector(
      a.lane, b.lane,
      (static_cast<int>(j) & D ? W + static_cast<int>(j) : static_cast<int>(j) + D)...);
  a.lane = low;
}
template <int D, int W, class R, class I>
void turn_over_from(Pack<W, R, I>* rows) {
  if constexpr (D < W) {
    for (int r = 0; r < W; ++r)
      if (!(r & D)) exchange<D>(rows[r], rows[r + D], std::make_index_sequence<W>());
    turn_over_from<2 * D>(rows);
  }
}
}  // namespace detail

// Lane k takes what lane k − D had; the first D take `fill`'s.
template <int D, int W, class R, class I>
Pack<W, R, I> shifted_up(const Pack<W, R, I>& x, const Pack<W, R, I>& fill) {
  return detail::lanes_up<D>(x, fill, std::make_index_sequence<W>());
}
// Lane k takes what lane k + D had; the last D take `fill`'s.
template <int D, int W, class R, class I>
Pack<W, R, I> shifted_down(const Pack<W, R, I>& x, const Pack<W, R, I>& fill) {
  return detail::lanes_down<D>(x, fill, std::make_index_sequence<W>());
}

// W rows of W: lane k of row r changes places with lane r of row k.
template <int W, class R, class I>
void turn_over(Pack<W, R, I>* rows) {
  detail::turn_over_from<1>(rows);
}

}  // namespace parid
