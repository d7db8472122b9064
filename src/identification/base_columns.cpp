#include "identification/base_columns.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "math/dense.hpp"
#include "model/joint/close_linkages.hpp"
#include "model/joint/coordinates.hpp"
#include "parid/dynamics.hpp"

namespace parid::identification {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Sample {
  std::vector<double> q, v, a;
};
Sample random_sample(const Robot& robot, std::mt19937_64& rng) {
  auto number = [&rng] { return -1 + 0x1p-52 * static_cast<double>(rng() >> 11); };
  Sample s{std::vector<double>(robot.nq()), std::vector<double>(robot.nv()),
           std::vector<double>(robot.nv())};
  for (double& x : s.q) x = 3 * number();
  for (double& x : s.v) x = 2 * number();
  for (double& x : s.a) x = 4 * number();
  int p = 0;
  for (const JointDescription& j : robot.description().joints) {
    p += position_count(j);
    if (position_count(j) == velocity_count(j)) continue;
    const Eigen::Map<Eigen::Vector4d> quaternion(&s.q[p - 4]);
    Eigen::Map<Eigen::Vector4d>(&s.q[p - 4]) = quaternion.normalized().eval();
  }
  close_linkages(robot.canonical(), s.q.data());
  return s;
}

// Row s · nv + k is torque k at state s.
Matrix sampled(const Robot& robot, int columns) {
  std::mt19937_64 rng(20260101);
  Workspace workspace(robot);
  const int nv = robot.nv(), states = 4 + 2 * (columns / nv + 1);
  Matrix W(states * nv, columns);
  Rows Y(nv, columns);
  for (int s = 0; s < states; ++s) {
    const Sample x = random_sample(robot, rng);
    regressor(robot, workspace, x.q, x.v, x.a, {Y.data(), static_cast<std::size_t>(Y.size())});
    W.middleRows(s * nv, nv) = Y;
  }
  return W;
}

double clean(double x) {
  const double whole = std::round(x);
  return std::abs(x - whole) < 1e-9 ? whole : x;
}

}  // namespace

BaseColumns base_columns(const Robot& robot) {
  BaseColumns b;
  b.standard = regressor_names(robot);
  const int all = static_cast<int>(b.standard.size());
  const Matrix W = sampled(robot, all);
  Matrix Q(W.rows(), all);  // an orthonormal base of the columns so far
  for (int k = 0; k < all; ++k) {
    const auto base = Q.leftCols(static_cast<int>(b.kept.size()));
    Vector rest = W.col(k);
    for (int twice = 0; twice < 2; ++twice) rest -= base * (base.transpose() * rest).eval();
    if (!(rest.norm() > 1e-8 * std::max(1.0, W.col(k).norm()))) continue;
    Q.col(static_cast<int>(b.kept.size())) = rest.normalized();
    b.kept.push_back(k);
  }
  const int kept = static_cast<int>(b.kept.size());
  Matrix A(W.rows(), kept);
  for (int k = 0; k < kept; ++k) A.col(k) = W.col(b.kept[k]);
  Rows K(kept, all);
  if (kept > 0) K = least_squares(A, W);
  b.combination.resize(static_cast<std::size_t>(kept) * all);
  for (int k = 0; k < kept; ++k)
    for (int s = 0; s < all; ++s)
      b.combination[static_cast<std::size_t>(k) * all + s] = clean(K(k, s));
  b.felt_by.resize(robot.nv());
  for (int t = 0; t < robot.nv(); ++t)
    for (int k = 0; k < kept; ++k) {
      double most = 0;
      for (int r = t; r < W.rows(); r += robot.nv()) most = std::max(most, std::abs(A(r, k)));
      if (most > 1e-12) b.felt_by[t].push_back(k);
    }
  return b;
}

std::string BaseColumns::meaning(std::size_t k, std::size_t terms) const {
  std::string text = standard[kept[k]];
  std::size_t count = 1, left = 0;
  for (std::size_t s = 0; s < standard.size(); ++s) {
    const double c = share(k, s);
    if (c == 0 || static_cast<int>(s) == kept[k]) continue;
    if (count++ >= terms) {
      ++left;
      continue;
    }
    text += c < 0 ? " - " : " + ";
    if (std::abs(c) != 1) text += fmt::format("{:.4g} ", std::abs(c));
    text += standard[s];
  }
  return left > 0 ? text + fmt::format(" + {} more", left) : text;
}

}  // namespace parid::identification
