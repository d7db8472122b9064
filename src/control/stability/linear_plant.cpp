#include "control/stability/linear_plant.hpp"

#include <cmath>

#include "control/design.hpp"
#include "parid/dynamics.hpp"

namespace parid::control {
namespace {

using Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// exp of a small matrix, by scaling and squaring of a Taylor series.
MatrixXd exponential(MatrixXd M) {
  const double size = M.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = size > 0.1 ? static_cast<int>(std::ceil(std::log2(size / 0.1))) : 0;
  M /= std::pow(2.0, halvings);
  MatrixXd sum = MatrixXd::Identity(M.rows(), M.cols()), term = sum;
  for (int k = 1; k <= 10; ++k) {
    term = term * M / k;
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

}  // namespace

void linearise(const Robot& plant, std::span<const double> q, std::span<const double> v,
               std::span<const double> a, std::vector<double>& A, std::vector<double>& B) {
  demand_single_freedoms(plant);
  const auto n = static_cast<std::size_t>(plant.nv());
  Workspace workspace(plant);
  std::vector<double> tau(n), dq(n * n), dv(n * n), dtau(n * n);
  inverse_dynamics(plant, workspace, q, v, a, tau);
  forward_gradient(plant, workspace, q, v, tau, dq, dv, dtau);
  A.assign(4 * n * n, 0);
  B.assign(2 * n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    A[i * 2 * n + n + i] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      A[(n + i) * 2 * n + k] = dq[i * n + k];
      A[(n + i) * 2 * n + n + k] = dv[i * n + k];
      B[(n + i) * n + k] = dtau[i * n + k];
    }
  }
}

HeldPlant held_over(double period, const std::vector<double>& A, const std::vector<double>& B) {
  const auto two_n = static_cast<Eigen::Index>(std::llround(std::sqrt(A.size())));
  const Eigen::Index n = two_n / 2;
  MatrixXd M = MatrixXd::Zero(3 * n, 3 * n);
  M.topLeftCorner(two_n, two_n) = Eigen::Map<const RowMajor>(A.data(), two_n, two_n);
  M.topRightCorner(two_n, n) = Eigen::Map<const RowMajor>(B.data(), two_n, n);
  const MatrixXd E = exponential(M * period);
  return {E.topLeftCorner(two_n, two_n), E.topRightCorner(two_n, n)};
}

}  // namespace parid::control
