#include "math/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace parid::math {

using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXcd, Eigen::VectorXd;

std::optional<SymmetricEigen> symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return {};
  return SymmetricEigen{solver.eigenvalues(), solver.eigenvectors()};
}
std::optional<VectorXd> symmetric_eigenvalues(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return {};
  return solver.eigenvalues();
}
PrincipalAxes principal_axes(const Eigen::Matrix3d& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<ComplexEigen> complex_eigen(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return {};
  return ComplexEigen{solver.eigenvalues(), solver.eigenvectors()};
}
VectorXcd complex_eigenvalues(const MatrixXd& A) {
  return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues();
}

SingularValues thin_svd(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}
VectorXd singular_values(const MatrixXd& A) {
  return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}

MatrixXd triangle(const MatrixXd& A) {
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  return qr.matrixQR().topRows(std::min(A.rows(), A.cols())).triangularView<Eigen::Upper>();
}
MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::HouseholderQR<MatrixXd>(A).solve(B);
}
LeastSquaresFit least_squares_fit(const MatrixXd& A, const VectorXd& b) {
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  const MatrixXd x = qr.solve(MatrixXd(b));
  return {x, solve_upper(qr.matrixQR().topRows(A.cols()), MatrixXd::Identity(A.cols(), A.cols()))};
}

Cholesky::Cholesky(const MatrixXd& A) : factors_(A) {}
bool Cholesky::positive() const { return factors_.info() == Eigen::Success; }
MatrixXd Cholesky::solve(const MatrixXd& B) const { return factors_.solve(B); }

LuFactors::LuFactors(const MatrixXd& A) : factors_(A) {}
MatrixXd LuFactors::solve(const MatrixXd& B) const { return factors_.solve(B); }
MatrixXcd solve(const MatrixXcd& A, const MatrixXcd& B) {
  return Eigen::PartialPivLU<MatrixXcd>(A).solve(B);
}

MatrixXd solve_symmetric(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::LDLT<MatrixXd>(A).solve(B);
}
double least_pivot(const MatrixXd& A) { return Eigen::LDLT<MatrixXd>(A).vectorD().minCoeff(); }

MatrixXd solve_upper(const MatrixXd& R, const MatrixXd& B) {
  return R.triangularView<Eigen::Upper>().solve(B);
}
MatrixXd solve_unit_lower(const MatrixXd& L, const MatrixXd& B) {
  return L.triangularView<Eigen::UnitLower>().solve(B);
}

}  // namespace parid::math
