#include "control/stability/spectral_radius.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "math/dense.hpp"

namespace parid::control {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using Apply = std::function<void(const double*, double*)>;

// with fewer, half of the loops of policy hamilton with six joints did not converge
constexpr int directions = 48;
constexpr int restarts = 6;
constexpr int small_enough = 64;  // below it all eigenvalues are computed

double by_all_eigenvalues(int size, const Apply& apply) {
  MatrixXd A(size, size);
  for (int k = 0; k < size; ++k) {
    const VectorXd unit = VectorXd::Unit(size, k);
    apply(unit.data(), A.col(k).data());
  }
  if (!A.allFinite()) return INFINITY;
  return complex_eigenvalues(A).cwiseAbs().maxCoeff();
}

}  // namespace

double spectral_radius(int size, const Apply& apply, int settle, double tolerance) {
  if (size <= small_enough) return by_all_eigenvalues(size, apply);
  VectorXd x(size), y(size);
  for (int k = 0; k < size; ++k) x[k] = std::sin(1.0 + 2.3 * k + 0.01 * k * k);  // no pattern
  const int m = directions;
  MatrixXd Q(size, m + 1), H(m + 1, m);
  double before = -1;
  for (int turn = 0; turn < restarts; ++turn) {
    for (int k = 0; k < (turn == 0 ? settle : settle / 2); ++k) {
      x.normalize();
      apply(x.data(), y.data());
      x.swap(y);
    }
    const double length = x.norm();
    if (length == 0) return 0;
    if (!std::isfinite(length)) return INFINITY;
    H.setZero();
    Q.col(0) = x / length;
    int built = m;
    for (int j = 0; j < m; ++j) {
      apply(Q.col(j).data(), y.data());
      const double whole = y.norm();
      for (int twice = 0; twice < 2; ++twice) {
        const VectorXd h = Q.leftCols(j + 1).transpose() * y;
        y.noalias() -= Q.leftCols(j + 1) * h;
        H.col(j).head(j + 1) += h;
      }
      const double rest = y.norm();
      if (!std::isfinite(rest)) return INFINITY;
      if (rest <= 1e-14 * whole) {
        built = j + 1;
        break;
      }
      H(j + 1, j) = rest;
      Q.col(j + 1) = y / rest;
    }
    const std::optional<ComplexEigen> small = complex_eigen(H.topLeftCorner(built, built));
    if (!small) break;
    const auto& [values, vectors] = *small;
    Eigen::Index top = 0;
    const double radius = values.cwiseAbs().maxCoeff(&top);
    if (built < m) return radius;
    const double residual = std::abs(H(m, m - 1)) * std::abs(vectors(m - 1, top));
    if (residual <= tolerance * radius || std::abs(radius - before) <= 0.1 * tolerance * radius)
      return radius;
    before = radius;
    // Restarts from the outermost eigenvectors found.
    VectorXd outer = VectorXd::Zero(m);
    std::vector<std::pair<double, int>> order;
    for (int k = 0; k < m; ++k) order.emplace_back(-std::abs(values[k]), k);
    std::sort(order.begin(), order.end());
    for (int k = 0; k < m / 2; ++k)
      outer += vectors.col(order[k].second).real() + vectors.col(order[k].second).imag();
    x = Q.leftCols(m) * outer;
  }
  return by_all_eigenvalues(size, apply);
}

}  // namespace parid::control
