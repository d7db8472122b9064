// One robot along one motion, as the page of `parid report` shows it, and two of them side by side.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/input/torque_evaluation.hpp"
#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "cli/summary/report_page.hpp"
#include "parid/limits.hpp"

namespace parid::cli {

// Describes the model behind the page's numbers. Torques with and without friction differ, and both
// are valid.
struct ModelText {
  std::string rigid = "rigid bodies and rotors, without friction";
  std::string torques;  // along the motion and for the sliders
  std::string brief;    // a short form for headings
  std::string around;   // payload, base, gravity
  std::string payload = "no payload";
  bool friction_omitted = false;  // the robot file has friction, and the torques do not count it
  std::vector<std::pair<std::string, std::string>> assumptions;  // name and text

  ModelText(const Robot&, const TorqueOptions&, bool frictionless);
  std::string text() const;
  Json json() const;
};

// The torques along the motion and the use of the limits, from all samples; motion and torques are
// then thinned out to what a page should hold.
struct ReportRun {
  TorqueOptions options;
  Robot robot;
  bool frictionless;  // the robot file has no friction
  ModelText model;
  SampledTrajectory motion;
  std::string motion_name;
  std::size_t all_samples = 0, stride = 1;
  Torques torques;
  LimitsReport limits;
  std::vector<double> instants;  // of all samples

  // With `all`, friction counts if the robot file has any.
  explicit ReportRun(TorqueOptions, bool all = false);

  Json limits_json() const;  // as in `parid limits --json`
};

// Options of the second run of a comparison. Those that change the structure of the first robot do
// not apply to another one.
TorqueOptions second_options(const ReportOptions&);

// Throws Error for runs that cannot be compared.
Json compare_json(const ReportRun&, const ReportRun&);

}  // namespace parid::cli
