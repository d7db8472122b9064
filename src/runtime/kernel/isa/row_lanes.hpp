// Arguments that differ by row, one row per lane. Included only by the files that compile it for
// one instruction set each; see kernel_of.hpp.

#pragma once

#include "dynamics/row_arguments.hpp"
#include "runtime/layer.hpp"
#include "scalar/pack.hpp"

namespace parid::runtime {

template <int W, class Real, class Isa>
class RowLanes {
  using T = Pack<W, Real, Isa>;

 public:
  void take(const RowLayout& all, int n) {
    values = RowValues<T>(&all, n);
    in_.resize(10 * all.parameters.size() + 3 + 9 + 6 * all.wrenches.size());
  }
  // Lanes beyond the last row repeat it.
  void load(const RowLayout& here, const Real* const* in, int rows) {
    const T* from[4];
    T* next = in_.data();
    int arrays = 0;
    auto add = [&](std::size_t numbers) {
      for (int r = 0; r < W; ++r) {
        const Real* x = in[arrays] + static_cast<std::size_t>(r < rows ? r : rows - 1) * numbers;
        for (std::size_t k = 0; k < numbers; ++k) next[k].set(r, x[k]);
      }
      from[arrays++] = next;
      next += numbers;
    };
    if (!here.parameters.empty()) add(10 * here.parameters.size());
    if (here.gravity) add(3);
    if (here.base_motion) add(9);
    if (!here.wrenches.empty()) add(6 * here.wrenches.size());
    values.load(here, from);
  }

  RowValues<T> values;

 private:
  std::vector<T, math::detail::CacheLineAllocator<T>> in_;
};

}  // namespace parid::runtime
