#include "runtime/method/method.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "formulation/all.hpp"
#include "parid/error.hpp"
#include "runtime/method/evaluation.hpp"

namespace parid::runtime {
namespace {

template <template <class> class F>
class MethodOf final : public Method {
 public:
  MethodOf(const Robot& robot, const ExternalLoads& around)
      : robot_(robot), evaluation_(robot_.canonical()) {
    evaluation_.set_external_loads(around);
  }
  void torque(const double* q, const double* v, const double* a, double* tau) override {
    evaluation_.torque(q, v, a, tau);
  }

 private:
  Robot robot_;
  Evaluation<F, double> evaluation_;
};

bool turns(const BaseMotion<double>& b) { return dot(b.w, b.w) + dot(b.wd, b.wd) > 0; }

// The two oldest formulations sum over pairs and triples of links; with this many links they need a
// gigabyte, or a second for one torque.
constexpr std::pair<std::string_view, int> most_links[] = {{"uicker_kahn", 200}, {"waters", 5000}};

std::string too_long(std::string_view id, int links) {
  for (const auto& [limited, most] : most_links)
    if (id == limited && links > most)
      return fmt::format(
          "it supports at most {} moving links, because its cost grows with a power of them, and "
          "this robot has {}",
          most, links);
  return "";
}

}  // namespace

const std::vector<MethodEntry>& formulation_methods() {
  static const std::vector<MethodEntry> all = [] {
    std::vector<MethodEntry> list;
    Formulations::each([&]<template <class> class F>() {
      list.push_back({F<double>::id, F<double>::exact, F<double>::scope,
                      [](const Robot& r, const ExternalLoads& s) -> std::unique_ptr<Method> {
                        return std::make_unique<MethodOf<F>>(r, s);
                      }});
    });
    return list;
  }();
  return all;
}

std::string cannot(const MethodEntry& m, const Robot& robot, const ExternalLoads& around) {
  std::string why =
      outside(m.scope, robot.canonical().topology, {turns(around.base), !around.external.empty()});
  if (why.empty()) why = too_long(m.id, robot.canonical().topology.n);
  if (!why.empty() || !m.why_not) return why;
  if (dot(around.base.vd, around.base.vd) > 0)
    return "it is prepared for the robot's own gravity, and the base accelerates or `gravity` is "
           "given";
  return m.why_not(robot);
}

std::unique_ptr<Method> make_method(const MethodEntry& m, const Robot& robot,
                                    const ExternalLoads& around) {
  if (const std::string why = cannot(m, robot, around); !why.empty())
    throw Error(fmt::format(
        "method '{}' does not support robot '{}': {}; newton_euler_link supports all robots", m.id,
        robot.name(), why));
  return m.make(robot, around);
}

}  // namespace parid::runtime
