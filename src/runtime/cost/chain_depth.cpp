#include "runtime/cost/chain_depth.hpp"

#include <fmt/format.h>

#include "dynamics/articulated_body.hpp"
#include "dynamics/chain_scan.hpp"
#include "dynamics/mass_matrix.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "kinematics/jacobian.hpp"
#include "parid/error.hpp"

namespace parid::runtime {
namespace {

std::vector<Expr> inputs(Graph& g, const char* name, int count) {
  std::vector<Expr> x;
  for (int k = 1; k <= count; ++k) x.push_back(input(g, name + std::to_string(k)));
  return x;
}

// run(graph, outputs) appends what it computes.
template <class Run>
std::optional<GraphCost> cost_of_graph(std::size_t limit, const Run& run) {
  try {
    Graph g(limit);
    std::vector<Expr> out;
    run(g, out);
    for (std::size_t k = 0; k < out.size(); ++k) output(g, "y" + std::to_string(k + 1), out[k]);
    const Graph simple = simplify(g);
    return GraphCost{depth(simple), counts(simple)};
  } catch (const GraphTooLarge&) {
    return {};
  }
}

void add(std::vector<Expr>& out, const Vec3<Expr>& x) { out.insert(out.end(), {x.x, x.y, x.z}); }

}  // namespace

std::vector<ChainDepth> chain_depths(const Robot& robot, std::size_t limit) {
  const CanonicalModel& c = robot.canonical();
  if (!ChainForward<double>::covers(c))
    throw Error(fmt::format(
        "robot '{}' is not a chain of joints with one coordinate each, or a link has no "
        "inertia about some axis; choose a chain, such as chain:16",
        robot.name()));
  const int n = c.nv, tip = robot.find_link(robot.tip());
  auto serial_frames = [&](Graph& g, auto use) {
    ModelState<Expr> at(c);
    const std::vector<Expr> q = inputs(g, "q", c.nq);
    at.load(q.data());
    Frames<Expr> frames(c);
    frames.place(at.mechanism, at.motion);
    use(at, frames);
  };
  auto scanned_frames = [&](Graph& g, auto use) {
    ModelState<Expr> at(c);
    const std::vector<Expr> q = inputs(g, "q", c.nq);
    at.load(q.data());
    ChainFrames<Expr> frames(c);
    frames.place(at.motion);
    use(frames);
  };
  auto add_pose = [](std::vector<Expr>& out, const Pose<Expr>& x) {
    for (const Vec3<Expr>& row : {x.R.r0, x.R.r1, x.R.r2, x.p}) add(out, row);
  };
  auto add_twists = [](std::vector<Expr>& out, const std::vector<Twist<Expr>>& J) {
    for (const Twist<Expr>& x : J) {
      add(out, x.linear);
      add(out, x.angular);
    }
  };
  std::vector<ChainDepth> all;
  all.push_back({"kinematics",
                 cost_of_graph(limit,
                               [&](Graph& g, std::vector<Expr>& out) {
                                 serial_frames(g, [&](auto&, auto& f) {
                                   add_pose(out, link_pose(c, f, tip));
                                 });
                               }),
                 cost_of_graph(limit, [&](Graph& g, std::vector<Expr>& out) {
                   scanned_frames(g, [&](auto& f) { add_pose(out, f.link_pose(tip)); });
                 })});
  std::vector<Twist<Expr>> J(static_cast<std::size_t>(n));
  all.push_back({"jacobian",
                 cost_of_graph(limit,
                               [&](Graph& g, std::vector<Expr>& out) {
                                 serial_frames(g, [&](auto& at, auto& f) {
                                   jacobian(c, at.motion, f, c.link[tip].link,
                                            link_pose(c, f, tip).p, J.data());
                                 });
                                 add_twists(out, J);
                               }),
                 cost_of_graph(limit, [&](Graph& g, std::vector<Expr>& out) {
                   scanned_frames(g, [&](auto& f) { f.jacobian(tip, J.data()); });
                   add_twists(out, J);
                 })});
  auto mass = [&](auto& make) {
    return cost_of_graph(limit, [&](Graph& g, std::vector<Expr>& out) {
      const std::vector<Expr> q = inputs(g, "q", c.nq);
      out.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
      make(q, out);
    });
  };
  auto composite = [&](const std::vector<Expr>& q, std::vector<Expr>& M) {
    MassMatrix<Expr> matrix(c);
    matrix(q.data(), M.data());
  };
  auto scanned = [&](const std::vector<Expr>& q, std::vector<Expr>& M) {
    ChainMassMatrix<Expr> matrix(c);
    matrix(q.data(), M.data());
  };
  all.push_back({"mass", mass(composite), mass(scanned)});
  auto forward = [&]<class Method>(Method* method) {
    return cost_of_graph(limit, [&](Graph& g, std::vector<Expr>& out) {
      const std::vector<Expr> q = inputs(g, "q", c.nq), v = inputs(g, "v", n),
                              tau = inputs(g, "tau", n);
      out.resize(static_cast<std::size_t>(n));
      (void)method;
      Method(c).acceleration(q.data(), v.data(), tau.data(), out.data());
    });
  };
  all.push_back({"forward", forward(static_cast<ArticulatedBody<Expr>*>(nullptr)),
                 forward(static_cast<ChainForward<Expr>*>(nullptr))});
  return all;
}

}  // namespace parid::runtime
