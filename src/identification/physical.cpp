#include "identification/physical.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/dense.hpp"
#include "parid/dynamics.hpp"

namespace parid::identification {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Matrix4 = Eigen::Matrix4d;
using Ten = Eigen::Matrix<double, 10, 1>;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// m, ms, xx yy zz xy xz yz  ↔  J = (K ms; msᵀ m)
Matrix4 pseudo_inertia(const double* p) {
  Matrix4 J;
  J << p[4], p[7], p[8], p[1], p[7], p[5], p[9], p[2], p[8], p[9], p[6], p[3], p[1], p[2], p[3],
      p[0];
  return J;
}
Ten ten(const Matrix4& J) {
  Ten p;
  p << J(3, 3), J(0, 3), J(1, 3), J(2, 3), J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2);
  return p;
}

// J = U Uᵀ: Cholesky's from the last row up.
Matrix4 upper_factor(const Matrix4& J) {
  const Matrix4 turned = J.reverse();
  const Matrix4 L = turned.llt().matrixL();
  return L.reverse();
}

// A point or a rod has no volume, which no map can change: its body gets a radius of at least a
// centimetre, or a hundredth of its largest.
Matrix4 made_solid(Matrix4 J) {
  const double m = J(3, 3);
  const Eigen::Vector3d centre = J.block<3, 1>(0, 3) / m;
  const Eigen::Matrix3d about = J.block<3, 3>(0, 0) - m * centre * centre.transpose();
  const PrincipalAxes axes = principal_axes(about);
  Eigen::Vector3d size = axes.values;
  const double least = std::max(size[2] * 1e-4, 1e-8 * m);
  if (size[0] >= least) return J;
  size = size.cwiseMax(size[2] > 1e-8 * m ? least : 1e-4 * m);
  J.block<3, 3>(0, 0) =
      axes.vectors * size.asDiagonal() * axes.vectors.transpose() + m * centre * centre.transpose();
  return J;
}

// V and its derivatives by each of θ: scale, stretches, shears, shifts.
struct Stretch {
  Matrix4 V;
  std::array<Matrix4, 10> by;
};
Stretch stretch(const double* t) {
  static constexpr int place[6][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};
  Stretch s;
  const double scale = std::exp(t[0]);
  s.V.setIdentity();
  for (int k = 0; k < 3; ++k) s.V(k, k) = std::exp(t[1 + k]);
  for (int k = 0; k < 6; ++k) s.V(place[k][0], place[k][1]) = t[4 + k];
  s.V *= scale;
  for (Matrix4& d : s.by) d.setZero();
  s.by[0] = s.V;
  for (int k = 0; k < 3; ++k) s.by[1 + k](k, k) = s.V(k, k);
  for (int k = 0; k < 6; ++k) s.by[4 + k](place[k][0], place[k][1]) = scale;
  return s;
}

class Fit {
 public:
  Fit(const TorqueModel& model, const LeastSquaresSolution& measured)
      : model_(model), base_(model.base()) {
    const int p = static_cast<int>(model.parameters().size());
    Rows information = Eigen::Map<const Rows>(measured.information.data(), p + 1, p + 1);
    // Weights of torques without noise are too large for rounding beside the prior's weights.
    const double size = information.col(p).norm();
    if (size > 1e9) information *= 1e9 / size;
    factor_ = size > 1e9 ? size / 1e9 : 1;
    T_ = information.leftCols(p);
    t_ = information.col(p);
    result_.standard = regressor_parameters(model.robot());
    const std::size_t links = result_.standard.size() / 10;
    result_.map.resize(links);
    result_.prior.resize(links);
    for (std::size_t l = 0; l < links; ++l) {
      const double* prior = &result_.standard[10 * l];
      if (prior[0] <= 0) continue;
      const Matrix4 J = made_solid(pseudo_inertia(prior));
      const Ten solid = ten(J);
      std::copy_n(solid.data(), 10, result_.prior[l].begin());
      bodies_.push_back({static_cast<int>(l), upper_factor(J)});
    }
    K_ = Eigen::Map<const Rows>(base_.combination.data(),
                                static_cast<Eigen::Index>(base_.kept.size()),
                                static_cast<Eigen::Index>(base_.standard.size()));
    for (std::size_t k = base_.kept.size(); k < model.parameters().size(); ++k) {
      const bool signed_too = model.parameters()[k].kind == ParameterKind::offset;
      double start = measured.x[k];
      if (!signed_too) start = std::max(start, 0.0);
      others_.push_back({static_cast<int>(k), start, !measured.found[k], signed_too});
    }
  }

  // Increases the weight of the log relative to the prior step by step: each fit starts near the
  // next one, which helps with the narrow curved valleys of precise torques.
  PhysicalFit run() {
    Vector theta = Vector::Zero(10 * static_cast<Eigen::Index>(bodies_.size()));
    const Matrix T = T_;
    const Vector t = t_;
    const double full = t.norm();
    for (double size = std::min(full, 100.0);; size = std::min(full, 30 * size)) {
      const double share = full > 0 ? size / full : 1;
      T_ = share * T;
      t_ = share * t;
      descend(theta);
      if (size >= full) break;
    }
    finish(theta);
    return result_;
  }

 private:
  struct Body {
    int link;
    Matrix4 U;
  };
  struct Other {  // a parameter that is not an inertia
    int index;
    double value;
    bool held, any_sign;
  };

  void descend(Vector& theta) {
    double damping = 1e-4, cost = cost_at(theta, others_);
    result_.converged = false;
    for (int round = 0; round < 200 && !result_.converged; ++round, ++result_.iterations) {
      linearise(theta);
      const double before = cost;
      bool better = false;
      for (int attempt = 0; attempt < 20 && !better; ++attempt) {
        const Vector step = step_with(damping);
        const Vector next = theta + step.head(theta.size());
        std::vector<Other> others = others_;
        Eigen::Index at = theta.size();
        for (Other& o : others) {
          if (o.held) continue;
          o.value += step[at++];
          if (o.any_sign || o.value > 0) continue;
          o.value = 0;
          o.held = true;
        }
        // A factor beyond e^20 of the prior is implausible, and squares would overflow.
        const bool sane = next.size() == 0 || next.cwiseAbs().maxCoeff() < 20;
        const double now = sane ? cost_at(next, others) : cost;
        better = now < cost;
        if (better) {
          cost = now;
          theta = next;
          others_ = others;
          damping = std::max(0.1 * damping, 1e-9);
        } else
          damping *= 6;
      }
      result_.converged = !better || before - cost <= 1e-11 * cost;
    }
  }

  Vector parameters_at(const Vector& theta, const std::vector<Other>& others) const {
    Vector standard = Vector::Zero(K_.cols());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Matrix4 M = bodies_[b].U * stretch(&theta[10 * static_cast<Eigen::Index>(b)]).V;
      standard.segment<10>(10 * bodies_[b].link) = ten(M * M.transpose());
    }
    Vector x(T_.cols());
    x.head(K_.rows()) = K_ * standard;
    for (const Other& o : others) x[o.index] = o.value;
    return x;
  }
  double cost_at(const Vector& theta, const std::vector<Other>& others) const {
    return (T_ * parameters_at(theta, others) - t_).squaredNorm() + theta.squaredNorm();
  }

  // Residuals and their derivatives, including the prior's.
  void linearise(const Vector& theta) {
    const Eigen::Index free = std::count_if(others_.begin(), others_.end(),
                                            [](const Other&o) { return !o.held; }),
                       columns = theta.size() + free;
    Matrix by = Matrix::Zero(T_.cols(), columns);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Eigen::Index first = 10 * static_cast<Eigen::Index>(b);
      const Stretch s = stretch(&theta[first]);
      const Matrix4& U = bodies_[b].U;
      for (int k = 0; k < 10; ++k) {
        const Matrix4 half = U * s.by[k] * s.V.transpose() * U.transpose();
        by.col(first + k).head(K_.rows()) =
            K_.middleCols<10>(10 * bodies_[b].link) * ten(half + half.transpose());
      }
    }
    Eigen::Index at = theta.size();
    for (const Other& o : others_)
      if (!o.held) by(o.index, at++) = 1;
    A_ = Matrix::Zero(T_.rows() + theta.size(), columns);
    A_.topRows(T_.rows()) = T_ * by;
    A_.bottomLeftCorner(theta.size(), theta.size()).setIdentity();
    r_.resize(A_.rows());
    r_ << T_ * parameters_at(theta, others_) - t_, theta;
  }

  Vector step_with(double damping) const {
    const Eigen::Index rows = A_.rows(), columns = A_.cols();
    Matrix damped(rows + columns, columns);
    damped.topRows(rows) = A_;
    const Vector length = A_.colwise().norm();
    damped.bottomRows(columns) = (std::sqrt(damping) * length).asDiagonal();
    Vector right = Vector::Zero(rows + columns);
    right.head(rows) = -r_;
    return least_squares(damped, right);
  }

  void finish(const Vector& theta) {
    const Vector x = parameters_at(theta, others_);
    result_.x.assign(x.begin(), x.end());
    result_.weighted_squares = factor_ * factor_ * (T_ * x - t_).squaredNorm();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const int link = bodies_[b].link;
      const Matrix4 M = bodies_[b].U * stretch(&theta[10 * static_cast<Eigen::Index>(b)]).V;
      const Ten now = ten(M * M.transpose());
      std::copy_n(now.data(), 10, &result_.standard[10 * static_cast<std::size_t>(link)]);
      const Eigen::Matrix<double, 4, 4, Eigen::RowMajor> map = M * bodies_[b].U.inverse();
      result_.map[link].assign(map.data(), map.data() + 16);
    }
  }

  const TorqueModel& model_;
  const BaseColumns& base_;
  std::vector<Body> bodies_;
  std::vector<Other> others_;
  Matrix T_, K_, A_;
  Vector t_, r_;
  double factor_ = 1;
  PhysicalFit result_;
};

}  // namespace

PhysicalFit physical_fit(const TorqueModel& model, const LeastSquaresSolution& measured) {
  return Fit(model, measured).run();
}

}  // namespace parid::identification
