#include "parid/forward_friction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "model/elastic_mechanism.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "parid/dynamics.hpp"
#include "parid/quantity.hpp"
#include "runtime/layer.hpp"

namespace parid {
using namespace runtime;

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A velocity that only gives friction its direction: its square underflows to zero.
constexpr double towards = 1e-200;
// Relative to the largest torque: tolerance of a solution, tolerance at a kink, and threshold at
// which a joint breaks away.
constexpr double solved = 1e-12, nearly_solved = 1e-9, torn = 1e-11;
constexpr int newton_limit = 60;

// Friction that does not vanish with the velocity.
bool is_dry(const JointDescription& j) {
  const bool loses = j.drive && (j.drive->breakaway > 0 || !j.drive->efficiency.empty());
  return j.smoothing == 0 &&
         (j.friction > 0 || j.stribeck || j.journal || j.linear || j.thrust || loses);
}

double* data(Vector& x) { return x.data(); }
std::span<double> span(Vector& x) { return {data(x), static_cast<std::size_t>(x.size())}; }

}  // namespace

struct ForwardFriction::Parts {
  Robot robot;
  Workspace workspace;
  int n;
  std::vector<char> dry;
  std::vector<int> way, free;                  // free: coordinates that do not stick
  std::vector<const JointDescription*> joint;  // of each coordinate; null for those of several
  std::vector<double> loads;                   // of drives, beside the bodies; empty: none
  Vector law_v, total, rigid, residual, trial, plus, minus, answer;
  Matrix M, J;
  double scale = 0;  // the largest torque at a = 0
  int most_steps = 0;

  explicit Parts(const Robot& r) : robot(r), workspace(r), n(r.nv()), dry(n), way(n) {
    for (Vector* x : {&law_v, &total, &rigid, &residual, &trial, &plus, &minus, &answer})
      x->setZero(n);
    M.setZero(n, n);
    J.setZero(n, n);
    // The friction of mimic joints acts at their leader.
    const std::vector<JointDescription>& joints = robot.description().joints;
    const std::vector<MimicChain> following = mimic_chains(robot.description());
    std::vector<int> coordinate;
    int k = 0;
    for (const JointDescription& j : joints) {
      coordinate.push_back(k);
      k += velocity_count(j);
    }
    joint.resize(n);
    for (std::size_t j = 0; j < joints.size(); ++j)
      if (velocity_count(joints[j]) == 1) joint[coordinate[j]] = &joints[j];
    for (std::size_t j = 0; j < joints.size(); ++j)
      if (velocity_count(joints[j].type) == 1 && is_dry(joints[j]))
        dry[coordinate[following[j].leader]] = true;
  }

  // Torques with friction for an acceleration; law_v gives the direction of friction.
  void torques(const double* q, const Vector& a, Vector& out) {
    const std::span<const double> Q(q, static_cast<std::size_t>(robot.nq()));
    const std::span<const double> A(a.data(), static_cast<std::size_t>(n));
    inverse_dynamics_with_friction(robot, workspace, Q, span(law_v), A, span(out));
    for (std::size_t k = 0; k < loads.size(); ++k)  // what the load adds to the loss without one
      if (loads[k] != 0 && joint[k] && joint[k]->drive)
        out[k] += motor_loss(*joint[k], loads[k], law_v[k]) - motor_loss(*joint[k], 0, law_v[k]);
  }

  void set_law_velocities(const double* v) {
    for (int k = 0; k < n; ++k) {
      law_v[k] = v[k];
      if (dry[k] && way[k] == 0) law_v[k] = 0;
      if (dry[k] && way[k] * v[k] <= 0) law_v[k] = way[k] * towards;
    }
  }
  void find_free() {
    free.clear();
    for (int k = 0; k < n; ++k)
      if (!dry[k] || way[k] != 0) free.push_back(k);
  }

  double residual_of(const double* q, const double* tau, const Vector& a) {
    torques(q, a, total);
    double worst = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
      residual[i] = tau[free[i]] - total[free[i]];
      worst = std::max(worst, std::abs(residual[i]));
    }
    return worst;
  }

  // Derivative of the free coordinates' torques by their accelerations: the mass matrix, and from
  // the second iteration on, if friction depends on the load, differences.
  void take_mass_matrix(const double* q) {
    mass_matrix(robot, workspace, {q, static_cast<std::size_t>(robot.nq())},
                {M.data(), static_cast<std::size_t>(n * n)});
    for (std::size_t i = 0; i < free.size(); ++i)
      for (std::size_t k = 0; k < free.size(); ++k) J(i, k) = M(free[i], free[k]);
  }
  // Torques have kinks where a drive changes direction of power flow or a bearing's load vanishes.
  // Differences across a kink mislead the iteration, so they are short near the solution and taken
  // on alternating sides.
  void take_differences(const double* q, Vector& a, double share, bool forwards) {
    for (std::size_t k = 0; k < free.size(); ++k) {
      const double was = a[free[k]];
      const double step = (forwards ? share : -share) * (1 + std::abs(was));
      a[free[k]] = was + step;
      torques(q, a, trial);
      a[free[k]] = was;
      for (std::size_t i = 0; i < free.size(); ++i)
        J(i, k) = (trial[free[i]] - total[free[i]]) / step;
    }
  }

  // Starts from a = 0, so that the result does not depend on earlier calls.
  bool solve(const double* q, const double* tau, Vector& a) {
    find_free();
    const auto m = static_cast<Eigen::Index>(free.size());
    a.setZero(n);
    double before = residual_of(q, tau, a);
    scale = total.lpNorm<Eigen::Infinity>();
    for (int k = 0; k < n; ++k) scale = std::max(scale, std::abs(tau[k]));
    if (!std::isfinite(scale)) return false;
    if (m == 0) return true;
    for (int step = 0; step < newton_limit; ++step) {
      most_steps = std::max(most_steps, step);
      if (step > 0 && before <= solved * scale) return true;
      if (step == 0)
        take_mass_matrix(q);
      else
        take_differences(q, a, std::clamp(before / scale, 1e-9, 1e-6), step % 2 == 1);
      const Vector change = J.topLeftCorner(m, m).lu().solve(residual.head(m)), start = a;
      if (!change.allFinite()) return false;
      // Halves the step while it increases the residual. The mass matrix does not include
      // load-dependent friction: its step is taken in full, and differences correct it.
      double share = 1, after = before;
      for (int halving = 0; halving < 30; ++halving, share /= 2) {
        a = start;
        for (Eigen::Index i = 0; i < m; ++i) a[free[i]] += share * change[i];
        after = residual_of(q, tau, a);
        if (step == 0 || after < before || after <= solved * scale) break;
      }
      before = after;
    }
    return before <= nearly_solved * scale;
  }
};

ForwardFriction::ForwardFriction(const Robot& robot) {
  robot.require_defined(Quantity::forward_dynamics);
  parts_ = std::make_unique<Parts>(robot);
}
ForwardFriction::ForwardFriction(ForwardFriction&&) noexcept = default;
ForwardFriction& ForwardFriction::operator=(ForwardFriction&&) noexcept = default;
ForwardFriction::~ForwardFriction() = default;

bool ForwardFriction::can_stick(int k) const { return parts_->dry[k]; }
const std::vector<int>& ForwardFriction::ways() const { return parts_->way; }
void ForwardFriction::set_ways(const std::vector<int>& ways) { parts_->way = ways; }
void ForwardFriction::set_drive_loads(std::span<const double> loads) {
  parts_->loads.assign(loads.begin(), loads.end());
}
int ForwardFriction::most_steps() const { return parts_->most_steps; }

bool ForwardFriction::acceleration(std::span<const double> q, std::span<const double> v,
                                   std::span<const double> tau, std::span<double> a,
                                   std::span<double> friction) {
  Parts& p = *parts_;
  p.set_law_velocities(v.data());
  if (!p.solve(q.data(), tau.data(), p.answer)) return false;
  std::copy_n(p.answer.data(), p.n, a.begin());
  // The rest of tau accelerates the bodies; friction holds the joints that stick.
  inverse_dynamics(p.robot, p.workspace, q, span(p.law_v), a, span(p.rigid));
  for (int k = 0; k < p.n; ++k) friction[k] = tau[k] - p.rigid[k];
  return true;
}

double ForwardFriction::hold(std::span<const double> q, std::span<const double> v,
                             std::span<const double> tau, std::span<const double> a) {
  Parts& p = *parts_;
  double least = 1;
  if (std::none_of(p.way.begin(), p.way.end(), [](int w) { return w == 0; })) return least;
  const Vector A = Eigen::Map<const Vector>(a.data(), p.n);
  p.set_law_velocities(v.data());
  auto ask = [&](double direction, Vector& out) {
    for (int k = 0; k < p.n; ++k)
      if (p.dry[k] && p.way[k] == 0) p.law_v[k] = direction;
    p.torques(q.data(), A, out);
  };
  ask(towards, p.plus);
  ask(-towards, p.minus);
  double scale = 1e-300;
  for (int k = 0; k < p.n; ++k)
    scale = std::max({scale, std::abs(tau[k]), std::abs(p.plus[k]), std::abs(p.minus[k])});
  for (int k = 0; k < p.n; ++k)
    if (p.dry[k] && p.way[k] == 0)
      least = std::min({least, (p.plus[k] - tau[k]) / scale, (tau[k] - p.minus[k]) / scale});
  return least;
}

bool ForwardFriction::settle(std::span<const double> q, std::span<const double> v,
                             std::span<const double> tau, std::span<double> a) {
  Parts& p = *parts_;
  for (int k = 0; k < p.n; ++k) p.way[k] = !p.dry[k] || v[k] == 0 ? 0 : v[k] > 0 ? 1 : -1;
  Vector A(p.n);
  auto finish = [&](bool found) {
    std::copy_n(A.data(), p.n, a.begin());
    return found;
  };
  const int limit = 100 * (p.n + 1);
  for (int turn = 0; turn < limit; ++turn) {
    p.set_law_velocities(v.data());
    if (!p.solve(q.data(), tau.data(), A)) return finish(false);
    hold(q, v, tau, {A.data(), static_cast<std::size_t>(p.n)});  // fills plus and minus
    const double scale = p.scale, fastest = A.lpNorm<Eigen::Infinity>();
    int change = -1, to = 0;
    for (int k = 0; k < p.n && change < 0; ++k) {
      if (!p.dry[k] || v[k] != 0) continue;
      if (p.way[k] == 0 && tau[k] - p.plus[k] > torn * scale) {
        change = k;
        to = 1;
      }
      if (p.way[k] == 0 && p.minus[k] - tau[k] > torn * scale) {
        change = k;
        to = -1;
      }
      if (p.way[k] != 0 && p.way[k] * A[k] < -torn * fastest) {
        change = k;
        to = 0;
      }
    }
    if (change < 0) return finish(true);
    p.way[change] = to;
  }
  return finish(false);
}

bool forward_dynamics_with_friction(const Robot& robot, std::span<const double> q,
                                    std::span<const double> v, std::span<const double> tau,
                                    std::span<double> a) {
  return ForwardFriction(robot).settle(q, v, tau, a);
}

}  // namespace parid
