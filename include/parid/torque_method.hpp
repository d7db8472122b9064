// Torques by a formulation chosen by name: for comparing formulations with one another. Engine and
// inverse_dynamics() are the fast ways to the same torques.
//
// A public header: no template, no type of another library.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

struct TorqueMethodOptions {
  // Of lee_chang_pfold: the processors that the links are divided among, 1 to their number. 0: 4,
  // or as many as there are links.
  int processors = 0;
};

class PARID_EXPORT TorqueMethod {
 public:
  // Prepares the formulation for the robot; allocates. Throws Error if there is none of this name,
  // it does not support the robot, or an option does not apply to it.
  TorqueMethod(const Robot&, const std::string& name, const TorqueMethodOptions& = {});
  TorqueMethod(TorqueMethod&&) noexcept;
  TorqueMethod& operator=(TorqueMethod&&) noexcept;
  ~TorqueMethod();

  // Joint torques in N m or N, nv numbers, from positions (nq) and velocities and accelerations (nv
  // each), in the robot's order. Throws Error where a span has another size.
  void torque(std::span<const double> q, std::span<const double> v, std::span<const double> a,
              std::span<double> tau);

  bool exact() const;  // false: an approximation or a table

  // All names, in the order of docs/formulations.
  static std::vector<std::string> names();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
