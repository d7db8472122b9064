#include "parid/method/method.hpp"

#include <fmt/format.h>

#include <utility>

#include "parid/error.hpp"
#include "parid/formulation/all.hpp"
#include "parid/model/spelling.hpp"
#include "parid/run/evaluation.hpp"
#include "parid/table/bytes_text.hpp"
#include "parid/table/term_selection.hpp"
#include "parid/table/torque_table.hpp"

namespace parid {
namespace {

template <template <class> class F>
class MethodOf final : public Method {
 public:
  MethodOf(const Robot& robot, const Surroundings& around)
      : robot_(robot), evaluation_(robot_.canonical()) {
    evaluation_.set_surroundings(around);
  }
  void torque(const double* q, const double* v, const double* a, double* tau) override {
    evaluation_.torque(q, v, a, tau);
  }

 private:
  Robot robot_;
  Evaluation<F, double> evaluation_;
};

// ---- a table of coefficients, of as many points as `parid table` takes by default

constexpr double most_bytes = 64e6;  // beyond, building it would keep a comparison waiting

class ConfigurationSpaceMethod final : public Method {
 public:
  ConfigurationSpaceMethod(const Robot& robot, const Surroundings&)
      : n_(static_cast<std::size_t>(robot.nv())),
        table_(TorqueTable::build(robot)),
        reader_(table_) {}
  void torque(const double* q, const double* v, const double* a, double* tau) override {
    reader_.torque({q, n_}, {v, n_}, {a, n_}, {tau, n_});
  }

 private:
  std::size_t n_;
  TorqueTable table_;
  TableReader reader_;
};

std::string why_no_table(const Robot& robot) {
  if (constexpr int most = 64; robot.canonical().topology.n > most)
    return fmt::format("it takes at most {} moving links, for its table grows with a power of them",
                       most);
  const double bytes = plan_table(robot, {}).bytes;
  if (bytes <= most_bytes) return "";
  return fmt::format("its table would take {}; `parid table` builds one with the points you choose",
                     bytes_text(bytes));
}

OperationCount count_configuration_space(const Robot& robot) {
  const Coefficients at{robot.nv()};
  std::vector<Counted> c(at.size()), rate(robot.nv()), products(at.pairs()), tau(robot.nv());
  Counted::reset();
  configuration_space_torque(at, c.data(), rate.data(), rate.data(), products.data(), tau.data());
  return Counted::count();
}

// ---- terms that matter, chosen as `parid table --approximations` does by default

class SignificantTermsMethod final : public Method {
 public:
  SignificantTermsMethod(const Robot& robot, const Surroundings& around)
      : robot_(robot),
        mechanism_(robot_.canonical().mechanism),
        motion_(mechanism_),
        formulation_(mechanism_, significant_terms(robot_, state_box(robot_))),
        joint_(mechanism_.n + 1) {
    motion_.set_base(mechanism_, around.base);
  }
  void torque(const double* q, const double* v, const double* a, double* tau) override {
    auto column = [](const double* x) { return [x](int k) { return x[k]; }; };
    load_state(robot_.canonical(), motion_, column(q), column(v), column(a));
    motion_.place(mechanism_);
    formulation_.torque(mechanism_, motion_, joint_.data());
    store_torque(
        robot_.canonical(), joint_.data(), [](int) { return Wrench<double>{}; }, column(a),
        column(tau), [tau](int k, double x) { tau[k] = x; });
  }

 private:
  Robot robot_;
  Mechanism<double> mechanism_;
  Motion<double> motion_;
  SignificantTerms<double> formulation_;
  std::vector<double> joint_;
};

bool turns(const BaseMotion<double>& b) { return dot(b.w, b.w) + dot(b.wd, b.wd) > 0; }

}  // namespace

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> all = [] {
    std::vector<MethodEntry> list;
    Formulations::each([&]<template <class> class F>() {
      list.push_back({F<double>::id, F<double>::exact, F<double>::scope,
                      [](const Robot& r, const Surroundings& s) -> std::unique_ptr<Method> {
                        return std::make_unique<MethodOf<F>>(r, s);
                      }});
    });
    list.push_back({"configuration_space", false, Scope{.trees = true},
                    [](const Robot& r, const Surroundings& s) -> std::unique_ptr<Method> {
                      return std::make_unique<ConfigurationSpaceMethod>(r, s);
                    },
                    why_no_table, count_configuration_space});
    list.push_back({SignificantTerms<double>::id, false, SignificantTerms<double>::scope,
                    [](const Robot& r, const Surroundings& s) -> std::unique_ptr<Method> {
                      return std::make_unique<SignificantTermsMethod>(r, s);
                    },
                    [](const Robot& r) {
                      return r.nv() > 12 ? std::string(
                                               "choosing among its terms would take long; `parid "
                                               "table --approximations` does it")
                                         : std::string();
                    },
                    [](const Robot& r) { return significant_terms(r, state_box(r)).cost(); }});
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
  throw Error(fmt::format("--method: there is no method '{}'; {}choose from {}", id,
                          did_you_mean(id, names), method_names()));
}

namespace {

// The two oldest formulations sum over pairs and triples of links; at these numbers of them they fill a
// gigabyte or take a second for one torque.
constexpr std::pair<std::string_view, int> most_links[] = {{"uicker_kahn", 200}, {"waters", 5000}};

std::string too_long(std::string_view id, int links) {
  for (const auto& [limited, most] : most_links)
    if (id == limited && links > most)
      return fmt::format(
          "it takes at most {} moving links, for its cost grows with a power of them, and this "
          "robot has {}",
          most, links);
  return "";
}

}  // namespace

std::string cannot(const MethodEntry& m, const Robot& robot, const Surroundings& around) {
  std::string why =
      outside(m.scope, robot.canonical().topology, {turns(around.base), !around.external.empty()});
  if (why.empty()) why = too_long(m.id, robot.canonical().topology.n);
  if (!why.empty() || !m.why_not) return why;
  if (dot(around.base.vd, around.base.vd) > 0)
    return "it is prepared for the robot's own gravity, and the base accelerates (--gravity says "
           "the same)";
  return m.why_not(robot);
}

std::unique_ptr<Method> make_method(const MethodEntry& m, const Robot& robot,
                                    const Surroundings& around) {
  if (const std::string why = cannot(m, robot, around); !why.empty())
    throw Error(
        fmt::format("method '{}' cannot take robot '{}': {}; newton_euler_link covers everything",
                    m.id, robot.name(), why));
  return m.make(robot, around);
}

}  // namespace parid
