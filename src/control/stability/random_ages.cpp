#include "control/stability/random_ages.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <stdexcept>

#include "control/law.hpp"
#include "control/stability/linear_plant.hpp"
#include "control/stability/spectral_radius.hpp"
#include "control/stability/stability.hpp"
#include "parid/error.hpp"
#include "scalar/dual.hpp"

namespace parid::control {
namespace {

using Eigen::Index, Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXcd, Eigen::VectorXd;
using Number = Dual<12>;
using Link = StaleLink<Number>;
using Part = Vec3<Number> Link::*;
constexpr Number Vec3<Number>::*axes[] = {&Vec3<Number>::x, &Vec3<Number>::y, &Vec3<Number>::z};

// A reading across joint `link`: of the parent's variable by the link, or of the link's by its
// parent.
struct Reading {
  Stale variable;
  Part part;
  int link;    // whose joint is crossed
  int source;  // whose variable it is; of a_e, whose joint moves
  int reader;
  int maker;      // the link whose equations give the value
  int first = 0;  // of its components
  int size = 0;
};

void require_one_period_by_chance(const Policy& p) {
  if (!p.by_chance) throw Error(fmt::format("{}: its ages are not random; use LinearLoop", p.id));
  for (const Read& r : p.reads)
    if (r.own != 0 || r.across != 0 || r.neighbour > 1 ||
        (r.neighbour == 1 && r.prediction == Prediction::linear))
      throw Error(
          fmt::format("{}: bounds over realisations need neighbours' values at most one period old "
                      "and held, and all others of this period",
                      p.id));
  if (p.alpha_apart())
    throw Error(fmt::format("{}: bounds over realisations need α and ω̇ of the same age", p.id));
}

double radius_of(const MatrixXd& A) {
  if (!A.allFinite()) return INFINITY;
  if (A.rows() <= 150) return spectral_radius(A);
  auto apply = [&](const double* x, double* y) {
    Eigen::Map<VectorXd>(y, A.rows()) = A * Eigen::Map<const VectorXd>(x, A.rows());
  };
  return spectral_radius(static_cast<int>(A.rows()), apply, 40);
}

// With the readings as inputs r, what the law gives: y = C x + D r, τ = E x + F r, x = (δq, δv).
struct LawParts {
  int n = 0;
  std::vector<Reading> readings;
  MatrixXd C, D, E, F;

  Index numbers() const { return D.rows(); }
};

class LawProbe {
 public:
  LawProbe(const LawDesign& d, const Desired& here)
      : n_(d.model.nv()),
        c_(d.model.canonical()),
        here_(here),
        law_(c_, law_kind(d.law), d.gains),
        q_(static_cast<std::size_t>(n_)),
        v_(q_),
        tau_(q_) {
    Policy p = d.policy;
    p.by_chance = p.predict_torque = false, p.delay = 0;
    law_.set_policy(p);
    find_readings(p);
  }

  LawParts parts() {
    const Index all = static_cast<Index>(3 * readings_.size()), two_n = 2 * n_;
    LawParts l{n_,
               readings_,
               MatrixXd::Zero(all, two_n),
               MatrixXd::Zero(all, all),
               MatrixXd::Zero(n_, two_n),
               MatrixXd::Zero(n_, all)};
    for (Index first = 0; first < two_n + all; first += 12) run(l, first);
    return pruned(std::move(l));
  }

 private:
  // Outwards from the base, then inwards from the tips: a value is made of readings before it.
  void find_readings(const Policy& p) {
    const auto parent = [&](int i) { return c_.topology.parent[static_cast<std::size_t>(i)]; };
    const auto old = [&](Stale s) { return p[s].neighbour == 1; };
    for (int i = 1; i <= c_.topology.n; ++i) {
      const int j = parent(i);
      if (j == 0) continue;
      if (old(Stale::w)) readings_.push_back({Stale::w, &Link::w, i, j, i, j});
      if (old(Stale::wd)) readings_.push_back({Stale::wd, &Link::wd, i, j, i, j});
      if (old(Stale::e)) readings_.push_back({Stale::e, &Link::e, i, i, i, j});
    }
    for (int j = c_.topology.n; j >= 1; --j)
      for (int i = 1; i <= c_.topology.n; ++i) {
        if (parent(i) != j) continue;
        if (old(Stale::f)) readings_.push_back({Stale::f, &Link::f, i, i, j, i});
        if (old(Stale::n)) readings_.push_back({Stale::n, &Link::n, i, i, j, i});
      }
  }

  // Derivatives by twelve of: positions, velocities, readings' components.
  void run(LawParts& l, Index first) {
    const Index two_n = 2 * n_;
    for (std::size_t k = 0; k < q_.size(); ++k)
      q_[k] = Number(here_.q[k]), v_[k] = Number(here_.v[k]);
    law_.start(here_, here_, q_.data(), v_.data(), tau_.data());
    for (Index c = first; c < first + 12 && c < two_n + l.numbers(); ++c) {
      const auto d = static_cast<std::size_t>(c - first);
      if (c < two_n) {
        (c < n_ ? q_[static_cast<std::size_t>(c)] : v_[static_cast<std::size_t>(c - n_)]).d[d] = 1;
      } else {
        const Reading& r = readings_[static_cast<std::size_t>((c - two_n) / 3)];
        (law_.recursion.now(r.source).*r.part.*axes[(c - two_n) % 3]).d[d] = 1;
      }
    }
    law_.step(here_, here_, q_.data(), v_.data(), tau_.data());
    for (Index c = first; c < first + 12 && c < two_n + l.numbers(); ++c) {
      const auto d = static_cast<std::size_t>(c - first);
      const Reading* by =
          c < two_n ? nullptr : &readings_[static_cast<std::size_t>((c - two_n) / 3)];
      for (std::size_t k = 0; k < readings_.size(); ++k) {
        const Reading& r = readings_[k];
        if (by != nullptr && r.maker != by->reader) continue;  // another reader's share
        for (Index a = 0; a < 3; ++a) {
          const double x = (law_.recursion.now(r.source).*r.part.*axes[a]).d[d];
          const Index row = 3 * static_cast<Index>(k) + a;
          (by == nullptr ? l.C(row, c) : l.D(row, c - two_n)) = x;
        }
      }
      if (by == nullptr) {
        for (Index k = 0; k < n_; ++k) l.E(k, c) = tau_[static_cast<std::size_t>(k)].d[d];
      } else if (law_.has_model()) {
        const JointPlace& j = c_.joint[static_cast<std::size_t>(by->reader)];
        l.F(j.velocity, c - two_n) +=
            j.scale * law_.joint_torques()[static_cast<std::size_t>(by->reader)].d[d];
      }
    }
  }

  // Without components that are always zero or change nothing.
  LawParts pruned(LawParts l) const {
    const Index all = l.numbers();
    std::vector<bool> kept(static_cast<std::size_t>(all), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (Index k = 0; k < all; ++k) {
        if (!kept[static_cast<std::size_t>(k)]) continue;
        bool made = !l.C.row(k).isZero(0), used = !l.F.col(k).isZero(0);
        for (Index j = 0; j < all; ++j) {
          if (!kept[static_cast<std::size_t>(j)]) continue;
          made |= l.D(k, j) != 0, used |= l.D(j, k) != 0;
        }
        if (made && used) continue;
        kept[static_cast<std::size_t>(k)] = false, changed = true;
      }
    }
    std::vector<Index> which;
    std::vector<Reading> readings;
    for (std::size_t r = 0; r < l.readings.size(); ++r) {
      Reading x = l.readings[r];
      x.first = static_cast<int>(which.size());
      for (Index a = 0; a < 3; ++a)
        if (const Index k = 3 * static_cast<Index>(r) + a; kept[static_cast<std::size_t>(k)])
          which.push_back(k);
      x.size = static_cast<int>(which.size()) - x.first;
      if (x.size > 0) readings.push_back(x);
    }
    return {l.n,
            readings,
            l.C(which, Eigen::all),
            l.D(which, which),
            std::move(l.E),
            l.F(Eigen::all, which)};
  }

  int n_;
  const CanonicalModel& c_;
  Desired here_;
  StaleLaw<Number> law_;
  std::vector<Number> q_, v_, tau_;
  std::vector<Reading> readings_;
};

// ξ⁺ = A ξ + B w, z = C ξ + H w.
struct Channel {
  MatrixXd A, B, C, H;
};

// Positive definite, rounding aside.
bool positive(const MatrixXd& M) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> s(M, Eigen::EigenvaluesOnly);
  if (s.info() != Eigen::Success) return false;
  const VectorXd& e = s.eigenvalues();
  return e[0] > 1e-14 * static_cast<double>(M.rows()) * e.cwiseAbs().maxCoeff();
}

// The stabilising solution of P = AᵀPA + CᵀC + Q + (AᵀPB + CᵀH)(I − HᵀH − BᵀPB)⁻¹(·)ᵀ by doubling
// (Chu, Fan, Lin, Wang 2004). Empty where there is none.
MatrixXd bounded_real(const Channel& s, const VectorXd& Q) {
  const Index N = s.A.rows(), p = s.B.cols();
  const MatrixXd R = MatrixXd::Identity(p, p) - s.H.transpose() * s.H;
  const Eigen::LLT<MatrixXd> llt(R);
  if (llt.info() != Eigen::Success) return {};
  MatrixXd A = s.A + s.B * llt.solve(s.H.transpose() * s.C);
  MatrixXd G = -s.B * llt.solve(s.B.transpose());
  MatrixXd P = s.C.transpose() * s.C + s.C.transpose() * s.H * llt.solve(s.H.transpose() * s.C);
  P.diagonal() += Q;
  for (int turn = 0; turn < 60; ++turn) {
    const Eigen::PartialPivLU<MatrixXd> W(MatrixXd::Identity(N, N) + G * P);
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

// Whether V = ξᵀPξ falls by `least` at every step for all w with |w_j| ≤ |z_j|, for a P that is
// found.
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

}  // namespace

struct RandomAges::Parts {
  Policy policy;
  std::vector<double> A, B;  // of the plant
  LawParts law;
  int late = 0;  // past torques that are states
  // One number per reading, kept between periods: a search starts where the last one ended.
  mutable VectorXd scale;
  // Realisations that come round: patterns one after the other. true: this period's.
  using Pattern = std::vector<bool>;
  mutable std::vector<std::vector<Pattern>> worst;

  Index n() const { return law.n; }
  Index p() const { return law.numbers(); }
  Index N() const { return 2 * n() + p() + n() * late; }

  // r = r_xi ξ + r_w w; an empty r_w: none.
  void close(const HeldPlant& held, const MatrixXd& r_xi, const MatrixXd& r_w, MatrixXd& A_,
             MatrixXd& B_) const {
    const Index two_n = 2 * n();
    MatrixXd y = law.D * r_xi, tau = law.F * r_xi;
    y.leftCols(two_n) += law.C, tau.leftCols(two_n) += law.E;
    A_ = MatrixXd::Zero(N(), N());
    A_.topLeftCorner(two_n, two_n) = held.A;
    A_.middleRows(two_n, p()) = y;
    const double now = policy.delay == 0 ? (policy.predict_torque ? 2 : 1) : 0;
    A_.topRows(two_n) += now * held.B * tau;
    for (int k = 0; k < late; ++k) {
      const Index at = two_n + p() + n() * k;
      const double share = k + 1 == policy.delay ? (policy.predict_torque ? 2 : 1)
                           : k == policy.delay   ? -1
                                                 : 0;
      A_.block(0, at, two_n, n()) += share * held.B;
      if (k == 0)
        A_.middleRows(at, n()) = tau;
      else
        A_.block(at, at - n(), n(), n()).setIdentity();
    }
    if (r_w.size() == 0) return;
    B_ = MatrixXd::Zero(N(), r_w.cols());
    B_.topRows(two_n) = now * held.B * (law.F * r_w);
    B_.middleRows(two_n, p()) = law.D * r_w;
    if (late > 0) B_.middleRows(two_n + p(), n()) = law.F * r_w;
  }

  HeldPlant held(double period) const { return held_over(period, A, B); }

  // now[j]: reading j is this period's.
  MatrixXd step(const HeldPlant& plant, const std::vector<bool>& now) const {
    VectorXd S = VectorXd::Zero(p());
    for (std::size_t j = 0; j < now.size(); ++j)
      if (now[j]) S.segment(law.readings[j].first, law.readings[j].size).setOnes();
    MatrixXd r = MatrixXd::Zero(p(), N());
    r.leftCols(2 * n()) = S.asDiagonal() * law.C;
    for (Index k = 0; k < p(); ++k) r(k, 2 * n() + k) += 1 - S[k];
    const MatrixXd L = MatrixXd::Identity(p(), p()) - MatrixXd(S.asDiagonal() * law.D);
    L.triangularView<Eigen::UnitLower>().solveInPlace(r);
    MatrixXd made, none;
    close(plant, r, MatrixXd(), made, none);
    return made;
  }

  // w = Δ z enters, z = y − y_old leaves.
  Channel channel(const HeldPlant& plant) const {
    const Index two_n = 2 * n();
    MatrixXd y = MatrixXd::Zero(p(), N()), y_w = 0.5 * law.D;
    y.leftCols(two_n) = law.C;
    y.middleCols(two_n, p()) += 0.5 * law.D;
    const MatrixXd L = MatrixXd::Identity(p(), p()) - 0.5 * law.D;
    L.triangularView<Eigen::UnitLower>().solveInPlace(y);
    L.triangularView<Eigen::UnitLower>().solveInPlace(y_w);
    MatrixXd r = 0.5 * y, r_w = 0.5 * y_w;
    r_w.diagonal().array() += 0.5;
    Channel c;
    for (Index k = 0; k < p(); ++k) r(k, two_n + k) += 0.5, y(k, two_n + k) -= 1;
    close(plant, r, r_w, c.A, c.B);
    c.C = y, c.H = y_w;
    return c;
  }

  std::size_t count() const { return law.readings.size(); }
  bool proven(double period, double radius) const;
  double radius_of_round(const HeldPlant&, const std::vector<Pattern>&) const;
  void look_for_the_worst(double period) const;
};

// ---- from above

namespace {

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
    const Index p = law_.numbers(), two_n = 2 * law_.n;
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
    const MatrixXcd x = Eigen::PartialPivLU<MatrixXcd>(M).solve(moved.rightCols(p));
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

// One number per reading so that the largest gain over frequencies, scale·M·scale⁻¹, is as small as
// can be: of each reading, what enters and what leaves at the frequencies with the largest gains
// are made alike.
class Balance {
 public:
  Balance(const LoopGain& loop, const LawParts& law, double radius, double lowest)
      : readings_(law.readings) {
    constexpr int count = 28;
    for (int k = 0; k < count; ++k) {
      const double angle = 3.14159265358979 * std::pow(lowest, 1 - k / (count - 1.0));
      gain_.push_back(loop.at(std::polar(radius, angle)));
      right_.push_back(VectorXcd::Ones(law.numbers()));
    }
  }

  // Improves log_scale until gains are below `enough`, or no longer improve; gives the largest
  // gain.
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

  const std::vector<Reading>& readings_;
  std::vector<MatrixXcd> gain_;
  std::vector<VectorXcd> left_, right_;
  std::vector<double> size_;
};

}  // namespace

// All products of `radius`⁻¹ A(σ) die.
bool RandomAges::Parts::proven(double period, double radius) const {
  const HeldPlant plant = held(period);
  Channel c = channel(plant);
  c.A /= radius, c.B /= radius;
  const double slowest = radius_of(c.A);
  if (!(slowest < 1)) return false;
  if (count() == 0) return true;
  if (scale.size() != static_cast<Index>(count()))
    scale = VectorXd::Zero(static_cast<Index>(count()));
  const LoopGain loop(law, plant, policy);
  Balance balance(loop, law, radius, std::min(1e-2, 0.1 * (1 - slowest)));
  VectorXd log_scale = scale;
  if (!(balance.improve(log_scale, 0.97) < 1)) return false;
  scale = log_scale;
  for (std::size_t j = 0; j < count(); ++j) {
    const double d = std::exp(log_scale[static_cast<Index>(j)]);
    const Index at = law.readings[j].first, size = law.readings[j].size;
    c.C.middleRows(at, size) *= d, c.H.middleRows(at, size) *= d;
    c.B.middleCols(at, size) /= d, c.H.middleCols(at, size) /= d;
  }
  return has_certificate(c);
}

// ---- from below

double RandomAges::Parts::radius_of_round(const HeldPlant& plant,
                                          const std::vector<Pattern>& round) const {
  MatrixXd all = step(plant, round[0]);
  for (std::size_t k = 1; k < round.size(); ++k) all = step(plant, round[k]) * all;
  return std::pow(radius_of(all), 1.0 / static_cast<double>(round.size()));
}

// Constant patterns: old and new by kind of variable, then single readings turned round while that
// is worse. Then pairs of the worst.
void RandomAges::Parts::look_for_the_worst(double period) const {
  const HeldPlant plant = held(period);
  std::map<Pattern, double> tried;
  const auto radius = [&](const Pattern& now) {
    const auto at = tried.find(now);
    if (at != tried.end()) return at->second;
    return tried[now] = radius_of(step(plant, now));
  };
  std::vector<Stale> kinds;
  for (const Reading& r : law.readings)
    if (std::find(kinds.begin(), kinds.end(), r.variable) == kinds.end())
      kinds.push_back(r.variable);
  for (unsigned mask = 0; mask < 1u << kinds.size(); ++mask) {
    Pattern now(count());
    for (std::size_t j = 0; j < count(); ++j)
      for (std::size_t k = 0; k < kinds.size(); ++k)
        if (law.readings[j].variable == kinds[k]) now[j] = (mask >> k & 1) != 0;
    radius(now);
  }
  Pattern best = std::max_element(tried.begin(), tried.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->first;
  for (bool better = true; better;) {
    better = false;
    for (std::size_t j = 0; j < count(); ++j) {
      Pattern now = best;
      now[j] = !now[j];
      if (radius(now) > radius(best) * (1 + 1e-12)) best = now, better = true;
    }
  }
  std::vector<std::pair<double, Pattern>> order;
  for (const auto& [now, r] : tried) order.emplace_back(-r, now);
  std::sort(order.begin(), order.end());
  order.resize(std::min<std::size_t>(order.size(), 4));
  worst = {{Pattern(count(), false)}};
  std::vector<Pattern> pair;
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < 2) worst.push_back({order[i].second});
    for (std::size_t k = 0; k < i; ++k)
      if (const double r = radius_of_round(plant, {order[i].second, order[k].second}); r > largest)
        largest = r, pair = {order[i].second, order[k].second};
  }
  if (!pair.empty()) worst.push_back(pair);
}

// ---- the class

RandomAges::RandomAges(const Robot& plant, const LawDesign& design, std::span<const double> q)
    : parts_(std::make_unique<Parts>()) {
  require_one_period_by_chance(design.policy);
  const std::vector<double> none(static_cast<std::size_t>(plant.nv()));
  linearise(plant, q, none, none, parts_->A, parts_->B);
  parts_->policy = design.policy;
  parts_->law = LawProbe(design, {{q.begin(), q.end()}, none, none}).parts();
  parts_->late = design.policy.delay + (design.policy.predict_torque ? 1 : 0);
}

RandomAges::RandomAges(const Robot& plant, const LawDesign& design, const Trajectory& trajectory,
                       double t)
    : parts_(std::make_unique<Parts>()) {
  require_one_period_by_chance(design.policy);
  const auto n = static_cast<std::size_t>(plant.nv());
  Desired here{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  trajectory.at(std::clamp(t, 0.0, trajectory.duration()), here.q, here.v, here.a);
  linearise(plant, here.q, here.v, here.a, parts_->A, parts_->B);
  parts_->policy = design.policy;
  parts_->law = LawProbe(design, here).parts();
  parts_->late = design.policy.delay + (design.policy.predict_torque ? 1 : 0);
}

RandomAges::~RandomAges() = default;
RandomAges::RandomAges(RandomAges&&) noexcept = default;

int RandomAges::readings() const { return static_cast<int>(parts_->count()); }
int RandomAges::states() const { return static_cast<int>(parts_->N()); }

bool RandomAges::every_realisation_dies(double period) const { return parts_->proven(period, 1); }

void RandomAges::look_near(double period) const { parts_->look_for_the_worst(period); }

double RandomAges::found_radius(double period) const {
  const HeldPlant plant = parts_->held(period);
  if (parts_->worst.empty()) parts_->worst = {{Parts::Pattern(parts_->count(), false)}};
  double largest = 0;
  for (const auto& round : parts_->worst)
    largest = std::max(largest, parts_->radius_of_round(plant, round));
  return largest;
}

double RandomAges::proven_radius(double period, double tolerance) const {
  look_near(period);
  const double found = found_radius(period);
  if (!std::isfinite(found)) return INFINITY;
  double low = found, above = tolerance * std::max(std::abs(1 - found), 1e-3);
  while (!parts_->proven(period, found + above)) {
    low = found + above, above *= 2;
    if (found + above > 2) return INFINITY;
  }
  double high = found + above;
  while (high - low > tolerance * std::max(std::abs(1 - high), 1e-3)) {
    const double middle = (low + high) / 2;
    (parts_->proven(period, middle) ? high : low) = middle;
  }
  return high;
}

double RandomAges::mean_square_radius(double period) const {
  const Parts& p = *parts_;
  const Index N = p.N(), numbers = p.p(), two_n = 2 * p.n();
  MatrixXd from_xi, from_r;  // ξ⁺ = from_xi ξ + from_r r
  p.close(p.held(period), MatrixXd::Zero(numbers, N), MatrixXd::Identity(numbers, numbers), from_xi,
          from_r);
  MatrixXd all(N, N + numbers);
  all << from_xi, from_r;
  MatrixXd Z(N + numbers, N + numbers);  // moments of (ξ, r)
  auto apply = [&](const double* x, double* to) {
    const Eigen::Map<const MatrixXd> X(x, N, N);
    Z.setZero();
    Z.topLeftCorner(N, N) = 0.5 * (X + X.transpose());
    for (const Reading& r : p.law.readings) {
      const Index at = r.first, size = r.size, so_far = N + at;
      MatrixXd now(size, so_far);  // E[y (ξ, r)ᵀ]
      now.noalias() = p.law.C.middleRows(at, size) * Z.topLeftCorner(two_n, so_far);
      now.noalias() += p.law.D.block(at, 0, size, at) * Z.block(N, 0, at, so_far);
      const MatrixXd old = Z.block(two_n + at, 0, size, so_far);
      const MatrixXd both = now.leftCols(two_n) * p.law.C.middleRows(at, size).transpose() +
                            now.rightCols(at) * p.law.D.block(at, 0, size, at).transpose();
      const MatrixXd cross = 0.5 * (now + old);
      Z.block(so_far, 0, size, so_far) = cross;
      Z.block(0, so_far, so_far, size) = cross.transpose();
      Z.block(so_far, so_far, size, size) =
          0.5 * (both + Z.block(two_n + at, two_n + at, size, size));
    }
    Eigen::Map<MatrixXd>(to, N, N).noalias() = all * Z * all.transpose();
  };
  // Of a positive operator the largest eigenvalue is a real one, with a positive semidefinite
  // matrix.
  return std::sqrt(spectral_radius(static_cast<int>(N * N), apply, 40, 1e-6));
}

double RandomAges::realisation_radius(double period, std::uint64_t seed) const {
  const HeldPlant plant = parts_->held(period);
  Policy policy = parts_->policy;
  policy.seed = seed;
  std::vector<MatrixXd> steps;
  for (long k = 0; k < Policy::round; ++k) {
    std::vector<bool> now;
    for (const Reading& r : parts_->law.readings)
      now.push_back(policy.neighbour_age(r.variable, r.link, k) == 0);
    steps.push_back(parts_->step(plant, now));
  }
  const Index N = parts_->N();
  VectorXd x(N);
  auto round = [&](const double* from, double* to) {
    x = Eigen::Map<const VectorXd>(from, N);
    for (const MatrixXd& A : steps) x = (A * x).eval();
    Eigen::Map<VectorXd>(to, N) = x;
  };
  return std::pow(spectral_radius(static_cast<int>(N), round, 2), 1.0 / Policy::round);
}

std::vector<double> RandomAges::step(double period, const std::vector<bool>& now) const {
  if (now.size() != parts_->count())
    throw std::invalid_argument("RandomAges::step: `now` has one entry per reading");
  const MatrixXd A = parts_->step(parts_->held(period), now);
  return {A.data(), A.data() + A.size()};
}

// ---- periods

RandomPeriods random_periods(const RandomAges& loop, const PeriodRange& range, double tolerance) {
  RandomPeriods p;
  const auto radius = [&](double T) { return loop.found_radius(T); };
  p.unsafe = largest_safe_period(radius, range, 0.1 * tolerance);
  if (p.unsafe == 0) p.unsafe = range.shortest;
  loop.look_near(p.unsafe);
  if (!(radius(p.unsafe * (1 - tolerance)) < 1))
    p.unsafe = std::max(largest_safe_period(radius, range, 0.1 * tolerance), range.shortest);
  // Downwards from there until something is proven; then up again.
  double safe = p.unsafe, unproven = p.unsafe;
  bool found = false;
  for (double share = 1; safe >= range.shortest; share *= share > 0.8 ? 0.95 : 0.7) {
    safe = share * p.unsafe;
    if ((found = safe >= range.shortest && loop.every_realisation_dies(safe))) break;
    unproven = safe;
  }
  if (!found) return p;
  while (unproven - safe > tolerance * safe) {
    const double middle = (safe + unproven) / 2;
    (loop.every_realisation_dies(middle) ? safe : unproven) = middle;
  }
  // What is shorter must be proven too.
  for (double T = safe / 2; T >= std::max(range.shortest, safe / 20); T /= 2)
    if (!loop.every_realisation_dies(T)) safe = T / 2;
  p.safe = safe < range.shortest ? 0 : safe;
  return p;
}

namespace {

// The largest period at which `dies`, from `low` up, by steps of a quarter and then by bisection.
template <class Dies>
double last_period(const Dies& dies, const PeriodRange& range, double low, double tolerance) {
  double safe = std::max(low, range.shortest);
  while (!dies(safe)) {
    if (safe <= range.shortest) return 0;
    safe = std::max(safe / 1.25, range.shortest);
  }
  double unsafe = safe;
  while (safe < range.longest) {
    unsafe = std::min(1.25 * safe, range.longest);
    if (!dies(unsafe)) break;
    safe = unsafe;
  }
  while (unsafe - safe > tolerance * safe) {
    const double middle = (safe + unsafe) / 2;
    (dies(middle) ? safe : unsafe) = middle;
  }
  return safe;
}

}  // namespace

double mean_square_period(const RandomAges& loop, const PeriodRange& range, double from,
                          double tolerance) {
  return last_period([&](double T) { return loop.mean_square_radius(T) < 1; }, range, from,
                     tolerance);
}

std::vector<double> realisation_periods(const RandomAges& loop, const PeriodRange& range,
                                        double from, int count, std::uint64_t seed,
                                        double tolerance) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) {
    auto dies = [&](double T) {
      return loop.realisation_radius(T, seed + static_cast<std::uint64_t>(k)) < 1;
    };
    all.push_back(last_period(dies, range, from, tolerance));
    from = all.back();  // the next one's is near
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace parid::control
