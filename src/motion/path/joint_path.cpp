#include "motion/path/joint_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/mat3.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/quaternions.hpp"

namespace parid::motion {
namespace {

using Quaternion = std::array<double, 4>;  // x y z w

Quaternion product(const Quaternion& a, const Quaternion& b) {
  const Vec3<double> u{a[0], a[1], a[2]}, v{b[0], b[1], b[2]};
  const Vec3<double> w = a[3] * v + b[3] * u + cross(u, v);
  return {w.x, w.y, w.z, a[3] * b[3] - dot(u, v)};
}

// The rotation vector, in the rotating frame, of the shortest rotation from a to b.
Vec3<double> shortest_turn(const Quaternion& a, const Quaternion& b) {
  Quaternion d = product({-a[0], -a[1], -a[2], a[3]}, b);
  if (d[3] < 0)
    for (double& x : d) x = -x;
  const Vec3<double> u{d[0], d[1], d[2]};
  const double s = norm(u);
  return s < 1e-300 ? Vec3<double>{} : (2 * std::atan2(s, d[3]) / s) * u;
}

Quaternion turned(const Quaternion& a, const Vec3<double>& turn) {
  const double angle = norm(turn);
  const double f = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  return product(a, {f * turn.x, f * turn.y, f * turn.z, std::cos(angle / 2)});
}

struct Coordinate {
  int position, velocity;
};

class JointLine final : public Trajectory {
 public:
  JointLine(const Robot& robot, std::vector<double> from, std::vector<double> to)
      : from_(std::move(from)), to_(std::move(to)) {
    for_each_quaternion(robot.description(), [this](const JointDescription&, int at) {
      normalise_quaternion(&from_[at]);
      normalise_quaternion(&to_[at]);
    });
    int p = 0, l = 0;
    for (const JointDescription& j : robot.description().joints) {
      const int width = position_count(j), rates = velocity_count(j);
      if (width > rates) {
        const int at = p + width - 4;
        balls_.push_back({at, l + rates - 3, width == 7,
                          shortest_turn(quaternion(from_, at), quaternion(to_, at))});
      } else {
        for (int k = 0; k < width; ++k) plain_.push_back({p + k, l + k});
      }
      p += width;
      l += rates;
    }
  }
  double duration() const override { return 1; }
  void at(double s, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    for (const auto [p, l] : plain_) {
      const double way = to_[p] - from_[p];
      q[p] = s < 1 ? from_[p] + s * way : to_[p];
      v[l] = way;
      a[l] = 0;
    }
    for (const Ball& b : balls_) {
      const Quaternion now = turned(quaternion(from_, b.position), s * b.turn);
      std::copy(now.begin(), now.end(), &q[b.position]);
      put(v, b.velocity, b.turn);
      put(a, b.velocity, {});
      if (!b.floats) continue;
      Vec3<double> way;
      for (auto [k, x] : {std::pair{0, &way.x}, {1, &way.y}, {2, &way.z}}) {
        const int p = b.position - 3 + k;
        *x = to_[p] - from_[p];
        q[p] = s < 1 ? from_[p] + s * *x : to_[p];
      }
      // In its own frame: Rᵀ way, whose derivative is −ω × that.
      const Vec3<double> seen = transposed_times(rotation_of(now[0], now[1], now[2], now[3]), way);
      put(v, b.velocity - 3, seen);
      put(a, b.velocity - 3, cross(seen, b.turn));
    }
  }
  void higher(double s, std::span<double> jerk, std::span<double> snap) const override {
    std::fill(jerk.begin(), jerk.end(), 0.0);
    std::fill(snap.begin(), snap.end(), 0.0);
    for (const Ball& b : balls_) {
      if (!b.floats) continue;
      const Quaternion now = turned(quaternion(from_, b.position), s * b.turn);
      const int p = b.position - 3;
      const Vec3<double> way{to_[p] - from_[p], to_[p + 1] - from_[p + 1],
                             to_[p + 2] - from_[p + 2]};
      Vec3<double> seen = transposed_times(rotation_of(now[0], now[1], now[2], now[3]), way);
      seen = cross(cross(seen, b.turn), b.turn);
      put(jerk, b.velocity - 3, seen);
      put(snap, b.velocity - 3, cross(seen, b.turn));
    }
  }

 private:
  struct Ball {
    int position, velocity;  // of the quaternion and the rate
    bool floats;
    Vec3<double> turn;
  };
  static Quaternion quaternion(const std::vector<double>& q, int at) {
    return {q[at], q[at + 1], q[at + 2], q[at + 3]};
  }
  static void put(std::span<double> to, int at, const Vec3<double>& x) {
    to[at] = x.x;
    to[at + 1] = x.y;
    to[at + 2] = x.z;
  }
  std::vector<double> from_, to_;
  std::vector<Coordinate> plain_;
  std::vector<Ball> balls_;
};

void require_plain(const Robot& robot) {
  for (const JointDescription& j : robot.description().joints)
    if (position_count(j) > velocity_count(j))
      throw Error(
          fmt::format("joint '{}' has a quaternion, which splines do not support; stop at each "
                      "pose (stop = true) to use the shortest rotation",
                      j.name));
}

// Polynomials in the time since each knot, one set per coordinate.
class Piecewise final : public Trajectory {
 public:
  static constexpr int terms = 6;
  Piecewise(std::vector<double> knots, std::vector<std::vector<std::array<double, terms>>> by)
      : knots_(std::move(knots)), by_(std::move(by)) {}
  double duration() const override { return knots_.back(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const auto after = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, t);
    const std::size_t i = static_cast<std::size_t>(after - knots_.begin()) - 1;
    const double s = t - knots_[i];
    for (std::size_t k = 0; k < by_.size(); ++k) {
      const std::array<double, terms>& c = by_[k][i];
      double x = 0, xd = 0, xdd = 0;
      for (int n = terms - 1; n >= 0; --n) {  // Horner, with both derivatives
        xdd = xdd * s + 2 * xd;
        xd = xd * s + x;
        x = x * s + c[n];
      }
      q[k] = x;
      v[k] = xd;
      a[k] = xdd;
    }
  }
  void higher(double t, std::span<double> jerk, std::span<double> snap) const override {
    const auto after = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, t);
    const std::size_t i = static_cast<std::size_t>(after - knots_.begin()) - 1;
    const double s = t - knots_[i];
    for (std::size_t k = 0; k < by_.size(); ++k) {
      const std::array<double, terms>& c = by_[k][i];
      jerk[k] = 6 * c[3] + s * (24 * c[4] + s * 60 * c[5]);
      snap[k] = 24 * c[4] + s * 120 * c[5];
    }
  }

 private:
  std::vector<double> knots_;
  std::vector<std::vector<std::array<double, terms>>> by_;  // [coordinate][piece]
};
using Polynomials = std::vector<std::array<double, Piecewise::terms>>;

// Velocities at the knots of the cubic spline through x, with zero at both ends.
std::vector<double> cubic_velocities(const std::vector<double>& t, const std::vector<double>& x) {
  const std::size_t n = t.size();
  std::vector<double> on(n, 1), above(n), right(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h = t[i] - t[i - 1], g = t[i + 1] - t[i];
    const double below = g, r = 3 * (g * (x[i] - x[i - 1]) / h + h * (x[i + 1] - x[i]) / g);
    const double f = i > 1 ? below / on[i - 1] : 0;
    on[i] = 2 * (h + g) - f * above[i - 1];
    above[i] = h;
    right[i] = r - f * right[i - 1];
  }
  std::vector<double> v(n);
  for (std::size_t i = n - 1; i-- > 1;) v[i] = (right[i] - above[i] * v[i + 1]) / on[i];
  return v;
}

Polynomials cubic_spline(const std::vector<double>& t, const std::vector<double>& x) {
  const std::vector<double> v = cubic_velocities(t, x);
  Polynomials p;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const double h = t[i + 1] - t[i], m = (x[i + 1] - x[i]) / h;
    p.push_back(
        {x[i], v[i], (3 * m - 2 * v[i] - v[i + 1]) / h, (v[i] + v[i + 1] - 2 * m) / (h * h), 0, 0});
  }
  return p;
}

// Two unknowns a knot, velocity and acceleration: continuity of the third and the fourth derivative
// is a block tridiagonal system of 2 × 2 blocks.
struct Two {
  double a, b;
};
struct Block {
  double aa, ab, ba, bb;
};
Two operator*(const Block& m, const Two& x) {
  return {m.aa * x.a + m.ab * x.b, m.ba * x.a + m.bb * x.b};
}
Block operator*(const Block& m, const Block& n) {
  return {m.aa * n.aa + m.ab * n.ba, m.aa * n.ab + m.ab * n.bb, m.ba * n.aa + m.bb * n.ba,
          m.ba * n.ab + m.bb * n.bb};
}
Two operator-(const Two& x, const Two& y) { return {x.a - y.a, x.b - y.b}; }
Block operator-(const Block& x, const Block& y) {
  return {x.aa - y.aa, x.ab - y.ab, x.ba - y.ba, x.bb - y.bb};
}
Block inverse(const Block& m) {
  const double d = m.aa * m.bb - m.ab * m.ba;
  return {m.bb / d, -m.ab / d, -m.ba / d, m.aa / d};
}

Polynomials quintic_spline(const std::vector<double>& t, const std::vector<double>& x) {
  const std::size_t n = t.size();
  // On a piece of length h with ends (x0, v0, a0), (x1, v1, a1) and D = x1 − x0:
  //   third  at 0   60D/h³ − (36v0 + 24v1)/h² − (9a0 − 3a1)/h     at 1   60D/h³ − (24v0 + 36v1)/h²
  //                 − (3a0 − 9a1)/h
  //   fourth at 0  −360D/h⁴ + (192v0 + 168v1)/h³ + (36a0 − 24a1)/h²
  //          at 1   360D/h⁴ − (168v0 + 192v1)/h³ − (24a0 − 36a1)/h²
  // Rows below: third, then fourth, of the piece on the right less those of the piece on the left.
  std::vector<Block> on(n), above(n);
  std::vector<Two> right(n), u(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h = t[i] - t[i - 1], g = t[i + 1] - t[i];
    const double D = x[i] - x[i - 1], E = x[i + 1] - x[i];
    const Block below{24 / (h * h), 3 / h, 168 / (h * h * h), 24 / (h * h)};
    on[i] = {36 / (h * h) - 36 / (g * g), -9 / h - 9 / g, 192 / (h * h * h) + 192 / (g * g * g),
             36 / (g * g) - 36 / (h * h)};
    above[i] = {-24 / (g * g), 3 / g, 168 / (g * g * g), -24 / (g * g)};
    right[i] = {60 * D / (h * h * h) - 60 * E / (g * g * g),
                360 * D / (h * h * h * h) + 360 * E / (g * g * g * g)};
    if (i == 1) continue;  // the end is at rest
    const Block f = below * inverse(on[i - 1]);
    on[i] = on[i] - f * above[i - 1];
    right[i] = right[i] - f * right[i - 1];
  }
  for (std::size_t i = n - 1; i-- > 1;) u[i] = inverse(on[i]) * (right[i] - above[i] * u[i + 1]);
  Polynomials p;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = t[i + 1] - t[i], D = x[i + 1] - x[i];
    const auto [v0, a0] = u[i];
    const auto [v1, a1] = u[i + 1];
    p.push_back(
        {x[i], v0, a0 / 2,
         (20 * D - (8 * v1 + 12 * v0) * h - (3 * a0 - a1) * h * h) / (2 * h * h * h),
         (-30 * D + (14 * v1 + 16 * v0) * h + (3 * a0 - 2 * a1) * h * h) / (2 * h * h * h * h),
         (12 * D - 6 * (v1 + v0) * h + (a1 - a0) * h * h) / (2 * h * h * h * h * h)});
  }
  return p;
}

std::vector<double> column(const std::vector<std::vector<double>>& poses, std::size_t k) {
  std::vector<double> x;
  for (const std::vector<double>& pose : poses) x.push_back(pose[k]);
  return x;
}

}  // namespace

TrajectoryPointer joint_line(const Robot& robot, std::vector<double> from, std::vector<double> to) {
  return std::make_shared<JointLine>(robot, std::move(from), std::move(to));
}

std::vector<double> joint_way(const Robot& robot, const std::vector<double>& from,
                              const std::vector<double>& to) {
  std::vector<double> q(robot.nq()), v(robot.nv()), a(robot.nv());
  JointLine(robot, from, to).at(0, q, v, a);
  return v;
}

TrajectoryPointer joint_spline(const Robot& robot, const std::vector<std::vector<double>>& poses,
                               const std::vector<double>& times, Smoothness smoothness) {
  require_plain(robot);
  std::vector<Polynomials> by;
  for (int k = 0; k < robot.nq(); ++k) {
    const std::vector<double> x = column(poses, k);
    by.push_back(smoothness == Smoothness::cubic ? cubic_spline(times, x)
                                                 : quintic_spline(times, x));
  }
  return std::make_shared<Piecewise>(times, std::move(by));
}

TrajectoryPointer joint_blends(const Robot& robot, const std::vector<std::vector<double>>& poses,
                               const std::vector<double>& times, double blend) {
  require_plain(robot);
  const std::size_t n = times.size();
  // A leg's constant speed lies between the blends at its ends. An inner blend belongs half to each
  // leg; a blend at an end pose belongs to its leg completely and counts as half its length.
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double room = times[i + 1] - times[i],
                 taken = (i == 0 ? blend : blend / 2) + (i + 2 == n ? blend : blend / 2);
    if (taken > room * (1 + 1e-12))
      throw Error(
          fmt::format("blends of {:.4g} s do not fit into the segment from {:.4g} s to {:.4g} s; "
                      "shorten them, or lengthen the segment",
                      blend, times[i], times[i + 1]));
  }
  std::vector<double> knots{0};
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) knots.push_back(i + 1 < n ? times[i] - blend / 2 : times[i] - blend);
    knots.push_back(i == 0 ? blend : i + 1 < n ? times[i] + blend / 2 : times[i]);
  }
  std::vector<Polynomials> by;
  for (int k = 0; k < robot.nq(); ++k) {
    const std::vector<double> x = column(poses, k);
    std::vector<double> speed{0};  // before, on and after the legs
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double room =
          times[i + 1] - times[i] - (i == 0 ? blend / 2 : 0) - (i + 2 == n ? blend / 2 : 0);
      speed.push_back((x[i + 1] - x[i]) / room);
    }
    speed.push_back(0);
    Polynomials p;
    double at = x[0];
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {  // blend, leg, blend, …, blend
      const double h = knots[i + 1] - knots[i];
      const double v = i % 2 == 0 ? speed[i / 2] : speed[i / 2 + 1];
      const double a = i % 2 == 0 ? (speed[i / 2 + 1] - v) / blend : 0;
      p.push_back({at, v, a / 2, 0, 0, 0});
      at += h * (v + h * a / 2);
    }
    by.push_back(std::move(p));
  }
  return std::make_shared<Piecewise>(std::move(knots), std::move(by));
}

}  // namespace parid::motion
