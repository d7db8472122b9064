// Couplings: the position of one joint as a function of another's, with its derivatives.
//
//   q = c₀ + c₁ u + c₂ u² + …      u = the leader's position, or
//                                  u = ψ(θ₀ + leader's position) − ψ(θ₀), a four-bar linkage
//
// A four-bar linkage has two fixed pivots at distance g. The input link, of length a, turns about
// the first by θ; the output link, of length c, turns about the second by ψ; a coupler of length b
// joins their ends. Both angles are measured from the line that leads from the first pivot to the
// second. With x = a cos θ − g, y = a sin θ (the end of the input link seen from the second pivot),
// r² = x² + y²:
//
//   k = (r² + c² − b²) / 2c      s = √(r² − k²)      σ = −1: open, +1: crossed
//   cos ψ = (x k − σ y s) / r²   sin ψ = (y k + σ x s) / r²
//   ψ' = N / D,  N = (a g / c) sin θ + a sin(θ − ψ),  D = a sin(θ − ψ) + g sin ψ = −σ s
//
// and ψ'', ψ''' by the quotient rule. The linkage closes where r² > k². At the ends of that range
// (s = 0, the coupler and the output link are in line) the derivatives are infinite; beyond them
// the position is not a number.
//
// Symbols follow Norton: Design of machinery, 6th ed. (2020), section 4.5, except that his a, b, c,
// d are a, b, c, g.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::model {

// Lengths may have any unit: only their ratios matter.
struct FourBar {
  double ground = 0, input = 0, coupler = 0, output = 0;
  double angle = 0;      // θ₀: of the input link where its joint is at zero
  bool crossed = false;  // assembled the other way: input and output link cross if 0 < θ < π

  bool operator==(const FourBar&) const = default;
};

// Positions of the input joint for which a linkage closes; infinite if it closes for all.
struct ClosureRange {
  double lower, upper;
};
// Why a linkage is none, with the remedy; empty where it closes at the zero of its joint.
struct LinkageProblem {
  std::string wrong, remedy;
};
LinkageProblem problem_of(const FourBar&);
ClosureRange closure_range(const FourBar&);  // requires a linkage without a problem

// A coupling's value at one position, and its first three derivatives.
template <class T>
struct CouplingValue {
  T value, d1, d2, d3;
};

// A linkage as it is evaluated. ψ is `turns` · θ + middle + an angle within ±π.
struct FourBarLaw {
  explicit FourBarLaw(const FourBar&);

  template <class T>
  CouplingValue<T> operator()(const T& position) const;

  double ground, input, coupler, output, angle, sign;
  double turns;         // 1 if the output link makes whole turns with the input link, else 0
  double middle, zero;  // ψ(θ₀)
  double sine, cosine;  // of `middle`
};

// c[0] + c[1] u + …, where u is a linkage's output angle if there is one.
struct CouplingStep {
  std::optional<FourBarLaw> four_bar;
  std::vector<double> c;  // at least two
};

// Steps after another: a joint may mimic one that mimics another.
struct Coupling {
  std::vector<CouplingStep> steps;

  template <class T>
  CouplingValue<T> operator()(const T& position) const;
  bool linear() const;  // one step, of degree one, without a linkage
};

// The same followed by one more step. Linear steps are merged.
Coupling then(Coupling, const CouplingStep&);

// The positions within x_lower … x_upper, around zero or the nearest to it, where the coupling is
// within lower … upper. Its ends are found on a grid of 1000 steps and refined by bisection;
// unlimited directions are searched for 2π and stay unlimited where no end is found. Where the
// coupling ends there (a linkage opens), the range ends one hundredth earlier. The whole of
// x_lower … x_upper if zero does not belong to it.
struct PositionRange {
  double lower, upper;
  double steepest;  // the largest |derivative| on the grid within
};
PositionRange range_within(const Coupling&, double lower, double upper, double x_lower,
                           double x_upper);

namespace detail {

// Derivative number `order` of the polynomial, by Horner's rule.
template <class T>
T polynomial(const std::vector<double>& c, int order, const T& x) {
  auto factor = [order](int k) {
    double f = 1;
    for (int j = 0; j < order; ++j) f *= k - j;
    return f;
  };
  int k = static_cast<int>(c.size()) - 1;
  if (k < order) return T(0.0);
  T sum = T(factor(k) * c[k]);
  for (--k; k >= order; --k) sum = sum * x + T(factor(k) * c[k]);
  return sum;
}

template <class T>
CouplingValue<T> after(const CouplingValue<T>& g, const CouplingValue<T>& f) {  // g(f(x))
  const T square = f.d1 * f.d1;
  return {g.value, g.d1 * f.d1, g.d2 * square + g.d1 * f.d2,
          g.d3 * (square * f.d1) + T(3.0) * (g.d2 * (f.d1 * f.d2)) + g.d1 * f.d3};
}

}  // namespace detail

template <class T>
CouplingValue<T> FourBarLaw::operator()(const T& position) const {
  const T theta = position + T(angle), one(1.0), two(2.0);
  const auto [st, ct] = sin_cos(theta);
  const T a = T(input), g = T(ground), across = T(input * ground / output);
  const T x = a * ct - g, y = a * st, r2 = x * x + y * y;
  const T k = (r2 + T(output * output - coupler * coupler)) * T(1 / (2 * output));
  const T s = T(sign) * sqrt(r2 - k * k), per = one / r2;
  const T sp = (y * k + x * s) * per, cp = (x * k - y * s) * per;  // of ψ
  const T sd = st * cp - ct * sp, cd = ct * cp + st * sp;          // of θ − ψ
  const T aS = a * sd, aC = a * cd, gs = g * sp, gc = g * cp;
  const T inverse = -(one / s);  // 1 / D
  CouplingValue<T> f;
  f.d1 = (across * st + aS) * inverse;
  const T rest = one - f.d1, N1 = across * ct + aC * rest, D1 = aC * rest + gc * f.d1;
  f.d2 = (N1 - f.d1 * D1) * inverse;
  const T shared = aS * (rest * rest) + aC * f.d2;
  const T N2 = -(across * st) - shared, D2 = gc * f.d2 - gs * (f.d1 * f.d1) - shared;
  f.d3 = (N2 - two * (f.d2 * D1) - f.d1 * D2) * inverse;
  // ψ less `turns` · θ, then less `middle`
  const T sn = turns != 0 ? -sd : sp, cn = turns != 0 ? cd : cp;
  const T S = T(sine), C = T(cosine);
  f.value = T(turns) * theta + (atan2(sn * C - cn * S, cn * C + sn * S) + T(middle - zero));
  return f;
}

template <class T>
CouplingValue<T> Coupling::operator()(const T& position) const {
  CouplingValue<T> f{position, T(1.0), T(0.0), T(0.0)};
  bool first = true;
  auto apply = [&](const CouplingValue<T>& g) {
    f = first ? g : detail::after(g, f);
    first = false;
  };
  for (const CouplingStep& step : steps) {
    if (step.four_bar) apply((*step.four_bar)(f.value));
    if (step.four_bar && step.c.size() == 2 && step.c[0] == 0 && step.c[1] == 1) continue;
    apply({detail::polynomial(step.c, 0, f.value), detail::polynomial(step.c, 1, f.value),
           detail::polynomial(step.c, 2, f.value), detail::polynomial(step.c, 3, f.value)});
  }
  return f;
}

}  // namespace parid::model
