#include "codegen/trace/scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dynamics/composite.hpp"
#include "dynamics/link_parameters.hpp"
#include "model/regroup.hpp"

namespace parid::codegen {
namespace {

// A body given in the frame with pose `pose` in the link.
Moments<Expr> in_link(const Pose<double>& pose, const Moments<Expr>& body) {
  return moved(to<Expr>(pose.R), to<Expr>(pose.p), body);
}
Moments<Expr> body_of(const Mechanism<Expr>& m, int i) {
  const auto b = m.body[i];
  return {b[0], b.vec(1), b.sym(4)};
}

// Regroups inertias by the general rules of model/regroup.hpp. They hold for all values of the
// parameters, any gravity and a moving base.
void regroup(const Tracing& t, Mechanism<Expr>& m) {
  const Mechanism<double>& constants = t.c.mechanism;
  for (int i = t.c.links; i >= 1; --i) {
    const std::array<bool, 10> moves = regrouped_parameters(constants.kind(i));
    Expr down[10];
    for (int k = 0; k < 10; ++k)
      if (moves[k]) {
        down[k] = m.body[i][k];
        m.body[i].set(k, Expr(0.0));
      }
    if (const int j = constants.parent(i); j > 0)
      set_body(m, j,
               body_of(m, j) + in_link({constants.placing[i].mat(0), constants.placing[i].vec(9)},
                                       moments_of(down)));
  }
}

}  // namespace

Scene::Scene(const Tracing& t, Graph& g) : mechanism(t.mechanism) {
  if (t.options.parameters) take_parameters(t, g);
  if (t.options.gravity) {
    const Exprs x = inputs(g, "gravity", 3);
    mechanism.gravity = to<Expr>(t.c.link[t.c.root].pose.R) * Vec3<Expr>{x[0], x[1], x[2]};
  }
  if (t.options.payload) add_payload(t, g);
  if (t.options.wrench) add_wrench(t, g);
  if (!t.rows.empty()) take_rows(t, g);
}

void Scene::take_rows(const Tracing& t, Graph& g) {
  std::vector<Exprs> in;
  std::vector<const Expr*> from;
  for (const RowLayout::Array& a : t.rows.arrays())
    in.push_back(inputs(g, a.name, static_cast<int>(a.numbers)));
  for (const Exprs& x : in) from.push_back(x.data());
  row_ = RowValues<Expr>(&t.rows, t.c.topology.n);
  row_.load(t.rows, from.data());
  State<Expr> motion(mechanism);
  row_.act_on(t.rows, mechanism, motion);
  if (t.rows.base_motion) base_ = motion.base;
  wrenches_ = motion.external;
  if (!t.rows.parameters.empty()) regroup(t, mechanism);
}

void Scene::take_parameters(const Tracing& t, Graph& g) {
  const std::vector<int> links = links_with_parameters(t.robot);
  const std::vector<Pose<double>> frames = link_frames(t.robot);
  Exprs all(10 * links.size());
  if (t.options.choice) {
    const std::vector<int>& kept = t.options.choice->kept;
    const Exprs pi = inputs(g, "pi", static_cast<int>(kept.size()));
    for (std::size_t k = 0; k < kept.size(); ++k) all[kept[k]] = pi[k];
  } else {
    all = inputs(g, "pi", static_cast<int>(all.size()));
  }
  for (int i = 1; i <= t.c.links; ++i) set_body(mechanism, i, {});
  for (std::size_t l = 0; l < links.size(); ++l)
    set_body(mechanism, links[l], in_link(frames[links[l]], moments_of(&all[10 * l])));
}

void Scene::add_payload(const Tracing& t, Graph& g) {
  const Exprs x = inputs(g, "payload", 10);
  const LinkPlace& at = t.c.link[t.link()];
  if (at.link == 0) return;  // no effect on the base
  set_body(mechanism, at.link,
           body_of(mechanism, at.link) + in_link(at.pose, moments_of(x.data())));
}

void Scene::add_wrench(const Tracing& t, Graph& g) {
  const Exprs x = inputs(g, "wrench", 6);
  const LinkPlace& at = t.c.link[t.link()];
  external_.resize(t.c.topology.n + 1);
  wrenches_ = external_.data();
  external_[at.link] = on_parent(to<Expr>(at.pose.R), to<Expr>(at.pose.p),
                                 Wrench<Expr>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
}

std::vector<std::string> input_lines(const Tracing& t) {
  std::vector<std::string> lines;
  const char* ten =
      "m, m x, m y, m z, and second moments xx yy zz xy xz yz (xx the integral of x x dm)";
  auto link = [&] { return t.robot.link_names()[t.link()]; };
  if (t.options.parameters && !t.options.choice) {
    lines.push_back(fmt::format("pi: ten numbers per moving link: {}, in the link's frame;", ten));
    std::vector<std::string> names;
    for (const int i : links_with_parameters(t.robot))
      names.push_back(t.robot.link_names()[moved_link(t.robot, i)]);
    lines.push_back(fmt::format("  links: {}", fmt::join(names, ", ")));
  }
  if (t.options.gravity) lines.emplace_back("gravity: m/s2, in the root link's frame.");
  if (t.options.payload)
    lines.push_back(
        fmt::format("payload: a body attached to link '{}': {}, in its frame.", link(), ten));
  if (t.options.wrench)
    lines.push_back(fmt::format(
        "wrench: on link '{}', at its origin and in its frame: force, then moment.", link()));
  if (t.options.friction_coefficients)
    lines.emplace_back(
        "viscous, coulomb: friction of each joint, N m s/rad and N m (N s/m and N).");
  return lines;
}

}  // namespace parid::codegen
