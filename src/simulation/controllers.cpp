#include "parid/controllers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/text/spelling.hpp"
#include "model/given_values.hpp"
#include "motion/interpolated.hpp"
#include "parid/dynamics.hpp"
#include "simulation/layer.hpp"

namespace parid {
using namespace simulation;

namespace {

constexpr ControllerEntry list[] = {
    {"pd", "proportional and derivative control, joint by joint"},
    {"pd+gravity", "pd and gravity compensation"},
    {"computed_torque",
     "computed torque: inverse dynamics of the desired acceleration with a pd correction"},
    {"pd+feedforward", "pd and the torques of the desired motion (Khosla and Kanade)"},
};

// The reference motion; before its start and after its end the robot is at rest there.
class Reference {
 public:
  Reference(const Robot& robot, const SampledTrajectory& m)
      : q(robot.nq()),
        v(robot.nv()),
        a(robot.nv()),
        trajectory_(interpolated(robot, m)),
        start_(m.t.front()) {}

  void at(double t) {
    const double along = t - start_;
    trajectory_->at(along, q, v, a);
    // The motion may still have a velocity at its end; after it the reference is at rest.
    if (along < 0 || along > trajectory_->duration()) {
      std::fill(v.begin(), v.end(), 0.0);
      std::fill(a.begin(), a.end(), 0.0);
    }
  }

  std::vector<double> q, v, a;

 private:
  TrajectoryPointer trajectory_;
  double start_;
};

// Friction of bearings and drives along the reference.
class FrictionModel {
 public:
  explicit FrictionModel(const Robot& robot)
      : robot_(robot), workspace_(robot), with_(robot.nv()), without_(robot.nv()) {}

  void add(std::span<const double> q, const Reference& at, std::span<double> tau) {
    inverse_dynamics_with_friction(robot_, workspace_, q, at.v, at.a, with_);
    inverse_dynamics(robot_, workspace_, q, at.v, at.a, without_);
    for (std::size_t k = 0; k < with_.size(); ++k) tau[k] += with_[k] - without_[k];
  }

 private:
  Robot robot_;
  Workspace workspace_;
  std::vector<double> with_, without_;
};

struct Controller {
  Robot robot;
  Workspace workspace;
  Reference reference;
  Gains gains;
  bool with_gravity, by_dynamics, feedforward;
  std::vector<double> off, wanted;
  std::optional<FrictionModel> friction;

  void operator()(double t, std::span<const double> q, std::span<const double> v,
                  std::span<double> tau) {
    reference.at(t);
    rigid(q, v, tau);
    if (friction) friction->add(q, reference, tau);
  }

  void rigid(std::span<const double> q, std::span<const double> v, std::span<double> tau) {
    difference(robot, q, reference.q, off);
    for (std::size_t k = 0; k < off.size(); ++k)
      wanted[k] = gains.kp[k] * off[k] + gains.kd[k] * (reference.v[k] - v[k]);
    if (by_dynamics) {
      for (std::size_t k = 0; k < off.size(); ++k) wanted[k] += reference.a[k];
      return inverse_dynamics(robot, workspace, q, v, wanted, tau);
    }
    std::fill(tau.begin(), tau.end(), 0.0);
    if (with_gravity) gravity(robot, workspace, q, tau);
    if (feedforward) inverse_dynamics(robot, workspace, reference.q, reference.v, reference.a, tau);
    for (std::size_t k = 0; k < off.size(); ++k) tau[k] += wanted[k];
  }
};

}  // namespace

std::span<const ControllerEntry> controllers() { return list; }

Gains completed(Gains gains, const std::string& id, const Robot& robot, std::span<const double> q) {
  const auto n = static_cast<std::size_t>(robot.nv());
  std::vector<double> inertia(n, 1.0), M(n * n);
  Workspace workspace(robot);
  if (id != "computed_torque") {
    mass_matrix(robot, workspace, q, M);
    for (std::size_t k = 0; k < n; ++k) inertia[k] = M[k * n + k];
  }
  for (const auto& [x, each, name] :
       {std::tuple{&gains.kp, 400.0, "kp"}, std::tuple{&gains.kd, 40.0, "kd"}}) {
    require_finite(name, *x);
    if (x->empty())
      for (const double i : inertia) x->push_back(each * i);
    if (x->size() == 1) x->assign(n, x->front());
    if (x->size() != n)
      throw Error(fmt::format("{}: {} numbers given; '{}' needs {}, or one for all joints", name,
                              x->size(), robot.name(), n));
  }
  return gains;
}

ControlLaw controller(const std::string& id, const Robot& robot, const SampledTrajectory& motion,
                      const Gains& gains) {
  return controller(id, robot, motion, gains, nullptr);
}

ControlLaw controller(const std::string& id, const Robot& robot, const SampledTrajectory& motion,
                      const Gains& gains, const Robot* friction) {
  std::vector<std::string> names;
  for (const ControllerEntry& entry : list) names.push_back(entry.id);
  if (std::find(names.begin(), names.end(), id) == names.end())
    throw Error(fmt::format("unknown controller '{}'; {}choose from {}", id,
                            did_you_mean(id, names), fmt::join(names, ", ")));
  const bool by_dynamics = id == "computed_torque";
  const auto n = static_cast<std::size_t>(robot.nv());
  if (friction && (friction->nq() != robot.nq() || friction->nv() != robot.nv()))
    throw Error(fmt::format("the friction model '{}' has {} coordinates, but robot '{}' has {}",
                            friction->name(), friction->nv(), robot.name(), robot.nv()));
  Reference reference(robot, motion);  // or an Error
  const std::span start = std::span(motion.q).first(static_cast<std::size_t>(robot.nq()));
  auto law = std::make_shared<Controller>(Controller{robot,
                                                     Workspace(robot),
                                                     std::move(reference),
                                                     completed(gains, id, robot, start),
                                                     id == "pd+gravity",
                                                     by_dynamics,
                                                     id == "pd+feedforward",
                                                     std::vector<double>(n),
                                                     std::vector<double>(n),
                                                     {}});
  if (friction) law->friction.emplace(*friction);
  return [law](double t, std::span<const double> q, std::span<const double> v,
               std::span<double> tau) { (*law)(t, q, v, tau); };
}

}  // namespace parid
