#include "motion/derive.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/mat3.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::motion {

Derivatives spline_derivatives(const std::vector<double>& t, const std::vector<double>& x) {
  const std::size_t n = t.size();
  std::vector<double> h(n - 1), slope(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = t[i + 1] - t[i];
    slope[i] = (x[i + 1] - x[i]) / h[i];
  }

  // Tridiagonal in the knots' velocities: below·s[i-1] + on·s[i] + above·s[i+1] = right. Second
  // derivatives agree at inner knots; third ones also at the second knot from either end.
  std::vector<double> below(n), on(n), above(n), right(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    below[i] = h[i];
    on[i] = 2 * (h[i - 1] + h[i]);
    above[i] = h[i - 1];
    right[i] = 3 * (h[i] * slope[i - 1] + h[i - 1] * slope[i]);
  }
  const double d = h[0] + h[1], e = h[n - 2] + h[n - 3];
  on[0] = h[1];
  above[0] = d;
  right[0] = ((h[0] + 2 * d) * h[1] * slope[0] + h[0] * h[0] * slope[1]) / d;
  on[n - 1] = h[n - 3];
  below[n - 1] = e;
  right[n - 1] =
      (h[n - 2] * h[n - 2] * slope[n - 3] + (2 * e + h[n - 2]) * h[n - 3] * slope[n - 2]) / e;

  for (std::size_t i = 1; i < n; ++i) {
    const double f = below[i] / on[i - 1];
    on[i] -= f * above[i - 1];
    right[i] -= f * right[i - 1];
  }
  Derivatives out{std::vector<double>(n), std::vector<double>(n)};
  std::vector<double>& s = out.first;
  s[n - 1] = right[n - 1] / on[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) s[i] = (right[i] - above[i] * s[i + 1]) / on[i];
  for (std::size_t i = 0; i + 1 < n; ++i)
    out.second[i] = (6 * slope[i] - 4 * s[i] - 2 * s[i + 1]) / h[i];
  out.second[n - 1] = (-6 * slope[n - 2] + 2 * s[n - 2] + 4 * s[n - 1]) / h[n - 2];
  return out;
}

namespace {

std::vector<double> column(const std::vector<double>& x, std::size_t rows, int width, int k) {
  std::vector<double> y(rows);
  for (std::size_t r = 0; r < rows; ++r) y[r] = x[r * width + k];
  return y;
}

// Removes whole turns where that brings an angle nearer to the previous sample.
void unwind(std::vector<double>& angle) {
  constexpr double turn = 2 * std::numbers::pi;
  for (std::size_t r = 1; r < angle.size(); ++r)
    angle[r] -= turn * std::round((angle[r] - angle[r - 1]) / turn);
}

// q and -q are the same rotation: chooses the one nearer to the previous sample.
void choose_signs(std::vector<double>* q) {
  for (std::size_t r = 1; r < q[0].size(); ++r) {
    double dot = 0;
    for (int k = 0; k < 4; ++k) dot += q[k][r] * q[k][r - 1];
    for (int k = 0; k < 4 && dot < 0; ++k) q[k][r] = -q[k][r];
  }
}

// 2 conj(q) ⊗ d without its scalar part: the angular velocity, in the rotating frame, of a
// quaternion q with rate d. With q's second derivative it is the angular acceleration.
Vec3<double> body_rate(const double* q, const double* d) {
  const Vec3<double> u{q[0], q[1], q[2]}, e{d[0], d[1], d[2]};
  return 2.0 * (q[3] * e - d[3] * u - cross(u, e));
}

}  // namespace

void derive_motion(const Robot& robot, SampledTrajectory& m, bool have_v, bool have_a) {
  const int nv = robot.nv();
  if (have_v && !have_a) {
    m.a.resize(m.rows * nv);
    for (int k = 0; k < nv; ++k) {
      const Derivatives d = spline_derivatives(m.t, column(m.v, m.rows, nv, k));
      for (std::size_t r = 0; r < m.rows; ++r) m.a[r * nv + k] = d.first[r];
    }
  }
  if (have_v) return;
  const std::vector<double> given_a = have_a ? m.a : std::vector<double>();
  derive_motion(robot, m, [&](std::vector<double>& x, int) { return spline_derivatives(m.t, x); });
  if (have_a) m.a = given_a;
}

void continuous_positions(const Robot& robot, SampledTrajectory& m,
                          const std::function<void(std::vector<double>&, int)>& each) {
  const int nq = robot.nq();
  int p = 0;
  for (const JointDescription& j : robot.description().joints) {
    const int width = position_count(j);
    std::vector<std::vector<double>> x;
    for (int k = 0; k < width; ++k) x.push_back(column(m.q, m.rows, nq, p + k));
    if (j.type == JointType::continuous && width > 0) unwind(x[0]);
    if (width > velocity_count(j)) choose_signs(&x[width - 4]);
    for (int k = 0; k < width; ++k) {
      each(x[k], p + k);
      for (std::size_t r = 0; r < m.rows; ++r) m.q[r * nq + p + k] = x[k][r];
    }
    p += width;
  }
}

void derive_motion(const Robot& robot, SampledTrajectory& m, const Differentiate& differentiate) {
  const int nq = robot.nq(), nv = robot.nv();
  m.v.assign(m.rows * nv, 0.0);
  m.a.assign(m.rows * nv, 0.0);
  int p = 0, l = 0;
  for (const JointDescription& j : robot.description().joints) {
    const int width = position_count(j), rates = velocity_count(j);
    const int at = width - 4;  // start of the quaternion, if there is one
    std::vector<std::vector<double>> x;
    for (int k = 0; k < width; ++k) x.push_back(column(m.q, m.rows, nq, p + k));
    if (j.type == JointType::continuous && width > 0) unwind(x[0]);
    if (width > rates) choose_signs(&x[at]);
    std::vector<Derivatives> of;
    for (int k = 0; k < width; ++k) of.push_back(differentiate(x[k], p + k));
    for (std::size_t r = 0; r < m.rows && width > 0; ++r) {
      double *v = &m.v[r * nv + l], *a = &m.a[r * nv + l];
      if (width == rates) {  // plain coordinates
        for (int k = 0; k < width; ++k) {
          v[k] = of[k].first[r];
          a[k] = of[k].second[r];
        }
        continue;
      }
      double q[4], d[4], dd[4];
      for (int k = 0; k < 4; ++k) {
        q[k] = x[at + k][r];
        d[k] = of[at + k].first[r];
        dd[k] = of[at + k].second[r];
      }
      const Vec3<double> w = body_rate(q, d), wd = body_rate(q, dd);
      if (at) {  // a floating joint's v is R'ẋ, and a = v̇ = R'ẍ - w × v
        const Mat3<double> R = rotation_of(q[0], q[1], q[2], q[3]);
        const Vec3<double> vb =
            transposed_times(R, Vec3<double>{of[0].first[r], of[1].first[r], of[2].first[r]});
        const Vec3<double> ab =
            transposed_times(R, Vec3<double>{of[0].second[r], of[1].second[r], of[2].second[r]}) -
            cross(w, vb);
        v[0] = vb.x;
        v[1] = vb.y;
        v[2] = vb.z;
        a[0] = ab.x;
        a[1] = ab.y;
        a[2] = ab.z;
      }
      v[at] = w.x;
      v[at + 1] = w.y;
      v[at + 2] = w.z;
      a[at] = wd.x;
      a[at + 1] = wd.y;
      a[at + 2] = wd.z;
    }
    p += width;
    l += rates;
  }
}

namespace {

// What the derivatives at both ends of a step do not explain of an acceleration's change: beside
// the trapezoidal rule with its first correction.
double unexplained(double step, double a0, double a1, double jerk0, double jerk1, double snap0,
                   double snap1) {
  return std::abs(a1 - a0 - step / 2 * (jerk0 + jerk1) - step * step / 12 * (snap0 - snap1));
}

// The same for the half of the step that explains less, halved until nothing is left but a jump:
// over a long step a smooth acceleration too is more than its derivatives at the ends tell.
double jump_within(const Trajectory& x, const SampledTrajectory& m, std::size_t r, std::size_t k,
                   std::size_t nv) {
  std::vector<double> q(m.q.size() / m.rows), v(nv), a(nv), jerk(nv), snap(nv);
  struct End {
    double t, a, jerk, snap;
  };
  auto at = [&](double t) {
    x.at(t, q, v, a);
    x.higher(t, jerk, snap);
    return End{t, a[k], jerk[k], snap[k]};
  };
  auto off = [](const End& s, const End& e) {
    return unexplained(e.t - s.t, s.a, e.a, s.jerk, e.jerk, s.snap, e.snap);
  };
  End start = at(m.t[r]), end = at(m.t[r + 1]);
  for (int halved = 0; halved < 16; ++halved) {
    const End middle = at((start.t + end.t) / 2);
    (off(start, middle) > off(middle, end) ? end : start) = middle;
  }
  return off(start, end);
}

// `x`, where there are more than samples.
void find_jump(const SampledTrajectory& m, std::size_t nv, HigherDerivatives& h,
               const Trajectory* x = nullptr) {
  for (std::size_t k = 0; k < nv; ++k) {
    double largest = 0;
    for (std::size_t r = 0; r < m.rows; ++r) largest = std::max(largest, std::abs(m.a[r * nv + k]));
    for (std::size_t r = 0; r + 1 < m.rows && largest > 0; ++r) {
      const double step = m.t[r + 1] - m.t[r];
      const std::size_t here = r * nv + k, next = here + nv;
      double off = unexplained(step, m.a[here], m.a[next], h.jerk[here], h.jerk[next], h.snap[here],
                               h.snap[next]) /
                   largest;
      if (!(off > h.jump)) continue;
      if (x && off > 1e-3) off = std::min(off, jump_within(*x, m, r, k, nv) / largest);
      if (!(off > h.jump)) continue;
      h.jump = off;
      h.coordinate = static_cast<int>(k);
      h.row = r;
    }
  }
}

}  // namespace

HigherDerivatives higher_derivatives(const Trajectory& trajectory, const SampledTrajectory& m) {
  const std::size_t nv = m.a.size() / std::max<std::size_t>(m.rows, 1);
  HigherDerivatives h;
  h.jerk.resize(m.a.size());
  h.snap.resize(m.a.size());
  for (std::size_t r = 0; r < m.rows; ++r)
    trajectory.higher(m.t[r], {h.jerk.data() + r * nv, nv}, {h.snap.data() + r * nv, nv});
  find_jump(m, nv, h, &trajectory);
  return h;
}

HigherDerivatives higher_derivatives(const SampledTrajectory& m) {
  if (m.t.empty())
    throw Error(
        "the motion has no times; torques of elastic joints need derivatives of accelerations: "
        "give a column (or array) t in seconds");
  if (m.rows < 4)
    throw Error(
        "the motion has fewer than four samples; torques of elastic joints need derivatives of "
        "accelerations, by splines through the samples: give more samples");
  const std::size_t nv = m.a.size() / m.rows;
  HigherDerivatives h;
  h.jerk.resize(m.a.size());
  h.snap.resize(m.a.size());
  for (std::size_t k = 0; k < nv; ++k) {
    const Derivatives d =
        spline_derivatives(m.t, column(m.a, m.rows, static_cast<int>(nv), static_cast<int>(k)));
    for (std::size_t r = 0; r < m.rows; ++r) {
      h.jerk[r * nv + k] = d.first[r];
      h.snap[r * nv + k] = d.second[r];
    }
  }
  find_jump(m, nv, h);
  return h;
}

}  // namespace parid::motion
