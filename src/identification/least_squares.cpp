#include "identification/least_squares.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/dense.hpp"

namespace parid::identification {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// The equations of one group: R of those processed, and a few that are not yet added.
struct Group {
  std::vector<int> unknowns;
  Matrix R, waiting;  // unknowns, target
  int count = 0;      // of those that wait
  std::size_t equations = 0;
  double weight = 0, squares = 0;  // sums of w² and of (w target)²

  int width() const { return static_cast<int>(unknowns.size()) + 1; }

  void work_in() {
    Matrix all(R.rows() + count, width());
    all << R, waiting.topRows(count);
    R = all.rows() > 1 ? triangle(all) : all;
    count = 0;
  }
};

}  // namespace

struct GroupedLeastSquares::Parts {
  int unknowns;
  mutable std::vector<Group> groups;

  // The triangles of all groups, each divided by its sigma, as one.
  Matrix together(const std::vector<double>& sigma) const {
    Eigen::Index rows = 0;
    for (const Group& g : groups) rows += g.R.rows();
    Matrix all = Matrix::Zero(rows, unknowns + 1);
    rows = 0;
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const Group& g = groups[k];
      for (int c = 0; c < g.width(); ++c)
        all.col(c + 1 < g.width() ? g.unknowns[c] : unknowns).segment(rows, g.R.rows()) =
            g.R.col(c) / sigma[k];
      rows += g.R.rows();
    }
    const Matrix T = all.rows() > 1 ? triangle(all) : all;
    Matrix square = Matrix::Zero(unknowns + 1, unknowns + 1);
    square.topRows(T.rows()) = T;
    return square;
  }
};

GroupedLeastSquares::GroupedLeastSquares(int unknowns, std::vector<std::vector<int>> of_group)
    : parts_(std::make_unique<Parts>()) {
  parts_->unknowns = unknowns;
  for (std::vector<int>& u : of_group) {
    Group g;
    g.unknowns = std::move(u);
    g.R.resize(0, g.width());
    g.waiting.resize(std::max(64, 2 * g.width()), g.width());
    parts_->groups.push_back(std::move(g));
  }
}
GroupedLeastSquares::~GroupedLeastSquares() = default;

void GroupedLeastSquares::add(int group, const double* row, double target, double weight) {
  Group& g = parts_->groups[group];
  for (int c = 0; c + 1 < g.width(); ++c) g.waiting(g.count, c) = weight * row[g.unknowns[c]];
  g.waiting(g.count, g.width() - 1) = weight * target;
  g.weight += weight * weight;
  g.squares += weight * target * weight * target;
  ++g.equations;
  if (++g.count == g.waiting.rows()) g.work_in();
}

std::size_t GroupedLeastSquares::equations() const {
  std::size_t sum = 0;
  for (const Group& g : parts_->groups) sum += g.equations;
  return sum;
}

namespace {

// Finds independent columns in order, and for each dependent one the columns that it depends on.
struct Independence {
  std::vector<int> independent;
  std::vector<std::vector<int>> confused_with;
};
Independence independence(const Matrix& T, int unknowns, double threshold) {
  Independence found;
  found.confused_with.resize(unknowns);
  const Vector length = T.leftCols(unknowns).colwise().norm();
  const double longest = unknowns > 0 ? length.maxCoeff() : 0;
  Matrix Q(T.rows(), unknowns), R = Matrix::Zero(unknowns, unknowns);
  std::vector<int> dependent;
  for (int k = 0; k < unknowns; ++k) {
    const int n = static_cast<int>(found.independent.size());
    const auto base = Q.leftCols(n);
    Vector rest = T.col(k);
    for (int twice = 0; twice < 2; ++twice) {
      const Vector along = base.transpose() * rest;
      R.col(k).head(n) += along;
      rest -= base * along;
    }
    if (length[k] > 1e-12 * longest && rest.norm() > threshold * length[k]) {
      Q.col(n) = rest.normalized();
      R(n, k) = rest.norm();
      found.independent.push_back(k);
    } else if (length[k] > 1e-12 * longest) {
      dependent.push_back(k);
    }
  }
  const int n = static_cast<int>(found.independent.size());
  Matrix base(n, n);
  for (int k = 0; k < n; ++k) base.col(k) = R.col(found.independent[k]).head(n);
  for (const int d : dependent) {
    const Vector share = solve_upper(base, R.col(d).head(n));
    for (int k = 0; k < n; ++k)
      if (std::abs(share[k]) * length[found.independent[k]] > 1e-3 * length[d])
        found.confused_with[d].push_back(found.independent[k]);
  }
  return found;
}

// Condition of some columns, normalised to equal length.
double condition(const Matrix& T, const std::vector<int>& columns) {
  if (columns.empty()) return 1;
  Matrix A(T.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    A.col(static_cast<Eigen::Index>(k)) = T.col(columns[k]).normalized();
  const Vector singular = singular_values(A);
  return singular[0] / singular[singular.size() - 1];
}

}  // namespace

LeastSquaresSolution GroupedLeastSquares::solve(std::span<const double> given,
                                                double dependent) const {
  std::vector<Group>& groups = parts_->groups;
  const int unknowns = parts_->unknowns;
  for (Group& g : groups)
    if (g.count > 0) g.work_in();
  LeastSquaresSolution s;
  s.x.assign(given.begin(), given.end());
  s.found.assign(unknowns, false);
  s.standard_error.assign(unknowns, std::numeric_limits<double>::infinity());
  s.sigma.assign(groups.size(), 1);
  s.freedom.assign(groups.size(), 0);

  Matrix T = parts_->together(s.sigma);
  Independence which = independence(T, unknowns, dependent);
  s.confused_with = which.confused_with;
  const int n = static_cast<int>(which.independent.size());
  for (const int k : which.independent) s.found[k] = true;

  for (s.weighings = 1;; ++s.weighings) {
    T = parts_->together(s.sigma);
    Matrix A(T.rows(), n);
    Vector b = T.col(unknowns);
    for (int k = 0; k < n; ++k) A.col(k) = T.col(which.independent[k]);
    for (int k = 0; k < unknowns; ++k)
      if (!s.found[k]) b -= given[k] * T.col(k);
    const Vector scale = A.colwise().norm().cwiseInverse();
    const Matrix scaled = A * scale.asDiagonal();
    const LeastSquaresFit fit = least_squares_fit(scaled, b);
    const Vector x = scale.cwiseProduct(fit.x);
    for (int k = 0; k < n; ++k) s.x[which.independent[k]] = x[k];
    const Matrix C = scale.asDiagonal() * fit.inverse;  // the covariance is C Cᵀ
    for (int k = 0; k < n; ++k) s.standard_error[which.independent[k]] = C.row(k).norm();

    double change = 0;
    std::vector<double> sigma(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Group& group = groups[g];
      Vector at(group.width());
      Matrix share = Matrix::Zero(group.width(), n);
      for (int c = 0; c + 1 < group.width(); ++c) {
        at[c] = s.x[group.unknowns[c]];
        const auto k =
            std::lower_bound(which.independent.begin(), which.independent.end(), group.unknowns[c]);
        if (k != which.independent.end() && *k == group.unknowns[c])
          share.row(c) = C.row(k - which.independent.begin());
      }
      at[group.width() - 1] = -1;
      // The group's share of the unknowns: the trace of its part of the hat matrix.
      const double paid = (group.R * share).squaredNorm() / (s.sigma[g] * s.sigma[g]);
      s.freedom[g] = group.weight - paid;
      const double floor = 1e-14 * std::sqrt(group.squares / std::max(1.0, group.weight));
      sigma[g] =
          std::max({(group.R * at).norm() / std::sqrt(std::max(1.0, s.freedom[g])), floor, 1e-150});
    }
    // One group may be far more precise than the rest, but not so much that the rest are lost in
    // rounding.
    const double worst = *std::max_element(sigma.begin(), sigma.end());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      sigma[g] = std::max(sigma[g], 1e-5 * worst);
      change = std::max(change, std::abs(std::log(sigma[g] / s.sigma[g])));
    }
    s.sigma = sigma;
    if ((change < 1e-6 && s.weighings > 1) || s.weighings == 30) break;
  }
  T = parts_->together(s.sigma);
  s.condition = condition(T, which.independent);
  s.information.resize(static_cast<std::size_t>(T.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      s.information.data(), unknowns + 1, unknowns + 1) = T;
  return s;
}

}  // namespace parid::identification
