// Factorisations, eigenvalues and singular values of dense matrices.
//
// Eigen's templates for these take from 4 to 30 seconds to compile, so each is compiled once, in
// dense.cpp. Sources that add and multiply matrices only include <Eigen/Core>.

#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <optional>

#include "math/layer.hpp"

namespace parid::math {

// ---- Eigenvalues of symmetric matrices, smallest first. Empty: the iteration did not converge.

struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  // columns
};
std::optional<SymmetricEigen> symmetric_eigen(const Eigen::MatrixXd&);
std::optional<Eigen::VectorXd> symmetric_eigenvalues(const Eigen::MatrixXd&);

struct PrincipalAxes {
  Eigen::Vector3d values;
  Eigen::Matrix3d vectors;  // columns
};
PrincipalAxes principal_axes(const Eigen::Matrix3d&);

// ---- Eigenvalues of square matrices. Empty: the iteration did not converge.

struct ComplexEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  // columns
};
std::optional<ComplexEigen> complex_eigen(const Eigen::MatrixXd&);
Eigen::VectorXcd complex_eigenvalues(const Eigen::MatrixXd&);

// ---- Singular values, largest first: A = U diag(values) Vᵀ, by Jacobi's rotations.

struct SingularValues {
  Eigen::MatrixXd U;
  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};
SingularValues thin_svd(const Eigen::MatrixXd& A);
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

// ---- Householder's factors A = Q R, of matrices with at least as many rows as columns.

Eigen::MatrixXd triangle(const Eigen::MatrixXd& A);  // R, with min(rows, columns) rows
// x with the least |A x − b|, for each column b of B.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

struct LeastSquaresFit {
  Eigen::VectorXd x;
  Eigen::MatrixXd inverse;  // R⁻¹: the covariance of x is inverse · inverseᵀ
};
LeastSquaresFit least_squares_fit(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// ---- Solutions X of A X = B.

class Cholesky {  // A is symmetric
 public:
  explicit Cholesky(const Eigen::MatrixXd& A);
  bool positive() const;  // definite; otherwise there is no solution
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  Eigen::LLT<Eigen::MatrixXd> factors_;
};

class LuFactors {  // of a square A, rows exchanged for size
 public:
  explicit LuFactors(const Eigen::MatrixXd& A);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
};
Eigen::MatrixXcd solve(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B);

// A is symmetric, and may be semidefinite.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
double least_pivot(const Eigen::MatrixXd& A);  // of D in A = Pᵀ L D Lᵀ P

// A is triangular: R its upper part, or L its lower part with ones as diagonal.
Eigen::MatrixXd solve_upper(const Eigen::MatrixXd& R, const Eigen::MatrixXd& B);
Eigen::MatrixXd solve_unit_lower(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);

}  // namespace parid::math
