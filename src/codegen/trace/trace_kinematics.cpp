// Poses and Jacobians: no forces, no inertias.

#include "codegen/trace/trace.hpp"
#include "dynamics/model_state.hpp"
#include "kinematics/jacobian.hpp"

namespace parid::codegen {
namespace {

struct Placed {
  ModelState<Expr> at;
  Frames<Expr> frames;

  Placed(const Tracing& t, const Exprs& q) : at(t.c), frames(t.c) {
    at.load(q.data());
    frames.place(at.mechanism, at.motion);
  }
};

void append(Exprs& x, const Vec3<Expr>& u) { x.insert(x.end(), {u.x, u.y, u.z}); }

}  // namespace

Graph kinematics(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq);
  const Placed placed(t, q);
  const Frames<Expr>& frames = placed.frames;
  std::vector<int> links;
  if (t.options.link == "all")
    for (std::size_t l = 0; l < t.robot.link_names().size(); ++l)
      links.push_back(static_cast<int>(l));
  else
    links.push_back(t.link());
  Exprs R, p;
  for (const int l : links) {
    const Pose<Expr> at = link_pose(t.c, frames, l);
    append(R, at.R.r0);
    append(R, at.R.r1);
    append(R, at.R.r2);
    append(p, at.p);
  }
  outputs(g, "R", R);
  outputs(g, "p", p);
  return t.lean(g);
}

Graph jacobian_of_link(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq);
  const Placed placed(t, q);
  const Frames<Expr>& frames = placed.frames;
  const int link = t.link();
  const auto& [x, y, z] = t.options.point;
  const Vec3<Expr> point = link_pose(t.c, frames, link) * to<Expr>(Vec3<double>{x, y, z});
  std::vector<Twist<Expr>> column(t.c.nv);
  jacobian(t.c, placed.at.motion, frames, t.c.link[link].link, point, column.data());
  const int n = t.c.nv;
  Exprs J(6 * n);
  for (int k = 0; k < n; ++k) {
    const auto& [linear, angular] = column[k];
    J[k] = linear.x;
    J[n + k] = linear.y;
    J[2 * n + k] = linear.z;
    J[3 * n + k] = angular.x;
    J[4 * n + k] = angular.y;
    J[5 * n + k] = angular.z;
  }
  outputs(g, "J", J);
  return t.lean(g);
}

}  // namespace parid::codegen
