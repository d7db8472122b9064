#include "motion/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/file/npy.hpp"
#include "model/given_values.hpp"
#include "scalar/taylor.hpp"

namespace parid::motion {
namespace {

// Weights of a function's values at nodes x for its first and second derivative at 0: the
// derivatives of the Lagrange polynomials (Fornberg, Math. Comp. 51 (1988) 699-706).
constexpr int nodes = 9;
using Weights = std::array<std::array<double, nodes>, 3>;
Weights difference_weights(const std::array<double, nodes>& x) {
  Weights w{};
  w[0][0] = 1;
  double before = 1;
  for (int n = 1; n < nodes; ++n) {
    double product = 1;
    const Weights last = w;
    for (int i = 0; i < n; ++i) {
      const double gap = x[n] - x[i];
      product *= gap;
      for (int m = 0; m <= 2; ++m)
        w[m][i] = (x[n] * last[m][i] - (m > 0 ? m * last[m - 1][i] : 0)) / gap;
    }
    for (int m = 0; m <= 2; ++m)
      w[m][n] =
          before / product * ((m > 0 ? m * last[m - 1][n - 1] : 0) - x[n - 1] * last[m][n - 1]);
    before = product;
  }
  return w;
}

class Timed final : public Trajectory {
 public:
  Timed(TrajectoryPointer path, const Profile& profile)
      : path_(std::move(path)), profile_(profile) {}
  double duration() const override { return profile_.duration; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const Stage<double> s = profile_.at(std::clamp(t, 0.0, profile_.duration));
    path_->at(std::clamp(s.x, 0.0, 1.0), q, v, a);
    for (std::size_t k = 0; k < v.size(); ++k) {
      a[k] = a[k] * s.v * s.v + v[k] * s.a;
      v[k] *= s.v;
    }
  }
  // The chain rule, from the derivatives of the path by s and of s by the time.
  void higher(double t, std::span<double> jerk, std::span<double> snap) const override {
    using Series = Taylor<4>;
    const double end = profile_.duration;
    const Series s = profile_.at(Series::of_derivatives({std::clamp(t, 0.0, end), 1, 0, 0, 0})).x;
    const double s1 = s.derivative(1), s2 = s.derivative(2), s3 = s.derivative(3),
                 s4 = s.derivative(4);
    const double along = std::clamp(s.c[0], 0.0, 1.0);
    // A position has at most four coordinates for three velocities.
    std::vector<double> q(2 * jerk.size()), v(jerk.size()), a(jerk.size());
    path_->at(along, q, v, a);
    path_->higher(along, jerk, snap);
    for (std::size_t k = 0; k < v.size(); ++k) {
      snap[k] = snap[k] * s1 * s1 * s1 * s1 + 6 * jerk[k] * s1 * s1 * s2 +
                a[k] * (3 * s2 * s2 + 4 * s1 * s3) + v[k] * s4;
      jerk[k] = jerk[k] * s1 * s1 * s1 + 3 * a[k] * s1 * s2 + v[k] * s3;
    }
  }

 private:
  TrajectoryPointer path_;
  Profile profile_;
};

class Sequence final : public Trajectory {
 public:
  explicit Sequence(std::vector<TrajectoryPointer> parts) : parts_(std::move(parts)) {
    for (const TrajectoryPointer& part : parts_) {
      starts_.push_back(total_);
      total_ += part->duration();
    }
  }
  double duration() const override { return total_; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), t);
    const std::size_t i = static_cast<std::size_t>(after - starts_.begin()) - 1;
    parts_[i]->at(std::clamp(t - starts_[i], 0.0, parts_[i]->duration()), q, v, a);
  }
  void higher(double t, std::span<double> jerk, std::span<double> snap) const override {
    const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), t);
    const std::size_t i = static_cast<std::size_t>(after - starts_.begin()) - 1;
    parts_[i]->higher(std::clamp(t - starts_[i], 0.0, parts_[i]->duration()), jerk, snap);
  }
  std::vector<double> seams() const override {
    std::vector<double> all;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (i > 0) all.push_back(starts_[i]);
      for (const double t : parts_[i]->seams()) all.push_back(starts_[i] + t);
    }
    return all;
  }

 private:
  std::vector<TrajectoryPointer> parts_;
  std::vector<double> starts_;
  double total_ = 0;
};

class Standing final : public Trajectory {
 public:
  Standing(std::vector<double> q, double duration) : q_(std::move(q)), duration_(duration) {}
  double duration() const override { return duration_; }
  void at(double, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    std::copy(q_.begin(), q_.end(), q.begin());
    std::fill(v.begin(), v.end(), 0.0);
    std::fill(a.begin(), a.end(), 0.0);
  }
  void higher(double, std::span<double> jerk, std::span<double> snap) const override {
    std::fill(jerk.begin(), jerk.end(), 0.0);
    std::fill(snap.begin(), snap.end(), 0.0);
  }

 private:
  std::vector<double> q_;
  double duration_;
};

// A trajectory is held in memory completely, like the arrays of a file, and has the same size
// limit.
void require_room(const Robot& robot, double seconds, double rate, double samples) {
  require_above_zero("rate", rate, "100");
  const double numbers = static_cast<double>(robot.nq() + 2 * robot.nv() + 1);
  const double bytes = 8 * numbers * samples;
  if (!(bytes <= static_cast<double>(most_array_bytes)))
    throw Error(
        fmt::format("{:.4g} s at {:.4g} Hz are {:.3g} samples of {} numbers, {:.3g} GiB; the limit "
                    "is 8 GiB; use a lower rate",
                    seconds, rate, samples, numbers, bytes / (1 << 30)));
}

SampledTrajectory at_instants(const Robot& robot, const Trajectory& trajectory,
                              std::vector<double> t) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  SampledTrajectory m;
  m.rows = t.size();
  m.t = std::move(t);
  m.q.resize(m.rows * nq);
  m.v.resize(m.rows * nv);
  m.a.resize(m.rows * nv);
  for (std::size_t r = 0; r < m.rows; ++r)
    trajectory.at(m.t[r], {&m.q[r * nq], nq}, {m.v.data() + r * nv, nv}, {m.a.data() + r * nv, nv});
  name_torques(robot, m);
  return m;
}

// Evenly between breaks, in steps of at most 1/rate, with enough samples to describe each path.
std::vector<double> between(const Robot& robot, const std::vector<double>& breaks, double rate) {
  auto steps = [&](std::size_t i) {
    return std::max(4.0, std::ceil((breaks[i + 1] - breaks[i]) * rate - 1e-6));
  };
  double samples = 1;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) samples += steps(i);
  require_room(robot, breaks.back(), rate, samples);
  std::vector<double> t;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double from = breaks[i], way = breaks[i + 1] - from;
    const auto n = static_cast<std::size_t>(steps(i));
    for (std::size_t k = 0; k < n; ++k)
      t.push_back(from + way * (static_cast<double>(k) / static_cast<double>(n)));
  }
  t.push_back(breaks.back());
  return t;
}

double dot(const double* x, const double* y, std::size_t n) {
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += x[k] * y[k];
  return sum;
}

// Instants between samples at which all velocities pass through zero together.
std::vector<double> turning_instants(const Robot& robot, const Trajectory& trajectory,
                                     const SampledTrajectory& m) {
  const std::size_t nv = robot.nv();
  std::vector<double> found, q(robot.nq()), v(nv), a(nv), change(nv);
  for (std::size_t r = 0; r + 1 < m.rows; ++r) {
    const double *here = &m.v[r * nv], *next = here + nv;
    const double before = dot(here, here, nv), after = dot(next, next, nv);
    if (!(dot(here, next, nv) < 0)) continue;
    for (std::size_t k = 0; k < nv; ++k) change[k] = next[k] - here[k];
    double low = m.t[r], high = m.t[r + 1];
    for (double t = (low + high) / 2; low < t && t < high; t = (low + high) / 2) {
      trajectory.at(t, q, v, a);
      (dot(v.data(), change.data(), nv) < 0 ? low : high) = t;
    }
    trajectory.at(high, q, v, a);
    if (dot(v.data(), v.data(), nv) <= 1e-20 * std::max(before, after)) found.push_back(high);
  }
  return found;
}

}  // namespace

void Trajectory::higher(double t, std::span<double> jerk, std::span<double> snap) const {
  double from = 0, to = duration();
  for (const double seam : seams()) {
    if (seam <= t) from = std::max(from, seam);
    if (seam > t) to = std::min(to, seam);
  }
  std::fill(jerk.begin(), jerk.end(), 0.0);
  std::fill(snap.begin(), snap.end(), 0.0);
  if (!(to > from)) return;
  // A hundredth of the part: 1e-12 from rounding, less from nine nodes of a smooth motion. Nodes
  // keep off the ends, where a part's values may be those of the next one.
  const double step = (to - from) / 100, margin = step / 16;
  const double first =
      std::clamp(t - step * (nodes / 2), from + margin, to - margin - step * (nodes - 1));
  std::array<double, nodes> x{};
  for (int i = 0; i < nodes; ++i) x[i] = first + i * step - t;
  const Weights w = difference_weights(x);
  std::vector<double> q(2 * jerk.size()), v(jerk.size()), a(jerk.size());
  for (int i = 0; i < nodes; ++i) {
    at(t + x[i], q, v, a);
    for (std::size_t k = 0; k < a.size(); ++k) {
      jerk[k] += w[1][i] * a[k];
      snap[k] += w[2][i] * a[k];
    }
  }
}

TrajectoryPointer timed(TrajectoryPointer path, const Profile& profile) {
  return std::make_shared<Timed>(std::move(path), profile);
}
TrajectoryPointer sequence(std::vector<TrajectoryPointer> parts) {
  if (parts.size() == 1) return parts.front();
  return std::make_shared<Sequence>(std::move(parts));
}
TrajectoryPointer standing(std::vector<double> q, double duration) {
  require_finite("pose", q);
  require_above_zero("duration", duration, "10");
  return std::make_shared<Standing>(std::move(q), duration);
}

SampledTrajectory sampled(const Robot& robot, const Trajectory& trajectory, double rate) {
  const double end = trajectory.duration(), steps = end * rate;
  require_room(robot, end, rate, steps + 1);
  // A last step shorter than a millionth of the others is rounding.
  const auto whole = static_cast<std::size_t>(std::ceil(steps - 1e-6));
  std::vector<double> t;
  for (std::size_t k = 0; k < whole; ++k) t.push_back(static_cast<double>(k) / rate);
  t.push_back(end);
  return at_instants(robot, trajectory, std::move(t));
}
SampledTrajectory sampled_evenly(const Robot& robot, const Trajectory& trajectory,
                                 std::size_t samples) {
  std::vector<double> t;
  for (std::size_t k = 0; k < samples; ++k)
    t.push_back(samples > 1 ? trajectory.duration() * static_cast<double>(k) /
                                  static_cast<double>(samples - 1)
                            : 0);
  return at_instants(robot, trajectory, std::move(t));
}
SampledTrajectory sampled_by_parts(const Robot& robot, const Trajectory& trajectory, double rate) {
  std::vector<double> breaks = trajectory.seams();
  breaks.insert(breaks.begin(), 0.0);
  breaks.push_back(trajectory.duration());
  SampledTrajectory m = at_instants(robot, trajectory, between(robot, breaks, rate));
  const std::vector<double> turns = turning_instants(robot, trajectory, m);
  if (turns.empty()) return m;
  breaks.insert(breaks.end(), turns.begin(), turns.end());
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  return at_instants(robot, trajectory, between(robot, breaks, rate));
}

}  // namespace parid::motion
