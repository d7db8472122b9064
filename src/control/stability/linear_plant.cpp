#include "control/stability/linear_plant.hpp"

#include <algorithm>
#include <cmath>

#include "control/design.hpp"
#include "parid/dynamics.hpp"
#include "parid/elastic.hpp"

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

LinearPlant linear_plant(const Robot& plant, const LawDesign& design, std::span<const double> q,
                         std::span<const double> v, std::span<const double> a) {
  LinearPlant p;
  if (!design.elastic) {
    linearise(plant, q, v, a, p.A, p.B);
    return p;
  }
  const std::vector<ElasticJoint> joints = plant.elastic_joints();
  const Robot mechanism = plant.with_motors();
  const auto n = static_cast<std::size_t>(plant.nv()), m = joints.size(), all = n + m;
  std::vector<double> theta(m), Q(q.begin(), q.end()), V(v.begin(), v.end()), A(a.begin(), a.end());
  ElasticDynamics(plant).resting_motors(q, theta);
  Q.insert(Q.end(), theta.begin(), theta.end());
  for (const ElasticJoint& j : joints) {
    V.push_back(v[static_cast<std::size_t>(j.velocity)]);
    A.push_back(a[static_cast<std::size_t>(j.velocity)]);
  }
  std::vector<double> by_all;  // of the mechanism's torques
  linearise(mechanism, Q, V, A, p.A, by_all);
  const auto states = 2 * all;
  // Torques of the springs: those on motors are the negative of those on links.
  for (std::size_t e = 0; e < m; ++e) {
    const auto k = static_cast<std::size_t>(joints[e].velocity), l = n + e;
    const double K = joints[e].stiffness, D = joints[e].damping;
    for (std::size_t i = 0; i < states; ++i) {
      const double effect = by_all[i * all + k] - by_all[i * all + l];
      double* row = &p.A[i * states];
      row[l] += K * effect;
      row[k] -= K * effect;
      row[all + l] += D * effect;
      row[all + k] -= D * effect;
    }
  }
  std::vector<std::size_t> acts(n), read(n);
  for (std::size_t k = 0; k < n; ++k) acts[k] = read[k] = k;
  for (std::size_t e = 0; e < m; ++e) {
    const auto k = static_cast<std::size_t>(joints[e].velocity);
    acts[k] = n + e;
    if (!design.measure_links) read[k] = n + e;
  }
  p.B.assign(states * n, 0);
  for (std::size_t i = 0; i < states; ++i)
    for (std::size_t k = 0; k < n; ++k) p.B[i * n + k] = by_all[i * all + acts[k]];
  p.C.assign(2 * n * states, 0);
  for (std::size_t k = 0; k < n; ++k) {
    p.C[k * states + read[k]] = 1;
    p.C[(n + k) * states + all + read[k]] = 1;
  }
  return p;
}

HeldPlant held_over(double period, const std::vector<double>& A, const std::vector<double>& B) {
  const auto two_n = static_cast<Eigen::Index>(std::llround(std::sqrt(A.size())));
  const Eigen::Index n = static_cast<Eigen::Index>(B.size()) / std::max<Eigen::Index>(two_n, 1);
  MatrixXd M = MatrixXd::Zero(two_n + n, two_n + n);
  M.topLeftCorner(two_n, two_n) = Eigen::Map<const RowMajor>(A.data(), two_n, two_n);
  M.topRightCorner(two_n, n) = Eigen::Map<const RowMajor>(B.data(), two_n, n);
  const MatrixXd E = exponential(M * period);
  return {E.topLeftCorner(two_n, two_n), E.topRightCorner(two_n, n)};
}

}  // namespace parid::control
