// Ways to compute torques by name, in double, behind one interface: what `--method` chooses from and
// `parid compare` walks. All formulations, and those that must be prepared for a robot first.
//
// method/ stands above run/ and table/ and includes both.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parid/formulation/scope.hpp"
#include "parid/model/robot.hpp"
#include "parid/run/surroundings.hpp"
#include "parid/scalar/counted.hpp"

namespace parid {

class Method {
 public:
  virtual ~Method() = default;
  virtual void torque(const double* q, const double* v, const double* a, double* tau) = 0;
};

struct MethodEntry {
  const char* id;
  bool exact;
  Scope scope;
  std::unique_ptr<Method> (*make)(const Robot&, const Surroundings&);

  // Only for methods that are prepared, which have no formulation to count and trace: why not for this
  // robot (or nothing), and what one torque takes once prepared.
  std::string (*why_not)(const Robot&) = nullptr;
  OperationCount (*count)(const Robot&) = nullptr;
};

inline constexpr const char* engines_method = "newton_euler_link";  // the one the Engine runs

const std::vector<MethodEntry>& methods();
std::string method_names();  // "uicker_kahn, waters, …"

// Throws Error, naming what is to be had, where there is no such method.
const MethodEntry& method(const std::string& id);

// Why the method cannot take this robot and what acts on it, or nothing.
std::string cannot(const MethodEntry&, const Robot&, const Surroundings& = {});

// Throws Error with that reason.
std::unique_ptr<Method> make_method(const MethodEntry&, const Robot&, const Surroundings&);

}  // namespace parid
