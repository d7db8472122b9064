#include "parid/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "dynamics/link_parameters.hpp"
#include "model/joint/manifold.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/layer.hpp"
#include "runtime/method/explain.hpp"
#include "runtime/workspace/workspace_parts.hpp"

namespace parid {
using namespace runtime;

namespace {

struct Argument {
  const char* name;
  std::size_t has, takes;
};

void expect(const char* what, const Robot& robot, const Workspace* workspace,
            std::initializer_list<Argument> arguments) {
  for (const Argument& a : arguments)
    if (a.has != a.takes) [[unlikely]]
      throw std::invalid_argument(fmt::format("{}: {} has {} numbers; '{}' needs {}", what, a.name,
                                              a.has, robot.name(), a.takes));
  if (workspace && &robot.canonical() != &workspace->robot().canonical()) [[unlikely]]
    throw std::invalid_argument(
        fmt::format("{}: the workspace belongs to another robot; create one for this robot", what));
}

struct Sizes {
  explicit Sizes(const Robot& r)
      : q(static_cast<std::size_t>(r.nq())), v(static_cast<std::size_t>(r.nv())), M(v * v) {}
  std::size_t q, v, M;
};

ForwardKernel& forward_kernel(Workspace::Parts& p) {
  if (!p.forward) {
    p.forward = best_kernels<ForwardKernelSet>().single(p.robot.canonical());
    p.forward->set_base_motion(p.external_loads.base);
    p.forward->set_external(p.external_loads.external);
  }
  return *p.forward;
}
QuantityKernel& gradient(Workspace::Parts& p, Quantity which) {
  auto& kernel = p.gradients[which];
  if (!kernel) {
    const Shape shape = shape_of(p.robot, which);
    kernel = best_kernels<QuantityKernelSet>().single(p.robot, which, shape.in, shape.out);
    p.load(*kernel);
  }
  return *kernel;
}
void evaluate_gradient(Workspace::Parts& p, Quantity which, std::initializer_list<const double*> in,
                       std::initializer_list<double*> out) {
  gradient(p, which).rows(-1, in.begin(), out.begin(), 1);
}

Coriolis<double>& coriolis(Workspace::Parts& p) {
  if (!p.coriolis) p.coriolis = std::make_unique<Coriolis<double>>(*p.canonical);
  return *p.coriolis;
}
Energy<double>& energies(Workspace::Parts& p) {
  if (!p.energy) p.energy = std::make_unique<Energy<double>>(*p.canonical);
  return *p.energy;
}
RegressorParts& regressors(Workspace::Parts& p) {
  if (!p.regressor) p.regressor = std::make_unique<RegressorParts>(p.robot);
  return *p.regressor;
}

std::array<double, 3> array(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

// Null for a quantity without one, and for gradients, which have kernels.
Evaluator<double>* evaluator(Workspace::Parts& p, Quantity which) {
  auto& e = p.evaluators[which];
  if (!e) {
    e = make_directional_evaluator<double>(p.robot, which);
    if (!e) e = make_plain_evaluator<double>(p.robot, which);
    if (!e) {
      p.evaluators.erase(which);
      return nullptr;
    }
    p.load(*e);
  }
  return e.get();
}

}  // namespace

RegressorParts::RegressorParts(const Robot& robot)
    : all(robot.canonical(), link_frames(robot)),
      links(links_with_parameters(robot)),
      Y(static_cast<std::size_t>(robot.nv()) * static_cast<std::size_t>(all.columns())) {}

void prepare(Workspace& workspace, std::initializer_list<Quantity> which) {
  Workspace::Parts& p = workspace.parts();
  for (const Quantity one : which) {
    p.robot.require_defined(one);
    switch (one) {
      case Quantity::inverse_dynamics:
      case Quantity::bias:
      case Quantity::gravity: break;
      case Quantity::forward_dynamics:
      case Quantity::mass_matrix: forward_kernel(p); break;
      case Quantity::coriolis_matrix: coriolis(p); break;
      case Quantity::inverse_gradient:
      case Quantity::forward_gradient:
      case Quantity::inverse_vector_product:
      case Quantity::forward_vector_product: gradient(p, one); break;
      case Quantity::energy: energies(p); break;
      case Quantity::regressor: regressors(p); break;
      default:
        if (info(one).prepared && evaluator(p, one)) break;
        throw std::invalid_argument(fmt::format(
            "prepare: '{}' cannot be evaluated for one sample with a Workspace", name(one)));
    }
  }
}

void evaluate(const Robot& robot, Workspace& workspace, Quantity which,
              std::span<const std::span<const double>> in, std::span<const std::span<double>> out,
              int link) {
  const QuantityInfo& about = info(which);
  if (in.size() != about.inputs.size() || out.size() != about.outputs.size())
    throw std::invalid_argument(fmt::format("{}: {} inputs and {} outputs given; it has {} and {}",
                                            about.name, in.size(), out.size(), about.inputs.size(),
                                            about.outputs.size()));
  const double* from[most_arrays];
  double* to[most_arrays];
  std::size_t k = 0;
  for (const std::span<const double>& x : in) {
    expect(about.name, robot, &workspace,
           {{about.inputs[k].name, x.size(), count(robot, about.inputs[k].shape)}});
    from[k++] = x.data();
  }
  k = 0;
  for (const std::span<double>& x : out) {
    expect(about.name, robot, &workspace,
           {{about.outputs[k].name, x.size(), count(robot, about.outputs[k].shape)}});
    to[k++] = x.data();
  }
  robot.require_defined(which);
  if (about.needs_link && (link < 0 || link >= static_cast<int>(robot.link_names().size())))
    throw std::invalid_argument(fmt::format("{}: link {} does not exist; '{}' has {} links",
                                            about.name, link, robot.name(),
                                            robot.link_names().size()));
  if (const auto one = workspace.parts().one_of(which);
      one && (!about.needs_link || workspace.parts().specialized.find(which)->second.link == link))
    if (one(from, to) == 0) return;
  switch (which) {
    case Quantity::inverse_gradient:
    case Quantity::forward_gradient:
    case Quantity::inverse_vector_product:
    case Quantity::forward_vector_product:
      return gradient(workspace.parts(), which).rows(-1, from, to, 1);
    default: break;
  }
  Evaluator<double>* e = evaluator(workspace.parts(), which);
  if (!e)
    throw std::invalid_argument(
        fmt::format("{}: use the function of this quantity in parid/dynamics.hpp", about.name));
  (*e)(link, from, to);
}

void forward_dynamics(const Robot& robot, Workspace& workspace, std::span<const double> q,
                      std::span<const double> v, std::span<const double> tau, std::span<double> a) {
  const Sizes n(robot);
  expect(
      "forward_dynamics", robot, &workspace,
      {{"q", q.size(), n.q}, {"v", v.size(), n.v}, {"tau", tau.size(), n.v}, {"a", a.size(), n.v}});
  robot.require_defined(Quantity::forward_dynamics);
  if (workspace.parts().computed(Quantity::forward_dynamics, {q.data(), v.data(), tau.data()},
                                 {a.data()}))
    return;
  forward_kernel(workspace.parts()).forward_dynamics(q.data(), v.data(), tau.data(), a.data(), 1);
}

void mass_matrix(const Robot& robot, Workspace& workspace, std::span<const double> q,
                 std::span<double> M) {
  const Sizes n(robot);
  expect("mass_matrix", robot, &workspace, {{"q", q.size(), n.q}, {"M", M.size(), n.M}});
  if (workspace.parts().computed(Quantity::mass_matrix, {q.data()}, {M.data()})) return;
  forward_kernel(workspace.parts()).mass_matrix(q.data(), M.data(), 1);
}

void bias(const Robot& robot, Workspace& workspace, std::span<const double> q,
          std::span<const double> v, std::span<double> tau) {
  if (workspace.parts().one_of(Quantity::bias)) {
    const Sizes n(robot);
    expect("bias", robot, &workspace,
           {{"q", q.size(), n.q}, {"v", v.size(), n.v}, {"tau", tau.size(), n.v}});
    if (workspace.parts().computed(Quantity::bias, {q.data(), v.data()}, {tau.data()})) return;
  }
  inverse_dynamics(robot, workspace, q, v, workspace.parts().zero, tau);
}
void gravity(const Robot& robot, Workspace& workspace, std::span<const double> q,
             std::span<double> tau) {
  if (workspace.parts().one_of(Quantity::gravity)) {
    const Sizes n(robot);
    expect("gravity", robot, &workspace, {{"q", q.size(), n.q}, {"tau", tau.size(), n.v}});
    if (workspace.parts().computed(Quantity::gravity, {q.data()}, {tau.data()})) return;
  }
  const std::span<const double> zero = workspace.parts().zero;
  inverse_dynamics(robot, workspace, q, zero, zero, tau);
}

void coriolis_matrix(const Robot& robot, Workspace& workspace, std::span<const double> q,
                     std::span<const double> v, std::span<double> C) {
  const Sizes n(robot);
  expect("coriolis_matrix", robot, &workspace,
         {{"q", q.size(), n.q}, {"v", v.size(), n.v}, {"C", C.size(), n.M}});
  if (workspace.parts().computed(Quantity::coriolis_matrix, {q.data(), v.data()}, {C.data()}))
    return;
  coriolis(workspace.parts())(q.data(), v.data(), C.data());
}

void inverse_gradient(const Robot& robot, Workspace& workspace, std::span<const double> q,
                      std::span<const double> v, std::span<const double> a, std::span<double> dq,
                      std::span<double> dv, std::span<double> da) {
  const Sizes n(robot);
  expect("inverse_gradient", robot, &workspace,
         {{"q", q.size(), n.q},
          {"v", v.size(), n.v},
          {"a", a.size(), n.v},
          {"dq", dq.size(), n.M},
          {"dv", dv.size(), n.M},
          {"da", da.size(), n.M}});
  if (workspace.parts().computed(Quantity::inverse_gradient, {q.data(), v.data(), a.data()},
                                 {dq.data(), dv.data(), da.data()}))
    return;
  evaluate_gradient(workspace.parts(), Quantity::inverse_gradient, {q.data(), v.data(), a.data()},
                    {dq.data(), dv.data(), da.data()});
}

void forward_gradient(const Robot& robot, Workspace& workspace, std::span<const double> q,
                      std::span<const double> v, std::span<const double> tau, std::span<double> dq,
                      std::span<double> dv, std::span<double> dtau) {
  const Sizes n(robot);
  expect("forward_gradient", robot, &workspace,
         {{"q", q.size(), n.q},
          {"v", v.size(), n.v},
          {"tau", tau.size(), n.v},
          {"dq", dq.size(), n.M},
          {"dv", dv.size(), n.M},
          {"dtau", dtau.size(), n.M}});
  robot.require_defined(Quantity::forward_gradient);
  if (workspace.parts().computed(Quantity::forward_gradient, {q.data(), v.data(), tau.data()},
                                 {dq.data(), dv.data(), dtau.data()}))
    return;
  evaluate_gradient(workspace.parts(), Quantity::forward_gradient, {q.data(), v.data(), tau.data()},
                    {dq.data(), dv.data(), dtau.data()});
}

void inverse_vector_product(const Robot& robot, Workspace& workspace, std::span<const double> q,
                            std::span<const double> v, std::span<const double> a,
                            std::span<const double> w, std::span<double> gq, std::span<double> gv,
                            std::span<double> ga) {
  const Sizes n(robot);
  expect("inverse_vector_product", robot, &workspace,
         {{"q", q.size(), n.q},
          {"v", v.size(), n.v},
          {"a", a.size(), n.v},
          {"w", w.size(), n.v},
          {"gq", gq.size(), n.v},
          {"gv", gv.size(), n.v},
          {"ga", ga.size(), n.v}});
  if (workspace.parts().computed(Quantity::inverse_vector_product,
                                 {q.data(), v.data(), a.data(), w.data()},
                                 {gq.data(), gv.data(), ga.data()}))
    return;
  evaluate_gradient(workspace.parts(), Quantity::inverse_vector_product,
                    {q.data(), v.data(), a.data(), w.data()}, {gq.data(), gv.data(), ga.data()});
}

void forward_vector_product(const Robot& robot, Workspace& workspace, std::span<const double> q,
                            std::span<const double> v, std::span<const double> tau,
                            std::span<const double> w, std::span<double> gq, std::span<double> gv,
                            std::span<double> gtau) {
  const Sizes n(robot);
  expect("forward_vector_product", robot, &workspace,
         {{"q", q.size(), n.q},
          {"v", v.size(), n.v},
          {"tau", tau.size(), n.v},
          {"w", w.size(), n.v},
          {"gq", gq.size(), n.v},
          {"gv", gv.size(), n.v},
          {"gtau", gtau.size(), n.v}});
  robot.require_defined(Quantity::forward_vector_product);
  if (workspace.parts().computed(Quantity::forward_vector_product,
                                 {q.data(), v.data(), tau.data(), w.data()},
                                 {gq.data(), gv.data(), gtau.data()}))
    return;
  evaluate_gradient(workspace.parts(), Quantity::forward_vector_product,
                    {q.data(), v.data(), tau.data(), w.data()},
                    {gq.data(), gv.data(), gtau.data()});
}

EnergyState energy(const Robot& robot, Workspace& workspace, std::span<const double> q,
                   std::span<const double> v) {
  const Sizes n(robot);
  expect("energy", robot, &workspace, {{"q", q.size(), n.q}, {"v", v.size(), n.v}});
  EnergyState fast;
  if (workspace.parts().computed(
          Quantity::energy, {q.data(), v.data()},
          {&fast.kinetic, &fast.potential, fast.centre.data(), fast.centre_velocity.data(),
           fast.linear_momentum.data(), fast.angular_momentum.data()})) {
    fast.mass = workspace.parts().mass;
    return fast;
  }
  const EnergyAnswer<double> e = energies(workspace.parts())(q.data(), v.data());
  return {e.kinetic,
          e.potential,
          e.mass,
          array(e.centre),
          array(e.centre_velocity),
          array(e.linear_momentum),
          array(e.angular_momentum)};
}

void regressor(const Robot& robot, Workspace& workspace, std::span<const double> q,
               std::span<const double> v, std::span<const double> a, std::span<double> Y) {
  const Sizes n(robot);
  expect("regressor", robot, &workspace,
         {{"q", q.size(), n.q}, {"v", v.size(), n.v}, {"a", a.size(), n.v}});
  Workspace::Parts& p = workspace.parts();
  RegressorParts& r = regressors(p);
  const std::size_t columns = 10 * r.links.size();
  expect("regressor", robot, &workspace, {{"Y", Y.size(), n.v * columns}});
  if (p.computed(Quantity::regressor, {q.data(), v.data(), a.data()}, {Y.data()})) return;
  p.surround(r.all.at.motion, r.all.at.mechanism);
  r.all.at.motion.external = nullptr;  // wrenches are no parameters
  r.all(q.data(), v.data(), a.data(), r.Y.data());
  const auto all = static_cast<std::size_t>(r.all.columns());
  for (std::size_t k = 0; k < n.v; ++k)
    for (std::size_t l = 0; l < r.links.size(); ++l)
      std::copy_n(&r.Y[k * all + 10 * static_cast<std::size_t>(r.links[l] - 1)], 10,
                  &Y[k * columns + 10 * l]);
}

std::vector<std::string> regressor_names(const Robot& robot) { return parameter_names(robot); }

std::vector<double> regressor_parameters(const Robot& robot) { return link_parameters(robot); }

std::vector<Reaction> reactions(const Robot& robot, Workspace& workspace, std::span<const double> q,
                                std::span<const double> v, std::span<const double> a) {
  const Sizes n(robot);
  expect("reactions", robot, &workspace,
         {{"q", q.size(), n.q}, {"v", v.size(), n.v}, {"a", a.size(), n.v}});
  std::vector<Reaction> all;
  for (const LinkExplanation& e :
       explain(robot, workspace.parts().external_loads, q.data(), v.data(), a.data()))
    all.push_back({e.joint, e.link, array(e.force), array(e.moment)});
  return all;
}

void integrate(const Robot& robot, std::span<const double> q, std::span<const double> v,
               std::span<double> out) {
  const Sizes n(robot);
  expect("integrate", robot, nullptr,
         {{"q", q.size(), n.q}, {"v", v.size(), n.v}, {"out", out.size(), n.q}});
  integrate(robot.description(), q.data(), v.data(), out.data());
}
void difference(const Robot& robot, std::span<const double> q0, std::span<const double> q1,
                std::span<double> v) {
  const Sizes n(robot);
  expect("difference", robot, nullptr,
         {{"q0", q0.size(), n.q}, {"q1", q1.size(), n.q}, {"v", v.size(), n.v}});
  difference(robot.description(), q0.data(), q1.data(), v.data());
}

}  // namespace parid
