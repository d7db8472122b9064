#include "design/timed_loop.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "control/stability/linear_plant.hpp"
#include "control/stability/response.hpp"
#include "control/stability/spectral_radius.hpp"
#include "parid/error.hpp"

namespace parid::design {
namespace {

using Eigen::Index, Eigen::MatrixXcd, Eigen::MatrixXd;
using Complex = std::complex<double>;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Complex on_circle(double angle) { return std::polar(1.0, angle); }

// Angles per period at which transfers are evaluated: closer where the loop crosses over, and up to
// half the rate.
std::vector<double> angles_for(const LoopTiming& t, const LoopGains& g) {
  constexpr int count = 140;
  // Data of several periods ago turn a locus several times as fast as the angle.
  constexpr double largest_step = 0.05;
  const double lowest = std::min(0.02, 0.02 * g.kd * t.period);
  const double ratio = std::pow(std::numbers::pi / lowest, 1 / (count - 1.0));
  std::vector<double> all;
  for (double angle = lowest; angle < std::numbers::pi * (1 - 1e-9);
       angle = std::min(angle * ratio, angle + largest_step))
    all.push_back(angle);
  all.push_back(std::numbers::pi);
  return all;
}

// The eigenvalues in the order of `before`, each beside the nearest of those.
void follow(const Eigen::VectorXcd& before, Eigen::VectorXcd& now) {
  std::vector<bool> taken(static_cast<std::size_t>(now.size()));
  Eigen::VectorXcd sorted(now.size());
  for (Index i = 0; i < before.size(); ++i) {
    Index best = -1;
    for (Index j = 0; j < now.size(); ++j)
      if (!taken[static_cast<std::size_t>(j)] &&
          (best < 0 || std::abs(now[j] - before[i]) < std::abs(now[best] - before[i])))
        best = j;
    taken[static_cast<std::size_t>(best)] = true;
    sorted[i] = now[best];
  }
  now = sorted;
}

// A similar matrix whose rows and columns have norms of like size, by powers of two (Osborne 1960;
// Parlett, Reinsch 1969): without it, eigenvalues of loops with large gains lose all their digits.
void balance(MatrixXd& A) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < A.rows(); ++i) {
      const double own = std::abs(A(i, i));
      const double column = A.col(i).cwiseAbs().sum() - own, row = A.row(i).cwiseAbs().sum() - own;
      if (!(column > 0) || !(row > 0) || !std::isfinite(column + row)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * factor + row / factor > 0.95 * (column + row)) continue;
      A.col(i) *= factor;
      A.row(i) /= factor;
      changed = true;
    }
  }
}

}  // namespace

Gains LoopGains::of(int coordinates) const {
  const auto n = static_cast<std::size_t>(coordinates);
  return {std::vector<double>(n, kp), std::vector<double>(n, kd)};
}

TimedLoop::TimedLoop(const Robot& plant, const control::LawDesign& asked, std::span<const double> q)
    : n_(plant.nv()) {
  if (asked.policy.by_chance)
    throw Error(
        fmt::format("{}: random ages have no single response; choose a policy with fixed "
                    "ages, or see `parid stability`",
                    asked.policy.id));
  control::demand_single_freedoms(plant);
  const std::vector<double> none(static_cast<std::size_t>(n_));
  LinearPlant linear = linear_plant(plant, asked, q, none, none);
  A_ = std::move(linear.A);
  B_ = std::move(linear.B);
  const auto states = static_cast<Index>(std::llround(std::sqrt(A_.size())));
  C_ = linear.C.empty() ? MatrixXd::Identity(states, states)
                        : MatrixXd(Eigen::Map<const Rows>(linear.C.data(), 2 * n_, states));
  // Torques depend on the gains only through the acceleration a_d + kd ė + kp e, so two responses
  // tell both parts.
  control::LawDesign law = asked;
  law.gains = LoopGains{0, 0}.of(n_);
  const Response without = response(law, q);
  law.gains = LoopGains{1, 1}.of(n_);
  const Response with = response(law, q);
  const int lags = std::max(without.lags, with.lags);
  for (int m = 0; m < lags; ++m) {
    const auto part = [&](const Response& r) -> MatrixXd {
      if (m >= r.lags) return MatrixXd::Zero(n_, 2 * n_);
      return Eigen::Map<const Rows>(r.at(0, m), n_, 2 * n_);
    };
    const MatrixXd direct = part(without), both = part(with);
    MatrixXd one(n_, 3 * n_);
    one << direct, direct.leftCols(n_) - both.leftCols(n_);
    response_.push_back(std::move(one));
  }
  reduce();
}

// Of the older inputs only what torques can tell apart matters: a state space from the Hankel
// matrix of the response, as LinearLoop has it.
void TimedLoop::reduce() {
  const Index one = 3 * n_, older = static_cast<Index>(response_.size()) - 1;
  if (older == 0) {
    kept_A_.resize(0, 0);
    kept_B_.resize(0, one);
    kept_C_.resize(n_, 0);
    return;
  }
  MatrixXd hankel = MatrixXd::Zero(one * older, n_ * older);
  for (Index i = 0; i < older; ++i)
    for (Index j = 0; i + j < older; ++j)
      hankel.block(one * j, n_ * i, one, n_) =
          response_[static_cast<std::size_t>(1 + i + j)].transpose();
  Eigen::ColPivHouseholderQR<MatrixXd> qr(hankel);
  qr.setThreshold(1e-13);
  const Index r = qr.rank(), shifted = one * (older - 1);
  const MatrixXd V = qr.householderQ() * MatrixXd::Identity(one * older, r);
  kept_A_ = V.bottomRows(shifted).transpose() * V.topRows(shifted);
  kept_B_ = V.topRows(one).transpose();
  kept_C_ = hankel.leftCols(n_).transpose() * V;
}

TimedLoop::Held TimedLoop::held(const LoopTiming& t) const {
  Held h;
  h.whole = static_cast<int>(std::floor(t.latency / t.period * (1 + 1e-12)));
  const double late = std::max(0.0, t.latency - h.whole * t.period);
  if (late <= 1e-9 * t.period) {
    HeldPlant all = held_over(t.period, A_, B_);
    h.A = std::move(all.A);
    h.now = std::move(all.B);
    return h;
  }
  h.split = true;
  const HeldPlant first = held_over(late, A_, B_), second = held_over(t.period - late, A_, B_);
  h.A = second.A * first.A;
  h.now = second.B;
  h.before = second.A * first.B;
  return h;
}

MatrixXd TimedLoop::law_inputs(const LoopGains& g) const {
  MatrixXd W = MatrixXd::Zero(3 * n_, 2 * n_);
  W.topRows(2 * n_).setIdentity();
  W.bottomLeftCorner(n_, n_).diagonal().setConstant(-g.kp);
  W.bottomRightCorner(n_, n_).diagonal().setConstant(-g.kd);
  return W * C_;
}

MatrixXd TimedLoop::step(const LoopTiming& t, const LoopGains& g) const {
  const Held h = held(t);
  const MatrixXd W = law_inputs(g);
  const Index s = h.A.rows(), r = kept_A_.rows(), late = h.whole + (h.split ? 1 : 0),
              N = s + n_ * late + r;
  MatrixXd all = MatrixXd::Zero(N, N);
  all.topLeftCorner(s, s) = h.A;
  const MatrixXd direct = response_[0] * W;  // u(k) = direct x + kept_C z
  // Adds M u(k − age) to rows `at`.
  const auto add = [&](Index at, const MatrixXd& M, Index age) {
    if (age > 0) {
      all.block(at, s + n_ * (age - 1), M.rows(), n_) += M;
      return;
    }
    all.block(at, 0, M.rows(), s) += M * direct;
    all.block(at, s + n_ * late, M.rows(), r) += M * kept_C_;
  };
  add(0, h.now, h.whole);
  if (h.split) add(0, h.before, h.whole + 1);
  const MatrixXd unit = MatrixXd::Identity(n_, n_);
  for (Index age = 0; age < late; ++age) add(s + n_ * age, unit, age);
  all.block(s + n_ * late, 0, r, s) = kept_B_ * W;
  all.bottomRightCorner(r, r) = kept_A_;
  return all;
}

double TimedLoop::spectral_radius(const LoopTiming& t, const LoopGains& g) const {
  MatrixXd A = step(t, g);
  // Past torques as the accelerations that they cause, so that joints of different inertia and
  // their coupling do not cost digits.
  const Index states = C_.cols(), late = (A.rows() - states - kept_A_.rows()) / n_;
  const MatrixXd push = C_.bottomRows(n_) * Eigen::Map<const Rows>(B_.data(), states, n_);
  if (const Eigen::PartialPivLU<MatrixXd> lu(push); late > 0 && lu.rcond() > 1e-12) {
    const MatrixXd back = lu.inverse();
    for (Index age = 0; age < late; ++age) {
      const Index at = states + n_ * age;
      A.middleRows(at, n_) = (push * A.middleRows(at, n_)).eval();
      A.middleCols(at, n_) = (A.middleCols(at, n_) * back).eval();
    }
  }
  balance(A);
  return control::spectral_radius(A);
}

MatrixXcd TimedLoop::law_at(double angle, const LoopGains& g) const {
  const Complex back = on_circle(-angle);
  MatrixXcd sum = MatrixXcd::Zero(n_, 3 * n_);
  Complex z = 1;
  for (const MatrixXd& one : response_) {
    sum += z * one.cast<Complex>();
    z *= back;
  }
  return sum * law_inputs(g).cast<Complex>();
}

MatrixXcd TimedLoop::acceleration_at(double angle) const {
  const Complex back = on_circle(-angle);
  MatrixXcd sum = MatrixXcd::Zero(n_, n_);
  Complex z = 1;
  for (const MatrixXd& one : response_) {
    sum += z * one.rightCols(n_).cast<Complex>();
    z *= back;
  }
  return sum;
}

MatrixXcd TimedLoop::plant_at(double angle, const Held& h) {
  const Complex z = on_circle(angle);
  MatrixXcd into = std::pow(z, -h.whole) * h.now.cast<Complex>();
  if (h.split) into += std::pow(z, -h.whole - 1) * h.before.cast<Complex>();
  const MatrixXcd M = z * MatrixXcd::Identity(h.A.rows(), h.A.cols()) - h.A.cast<Complex>();
  return M.partialPivLu().solve(into);
}

LoopMargins TimedLoop::margins(const LoopTiming& t, const LoopGains& g) const {
  const Held h = held(t);
  LoopMargins m{INFINITY, std::numbers::pi, 0};
  Eigen::VectorXcd before;
  double angle_before = 0;
  Eigen::ComplexEigenSolver<MatrixXcd> solver;
  for (const double angle : angles_for(t, g)) {
    const MatrixXcd loop = -law_at(angle, g) * plant_at(angle, h);
    Eigen::VectorXcd now = solver.compute(loop, false).eigenvalues();
    if (before.size() > 0) {
      follow(before, now);
      for (Index i = 0; i < now.size(); ++i) {
        const Complex a = before[i], b = now[i];
        // Where the locus crosses the unit circle.
        if ((std::abs(a) - 1) * (std::abs(b) - 1) <= 0 && a != b) {
          const double la = std::log(std::abs(a)), lb = std::log(std::abs(b)),
                       share = la == lb ? 0 : la / (la - lb);
          const Complex between = std::polar(1.0, std::arg(a) + share * std::arg(b / a));
          const double phase = std::abs(std::arg(-between));
          if (phase < m.phase) {
            m.phase = phase;
            m.crossover = angle_before * std::pow(angle / angle_before, share) / t.period;
          }
        }
        // Where it crosses the negative real axis.
        if (a.real() < 0 && b.real() < 0 && a.imag() * b.imag() <= 0 && a.imag() != b.imag()) {
          const double pa = std::arg(-a), pb = std::arg(-b), share = pa / (pa - pb);
          const double size = std::pow(std::abs(a), 1 - share) * std::pow(std::abs(b), share);
          if (size > 0 && size < 1) m.gain = std::min(m.gain, 1 / size);
        }
      }
    }
    if (angle == std::numbers::pi)
      for (Index i = 0; i < now.size(); ++i)
        if (const double x = now[i].real();
            x < 0 && x > -1 && std::abs(now[i].imag()) < 1e-6 * std::abs(x))
          m.gain = std::min(m.gain, -1 / x);
    before = now;
    angle_before = angle;
  }
  return m;
}

double TimedLoop::bandwidth(const LoopTiming& t, const LoopGains& g) const {
  const Held h = held(t);
  const double level = 1 / std::numbers::sqrt2;
  Eigen::VectorXd before = Eigen::VectorXd::Ones(n_);
  double angle_before = 0;
  for (const double angle : angles_for(t, g)) {
    const MatrixXcd P = plant_at(angle, h);
    const MatrixXcd closed = (MatrixXcd::Identity(n_, n_) - law_at(angle, g) * P)
                                 .partialPivLu()
                                 .solve(g.kp * acceleration_at(angle));
    const MatrixXcd q = C_.topRows(n_).cast<Complex>() * P * closed;
    const Eigen::VectorXd now = q.diagonal().cwiseAbs();
    double lowest = INFINITY;
    for (Index i = 0; i < n_; ++i)
      if (now[i] < level) {
        const double share = before[i] > level ? (before[i] - level) / (before[i] - now[i]) : 0;
        lowest = std::min(lowest, angle_before + share * (angle - angle_before));
      }
    if (std::isfinite(lowest)) return lowest / (2 * std::numbers::pi * t.period);
    before = now;
    angle_before = angle;
  }
  return 0.5 / t.period;
}

double largest_gain(std::span<const TimedLoop> loops, const LoopTiming& t, const MarginWish& wish,
                    double guess, std::size_t* worst) {
  const auto holds = [&](const TimedLoop& loop, double kd) {
    const LoopGains g = LoopGains::critical(kd);
    if (!(loop.spectral_radius(t, g) < 1)) return false;
    const LoopMargins m = loop.margins(t, g);
    return m.gain >= wish.gain && m.phase >= wish.phase;
  };
  double best = INFINITY;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (std::isfinite(best) && holds(loops[i], best)) continue;
    double good = 0, bad = std::isfinite(best) ? best : 0;
    double kd = std::isfinite(best) ? best * 0.97 : guess;
    // Brackets, then bisects.
    for (double factor = 1.1; good == 0 || bad == 0; factor *= factor) {
      if (holds(loops[i], kd)) {
        good = kd;
        if (bad == 0) kd *= factor;
      } else {
        bad = kd;
        if (good == 0) kd /= factor;
      }
      if (kd < 1e-6 * guess) {
        if (worst) *worst = i;
        return 0;
      }
      if (kd > 1e6 * guess) break;
    }
    while (bad > 0 && bad > 1.01 * good) {
      const double middle = std::sqrt(good * bad);
      (holds(loops[i], middle) ? good : bad) = middle;
    }
    best = good;
    if (worst) *worst = i;
  }
  return best;
}

double largest_period(std::span<const TimedLoop> loops, const LoopGains& g, double latency,
                      double from, double longest, double tolerance) {
  const auto stable = [&](const TimedLoop& loop, double T) {
    return loop.spectral_radius({T, std::min(latency, T)}, g) < 1;
  };
  double best = longest;
  for (const TimedLoop& loop : loops) {
    if (!stable(loop, from)) return 0;
    double safe = from, unsafe = 0;
    while (safe < best) {
      const double T = std::min(safe * 1.1, best);
      if (!stable(loop, T)) {
        unsafe = T;
        break;
      }
      safe = T;
    }
    if (unsafe == 0) continue;
    while (unsafe > safe * (1 + tolerance)) {
      const double middle = (safe + unsafe) / 2;
      (stable(loop, middle) ? safe : unsafe) = middle;
    }
    best = safe;
  }
  return best;
}

}  // namespace parid::design
