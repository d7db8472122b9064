#include "parid/simulate/controllers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "parid/model/spelling.hpp"
#include "parid/run/answers.hpp"

namespace parid {
namespace {

constexpr ControllerEntry list[] = {
    {"pd", "proportional and derivative, joint by joint"},
    {"pd+gravity", "the same, and the torques that gravity takes"},
    {"computed_torque", "inverse dynamics of the motion's acceleration and a pd correction"},
};

// A motion between its samples: positions by cubics that have the samples' velocities, velocities and
// accelerations straight from one to the next.
class Reference {
 public:
  Reference(const Robot& robot, const Trajectory& m)
      : q(robot.nq()), v(robot.nv()), a(robot.nv()), robot_(robot), m_(m), u_(robot.nv()) {}

  void at(double t) {
    const auto nq = q.size(), nv = v.size();
    const auto after = std::upper_bound(m_.t.begin(), m_.t.end(), t);
    const bool early = after == m_.t.begin(), late = after == m_.t.end();
    if (early || late) {
      const std::size_t row = early ? 0 : m_.rows - 1;
      std::copy_n(&m_.q[row * nq], nq, q.begin());
      // At its very end the motion may still move; past it the robot is to stand.
      const bool stands = early || t > m_.t.back();
      for (std::size_t k = 0; k < nv; ++k)
        v[k] = stands ? 0 : m_.v[row * nv + k], a[k] = stands ? 0 : m_.a[row * nv + k];
      return;
    }
    const auto row = static_cast<std::size_t>(after - m_.t.begin()) - 1;
    const double h = m_.t[row + 1] - m_.t[row], s = (t - m_.t[row]) / h;
    const double *v0 = &m_.v[row * nv], *a0 = &m_.a[row * nv];
    const std::span<const double> q0(&m_.q[row * nq], nq), q1(&m_.q[(row + 1) * nq], nq);
    difference(robot_, q0, q1, u_);
    for (std::size_t k = 0; k < nv; ++k) {
      u_[k] = s * s * (3 - 2 * s) * u_[k] + h * s * (1 - s) * ((1 - s) * v0[k] - s * v0[nv + k]);
      v[k] = v0[k] + s * (v0[nv + k] - v0[k]);
      a[k] = a0[k] + s * (a0[nv + k] - a0[k]);
    }
    integrate(robot_, q0, u_, q);
  }

  std::vector<double> q, v, a;

 private:
  Robot robot_;
  Trajectory m_;
  std::vector<double> u_;
};

struct Controller {
  Robot robot;
  Workspace workspace;
  Reference reference;
  Gains gains;
  bool with_gravity, by_dynamics;
  std::vector<double> off, wanted;

  void operator()(double t, std::span<const double> q, std::span<const double> v,
                  std::span<double> tau) {
    reference.at(t);
    difference(robot, q, reference.q, off);
    for (std::size_t k = 0; k < off.size(); ++k)
      wanted[k] = gains.kp[k] * off[k] + gains.kd[k] * (reference.v[k] - v[k]);
    if (by_dynamics) {
      for (std::size_t k = 0; k < off.size(); ++k) wanted[k] += reference.a[k];
      return inverse_dynamics(robot, workspace, q, v, wanted, tau);
    }
    std::fill(tau.begin(), tau.end(), 0.0);
    if (with_gravity) gravity(robot, workspace, q, tau);
    for (std::size_t k = 0; k < off.size(); ++k) tau[k] += wanted[k];
  }
};

}  // namespace

std::span<const ControllerEntry> controllers() { return list; }

Gains completed(Gains gains, const std::string& id, const Robot& robot,
                std::span<const double> q) {
  const auto n = static_cast<std::size_t>(robot.nv());
  std::vector<double> inertia(n, 1.0), M(n * n);
  Workspace workspace(robot);
  if (id != "computed_torque") {
    mass_matrix(robot, workspace, q, M);
    for (std::size_t k = 0; k < n; ++k) inertia[k] = M[k * n + k];
  }
  for (const auto& [x, each, name] :
       {std::tuple{&gains.kp, 400.0, "kp"}, std::tuple{&gains.kd, 40.0, "kd"}}) {
    if (x->empty())
      for (const double i : inertia) x->push_back(each * i);
    if (x->size() == 1) x->assign(n, x->front());
    if (x->size() != n)
      throw Error(fmt::format("{}: {} numbers given; '{}' takes {}, or one for all joints", name,
                              x->size(), robot.name(), n));
  }
  return gains;
}

ControlLaw controller(const std::string& id, const Robot& robot, const Trajectory& motion,
                      const Gains& gains) {
  std::vector<std::string> names;
  for (const ControllerEntry& entry : list) names.push_back(entry.id);
  if (std::find(names.begin(), names.end(), id) == names.end())
    throw Error(fmt::format("there is no controller '{}'; {}there are {}", id,
                            did_you_mean(id, names), fmt::join(names, ", ")));
  if (motion.t.empty() || motion.rows == 0)
    throw Error("the motion has no instants; a controller needs a column (or array) t, in seconds");
  const bool by_dynamics = id == "computed_torque";
  const auto n = static_cast<std::size_t>(robot.nv());
  auto law = std::make_shared<Controller>(
      Controller{robot, Workspace(robot), Reference(robot, motion),
                 completed(gains, id, robot,
                           std::span(motion.q).first(static_cast<std::size_t>(robot.nq()))), id == "pd+gravity", by_dynamics,
                 std::vector<double>(n), std::vector<double>(n)});
  return [law](double t, std::span<const double> q, std::span<const double> v,
               std::span<double> tau) { (*law)(t, q, v, tau); };
}

}  // namespace parid
