#include "dynamics/base_parameters.hpp"

#include <Eigen/Dense>
#include <random>

#include "dynamics/regressor.hpp"
#include "model/joint/close_linkages.hpp"

namespace parid::dynamics {
namespace {

// More digits than the robot's constants have, so that the remainder of a column describes the
// robot, not the arithmetic.
using Real = long double;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

// A column depends on others if its remainder is at most this. Constants in double leave 1e-15; an
// angle of 1.5708 instead of a right one leaves 4e-6, or the square of that.
constexpr Real nothing = 1e-13L;
// The tolerance for rounding a factor to a whole number.
constexpr Real whole_enough = 1e-14L;
// A dependent column is kept if the others would cancel to this fraction of their size.
constexpr Real most_cancelling = 1e3L;

struct RandomState {
  std::vector<Real> q, v, a;
};

// Uniform positions, rates and accelerations; quaternions of unit length.
RandomState random_state(const CanonicalModel& c, std::mt19937_64& rng) {
  auto number = [&rng] { return -1 + 0x1p-52 * static_cast<double>(rng() >> 11); };
  RandomState s;
  s.q.resize(c.nq);
  s.v.resize(c.nv);
  s.a.resize(c.nv);
  for (Real& x : s.q) x = 3 * number();
  for (Real& x : s.v) x = 2 * number();
  for (Real& x : s.a) x = 4 * number();
  for (int i = 1; i <= c.topology.n; ++i)
    if (c.topology.free_index[i] >= 0) {
      Real* q = &s.q[c.joint[i].position + (c.topology.kind[i] == JointKind::floating ? 3 : 0)];
      const Real length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
      for (int k = 0; k < 4; ++k) q[k] /= length;
    }
  close_linkages(c, s.q.data());
  return s;
}

// The regressor at as many random states as its columns need. Each row is normalized, so that all
// joints have equal weight.
Matrix sampled(const CanonicalModel& c, const std::vector<int>& columns,
               const std::vector<int>& rows, bool any_gravity) {
  std::mt19937_64 rng(20260101);
  Regressor<Real> regressor(c);
  const int states = 4 + 2 * static_cast<int>(columns.size() / rows.size() + 1);
  Matrix W(states * static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  std::vector<Real> Y(c.nv * regressor.columns());
  for (int s = 0; s < states; ++s) {
    const RandomState x = random_state(c, rng);
    if (any_gravity) {
      auto number = [&rng] { return Real(-10 + 20 * 0x1p-53 * static_cast<double>(rng() >> 11)); };
      regressor.at.motion.gravity = {number(), number(), number()};
    }
    regressor(x.q.data(), x.v.data(), x.a.data(), Y.data());
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t k = 0; k < columns.size(); ++k)
        W(s * static_cast<int>(rows.size()) + static_cast<int>(r), static_cast<int>(k)) =
            Y[rows[r] * regressor.columns() + columns[k]];
  }
  return W;
}

double clean(Real x) {
  const Real whole = std::round(x);
  return static_cast<double>(std::abs(x - whole) < whole_enough ? whole : x);
}

// The size of a column's entries, from the size of the robot before the link, as a scale for
// rounding.
struct ColumnSize {
  Real length = 0, gravity = 0;
  ColumnSize(const CanonicalModel& c, const std::vector<int>& path, bool any_gravity)
      : gravity(any_gravity ? 10 : norm(c.mechanism.gravity)) {
    for (const int i : path) {
      length = std::max<Real>(length, norm(c.mechanism.placing[i].vec(9)));
      const JointKind kind = c.topology.kind[i];
      if (kind == JointKind::prismatic || kind == JointKind::floating) length += 3;
    }
  }
  Real operator()(int which) const {  // of m, of a first moment, of a second one
    constexpr Real turning = 10;
    const Real push = length * turning + gravity;
    return which == 0 ? length * push : which < 4 ? push : turning;
  }
};

// Processes the columns one by one; a column that depends on earlier ones is added to them. Returns
// whether there was any.
bool eliminate(const CanonicalModel& c, Regrouped& r, int link, bool any_gravity) {
  std::vector<int> columns, rows;
  std::vector<int> path;
  for (int i = link; i > 0; i = c.topology.parent[i]) path.insert(path.begin(), i);
  for (const int i : path) {
    for (int k = c.first[i]; k < c.first[i + 1]; ++k) {
      const int row = c.freedom[k].column;
      if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
    for (int k = 0; k < 10; ++k)
      if (r.kept[i][k]) columns.push_back(10 * (i - 1) + k);
  }
  const Matrix W = sampled(c, columns, rows, any_gravity);
  Matrix Q(W.rows(), 0);  // an orthonormal base of the columns so far
  std::vector<int> independent;
  const ColumnSize size(c, path, any_gravity);
  bool any = false;
  for (int k = 0; k < W.cols(); ++k) {
    Vector rest = W.col(k);
    for (int twice = 0; twice < 2; ++twice) rest -= Q * (Q.transpose() * rest);
    if (rest.norm() > nothing * std::max(size(columns[k] % 10), W.col(k).norm())) {
      Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
      Q.col(Q.cols() - 1) = rest.normalized();
      independent.push_back(k);
      continue;
    }
    any = true;
    const int i = columns[k] / 10 + 1, which = columns[k] % 10;
    const double value = parameter(r.body[i], which);
    Vector share;
    if (value != 0 && W.col(k).norm() != 0 && !independent.empty()) {
      Matrix A(W.rows(), static_cast<int>(independent.size()));
      for (std::size_t j = 0; j < independent.size(); ++j)
        A.col(static_cast<int>(j)) = W.col(independent[j]);
      share = A.householderQr().solve(W.col(k));
      const Real parts = (A.colwise().norm().transpose().cwiseProduct(share)).cwiseAbs().sum();
      if (parts > most_cancelling * W.col(k).norm()) continue;
    }
    r.kept[i][which] = false;
    set_parameter(r.body[i], which, 0);
    if (share.size() == 0) continue;
    for (std::size_t j = 0; j < independent.size(); ++j) {
      const int other = columns[independent[j]], link_of = other / 10 + 1;
      if (const double s = clean(share(static_cast<int>(j))); s != 0)
        set_parameter(r.body[link_of], other % 10,
                      parameter(r.body[link_of], other % 10) + s * value);
    }
  }
  return any;
}

}  // namespace

Regrouped base_parameters(const CanonicalModel& c, const BaseParameterOptions& options) {
  Regrouped r = regrouped(c);
  const int n = c.topology.n;
  if (c.has_mimic) return r;  // mimic joints: only the general rules apply
  // Beyond a link that moves freely, and the two before it, all do.
  std::vector<int> free_for(n + 1, 0);
  for (int i = 1; i <= n; ++i) {
    const int before = free_for[c.topology.parent[i]];
    if (before >= 2) {
      free_for[i] = before;
      continue;
    }
    free_for[i] = eliminate(c, r, i, options.any_gravity) ? 0 : before + 1;
  }
  return r;
}

int regressor_rank(const CanonicalModel& c) {
  std::vector<int> columns(10 * c.links), rows(c.nv);
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<int>(k);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<int>(k);
  const Matrix W = sampled(c, columns, rows, false);
  Eigen::ColPivHouseholderQR<Matrix> qr(W);
  qr.setThreshold(nothing);
  return static_cast<int>(qr.rank());
}

Mechanism<double> with_parameters(const CanonicalModel& c, const Regrouped& r) {
  Mechanism<double> m(c.mechanism);
  for (int i = 1; i <= m.n; ++i)
    for (int k = 0; k < 10; ++k) m.body[i].set(k, parameter(r.body[i], k));
  return m;
}

}  // namespace parid::dynamics
