// Inverse kinematics: the closed form if the arm has one, on one branch or on all of them, and one
// step of the numeric search for any arm.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "codegen/trace/trace.hpp"
#include "kinematics/closed_form.hpp"
#include "kinematics/damped_step.hpp"
#include "kinematics/serial_arm_ik.hpp"
#include "model/description.hpp"
#include "parid/error.hpp"

namespace parid::codegen {
namespace {

Pose<Expr> wanted_pose(Graph& g) {
  const Exprs R = inputs(g, "R", 9), p = inputs(g, "p", 3);
  return {{{R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]}}, {p[0], p[1], p[2]}};
}

// Newton steps after the closed form of an arm that is not quite the form: each squares the error,
// so that three lead from 1e-4 to rounding.
constexpr int newton_steps = 3;

Exprs improved(const Tracing& t, const SerialArm& arm, const Pose<Expr>& pose, const Exprs& q) {
  Path path = path_to(t.c, t.robot.description(), t.link());
  for (PathFreedom& f : path.freedoms) {
    f.lower = -std::numeric_limits<double>::infinity();
    f.upper = -f.lower;
  }
  // the path's coordinates are in the robot's order
  Exprs here(q.size()), there(q.size()), out(q.size());
  std::vector<std::size_t> at(q.size());
  for (std::size_t k = 0; k < q.size(); ++k)
    at[k] = static_cast<std::size_t>(
        std::find(path.position.begin(), path.position.end(), arm.coordinate[k]) -
        path.position.begin());
  for (std::size_t k = 0; k < q.size(); ++k) here[at[k]] = q[k];
  DampedStep<Expr> step(path);
  for (int n = 0; n < newton_steps; ++n) {
    step.step(here.data(), pose, Expr(1.0), there.data());
    here = there;
  }
  for (std::size_t k = 0; k < q.size(); ++k) out[k] = here[at[k]];
  return out;
}

struct OneBranch {
  Exprs q;
  Expr reach;
};

// A closed form as the programs use it.
struct TracedForm {
  std::optional<ClosedForm> classic;
  std::optional<SerialArm> serial;

  explicit TracedForm(const Tracing& t) : classic(closed_form(t.c, t.link())) {
    if (classic) return;
    SerialArmSearch found = serial_arm(t.c, t.link());
    if (!found.arm)
      throw Error(fmt::format(
          "ik: the chain from the root to '{}' has no closed-form inverse kinematics: {}; use "
          "ik_step",
          t.robot.link_names()[t.link()], found.why));
    serial = found.arm;
  }
  int signs() const { return classic ? 3 : serial->signs(); }
  bool redundant() const { return serial && serial->redundancy != SerialArm::Redundancy::none; }

  OneBranch at(const Tracing& t, const Pose<Expr>& pose, const Exprs& sign,
               const Expr& given) const {
    auto of = [&](std::size_t k) { return k < sign.size() ? sign[k] : Expr(1.0); };
    if (classic) {
      const ArmAngles<Expr> x = branch(*classic, pose, of(0), of(1), of(2));
      return {Exprs(x.q.begin(), x.q.end()), x.reach};
    }
    const SerialAngles<Expr> x = branch(*serial, pose, of(0), of(1), of(2), given);
    Exprs q(x.q.begin(), x.q.begin() + serial->joints);
    if (!serial->exact()) q = improved(t, *serial, pose, q);
    return {q, x.reach};
  }
};

}  // namespace

IkProgram ik_program(const CanonicalModel& c, int link) {
  if (closed_form(c, link)) return {3, "", true};
  const SerialArmSearch found = serial_arm(c, link);
  if (!found.arm) return {};
  const SerialArm& arm = *found.arm;
  return {arm.signs(),
          arm.redundancy == SerialArm::Redundancy::none        ? ""
          : arm.redundancy == SerialArm::Redundancy::arm_angle ? "arm angle"
                                                               : "position of the last joint",
          arm.exact()};
}

Graph ik(const Tracing& t) {
  const TracedForm form(t);
  Graph g;
  const Pose<Expr> pose = wanted_pose(g);
  Exprs signs;
  if (!t.options.all_branches && form.signs() > 0) signs = inputs(g, "branch", form.signs());
  const Expr given = form.redundant() ? inputs(g, "redundancy", 1)[0] : Expr(0.0);
  if (!t.options.all_branches) {
    const OneBranch x = form.at(t, pose, signs, given);
    outputs(g, "q", x.q);
    outputs(g, "reach", {x.reach});
    return t.lean(g);
  }
  Exprs q, reach;
  for (int b = 0; b < 1 << form.signs(); ++b) {
    for (int k = 0; k < form.signs(); ++k) signs.emplace_back((b >> k & 1) != 0 ? -1.0 : 1.0);
    const OneBranch x = form.at(t, pose, signs, given);
    signs.clear();
    q.insert(q.end(), x.q.begin(), x.q.end());
    reach.push_back(x.reach);
  }
  outputs(g, "q", q);
  outputs(g, "reach", reach);
  return t.lean(g);
}

Graph ik_step(const Tracing& t) {
  Path path = path_to(t.c, t.robot.description(), t.link());
  constexpr double far = 1e30;  // instead of no limit: finite in any precision
  for (PathFreedom& f : path.freedoms) {
    f.lower = std::max(f.lower, -far);
    f.upper = std::min(f.upper, far);
  }
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq);
  const Pose<Expr> pose = wanted_pose(g);
  Exprs here, there(path.nq), next = q;
  for (const int k : path.position) here.push_back(q[k]);
  DampedStep<Expr> step(path);
  const auto distance = step.step(here.data(), pose, Expr(1.0), there.data());
  for (int k = 0; k < path.nq; ++k) next[path.position[k]] = there[k];
  outputs(g, "q_next", next);
  outputs(g, "distance", {distance.position2, distance.angle2});
  return t.lean(g);
}

}  // namespace parid::codegen
