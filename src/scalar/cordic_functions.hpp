// The elementary functions of a CORDIC module: Figure 1 of Lee and Chang, and derived ones.
//
// Each takes one or two passes through a module, in any arithmetic. `one` is its number 1. circ2
// gives −atan2(y, x), so y is negated at the input; negation is free.

#pragma once

#include "scalar/cordic.hpp"
#include "scalar/layer.hpp"

namespace parid::scalar {

template <class A>
struct CordicFunctions {
  using N = typename A::Number;
  const Cordic<A>& box;
  N one;

  N multiply_add(N x, N z, N c) const { return box(Box::lin1, x, c, z).y; }
  N divide(N y, N x) const { return box(Box::lin2, x, -y, N{}).z; }
  CordicValue<N> rotate(N x, N y, N z) const { return box(Box::circ1, x, y, z); }
  N cos(N z) const { return box(Box::circ1, one, N{}, z).x; }
  N sin(N z) const { return box(Box::circ1, N{}, one, z).x; }
  N tan(N z) const { return over(box(Box::circ1, N{}, one, z)); }
  N atan2(N y, N x) const { return box(Box::circ2, x, -y, N{}).z; }
  N magnitude(N x, N y) const { return box(Box::circ2, x, y, N{}).x; }
  N cosh(N z) const { return box(Box::hype1, one, N{}, z).x; }
  N sinh(N z) const { return -box(Box::hype1, one, N{}, z).y; }
  N tanh(N z) const {
    const auto v = box(Box::hype1, one, N{}, z);
    return divide(-v.y, v.x);
  }
  N exp(N z) const { return box(Box::hype1, one, one, -z).x; }
  N atanh(N t) const { return box(Box::hype2, one, -t, N{}).z; }
  N root_of_difference(N x, N y) const { return box(Box::hype2, x, y, N{}).x; }  // √(x² − y²)
  N log(N w) const {  // 2 atanh((w − 1) / (w + 1))
    const N half = box(Box::hype2, w + one, one - w, N{}).z;
    return half + half;
  }
  N sqrt(N w, N quarter) const { return root_of_difference(w + quarter, w - quarter); }
  N asin(N t) const { return atan2(t, root_of_difference(one, t)); }
  N acos(N t) const { return atan2(root_of_difference(one, t), t); }

 private:
  N over(const CordicValue<N>& v) const { return divide(v.x, v.y); }
};

}  // namespace parid::scalar
