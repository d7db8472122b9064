#include "parid/torque_method.hpp"

#include <fmt/format.h>

#include <string_view>

#include "lookup/methods.hpp"
#include "parid/error.hpp"

namespace parid {

struct TorqueMethod::Parts {
  Robot robot;
  bool exact;
  std::unique_ptr<runtime::Method> method;
};

TorqueMethod::TorqueMethod(const Robot& robot, const std::string& name,
                           const TorqueMethodOptions& options) {
  const runtime::MethodEntry& entry = lookup::method(name);
  if (options.processors < 0)
    throw Error(
        fmt::format("`processors`: {} is out of range; give 1 or more, or 0 for the default",
                    options.processors));
  parts_ = std::make_unique<Parts>(
      Parts{robot, entry.exact,
            runtime::make_method(entry, robot, {}, {.processors = options.processors})});
}
TorqueMethod::TorqueMethod(TorqueMethod&&) noexcept = default;
TorqueMethod& TorqueMethod::operator=(TorqueMethod&&) noexcept = default;
TorqueMethod::~TorqueMethod() = default;

void TorqueMethod::torque(std::span<const double> q, std::span<const double> v,
                          std::span<const double> a, std::span<double> tau) {
  const auto check = [](std::string_view name, std::size_t size, int wanted) {
    if (size != static_cast<std::size_t>(wanted))
      throw Error(fmt::format("`{}` has {} numbers; the robot needs {}", name, size, wanted));
  };
  const Robot& r = parts_->robot;
  check("q", q.size(), r.nq());
  check("v", v.size(), r.nv());
  check("a", a.size(), r.nv());
  check("tau", tau.size(), r.nv());
  parts_->method->torque(q.data(), v.data(), a.data(), tau.data());
}

bool TorqueMethod::exact() const { return parts_->exact; }

std::vector<std::string> TorqueMethod::names() {
  std::vector<std::string> all;
  for (const runtime::MethodEntry& m : lookup::methods()) all.emplace_back(m.id);
  return all;
}

}  // namespace parid
