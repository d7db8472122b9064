// The largest modulus of an operator's eigenvalues, by Arnoldi's iteration: only the outermost are
// wanted, and what is closest to zero, most of a lifted control loop's, never enters.
//
// Private: included by .cpp files alone.

#pragma once

#include <Eigen/Core>
#include <functional>

#include "control/layer.hpp"

namespace parid::control {

// apply(x, y): y = A x, of `size` numbers. `settle` is how often A is applied before the iteration
// starts, to leave what dies at once behind. Where the iteration does not settle to `tolerance`,
// all eigenvalues are computed, unless there are more than a thousand.
double spectral_radius(int size, const std::function<void(const double*, double*)>& apply,
                       int settle, double tolerance = 1e-7);

// The same of a matrix of at most a few hundred rows, from all its eigenvalues. States that nothing
// reads or that read nothing are left out first: their eigenvalues are zero. Infinite where an
// entry is not finite.
double spectral_radius(const Eigen::MatrixXd&);

}  // namespace parid::control
