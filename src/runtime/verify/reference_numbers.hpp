// Numbers of the checks against ReferenceDynamics: long double, with Eigen's matrices.

#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/external_loads.hpp"
#include "runtime/layer.hpp"
#include "runtime/verify/reference_dynamics.hpp"

namespace parid::runtime::reference {

using Real = long double;
using Numbers = std::vector<Real>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

inline Real largest(const Numbers& x) {
  Real most = 0;
  for (const Real y : x) most = std::max(most, std::abs(y));
  return most;
}
inline Numbers numbers(const double* x, std::size_t n) { return {x, x + n}; }
inline Matrix matrix(const Numbers& x, int rows, int columns) {
  return Eigen::Map<const Matrix>(x.data(), rows, columns);
}
inline Matrix matrix(const double* x, int rows, int columns) {
  return matrix(numbers(x, static_cast<std::size_t>(rows) * columns), rows, columns);
}

// The worst of several comparisons, each relative to a size of its own.
struct Worst {
  Real error = 0;
  bool finite = true, right_finite = true;

  template <class A, class B>
  void add(const A& got, const B& right, Real size) {
    finite = finite && got.allFinite();
    right_finite = right_finite && right.allFinite();
    if (!finite || !right_finite || got.size() == 0) return;
    const Real difference = (got - right).cwiseAbs().maxCoeff();
    if (difference > 0) error = std::max(error, difference / size);
  }
  double relative() const {
    if (finite && right_finite) return static_cast<double>(error);
    return finite || right_finite ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN();
  }
};

template <class T>
void surround(ReferenceDynamics<T>& plain, const ExternalLoads& around) {
  plain.base_w = to<T>(around.root.w);
  plain.base_wd = to<T>(around.root.wd);
  plain.base_vd = to<T>(around.root.vd);
  for (std::size_t k = 0; k < around.given.size(); ++k)
    plain.pushes.push_back(
        {static_cast<int>(k), to<T>(around.given[k].f), to<T>(around.given[k].n)});
}

// The body in which one parameter of a regressor is 1: mass, first moments, second moments.
inline PlainBody<Real> unit_body(int parameter) {
  PlainBody<Real> b;
  if (parameter == 0) b.mass = 1;
  if (parameter > 0 && parameter < 4)
    b.first = {Real(parameter == 1), Real(parameter == 2), Real(parameter == 3)};
  if (parameter < 4) return b;
  const int k = parameter - 4;  // xx yy zz xy xz yz of ∫ r rᵀ dm
  const Real xx = k == 0, yy = k == 1, zz = k == 2, xy = k == 3, xz = k == 4, yz = k == 5;
  b.tensor = {{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}};
  return b;
}

}  // namespace parid::runtime::reference
