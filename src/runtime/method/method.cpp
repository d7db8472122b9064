#include "runtime/method/method.hpp"

#include <fmt/format.h>

#include <string_view>
#include <type_traits>
#include <utility>

#include "formulation/all.hpp"
#include "parid/error.hpp"
#include "runtime/method/evaluation.hpp"

namespace parid::runtime {
namespace {

template <template <class> class F>
class MethodOf final : public Method {
 public:
  template <class... Options>
  MethodOf(const Robot& robot, const ExternalLoads& around, const Options&... options)
      : robot_(robot), evaluation_(robot_.canonical(), options...) {
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
      constexpr bool chosen = std::is_constructible_v<F<double>, const Mechanism<double>&, int>;
      list.push_back({F<double>::id, F<double>::exact, F<double>::scope,
                      [](const Robot& r, const ExternalLoads& s,
                         [[maybe_unused]] const MethodOptions& o) -> std::unique_ptr<Method> {
                        if constexpr (chosen)
                          return std::make_unique<MethodOf<F>>(r, s, o.processors);
                        else
                          return std::make_unique<MethodOf<F>>(r, s);
                      },
                      chosen});
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

void check_processors(const MethodEntry& m, const Robot& robot, const MethodOptions& options) {
  if (options.processors == 0) return;
  if (!m.takes_processors)
    throw Error(fmt::format(
        "`processors`: method '{}' does not run on a chosen number of processors; choose method "
        "lee_chang_pfold, or omit `processors`",
        m.id));
  const int n = robot.canonical().topology.n;
  if (options.processors < 0 || options.processors > n)
    throw Error(fmt::format(
        "`processors`: {} is out of range; robot '{}' has {} moving links: give a number from 1 "
        "to {}",
        options.processors, robot.name(), n, n));
}

std::unique_ptr<Method> make_method(const MethodEntry& m, const Robot& robot,
                                    const ExternalLoads& around, const MethodOptions& options) {
  check_processors(m, robot, options);
  if (const std::string why = cannot(m, robot, around); !why.empty())
    throw Error(fmt::format(
        "method '{}' does not support robot '{}': {}; newton_euler_link supports all robots", m.id,
        robot.name(), why));
  return m.make(robot, around, options);
}

}  // namespace parid::runtime
