// External loads on a robot, in the user's frames and in the mechanism's.

#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/state.hpp"
#include "parid/robot.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

struct ExternalLoads {
  BaseMotion<double> base;               // in frame 0
  std::vector<Wrench<double>> external;  // on mechanism links [0..n]; empty: none

  // The same as given by the user: the root link's motion in its frame; wrenches on links of the
  // description, at their origins, in their frames.
  BaseMotion<double> root;
  std::vector<Wrench<double>> given;  // empty: none

  void set_base_motion(const Robot&, const std::array<double, 3>& w,
                       const std::array<double, 3>& wd, const std::array<double, 3>& vd);
  void add_wrench(const Robot&, const std::string& link, const std::array<double, 3>& force,
                  const std::array<double, 3>& moment);
  void clear_wrenches() {
    external.clear();
    given.clear();
  }
};

bool nothing_acts(const ExternalLoads&);  // stationary base, no external wrench

}  // namespace parid::runtime
