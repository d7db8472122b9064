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

// The gain from w to z at ζ, from the parts of the loop: with α = (1 + 1/ζ)/2 and the torque's
// delay φ(ζ),
//
//   y = C x + D r,   r = α y + w/2,   ζ x = A x + φ B (E x + F r),   z = (1 − 1/ζ) y
//
// D is strictly lower triangular and sparse, and x is short, so that this takes a small part of
// what the lifted matrices would.
class LoopGain {
 public:
  LoopGain(const LawParts& law, const HeldPlant& plant, const Policy& policy)
      : law_(law), plant_(plant), policy_(policy), reads_(static_cast<std::size_t>(law.numbers())) {
    for (Index k = 0; k < law.numbers(); ++k)
      for (Index j = 0; j < k; ++j)
        if (law.D(k, j) != 0) reads_[static_cast<std::size_t>(k)].emplace_back(j, law.D(k, j));
  }

  MatrixXcd at(std::complex<double> zeta) const {
    using Complex = std::complex<double>;
    using Rows = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Index p = law_.numbers(), two_n = law_.E.cols();
    const Complex late = 1.0 / zeta, alpha = 0.5 * (1.0 + late);
    Rows y(p, two_n + p);  // by x and by w
    y.leftCols(two_n) = law_.C.cast<Complex>();
    y.rightCols(p) = (0.5 * law_.D).cast<Complex>();
    for (Index k = 0; k < p; ++k)
      for (const auto& [j, d] : reads_[static_cast<std::size_t>(k)])
        y.row(k) += (alpha * d) * y.row(j);
    const MatrixXcd F = law_.F.cast<Complex>();
    MatrixXcd tau = alpha * (F * y);
    tau.leftCols(two_n) += law_.E.cast<Complex>();
    tau.rightCols(p) += 0.5 * F;
    const MatrixXcd moved = delay(late) * (plant_.B.cast<Complex>() * tau);
    MatrixXcd M = -plant_.A.cast<Complex>() - moved.leftCols(two_n);
    M.diagonal().array() += zeta;
    const MatrixXcd x = math::solve(M, moved.rightCols(p));
    MatrixXcd gain = y.rightCols(p);
    gain.noalias() += y.leftCols(two_n) * x;
    return (1.0 - late) * gain;
  }

 private:
  std::complex<double> delay(std::complex<double> late) const {
    const std::complex<double> delayed = std::pow(late, policy_.delay);
    return policy_.predict_torque ? 2.0 * delayed - delayed * late : delayed;
  }

  const LawParts& law_;
  const HeldPlant& plant_;
  const Policy& policy_;
  std::vector<std::vector<std::pair<Index, double>>> reads_;
};

constexpr int frequencies = 28;
double frequency(double lowest, int k) {
  return 3.14159265358979 * std::pow(lowest, 1 - k / (frequencies - 1.0));
}

// A number that the gain G keeps in every scale, at most: if w is made of z = G w by some Δ_j with
// |Δ_j| ≤ 1/t for each reading j, then |d G d⁻¹| ≥ t for all d. For any w, t is the least
// |z_j|/|w_j|. The iteration of Packard, Fan and Doyle (1988) looks for the w with the largest.
double gain_in_every_scale(const MatrixXcd& G, const std::vector<RandomReading>& readings,
                           double enough) {
  const auto size = [](const VectorXcd& x, const RandomReading& r) {
    return x.segment(r.first, r.size).norm();
  };
  // x_j, with the length of y_j
  const auto as_long_as = [&](const VectorXcd& x, const VectorXcd& y) {
    VectorXcd to = x;
    for (const RandomReading& r : readings) {
      const double is = size(x, r), wanted = size(y, r);
      to.segment(r.first, r.size) *= is > 0 ? wanted / is : 0;
    }
    return to;
  };
  VectorXcd w = VectorXcd::Ones(G.cols()), back = w;
  double best = 0;
  for (int turn = 0; turn < 40; ++turn) {
    w.normalize();
    for (const RandomReading& r : readings)  // what hardly takes part must not decide
      if (size(w, r) < 1e-6) w.segment(r.first, r.size).setZero();
    VectorXcd z = G * w;
    double least = INFINITY;
    for (const RandomReading& r : readings)
      if (const double in = size(w, r); in > 0) least = std::min(least, size(z, r) / in);
    best = std::max(best, least);
    const double all = z.norm();
    if (best >= enough || !(all > 0) || !std::isfinite(all)) break;
    z /= all;
    back = G.adjoint() * as_long_as(z, back);
    back.normalize();
    w = as_long_as(back, z);
  }
  return best;
}

class Balance {
 public:
  Balance(const LoopGain& loop, const LawParts& law, double radius, double lowest)
      : readings_(law.readings) {
    for (int k = 0; k < frequencies; ++k) {
      gain_.push_back(loop.at(std::polar(radius, frequency(lowest, k))));
      right_.push_back(VectorXcd::Ones(law.numbers()));
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
      if (top < least) {
        least = top;
        best = log_scale;
      }
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
    left_.resize(gain_.size());
    size_.resize(gain_.size());
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

double improve_scale(const RandomLoop& loop, const HeldPlant& plant, double radius, double lowest,
                     VectorXd& log_scale, double enough) {
  const LoopGain gain(loop.law, plant, loop.policy);
  return Balance(gain, loop.law, radius, lowest).improve(log_scale, enough);
}

bool beyond_every_scale(const RandomLoop& loop, const HeldPlant& plant, double radius,
                        double& angle) {
  const LoopGain gain(loop.law, plant, loop.policy);
  const auto beyond = [&](double at) {
    return gain_in_every_scale(gain.at(std::polar(radius, at)), loop.law.readings, 1) >= 1;
  };
  if (angle > 0 && beyond(angle)) return true;
  for (int k = frequencies - 1; k >= 0; k -= 3) {
    const double at = frequency(1e-2, k);
    if (!beyond(at)) continue;
    angle = at;
    return true;
  }
  return false;
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
