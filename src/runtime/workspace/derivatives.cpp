#include "parid/derivatives.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "dynamics/derivative/forward_gradient.hpp"
#include "dynamics/derivative/tangent.hpp"
#include "dynamics/operational_space.hpp"
#include "model/joint/manifold.hpp"
#include "runtime/layer.hpp"
#include "runtime/workspace/workspace_parts.hpp"

namespace parid {
using namespace runtime;

namespace {

using D = Dual<1, double>;
using Numbers = std::vector<double>;
using Duals = std::vector<D>;

void expect_size(const char* what, const char* name, std::size_t has, std::size_t needs) {
  if (has != needs)
    throw std::invalid_argument(
        fmt::format("{}: {} has {} numbers; it needs {}", what, name, has, needs));
}
struct Sizes {
  explicit Sizes(const Robot& r)
      : q(static_cast<std::size_t>(r.nq())), v(static_cast<std::size_t>(r.nv())) {}
  std::size_t q, v;
};

// The state with a derivative along coordinate k: of the positions, or of the velocities.
struct Along {
  const Description& d;
  Duals q, v;
  Along(const Description& description, std::span<const double> q0, std::span<const double> v0)
      : d(description), q(q0.size()), v(v0.size()) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k].value = q0[k];
    for (std::size_t k = 0; k < v.size(); ++k) v[k].value = v0[k];
  }
  void positions(std::span<const double> q0, std::size_t nv, std::size_t k) {
    Numbers unit(nv), rate(q.size());
    unit[k] = 1;
    position_rate(d, q0.data(), unit.data(), rate.data());
    for (std::size_t i = 0; i < q.size(); ++i) q[i].d[0] = rate[i];
    for (D& x : v) x.d[0] = 0;
  }
  void velocities(std::size_t k) {
    for (D& x : q) x.d[0] = 0;
    for (std::size_t i = 0; i < v.size(); ++i) v[i].d[0] = i == k ? 1 : 0;
  }
};

// The loads of a workspace on a state with derivatives, which have none themselves.
void surround(ModelState<D>& at, const ExternalLoads& loads, std::vector<Wrench<D>>& held) {
  at.motion.set_base(at.mechanism,
                     {to<D>(loads.base.w), to<D>(loads.base.wd), to<D>(loads.base.vd)});
  held.clear();
  for (const Wrench<double>& w : loads.external) held.push_back({to<D>(w.f), to<D>(w.n)});
  at.motion.external = held.empty() ? nullptr : held.data();
}

// gradient(q, v, third, by_q, by_v, by_third) in numbers with a derivative; its derivatives along
// every position and velocity.
template <class Gradient>
void second_derivatives(const Robot& robot, std::span<const double> q, std::span<const double> v,
                        std::span<const double> third, const Gradient& gradient,
                        std::span<double> qq, std::span<double> qv, std::span<double> vv,
                        std::span<double> q_third) {
  const std::size_t n = v.size();
  Along at(robot.description(), q, v);
  Duals x(n), dq(n * n), dv(n * n), dx(n * n);
  for (std::size_t k = 0; k < n; ++k) x[k].value = third[k];
  auto store = [n](const Duals& from, std::size_t k, std::span<double> to) {
    for (std::size_t i = 0; i < n * n; ++i) to[i * n + k] = from[i].d[0];
  };
  for (std::size_t k = 0; k < n; ++k) {
    at.positions(q, n, k);
    gradient(at.q.data(), at.v.data(), x.data(), dq.data(), dv.data(), dx.data());
    store(dq, k, qq);
    store(dv, k, qv);
    store(dx, k, q_third);
    at.velocities(k);
    gradient(at.q.data(), at.v.data(), x.data(), dq.data(), dv.data(), dx.data());
    store(dv, k, vv);
  }
}

void expect_tensors(const char* what, const Robot& robot, std::span<const double> q,
                    std::span<const double> v, std::span<const double> third,
                    std::initializer_list<std::span<double>> tensors) {
  const Sizes n(robot);
  expect_size(what, "q", q.size(), n.q);
  expect_size(what, "v", v.size(), n.v);
  expect_size(what, "the third input", third.size(), n.v);
  for (const std::span<double>& x : tensors)
    expect_size(what, "a tensor", x.size(), n.v * n.v * n.v);
}

}  // namespace

void inverse_jacobian_product(const Robot& robot, Workspace& workspace, std::span<const double> q,
                              std::span<const double> v, std::span<const double> a,
                              std::span<const double> dq, std::span<const double> dv,
                              std::span<const double> da, std::span<double> dtau) {
  evaluate(robot, workspace, Quantity::inverse_jacobian_product, {q, v, a, dq, dv, da}, {dtau});
}

void forward_jacobian_product(const Robot& robot, Workspace& workspace, std::span<const double> q,
                              std::span<const double> v, std::span<const double> tau,
                              std::span<const double> dq, std::span<const double> dv,
                              std::span<const double> dtau, std::span<double> da) {
  evaluate(robot, workspace, Quantity::forward_jacobian_product, {q, v, tau, dq, dv, dtau}, {da});
}

void inverse_parameter_vector_product(const Robot& robot, Workspace& workspace,
                                      std::span<const double> q, std::span<const double> v,
                                      std::span<const double> a, std::span<const double> w,
                                      std::span<double> by_parameters,
                                      std::span<double> by_gravity) {
  evaluate(robot, workspace, Quantity::inverse_parameter_vector_product, {q, v, a, w},
           {by_parameters, by_gravity});
}

void inverse_parameter_jacobian_product(const Robot& robot, Workspace& workspace,
                                        std::span<const double> q, std::span<const double> v,
                                        std::span<const double> a,
                                        std::span<const double> dparameters,
                                        std::span<const double> dgravity, std::span<double> dtau) {
  evaluate(robot, workspace, Quantity::inverse_parameter_jacobian_product,
           {q, v, a, dparameters, dgravity}, {dtau});
}

void forward_parameter_vector_product(const Robot& robot, Workspace& workspace,
                                      std::span<const double> q, std::span<const double> v,
                                      std::span<const double> tau, std::span<const double> w,
                                      std::span<double> by_parameters,
                                      std::span<double> by_gravity) {
  evaluate(robot, workspace, Quantity::forward_parameter_vector_product, {q, v, tau, w},
           {by_parameters, by_gravity});
}

void forward_parameter_jacobian_product(const Robot& robot, Workspace& workspace,
                                        std::span<const double> q, std::span<const double> v,
                                        std::span<const double> tau,
                                        std::span<const double> dparameters,
                                        std::span<const double> dgravity, std::span<double> da) {
  evaluate(robot, workspace, Quantity::forward_parameter_jacobian_product,
           {q, v, tau, dparameters, dgravity}, {da});
}

void inverse_hessian_product(const Robot& robot, Workspace& workspace, std::span<const double> q,
                             std::span<const double> v, std::span<const double> a,
                             std::span<const double> w, std::span<const double> dq,
                             std::span<const double> dv, std::span<const double> da,
                             std::span<double> hq, std::span<double> hv, std::span<double> ha) {
  evaluate(robot, workspace, Quantity::inverse_hessian_product, {q, v, a, w, dq, dv, da},
           {hq, hv, ha});
}

void inverse_hessian(const Robot& robot, Workspace& workspace, std::span<const double> q,
                     std::span<const double> v, std::span<const double> a, std::span<double> qq,
                     std::span<double> qv, std::span<double> vv, std::span<double> qa) {
  expect_tensors("inverse_hessian", robot, q, v, a, {qq, qv, vv, qa});
  InverseGradient<D> gradient(robot.canonical());
  std::vector<Wrench<D>> held;
  surround(gradient.at, workspace.parts().external_loads, held);
  second_derivatives(
      robot, q, v, a, [&](auto... x) { gradient(x...); }, qq, qv, vv, qa);
}

void forward_hessian(const Robot& robot, Workspace& workspace, std::span<const double> q,
                     std::span<const double> v, std::span<const double> tau, std::span<double> qq,
                     std::span<double> qv, std::span<double> vv, std::span<double> qtau) {
  expect_tensors("forward_hessian", robot, q, v, tau, {qq, qv, vv, qtau});
  robot.require_defined(Quantity::forward_gradient);
  ForwardGradient<D> gradient(robot.canonical());
  std::vector<Wrench<D>> held[2];
  surround(gradient.forward.at, workspace.parts().external_loads, held[0]);
  surround(gradient.inverse.at, workspace.parts().external_loads, held[1]);
  second_derivatives(
      robot, q, v, tau, [&](auto... x) { gradient(x...); }, qq, qv, vv, qtau);
}

void jacobian_hessian(const Robot& robot, std::span<const double> q, int link,
                      std::span<double> H) {
  const Sizes n(robot);
  expect_size("jacobian_hessian", "q", q.size(), n.q);
  expect_size("jacobian_hessian", "H", H.size(), 6 * n.v * n.v);
  if (link < 0 || link >= static_cast<int>(robot.link_names().size()))
    throw std::invalid_argument(fmt::format("jacobian_hessian: link {} does not exist", link));
  LinkMotion<D> motion(robot.canonical());
  Along at(robot.description(), q, {});
  for (std::size_t k = 0; k < n.v; ++k) {
    at.positions(q, n.v, k);
    motion.load(at.q.data());
    const std::vector<Twist<D>>& J = motion.jacobian(link);
    for (std::size_t j = 0; j < n.v; ++j) {
      const D* column[] = {&J[j].linear.x,  &J[j].linear.y,  &J[j].linear.z,
                           &J[j].angular.x, &J[j].angular.y, &J[j].angular.z};
      for (std::size_t r = 0; r < 6; ++r) H[(r * n.v + j) * n.v + k] = column[r]->d[0];
    }
  }
}

void d_integrate(const Robot& robot, std::span<const double> q, std::span<const double> v,
                 std::span<double> by_q, std::span<double> by_v) {
  const Sizes n(robot);
  expect_size("d_integrate", "q", q.size(), n.q);
  expect_size("d_integrate", "v", v.size(), n.v);
  expect_size("d_integrate", "by_q", by_q.size(), n.v * n.v);
  expect_size("d_integrate", "by_v", by_v.size(), n.v * n.v);
  const Description& d = robot.description();
  Numbers end(n.q);
  integrate(d, q.data(), v.data(), end.data());
  Along at(d, q, v);
  Duals from(n.q), moved(n.q), change(n.v);
  for (std::size_t k = 0; k < n.q; ++k) from[k].value = end[k];
  for (std::size_t k = 0; k < n.v; ++k)
    for (const bool positions : {true, false}) {
      if (positions)
        at.positions(q, n.v, k);
      else
        at.velocities(k);
      model::integrate(d, at.q.data(), at.v.data(), moved.data());
      model::difference(d, from.data(), moved.data(), change.data());
      std::span<double>& to = positions ? by_q : by_v;
      for (std::size_t i = 0; i < n.v; ++i) to[i * n.v + k] = change[i].d[0];
    }
}

void d_difference(const Robot& robot, std::span<const double> q0, std::span<const double> q1,
                  std::span<double> by_q0, std::span<double> by_q1) {
  const Sizes n(robot);
  expect_size("d_difference", "q0", q0.size(), n.q);
  expect_size("d_difference", "q1", q1.size(), n.q);
  expect_size("d_difference", "by_q0", by_q0.size(), n.v * n.v);
  expect_size("d_difference", "by_q1", by_q1.size(), n.v * n.v);
  const Description& d = robot.description();
  for (const bool first : {true, false}) {
    Along start(d, q0, {}), end(d, q1, {});
    Duals change(n.v);
    for (std::size_t k = 0; k < n.v; ++k) {
      if (first)
        start.positions(q0, n.v, k);
      else
        end.positions(q1, n.v, k);
      model::difference(d, start.q.data(), end.q.data(), change.data());
      std::span<double>& to = first ? by_q0 : by_q1;
      for (std::size_t i = 0; i < n.v; ++i) to[i * n.v + k] = change[i].d[0];
    }
  }
}

}  // namespace parid
