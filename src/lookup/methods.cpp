#include "lookup/methods.hpp"

#include <fmt/format.h>

#include "base/text/bytes_text.hpp"
#include "base/text/spelling.hpp"
#include "lookup/term_selection.hpp"
#include "lookup/torque_table.hpp"
#include "model/canonical_model.hpp"
#include "model/user_state.hpp"
#include "parid/error.hpp"

namespace parid::lookup {
namespace {

// ---- a table of coefficients, with the default number of points of `parid table`

constexpr double most_bytes = 64e6;  // a larger one would take too long to build in a comparison

class ConfigurationSpaceMethod final : public Method {
 public:
  ConfigurationSpaceMethod(const Robot& robot, const ExternalLoads&)
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
    return fmt::format(
        "it supports at most {} moving links, because its table grows with a power of them", most);
  const double bytes = plan_table(robot, {}).bytes;
  if (bytes <= most_bytes) return "";
  return fmt::format("its table would take {}; `parid table` builds one with chosen points",
                     bytes_text(bytes));
}

OperationCount count_configuration_space(const Robot& robot) {
  const Coefficients at{robot.nv()};
  std::vector<Counted> c(at.size()), rate(robot.nv()), products(at.pairs()), tau(robot.nv());
  Counted::reset();
  configuration_space_torque(at, c.data(), rate.data(), rate.data(), products.data(), tau.data());
  return Counted::count();
}

// ---- significant terms, with the defaults of `parid table --approximations`

class SignificantTermsMethod final : public Method {
 public:
  SignificantTermsMethod(const Robot& robot, const ExternalLoads& around)
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
        robot_.canonical(), motion_, joint_.data(), [](int) { return Wrench<double>{}; }, column(a),
        column(tau), [tau](int k, double x) { tau[k] = x; });
  }

 private:
  Robot robot_;
  Mechanism<double> mechanism_;
  State<double> motion_;
  SignificantTerms<double> formulation_;
  std::vector<double> joint_;
};

}  // namespace

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> all = [] {
    std::vector<MethodEntry> list = formulation_methods();
    list.push_back({"configuration_space", false, Scope{.trees = true},
                    [](const Robot& r, const ExternalLoads& s,
                       const MethodOptions&) -> std::unique_ptr<Method> {
                      return std::make_unique<ConfigurationSpaceMethod>(r, s);
                    },
                    false, why_no_table, count_configuration_space});
    list.push_back({SignificantTerms<double>::id, false, SignificantTerms<double>::scope,
                    [](const Robot& r, const ExternalLoads& s,
                       const MethodOptions&) -> std::unique_ptr<Method> {
                      return std::make_unique<SignificantTermsMethod>(r, s);
                    },
                    false,
                    [](const Robot& r) {
                      return r.nv() > 12 ? std::string(
                                               "choosing among its terms takes long for more "
                                               "than 12 velocities")
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
  throw Error(fmt::format("`method`: unknown method '{}'; {}choose from {}", id,
                          did_you_mean(id, names), method_names()));
}

}  // namespace parid::lookup
