#include "hardware/array_hardware.hpp"

#include <fmt/format.h>

#include <random>

#include "formulation/newton_euler_link.hpp"
#include "hardware/pipeline/simulate.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"

namespace parid::hardware {
namespace {

VectorWord vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
VectorWord matrix(const Mat3<double>& M) {
  return {M.r0.x, M.r0.y, M.r0.z, M.r1.x, M.r1.y, M.r1.z, M.r2.x, M.r2.y, M.r2.z};
}
VectorWord matrix(const Sym3<double>& S) {
  const Vec3<double> x = S * Vec3<double>{1, 0, 0}, y = S * Vec3<double>{0, 1, 0},
                     z = S * Vec3<double>{0, 0, 1};
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

}  // namespace

std::vector<bool> check_array_scope(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  std::vector<bool> prismatic;
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointKind kind = c.topology.kind[i];
    if ((kind != JointKind::revolute && kind != JointKind::prismatic) ||
        c.topology.parent[i] != i - 1)
      throw Error(fmt::format(
          "'{}' is not a serial chain of revolute and prismatic joints, which the arrays require",
          robot.name()));
    prismatic.push_back(kind == JointKind::prismatic);
  }
  if (prismatic.empty()) throw Error(fmt::format("'{}' has no moving joint", robot.name()));
  return prismatic;
}

std::vector<ArrayState> array_states(const Robot& robot, ArrayKind kind, int count, unsigned seed) {
  const Mechanism<double>& m = robot.canonical().mechanism;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<> draw(-2, 2);
  State<double> at(m);
  NewtonEulerLink<double, Mat3> reference(m);
  std::vector<ArrayState> all(count);
  for (ArrayState& s : all) {
    for (int i = 1; i <= m.n; ++i) {
      const double q = draw(random), qd = draw(random), qdd = draw(random);
      at.set(i, q, qd, qdd);
    }
    at.place(m);
    const Vec3<double> up = -m.gravity;
    const bool log = kind == ArrayKind::log;
    auto slides = [&](int i) { return m.kind(i) == JointKind::prismatic; };
    const Vec3<double> own{0, 0, slides(1) ? at.qdd(1) : 0};
    s.words.push_back(vector(log ? transposed_times(at.R(1), up) + own : up));
    if (log) s.words.push_back({2});
    for (int i = 1; i <= m.n; ++i) {
      const Vec3<double> r = log ? transposed_times(at.R(i), at.p(i)) : at.p(i);
      Vec3<double> v{0, 0, at.qd(i)}, a{0, 0, at.qdd(i)};
      if (slides(i) && !log) {
        v = at.R(i) * (2.0 * v);
        a = at.R(i) * a;
      }
      s.words.insert(s.words.end(),
                     {matrix(at.R(i)), vector(r), vector(v), vector(a), vector(m.centre[i].vec(0)),
                      matrix(m.centre[i].sym(3)), VectorWord{m.body[i][0]}});
      if (log) s.words.push_back(vector(at.p(i)));
    }
    std::vector<double> tau(m.n + 1);
    reference.torque(m, at, tau.data());
    s.torque.assign(tau.begin() + 1, tau.end());
  }
  return all;
}

double stream_error(const Robot& robot, const SystolicArray& a, const Staging& schedule,
                    int interval, int states, unsigned seed) {
  const std::vector<ArrayState> sent = array_states(robot, a.kind, states, seed);
  PipelineSimulation<VectorWord> pipe(
      a.network, schedule,
      [&](int op, std::span<const VectorWord> ports) { return execute(a, op, ports); });
  std::vector<VectorWord> rubbish(sent[0].words.size());  // inputs in between
  for (VectorWord& w : rubbish) w.fill(1e30);
  double worst = 0;
  for (int t = 0; t <= (states - 1) * interval + schedule.latency; ++t) {
    const bool enters = t % interval == 0 && t / interval < states;
    const auto out = pipe.step(enters ? sent[t / interval].words : rubbish);
    const int since = t - schedule.latency;
    if (since < 0 || since % interval != 0) continue;
    const ArrayState& s = sent[since / interval];
    double largest = 0, off = 0;
    for (std::size_t i = 0; i < s.torque.size(); ++i) {
      largest = std::max(largest, std::abs(s.torque[i]));
      off = std::max(off, std::abs(out[i][2] - s.torque[i]));
    }
    worst = std::max(worst, off / largest);
  }
  return worst;
}

}  // namespace parid::hardware
