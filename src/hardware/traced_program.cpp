#include "hardware/traced_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/text/spelling.hpp"
#include "dynamics/base_parameters.hpp"
#include "formulation/all.hpp"
#include "graph/passes.hpp"
#include "model/user_state.hpp"
#include "parid/error.hpp"

namespace parid::hardware {
namespace {

template <template <class> class F>
Graph traced_formulation(const CanonicalModel& c, const Mechanism<double>& constants,
                         bool velocities, bool accelerations) {
  Graph g;
  const auto inputs = [&g](const char* name, int count, bool present) {
    std::vector<Expr> x;
    for (int k = 1; k <= count; ++k)
      x.push_back(present ? input(g, name + std::to_string(k)) : Expr(0.0));
    return x;
  };
  const std::vector<Expr> q = inputs("q", c.nq, true), v = inputs("v", c.nv, velocities),
                          a = inputs("a", c.nv, accelerations);
  const Mechanism<Expr> mechanism(constants);
  F<Expr> formulation(mechanism);
  State<Expr> motion(mechanism);
  motion.gravity = mechanism.gravity;
  const auto of = [](const std::vector<Expr>& x) { return [&x](int k) { return x[k]; }; };
  load_state(c, motion, of(q), of(v), of(a));
  motion.place(mechanism);
  std::vector<Expr> joint(c.topology.n + 1), tau(c.nv);
  formulation.torque(mechanism, motion, joint.data());
  store_torque(
      c, motion, joint.data(), [](int) { return Wrench<Expr>{}; }, of(a), of(tau),
      [&](int k, const Expr& x) { tau[k] = x; });
  for (int k = 0; k < c.nv; ++k) output(g, "tau" + std::to_string(k + 1), tau[k]);
  return simplify(g);
}

}  // namespace

std::vector<std::string> program_methods() {
  std::vector<std::string> all{"specialized"};
  Formulations::each([&]<template <class> class F>() {
    if (F<double>::exact) all.emplace_back(F<double>::id);
  });
  return all;
}

Graph traced_program(const Robot& robot, Quantity which, const ProgramOptions& o) {
  if (o.method == "specialized") {
    GenerateOptions options;
    options.link = o.link;
    return generate(robot, which, options).program.graph;
  }
  const std::vector<std::string> known = program_methods();
  if (std::find(known.begin(), known.end(), o.method) == known.end())
    throw Error(fmt::format("unknown method '{}'; {}choose from {}", o.method,
                            did_you_mean(o.method, known), fmt::join(known, ", ")));
  const bool torques =
      which == Quantity::inverse_dynamics || which == Quantity::bias || which == Quantity::gravity;
  if (!torques)
    throw Error(
        fmt::format("method '{}': a formulation computes inverse, bias and gravity, not "
                    "'{}'; choose 'specialized'",
                    o.method, name(which)));
  const CanonicalModel& c = robot.canonical();
  if (c.topology.free > 0)
    throw Error(
        fmt::format("robot '{}' has joints with several degrees of freedom; hardware "
                    "supports revolute and prismatic joints on a fixed base",
                    robot.name()));
  const Mechanism<double> constants =
      o.base_parameters ? with_parameters(c, dynamics::base_parameters(c)) : c.mechanism;
  std::optional<Graph> g;
  Formulations::each([&]<template <class> class F>() {
    if (g || !F<double>::exact || o.method != F<double>::id) return;
    if (const std::string why = outside(F<double>::scope, c.topology); !why.empty())
      throw Error(fmt::format("method '{}': {}; choose another method", o.method, why));
    g = traced_formulation<F>(c, constants, which != Quantity::gravity,
                              which == Quantity::inverse_dynamics);
  });
  return *g;
}

}  // namespace parid::hardware
