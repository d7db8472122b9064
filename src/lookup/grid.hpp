// A grid of points over a box, with multilinear interpolation.
//
// lookup/ contains torques, or their coefficients, from tables: Horn and Raibert's configuration
// space, Raibert's state space, Albus' CMAC; and their errors relative to exact torques.

#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "lookup/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::lookup {

// Points from low to high, both included. One point: the tabulated values do not depend on it.
struct Axis {
  double low = 0, high = 0;
  int points = 1;
  // periodic: values outside are wrapped. Otherwise they are clamped to the border
  bool wraps = false;

  double at(int k) const {
    return points == 1 ? (low + high) / 2 : low + (high - low) * k / (points - 1);
  }
  double inside(double x) const {
    return wraps && !(x >= low && x <= high)
               ? x - (high - low) * std::floor((x - low) / (high - low))
               : x;
  }
};

// `width` numbers at every point; the last axis is contiguous.
class Grid {
 public:
  Grid() = default;
  Grid(std::vector<Axis> axes, int width) : axes_(std::move(axes)), width_(width) {
    std::size_t stride = static_cast<std::size_t>(width);
    strides_.resize(axes_.size());
    for (std::size_t d = axes_.size(); d-- > 0; stride *= axes_[d].points) strides_[d] = stride;
    points_ = stride / width;
    for (std::size_t d = 0; d < axes_.size(); ++d)
      if (axes_[d].points > 1) live_.push_back(static_cast<int>(d));
    assert(live_.size() <= most_live);
  }

  const std::vector<Axis>& axes() const { return axes_; }
  int width() const { return width_; }
  std::size_t points() const { return points_; }
  std::size_t values() const { return points_ * width_; }
  int live() const { return static_cast<int>(live_.size()); }  // axes of several points
  static constexpr std::size_t most_live = 32;                 // 2^32 points would exceed memory

  void position(std::size_t point, double* x) const {
    for (std::size_t d = axes_.size(); d-- > 0; point /= axes_[d].points)
      x[d] = axes_[d].at(static_cast<int>(point % axes_[d].points));
  }

  // Costs 2^live · (width + 2) − 2 multiplications, over 2^live corners.
  template <Scalar T>
  void interpolate(const double* values, const double* x, T* out) const {
    std::array<double, most_live> t{};
    const double* corner = values;
    for (std::size_t l = 0; l < live_.size(); ++l) {
      const Axis& axis = axes_[live_[l]];
      const double s =
          (axis.inside(x[live_[l]]) - axis.low) * (axis.points - 1) / (axis.high - axis.low);
      const double last = axis.points - 1;
      const double held = s > 0 ? (s < last ? s : last) : 0;  // NaN is held at 0 …
      const int k = std::min(static_cast<int>(held), axis.points - 2);
      t[l] = std::isnan(s) ? s : held - k;  // … and comes out as NaN
      corner += k * strides_[live_[l]];
    }
    for (int k = 0; k < width_; ++k) out[k] = T(0.0);
    add_corners(corner, 0, T(1.0), t.data(), out);
  }

 private:
  template <class T>
  void add_corners(const double* at, std::size_t l, const T& weight, const double* t,
                   T* out) const {
    if (l == live_.size()) {
      for (int k = 0; k < width_; ++k) out[k] = out[k] + weight * T(at[k]);
      return;
    }
    add_corners(at, l + 1, weight * T(1 - t[l]), t, out);
    add_corners(at + strides_[live_[l]], l + 1, weight * T(t[l]), t, out);
  }

  std::vector<Axis> axes_;
  int width_ = 0;
  std::size_t points_ = 0;
  std::vector<std::size_t> strides_;
  std::vector<int> live_;
};

}  // namespace parid::lookup
