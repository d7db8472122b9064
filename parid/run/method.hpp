// Formulations by name, in double, behind one interface: what `--method` chooses from.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parid/formulation/scope.hpp"
#include "parid/model/robot.hpp"
#include "parid/run/surroundings.hpp"

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
};

const std::vector<MethodEntry>& methods();
std::string method_names();  // "uicker_kahn, waters, …"

// Throws Error, naming what is to be had, where there is no such method or the robot and what acts on it
// are outside its scope.
const MethodEntry& method(const std::string& id);
std::unique_ptr<Method> make_method(const MethodEntry&, const Robot&, const Surroundings&);

}  // namespace parid
