#include "control/design.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text/spelling.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"

namespace parid::control {

LawKind law_kind(const std::string& id) {
  if (id == "computed_torque") return LawKind::computed_torque;
  if (id == "pd+gravity") return LawKind::pd_gravity;
  if (id == "pd") return LawKind::pd;
  if (id == "pd+feedforward") return LawKind::pd_feedforward;
  std::vector<std::string> names;
  for (const ControllerEntry& entry : controllers()) names.push_back(entry.id);
  throw Error(fmt::format("unknown control law '{}'; {}choose from {}", id, did_you_mean(id, names),
                          fmt::join(names, ", ")));
}

LawDesign design(const Robot& model, const std::string& law, Gains gains, const Policy& policy,
                 std::span<const double> q) {
  law_kind(law);  // or an Error
  demand_single_freedoms(model);
  if (law == "computed_torque" && gains.kp.empty())
    for (const double k : gains.kd) gains.kp.push_back(k * k / 4);
  if (law == "computed_torque" && gains.kd.empty())
    for (const double k : gains.kp) gains.kd.push_back(2 * std::sqrt(k));
  return {model, law,  completed(std::move(gains), law, model, q), bound(policy, model),
          false, false};
}

void aim(const Trajectory& trajectory, double t, Desired& d) {
  const double end = trajectory.duration();
  trajectory.at(std::clamp(t, 0.0, end), d.q, d.v, d.a);
  if (t > end) {
    std::fill(d.v.begin(), d.v.end(), 0.0);
    std::fill(d.a.begin(), d.a.end(), 0.0);
  }
}

void demand_single_freedoms(const Robot& robot) {
  if (robot.canonical().topology.free > 0)
    throw Error(
        fmt::format("'{}' has spherical or floating joints; control supports revolute and "
                    "prismatic joints on a fixed base",
                    robot.name()));
}

}  // namespace parid::control
