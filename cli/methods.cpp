#include "cli/methods.hpp"

#include "parid/formulation/all.hpp"
#include "parid/model/canonical.hpp"
#include "parid/run/state.hpp"

namespace parid::cli {
namespace {

template <template <class> class F>
std::vector<double> torques(const Robot& robot, const Surroundings& around, const Trajectory& m,
                            const std::function<void(double)>& progress) {
  const Canonical& c = robot.canonical();
  Motion<double> motion(c.mechanism);
  motion.base = around.base;
  motion.external = around.external.empty() ? nullptr : around.external.data();
  F<double> formulation(c.mechanism);
  std::vector<double> joint(c.topology.n + 1), tau(m.rows * c.nv);
  for (std::size_t r = 0; r < m.rows; ++r) {
    auto columns = [r](const std::vector<double>& x, int width) {
      return [row = x.data() + r * width](int k) { return row[k]; };
    };
    load_state(c, motion, columns(m.q, c.nq), columns(m.v, c.nv), columns(m.a, c.nv));
    motion.place(c.mechanism);
    formulation.torque(c.mechanism, motion, joint.data());
    store_torque(c, joint.data(), formulation, columns(m.a, c.nv), columns(tau, c.nv),
                 [row = tau.data() + r * c.nv](int k, double x) { row[k] = x; });
    if (r % 4096 == 0) progress(static_cast<double>(r) / static_cast<double>(m.rows));
  }
  return tau;
}

}  // namespace

std::string method_names() {
  std::string names;
  Formulations::each([&]<template <class> class F>() {
    names.append(names.empty() ? "" : ", ").append(F<double>::id);
  });
  return names;
}

bool is_method(const std::string& name) {
  bool known = false;
  Formulations::each([&]<template <class> class F>() { known |= name == F<double>::id; });
  return known;
}

std::vector<double> torques_by(const std::string& method, const Robot& robot,
                               const Surroundings& around, const Trajectory& m,
                               const std::function<void(double)>& progress) {
  std::vector<double> tau;
  Formulations::each([&]<template <class> class F>() {
    if (method == F<double>::id) tau = torques<F>(robot, around, m, progress);
  });
  return tau;
}

}  // namespace parid::cli
