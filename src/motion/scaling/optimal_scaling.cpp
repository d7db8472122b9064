// Time-optimal motion along a path by reachability analysis.
//
// Source   Pham, Pham, IEEE Trans. Robotics 34 (2018) 645-659, with limits checked at both ends of
//          each step. Written from the idea.
// Symbols  σ arc length of the path, x = σ̇², u = σ̈; p tangent and n its rate of change along σ
//          τ = A u + B x + C,  A = M p,  B = M n + (velocity terms of p),  C = gravity and external
//                                        loads
//          From sample i to i+1 u is constant: x[i+1] = x[i] + 2 Δ u.
// Method   Backwards: the set K[i] of x[i] from which the end can be reached, an interval, because
//          all constraints are linear in (u, x). Forwards: the greatest u that stays inside.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "motion/scaling/limit_binding.hpp"

namespace parid::motion {
namespace {

struct Interval {
  double low, high;
};

struct Constraint {  // c u + d x ≤ e
  double c, d, e;
};

// All x ≥ 0 for which some u satisfies every constraint: eliminates u from each pair of an upper
// and a lower bound. Empty: low > high.
Interval eliminated(const std::vector<Constraint>& all) {
  Interval x{0, Limits::none};
  auto bound = [&](double slope, double most) {  // slope · x ≤ most
    if (slope > 0) x.high = std::min(x.high, most / slope);
    if (slope < 0) x.low = std::max(x.low, most / slope);
    if (slope == 0 && most < 0) x = {1, 0};
  };
  for (const Constraint& above : all) {
    if (above.c == 0) bound(above.d, above.e);
    if (above.c <= 0) continue;
    for (const Constraint& below : all)
      if (below.c < 0)  // (e − d x)/c of the lower bound is at most that of the upper one
        bound(above.d / above.c - below.d / below.c, above.e / above.c - below.e / below.c);
  }
  return x;
}

// The path through samples [first, last]; at both the robot is at rest.
class Piece {
 public:
  Piece(const Robot& robot, const SampledTrajectory& m, const TorquesAlong& torques,
        std::size_t first, std::size_t last)
      : robot_(robot),
        m_(m),
        first_(first),
        n_(last - first + 1),
        nv_(robot.nv()),
        limits_(drive_limits(robot)) {
    measure();
    coefficients(torques);
  }

  // Appends samples to `out`, except for the first if `out` already has it.
  void run(SampledTrajectory& out) {
    reach_back();
    std::vector<double> x(n_), u(n_);
    for (std::size_t i = 0; i + 1 < n_; ++i) {
      u[i] = greatest(i, x[i]);
      x[i + 1] = std::clamp(x[i] + 2 * step_[i] * u[i], reach_[i + 1].low, reach_[i + 1].high);
    }
    u[n_ - 1] = u[n_ - 2];
    double t = out.t.empty() ? m_.t.front() : out.t.back();
    for (std::size_t i = 0; i < n_; ++i) {
      if (i > 0 && x[i - 1] + x[i] <= 0) refuse(i - 1);  // it cannot leave
      if (i > 0) t += 2 * step_[i - 1] / (std::sqrt(x[i - 1]) + std::sqrt(x[i]));
      if (i == 0 && out.rows > 0)
        out.a.resize(out.a.size() - nv_);  // the seam has the values of the next piece's start
      else
        put(out, first_ + i, t, x[i]);
      for (std::size_t k = 0; k < nv_; ++k)
        out.a.push_back(tangent_[i * nv_ + k] * u[i] + bend_[i * nv_ + k] * x[i]);
    }
  }

 private:
  // Slightly inside the limits, so that rounding does not violate them.
  static constexpr double inside = 1 - 1e-10;

  void put(SampledTrajectory& out, std::size_t row, double t, double x) const {
    const std::size_t nq = robot_.nq();
    out.t.push_back(t);
    out.q.insert(out.q.end(), &m_.q[row * nq], &m_.q[row * nq] + nq);
    for (std::size_t k = 0; k < nv_; ++k)
      out.v.push_back(tangent_[(row - first_) * nv_ + k] * std::sqrt(x));
    ++out.rows;
  }

  // Tangents and their rates at samples, and the distances between them. Along σ, |p| = 1, so that
  // n is the part of a/|v|² perpendicular to v.
  void measure() {
    const std::size_t N = n_ * nv_;
    tangent_.assign(N, 0.0);
    bend_.assign(N, 0.0);
    std::vector<double> speed(n_), gain(n_);  // |v| and its derivative
    for (std::size_t i = 0; i < n_; ++i) {
      const double *v = &m_.v[(first_ + i) * nv_], *a = &m_.a[(first_ + i) * nv_];
      double vv = 0, av = 0, aa = 0;
      for (std::size_t k = 0; k < nv_; ++k) {
        vv += v[k] * v[k];
        av += a[k] * v[k];
        aa += a[k] * a[k];
      }
      const bool end = i == 0 || i + 1 == n_;
      speed[i] = end ? 0 : std::sqrt(vv);
      gain[i] = end ? (i == 0 ? 1 : -1) * std::sqrt(aa) : av / speed[i];
      for (std::size_t k = 0; k < nv_ && !end; ++k) {
        tangent_[i * nv_ + k] = v[k] / speed[i];
        bend_[i * nv_ + k] = (a[k] - v[k] * av / vv) / vv;
      }
    }
    for (std::size_t i = 0; i + 1 < n_; ++i) {  // trapezoid rule with its end correction
      const double h = m_.t[first_ + i + 1] - m_.t[first_ + i],
                   plain = h / 2 * (speed[i] + speed[i + 1]),
                   better = plain + h * h / 12 * (gain[i] - gain[i + 1]);
      step_.push_back(better > 0.1 * plain ? better : plain);
    }
    // At rest the tangent is extrapolated from the neighbour with its curvature; there x = 0, and
    // the curvature has no effect.
    auto carry = [&](std::size_t to, std::size_t from, double way) {
      double length = 0;
      for (std::size_t k = 0; k < nv_; ++k) {
        const double p = tangent_[from * nv_ + k] + way * bend_[from * nv_ + k];
        tangent_[to * nv_ + k] = p;
        length += p * p;
      }
      for (std::size_t k = 0; k < nv_; ++k) tangent_[to * nv_ + k] /= std::sqrt(length);
    };
    carry(0, 1, -step_[0]);
    carry(n_ - 1, n_ - 2, step_[n_ - 2]);
    refuse_corners();
  }

  // A change of direction between samples that their curvature does not explain is a corner that
  // the motion passes at rest, or nearly so. It can only be passed at rest, and there is no sample
  // for that.
  void refuse_corners() const {
    for (std::size_t i = 1; i + 2 < n_; ++i) {
      double turn = 0;
      for (std::size_t k = i * nv_; k < (i + 1) * nv_; ++k)
        turn += std::pow(
            tangent_[k + nv_] - tangent_[k] - step_[i] / 2 * (bend_[k] + bend_[k + nv_]), 2);
      if (turn > 0.25)
        throw Error(
            fmt::format("{}: the path has a corner between this sample and the next; add a sample "
                        "at rest at the corner, or give more samples",
                        said_of_row(m_, first_ + i)));
    }
  }

  void coefficients(const TorquesAlong& torques) {
    SampledTrajectory at;
    const std::size_t nq = robot_.nq();
    at.rows = n_;
    at.q.assign(&m_.q[first_ * nq], &m_.q[first_ * nq] + n_ * nq);
    at.v.assign(n_ * nv_, 0.0);
    at.a.assign(n_ * nv_, 0.0);
    C_ = torques(at);
    at.a = tangent_;
    A_ = torques(at);
    at.v = tangent_;
    at.a = bend_;
    B_ = torques(at);
    for (double& v : at.v) v = -v;
    const std::vector<double> reversed = torques(at);
    for (std::size_t i = 0; i < B_.size(); ++i) {
      if (std::abs(B_[i] - reversed[i]) > 1e-9 * (std::abs(B_[i]) + std::abs(C_[i])))
        throw Error(
            "the torques depend on the direction of travel (rotating base, or friction), which "
            "optimal time scaling does not support; scale uniformly instead");
      A_[i] -= C_[i];
      B_[i] -= C_[i];
    }
  }

  // |A u + B x + C| ≤ limit at sample i, where x is x[i], or x[i] + ahead · u.
  void add_torques(std::size_t i, double ahead, std::vector<Constraint>& all) const {
    for (std::size_t k = 0; k < nv_; ++k) {
      const double most = limits_.effort[k] * inside;
      if (!std::isfinite(most)) continue;
      const double A = A_[i * nv_ + k], B = B_[i * nv_ + k], C = C_[i * nv_ + k];
      all.push_back({A + ahead * B, B, most - C});
      all.push_back({-A - ahead * B, -B, most + C});
    }
  }
  double greatest_by_speed(std::size_t i) const {
    double x = Limits::none;
    for (std::size_t k = 0; k < nv_; ++k)
      if (const double p = std::abs(tangent_[i * nv_ + k]); p > 0)
        x = std::min(x, std::pow(limits_.velocity[k] * inside / p, 2));
    return x;
  }

  // All constraints on u and x[i] in the step from i.
  std::vector<Constraint> step_constraints(std::size_t i) const {
    const double ahead = 2 * step_[i];
    std::vector<Constraint> all;
    add_torques(i, 0, all);
    add_torques(i + 1, ahead, all);
    const auto [low, high] = reach_[i + 1];
    if (std::isfinite(high)) all.push_back({ahead, 1, high});
    all.push_back({-ahead, -1, -low});
    return all;
  }

  void reach_back() {
    reach_.assign(n_, {0, 0});
    for (std::size_t i = n_ - 1; i-- > 0;) {
      reach_[i] = eliminated(step_constraints(i));
      reach_[i].high = std::min(reach_[i].high, i == 0 ? 0 : greatest_by_speed(i));
      if (!(reach_[i].low <= reach_[i].high)) refuse(i);
    }
  }

  // The greatest u in the step from i at x; the middle of the interval if rounding made it empty.
  double greatest(std::size_t i, double x) const {
    double low = -Limits::none, high = Limits::none;
    for (const auto& [c, d, e] : step_constraints(i)) {
      if (c > 0) high = std::min(high, (e - d * x) / c);
      if (c < 0) low = std::max(low, (e - d * x) / c);
    }
    if (!std::isfinite(high))
      throw Error(
          fmt::format("robot '{}' has no limit that this motion would reach at any speed; give its "
                      "joints effort or velocity limits",
                      robot_.name()));
    return low <= high ? high : (low + high) / 2;
  }

  [[noreturn]] void refuse(std::size_t i) const {
    for (std::size_t j = i; j < std::min(i + 2, n_); ++j)
      for (std::size_t k = 0; k < nv_; ++k)
        if (std::abs(C_[j * nv_ + k]) > limits_.effort[k])
          throw Error(
              fmt::format("{}: the holding torque alone, {:.6g} of '{}', exceeds the limit {:.6g}; "
                          "re-timing cannot help: reduce the load, or choose another path",
                          said_of_row(m_, first_ + j), C_[j * nv_ + k], robot_.velocity_names()[k],
                          limits_.effort[k]));
    throw Error(
        fmt::format("{}: no speed along the rest of the path satisfies the limits; choose another "
                    "path, or give more samples",
                    said_of_row(m_, first_ + i)));
  }

  const Robot& robot_;
  const SampledTrajectory& m_;
  std::size_t first_, n_, nv_;
  DriveLimits limits_;
  std::vector<double> step_;                        // σ between samples
  std::vector<double> tangent_, bend_, A_, B_, C_;  // (n, nv)
  std::vector<Interval> reach_;
};

}  // namespace

TimeScaling scaled_optimally(const Robot& robot, const SampledTrajectory& m,
                             const TorquesAlong& torques) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  if (m.t.empty())
    throw Error("optimal time scaling needs the times of the samples; add a column (or array) t");
  std::vector<double> speed(m.rows);
  double most = 0;
  for (std::size_t r = 0; r < m.rows; ++r) {
    for (std::size_t k = 0; k < nv; ++k) speed[r] += m.v[r * nv + k] * m.v[r * nv + k];
    most = std::max(most, speed[r] = std::sqrt(speed[r]));
  }
  auto rests = [&](std::size_t r) { return speed[r] <= 1e-9 * most; };
  if (most == 0) throw Error("the motion does not move; there is nothing to scale");
  for (const std::size_t r : {std::size_t{0}, m.rows - 1})
    if (!rests(r))
      throw Error(
          fmt::format("{}: the motion does not {} at rest, which optimal time scaling requires; "
                      "scale uniformly, or extend the motion from rest",
                      said_of_row(m, r), r == 0 ? "start" : "end"));
  TimeScaling out;
  out.motion.torque_columns = m.torque_columns;
  out.motion.torque_order = m.torque_order;
  for (std::size_t first = 0; first + 1 < m.rows;) {
    std::size_t last = first + 1;
    while (!rests(last)) ++last;
    if (last == first + 1) {  // a wait
      if (!std::equal(
              &m.q[first * nq], &m.q[first * nq] + nq, &m.q[last * nq],
              [](double x, double y) { return std::abs(x - y) <= 1e-9 * (1 + std::abs(x)); }))
        throw Error(fmt::format(
            "{}: one step from rest to rest does not define the path; give more samples",
            said_of_row(m, last)));
      first = last;
      continue;
    }
    Piece(robot, m, torques, first, last).run(out.motion);
    first = last;
  }
  out.factor = (out.motion.t.back() - out.motion.t.front()) / (m.t.back() - m.t.front());
  out.binding = binding_limits(robot, out.motion, torques(out.motion));
  return out;
}

}  // namespace parid::motion
