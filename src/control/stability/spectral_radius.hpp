// The largest modulus of an operator's eigenvalues, by Arnoldi iteration. It computes only the
// outermost eigenvalues; most eigenvalues of a lifted control loop are near zero and not needed.
//
// Private: included only by .cpp files.

#pragma once

#include <Eigen/Core>
#include <functional>

#include "control/layer.hpp"

namespace parid::control {

// apply(x, y): y = A x, of `size` numbers. A is applied `settle` times before the iteration starts,
// to remove fast-decaying components. If the iteration does not converge to `tolerance`, all
// eigenvalues of the full matrix are computed.
double spectral_radius(int size, const std::function<void(const double*, double*)>& apply,
                       int settle, double tolerance = 1e-7);

// The same of a matrix of at most a few hundred rows, from all its eigenvalues. States that nothing
// reads or that read nothing are left out first: their eigenvalues are zero. Infinite where an
// entry is not finite.
double spectral_radius(const Eigen::MatrixXd&);

}  // namespace parid::control
