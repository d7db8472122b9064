// Inverse kinematics: the closed form if the arm has one, and one step of the numeric search for
// any arm.

#include <fmt/format.h>

#include <algorithm>

#include "codegen/trace/trace.hpp"
#include "kinematics/closed_form.hpp"
#include "kinematics/damped_step.hpp"
#include "model/description.hpp"
#include "parid/error.hpp"

namespace parid::codegen {
namespace {

Pose<Expr> wanted_pose(Graph& g) {
  const Exprs R = inputs(g, "R", 9), p = inputs(g, "p", 3);
  return {{{R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]}}, {p[0], p[1], p[2]}};
}

}  // namespace

Graph ik(const Tracing& t) {
  const auto form = closed_form(t.c, t.link());
  if (!form)
    throw Error(fmt::format(
        "ik: the chain from the root to '{}' has no closed-form inverse kinematics; use ik_step",
        t.robot.link_names()[t.link()]));
  Graph g;
  const Pose<Expr> pose = wanted_pose(g);
  const Exprs signs = inputs(g, "branch", 3);
  const ArmAngles<Expr> x = branch(*form, pose, signs[0], signs[1], signs[2]);
  outputs(g, "q", Exprs(x.q.begin(), x.q.end()));
  outputs(g, "reach", {x.reach});
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
