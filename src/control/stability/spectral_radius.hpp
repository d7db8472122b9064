// The largest modulus of an operator's eigenvalues, by Arnoldi's iteration: only the outermost are
// wanted, and what is closest to zero, most of a lifted control loop's, never enters.
//
// Private: included by .cpp files alone.

#pragma once

#include <functional>

#include "control/layer.hpp"

namespace parid::control {

// apply(x, y): y = A x, of `size` numbers. `settle` is how often A is applied before the iteration
// starts, to leave what dies at once behind. Where the iteration does not settle to `tolerance`,
// the eigenvalues of the whole matrix are worked out.
double spectral_radius(int size, const std::function<void(const double*, double*)>& apply,
                       int settle, double tolerance = 1e-7);

}  // namespace parid::control
