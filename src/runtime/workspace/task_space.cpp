#include "parid/task_space.hpp"

#include <Eigen/Core>
#include <stdexcept>

#include "math/dense.hpp"
#include "parid/kinematics.hpp"
#include "runtime/layer.hpp"

namespace parid {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void centroidal_momentum_matrix(const Robot& robot, Workspace& workspace, std::span<const double> q,
                                std::span<const double> v, std::span<double> A,
                                std::span<double> Ad) {
  evaluate(robot, workspace, Quantity::centroidal_momentum_matrix, {q, v}, {A, Ad});
}

void centre_of_mass(const Robot& robot, Workspace& workspace, std::span<const double> q,
                    std::span<double> centre, std::span<double> J) {
  evaluate(robot, workspace, Quantity::centre_of_mass, {q}, {centre, J});
}

void inverse_mass_matrix(const Robot& robot, Workspace& workspace, std::span<const double> q,
                         std::span<double> Minv) {
  evaluate(robot, workspace, Quantity::inverse_mass_matrix, {q}, {Minv});
}

void coriolis_product(const Robot& robot, Workspace& workspace, std::span<const double> q,
                      std::span<const double> v, std::span<const double> w, std::span<double> tau) {
  evaluate(robot, workspace, Quantity::coriolis_product, {q, v, w}, {tau});
}

void energy_gradient(const Robot& robot, Workspace& workspace, std::span<const double> q,
                     std::span<const double> v, std::span<double> kinetic_q,
                     std::span<double> kinetic_v, std::span<double> potential_q) {
  evaluate(robot, workspace, Quantity::energy_gradient, {q, v},
           {kinetic_q, kinetic_v, potential_q});
}

OperationalSpace operational_space(const Robot& robot, Workspace& workspace,
                                   std::span<const double> q, std::span<const double> v,
                                   const std::vector<std::string>& links) {
  const int n = robot.nv(), rows = 6 * static_cast<int>(links.size());
  std::vector<double> Minv(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  inverse_mass_matrix(robot, workspace, q, Minv);
  std::vector<double> a(static_cast<std::size_t>(n)), none(a);
  forward_dynamics(robot, workspace, q, v, none, a);

  Matrix J(rows, n);
  Eigen::VectorXd free(rows);
  Kinematics kinematics(robot);
  kinematics.set(q, v, a);
  for (std::size_t k = 0; k < links.size(); ++k) {
    const int link = robot.find_link(links[k]), row = 6 * static_cast<int>(k);
    kinematics.jacobian(link, {J.row(row).data(), static_cast<std::size_t>(6 * n)});
    const LinkRate x = kinematics.acceleration(link);
    for (int i = 0; i < 3; ++i) {
      free[row + i] = x.linear[static_cast<std::size_t>(i)];
      free[row + 3 + i] = x.angular[static_cast<std::size_t>(i)];
    }
  }
  const Matrix inverse = J * Eigen::Map<const Matrix>(Minv.data(), n, n) * J.transpose();
  // The eigenvalues of a symmetric matrix that is never negative are its singular values.
  const std::optional<math::SymmetricEigen> split =
      math::symmetric_eigen((inverse + inverse.transpose()) / 2);
  if (!split) throw std::runtime_error("operational_space: the eigenvalues did not converge");
  Eigen::VectorXd values = split->values;
  const double least = 1e-12 * (rows > 0 ? values.cwiseAbs().maxCoeff() : 0);
  OperationalSpace x;
  for (double& value : values) {
    const bool counts = value > least;
    x.rank += counts;
    value = counts ? 1 / value : 0;
  }
  const Matrix inertia = split->vectors * values.asDiagonal() * split->vectors.transpose();
  const Eigen::VectorXd bias = -(inertia * free);
  x.rows = static_cast<std::size_t>(rows);
  x.J.assign(J.data(), J.data() + J.size());
  x.inverse_inertia.assign(inverse.data(), inverse.data() + inverse.size());
  x.inertia.assign(inertia.data(), inertia.data() + inertia.size());
  x.free_acceleration.assign(free.data(), free.data() + rows);
  x.bias.assign(bias.data(), bias.data() + rows);
  return x;
}

}  // namespace parid
