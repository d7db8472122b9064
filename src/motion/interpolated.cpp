#include "motion/interpolated.hpp"

#include <algorithm>

#include "model/given_values.hpp"
#include "parid/dynamics.hpp"

namespace parid::motion {
namespace {

class Interpolated final : public Trajectory {
 public:
  Interpolated(const Robot& robot, const SampledTrajectory& m) : robot_(robot), m_(m) {}
  double duration() const override { return m_.t.back() - m_.t.front(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const std::size_t nq = q.size(), nv = v.size();
    t += m_.t.front();
    const auto after = std::upper_bound(m_.t.begin(), m_.t.end(), t);
    if (after == m_.t.begin() || after == m_.t.end()) {
      const std::size_t row = after == m_.t.begin() ? 0 : m_.rows - 1;
      std::copy_n(&m_.q[row * nq], nq, q.begin());
      std::copy_n(m_.v.data() + row * nv, nv, v.begin());
      std::copy_n(m_.a.data() + row * nv, nv, a.begin());
      return;
    }
    const auto row = static_cast<std::size_t>(after - m_.t.begin()) - 1;
    const double h = m_.t[row + 1] - m_.t[row], s = (t - m_.t[row]) / h;
    const double *v0 = m_.v.data() + row * nv, *a0 = m_.a.data() + row * nv;
    const std::span<const double> q0(&m_.q[row * nq], nq), q1(&m_.q[(row + 1) * nq], nq);
    difference(robot_, q0, q1, v);
    for (std::size_t k = 0; k < nv; ++k)
      a[k] = s * s * (3 - 2 * s) * v[k] + h * s * (1 - s) * ((1 - s) * v0[k] - s * v0[nv + k]);
    integrate(robot_, q0, a, q);
    for (std::size_t k = 0; k < nv; ++k) {
      v[k] = v0[k] + s * (v0[nv + k] - v0[k]);
      a[k] = a0[k] + s * (a0[nv + k] - a0[k]);
    }
  }

 private:
  Robot robot_;
  SampledTrajectory m_;
};

}  // namespace

TrajectoryPointer interpolated(const Robot& robot, const SampledTrajectory& m) {
  if (m.t.empty() || m.rows == 0)
    throw Error("the motion has no times; a controller needs a column (or array) t in seconds");
  require_rising("t", m.t);
  require_finite("q", m.q);
  require_finite("v", m.v);
  require_finite("a", m.a);
  return std::make_shared<Interpolated>(robot, m);
}

}  // namespace parid::motion
