#include "control/stability/random_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "math/dense.hpp"

namespace parid::control {
namespace {

using Eigen::Index, Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXcd, Eigen::VectorXd;

// Positive definite, rounding aside.
bool positive(const MatrixXd& M) {
  const std::optional<VectorXd> found = symmetric_eigenvalues(M);
  if (!found) return false;
  const VectorXd& e = *found;
  return e[0] > 1e-14 * static_cast<double>(M.rows()) * e.cwiseAbs().maxCoeff();
}

// The stabilising solution of P = AᵀPA + CᵀC + Q + (AᵀPB + CᵀH)(I − HᵀH − BᵀPB)⁻¹(·)ᵀ by doubling
// (Chu, Fan, Lin, Wang 2004). Empty where there is none.
MatrixXd bounded_real(const Channel& s, const VectorXd& Q) {
  const Index N = s.A.rows(), p = s.B.cols();
  const MatrixXd R = MatrixXd::Identity(p, p) - s.H.transpose() * s.H;
  const Cholesky llt(R);
  if (!llt.positive()) return {};
  MatrixXd A = s.A + s.B * llt.solve(s.H.transpose() * s.C);
  MatrixXd G = -s.B * llt.solve(s.B.transpose());
  MatrixXd P = s.C.transpose() * s.C + s.C.transpose() * s.H * llt.solve(s.H.transpose() * s.C);
  P.diagonal() += Q;
  for (int turn = 0; turn < 60; ++turn) {
    const LuFactors W(MatrixXd::Identity(N, N) + G * P);
    const MatrixXd WA = W.solve(A), WG = W.solve(G);
    const MatrixXd grown = A.transpose() * P * WA;
    const MatrixXd wider = A * WG * A.transpose();
    A = A * WA;
    P += 0.5 * (grown + grown.transpose());
    G += 0.5 * (wider + wider.transpose());
    if (!P.allFinite() || !A.allFinite()) return {};
    if (grown.cwiseAbs().maxCoeff() <= 1e-13 * P.cwiseAbs().maxCoeff()) return P;
  }
  return {};
}

class Balance {
 public:
  Balance(const Channel& s, const std::vector<RandomReading>& readings, double lowest)
      : readings_(readings) {
    constexpr int count = 28;
    for (int k = 0; k < count; ++k) {
      const double angle = 3.14159265358979 * std::pow(lowest, 1 - k / (count - 1.0));
      MatrixXcd M = -s.A.cast<std::complex<double>>();
      M.diagonal().array() += std::polar(1.0, angle);
      const MatrixXcd B = s.B.cast<std::complex<double>>(), C = s.C.cast<std::complex<double>>();
      gain_.push_back(C * math::solve(M, B) + s.H.cast<std::complex<double>>());
      right_.push_back(VectorXcd::Ones(s.B.cols()));
    }
  }

  double improve(VectorXd& log_scale, double enough) {
    VectorXd best = log_scale;
    double least = INFINITY;
    int since = 0;
    for (int turn = 0; turn < 120 && since < 25; ++turn) {
      const double top = gains(log_scale);
      if (top < 0.9995 * least)
        since = 0;
      else
        ++since;
      if (top < least) least = top, best = log_scale;
      if (least < enough) break;
      VectorXd out = VectorXd::Zero(log_scale.size()), in = out;
      for (std::size_t k = 0; k < gain_.size(); ++k) {
        const double weight = std::exp(40 * (size_[k] / top - 1));
        for (std::size_t j = 0; j < readings_.size(); ++j) {
          const auto at = static_cast<Index>(readings_[j].first),
                     size = static_cast<Index>(readings_[j].size);
          out[static_cast<Index>(j)] += weight * left_[k].segment(at, size).squaredNorm();
          in[static_cast<Index>(j)] += weight * right_[k].segment(at, size).squaredNorm();
        }
      }
      // The largest gain falls fastest against what leaves less what enters.
      const VectorXd way = out - in;
      const double longest = way.cwiseAbs().maxCoeff();
      if (!(longest > 0)) break;
      log_scale -= 0.5 / (1 + 0.1 * turn) / longest * way;
      log_scale.array() -= log_scale.mean();
    }
    log_scale = best;
    return least;
  }

 private:
  double gains(const VectorXd& log_scale) {
    VectorXcd d(right_[0].size());
    for (std::size_t j = 0; j < readings_.size(); ++j)
      d.segment(readings_[j].first, readings_[j].size)
          .setConstant(std::exp(log_scale[static_cast<Index>(j)]));
    double top = 0;
    left_.resize(gain_.size()), size_.resize(gain_.size());
    for (std::size_t k = 0; k < gain_.size(); ++k) {
      VectorXcd& v = right_[k];
      VectorXcd& u = left_[k];
      for (int turn = 0; turn < 4; ++turn) {  // power iteration, from where the last one ended
        v.normalize();
        const VectorXcd in = v.cwiseQuotient(d);
        u = d.cwiseProduct(gain_[k] * in);
        size_[k] = u.norm();
        const VectorXcd back = gain_[k].adjoint() * d.cwiseProduct(u);
        v = back.cwiseQuotient(d);
      }
      v.normalize();
      if (size_[k] > 0) u /= size_[k];
      top = std::max(top, size_[k]);
    }
    return top;
  }

  const std::vector<RandomReading>& readings_;
  std::vector<MatrixXcd> gain_;
  std::vector<VectorXcd> left_, right_;
  std::vector<double> size_;
};

}  // namespace

double improve_scale(const Channel& channel, const std::vector<RandomReading>& readings,
                     double lowest, VectorXd& log_scale, double enough) {
  return Balance(channel, readings, lowest).improve(log_scale, enough);
}

bool has_certificate(const Channel& s) {
  const Index N = s.A.rows(), p = s.B.cols();
  const MatrixXd first = bounded_real(s, VectorXd::Zero(N));
  if (first.size() == 0) return false;
  // A little more, so that the inequality is strict.
  const double slack = 1e-3 * std::max(1e-9, 1 - radius_of(s.A));
  const double floor = 1e-12 * first.diagonal().maxCoeff();
  const VectorXd Q = slack * (first.diagonal().array().abs() + floor).matrix();
  const MatrixXd P = bounded_real(s, Q);
  if (P.size() == 0 || !(P.diagonal().minCoeff() > 0)) return false;
  MatrixXd M(N + p, N + p);
  M.topLeftCorner(N, N) = P - s.A.transpose() * P * s.A - s.C.transpose() * s.C;
  M.topRightCorner(N, p) = -(s.A.transpose() * P * s.B + s.C.transpose() * s.H);
  M.bottomLeftCorner(p, N) = M.topRightCorner(N, p).transpose();
  M.bottomRightCorner(p, p) =
      MatrixXd::Identity(p, p) - s.H.transpose() * s.H - s.B.transpose() * P * s.B;
  // In units in which all states weigh alike.
  VectorXd unit = VectorXd::Ones(N + p);
  unit.head(N) = P.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled_P = unit.head(N).asDiagonal() * P * unit.head(N).asDiagonal();
  const MatrixXd scaled_M = unit.asDiagonal() * M * unit.asDiagonal();
  return positive(scaled_P) && positive(0.5 * (scaled_M + scaled_M.transpose()));
}

}  // namespace parid::control
