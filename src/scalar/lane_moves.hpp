// Moves between lanes: shifts along a register, and transposition of a square of registers.

#pragma once

#include <utility>

#include "scalar/layer.hpp"
#include "scalar/pack.hpp"

namespace parid::scalar {

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
// Combines a and b, D apart: the columns of the lower half of each pair, or of the upper half.
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

// Lane k gets lane k − D; the first D get `fill`'s.
template <int D, int W, class R, class I>
Pack<W, R, I> shifted_up(const Pack<W, R, I>& x, const Pack<W, R, I>& fill) {
  return detail::lanes_up<D>(x, fill, std::make_index_sequence<W>());
}
// Lane k gets lane k + D; the last D get `fill`'s.
template <int D, int W, class R, class I>
Pack<W, R, I> shifted_down(const Pack<W, R, I>& x, const Pack<W, R, I>& fill) {
  return detail::lanes_down<D>(x, fill, std::make_index_sequence<W>());
}

// Transposes W rows of W: swaps lane k of row r with lane r of row k.
template <int W, class R, class I>
void turn_over(Pack<W, R, I>* rows) {
  detail::turn_over_from<1>(rows);
}

// Converts between rows of samples in memory and one sample per lane, in squares of `side` rows
// by `side` columns, as many side by side as a register holds: few shuffles, none across
// squares.
template <int W>
inline constexpr int side_of_squares = W < 4 ? W : 4;

namespace detail {
template <int W, class R>
struct SquareLanes {
  typedef R type __attribute__((vector_size(W * sizeof(R))));
};
template <int W, class R, class I, std::size_t... j>
auto joined(const auto& a, const auto& b, std::index_sequence<j...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(j)...);
}
// `side` numbers from `from`, then from `from` + step, …: W in total.
template <int W, int Side, class R, class I>
typename SquareLanes<W, R>::type side_by_side(const R* from, std::ptrdiff_t step) {
  if constexpr (W == Side) {
    typename SquareLanes<W, R>::type x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
  } else {
    return joined<W, R, I>(side_by_side<W / 2, Side, R, I>(from, step),
                           side_by_side<W / 2, Side, R, I>(from + W / 2 / Side * step, step),
                           std::make_index_sequence<W>());
  }
}
template <int W, class R, class I>
void turn_squares(Pack<W, R, I>* t) {
  constexpr int side = side_of_squares<W>;
  for (int k = 0; k < side; k += 2) exchange<1>(t[k], t[k + 1], std::make_index_sequence<W>());
  if constexpr (side == 4)
    for (int k = 0; k < 2; ++k) exchange<2>(t[k], t[k + 2], std::make_index_sequence<W>());
}
template <int First, int W, class R, class I, std::size_t... j>
void put_square(const Pack<W, R, I>& x, R* to, std::index_sequence<j...>) {
  const auto some = __builtin_shufflevector(x.lane, x.lane, (First + static_cast<int>(j))...);
  __builtin_memcpy(to, &some, sizeof some);
}
template <int W, class R, class I, std::size_t... p>
void put_squares(const Pack<W, R, I>& x, R* to, std::ptrdiff_t step, std::index_sequence<p...>) {
  constexpr int side = side_of_squares<W>;
  (put_square<static_cast<int>(p) * side>(x, to + static_cast<std::ptrdiff_t>(p) * step,
                                          std::make_index_sequence<side>()),
   ...);
}
}  // namespace detail

// W rows of n ≥ side numbers, contiguous, as n packs; and back.
template <int W, class R, class I>
void rows_to_lanes(const R* rows, int n, Pack<W, R, I>* x) {
  constexpr int side = side_of_squares<W>;
  for (int c = 0; c < n; c += side) {
    const int at = c < n - side ? c : n - side;  // the last one overlaps instead of running over
    Pack<W, R, I> t[side];
    for (int j = 0; j < side; ++j)
      t[j].lane = detail::side_by_side<W, side, R, I>(rows + j * n + at, side * n);
    detail::turn_squares(t);
    for (int k = 0; k < side; ++k) x[at + k] = t[k];
  }
}
template <int W, class R, class I>
void lanes_to_rows(const Pack<W, R, I>* x, int n, R* rows) {
  constexpr int side = side_of_squares<W>;
  for (int c = 0; c < n; c += side) {
    const int at = c < n - side ? c : n - side;
    Pack<W, R, I> t[side];
    for (int k = 0; k < side; ++k) t[k] = x[at + k];
    detail::turn_squares(t);
    for (int j = 0; j < side; ++j)
      detail::put_squares(t[j], rows + j * n + at, side * n, std::make_index_sequence<W / side>());
  }
}

}  // namespace parid::scalar
