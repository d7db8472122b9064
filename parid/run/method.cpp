#include "parid/run/method.hpp"

#include <fmt/format.h>

#include "parid/error.hpp"
#include "parid/formulation/all.hpp"
#include "parid/model/spelling.hpp"
#include "parid/run/evaluation.hpp"

namespace parid {
namespace {

template <template <class> class F>
class MethodOf final : public Method {
 public:
  MethodOf(const Robot& robot, const Surroundings& around) : robot_(robot), evaluation_(robot_.canonical()) { evaluation_.set_surroundings(around); }
  void torque(const double* q, const double* v, const double* a, double* tau) override { evaluation_.torque(q, v, a, tau); }

 private:
  Robot robot_;
  Evaluation<F, double> evaluation_;
};

bool turns(const BaseMotion<double>& b) { return dot(b.w, b.w) + dot(b.wd, b.wd) > 0; }

}  // namespace

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> all = [] {
    std::vector<MethodEntry> list;
    Formulations::each([&]<template <class> class F>() {
      list.push_back({F<double>::id, F<double>::exact, F<double>::scope,
                      [](const Robot& r, const Surroundings& s) -> std::unique_ptr<Method> { return std::make_unique<MethodOf<F>>(r, s); }});
    });
    return list;
  }();
  return all;
}

std::string method_names() {
  std::string names;
  for (const MethodEntry& m : methods()) names += (names.empty() ? "" : ", ") + std::string(m.id);
  return names;
}

const MethodEntry& method(const std::string& id) {
  std::vector<std::string> names;
  for (const MethodEntry& m : methods()) {
    if (m.id == id) return m;
    names.push_back(m.id);
  }
  throw Error(fmt::format("--method: there is no method '{}'; {}choose from {}", id, did_you_mean(id, names), method_names()));
}

std::unique_ptr<Method> make_method(const MethodEntry& m, const Robot& robot, const Surroundings& around) {
  const std::string why = outside(m.scope, robot.canonical().topology, {turns(around.base), !around.external.empty()});
  if (!why.empty()) throw Error(fmt::format("method '{}' cannot take robot '{}': {}; newton_euler_link covers everything", m.id, robot.name(), why));
  return m.make(robot, around);
}

}  // namespace parid
