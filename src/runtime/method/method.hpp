// A common interface of all formulations by name, in double. lookup/methods.hpp adds methods that
// must be prepared for a robot first.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formulation/scope.hpp"
#include "parid/robot.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/layer.hpp"
#include "scalar/counted.hpp"

namespace parid::runtime {

class Method {
 public:
  virtual ~Method() = default;
  virtual void torque(const double* q, const double* v, const double* a, double* tau) = 0;
};

struct MethodOptions {
  int processors = 0;  // of methods on a chosen number of processors; 0: their default
};

struct MethodEntry {
  const char* id;
  bool exact;
  Scope scope;
  std::unique_ptr<Method> (*make)(const Robot&, const ExternalLoads&, const MethodOptions&);
  bool takes_processors = false;

  // Only for prepared methods, which have no formulation to count and trace: the reason why the
  // method does not support this robot (or empty), and the operations of one evaluation after
  // preparation.
  std::string (*why_not)(const Robot&) = nullptr;
  OperationCount (*count)(const Robot&) = nullptr;
};

inline constexpr const char* engines_method = "newton_euler_link";  // the method of the Engine

// The formulations of formulation/all.hpp.
const std::vector<MethodEntry>& formulation_methods();

// The reason why the method does not support this robot with these loads; empty if it does.
std::string cannot(const MethodEntry&, const Robot&, const ExternalLoads& = {});

// Throws Error where the option is given and the method has no use for it, or the number of
// processors is below 1 or above the number of moving links.
void check_processors(const MethodEntry&, const Robot&, const MethodOptions&);

// Throws Error with those reasons.
std::unique_ptr<Method> make_method(const MethodEntry&, const Robot&, const ExternalLoads&,
                                    const MethodOptions& = {});

}  // namespace parid::runtime
