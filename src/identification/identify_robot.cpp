// The public API of identification (parid/identification.hpp).

#include <fmt/format.h>

#include <iterator>

#include "identification/excite.hpp"
#include "identification/friction_choice.hpp"
#include "identification/identify.hpp"
#include "model/description.hpp"
#include "model/given_values.hpp"
#include "parid/identification.hpp"

namespace parid {
namespace {

using namespace identification;

constexpr const char* friction_names[] = {"none",       "viscous",  "coulomb",
                                          "asymmetric", "stribeck", "auto"};

IdentifiedParameter parameter_of(const Estimate& e) {
  return {e.parameter.name,
          name_of(e.parameter.kind),
          e.parameter.meaning,
          e.parameter.unit,
          e.parameter.given,
          e.value,
          e.standard_error,
          e.physical,
          e.found,
          e.confused_with};
}

void check_log(const Robot& robot, const SampledTrajectory& log, bool filtered) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  const auto check = [&](const char* what, const std::vector<double>& x, std::size_t width) {
    if (x.size() != log.rows * width)
      throw std::invalid_argument(fmt::format("{}: {} numbers instead of {} ({} samples of {})",
                                              what, x.size(), log.rows * width, log.rows, width));
    require_finite(what, x);
  };
  check("q", log.q, nq);
  check("tau", log.tau, nv);
  if (!log.t.empty()) check("t", log.t, 1);
  if (filtered) return;
  check("v", log.v, nv);
  check("a", log.a, nv);
}

}  // namespace

const char* name(FrictionModel model) { return friction_names[static_cast<int>(model)]; }

FrictionModel friction_model(const std::string& given) {
  std::string all;
  for (std::size_t k = 0; k < std::size(friction_names); ++k) {
    if (given == friction_names[k]) return static_cast<FrictionModel>(k);
    all += fmt::format("{}{}", k ? ", " : "", friction_names[k]);
  }
  throw Error(fmt::format("there is no friction model '{}'; choose one of {}", given, all));
}

const char* name(FitVerdict verdict) {
  constexpr const char* names[] = {"good", "above noise", "poor"};
  return names[static_cast<int>(verdict)];
}

IdentificationReport identify_robot(const Robot& robot, std::span<const SampledTrajectory> given,
                                    const IdentificationOptions& o) {
  for (const SampledTrajectory& log : given)
    check_log(robot, log, o.filter.kind != FilterKind::none);
  IdentifyOptions how;
  how.robust = o.robust;
  how.rest_velocity = o.rest_velocity;
  how.filter = o.filter;
  how.max_residual = o.max_residual;
  how.max_noise_ratio = o.max_noise_ratio;
  how.progress = o.progress;
  const PreparedLogs logs(robot, given, o.filter);
  ModelOptions wanted;
  wanted.friction = o.friction;
  wanted.rotors = o.rotors;
  wanted.drives = o.drives;
  wanted.offsets = o.offsets;
  const FrictionChoice choice = chosen_friction(robot, wanted, logs, how, o.folds);
  TorqueModel model(robot, choice.model);
  const Identification found = identify(model, logs, how);
  IdentificationReport report{Robot(identified_robot(model, found))};
  report.samples = found.samples;
  report.equations = found.equations;
  report.condition = found.condition;
  for (const Estimate& e : found.estimates) report.parameters.push_back(parameter_of(e));
  report.torques = found.fits;
  report.residual_given = relative_residual(found.fits, Whose::given);
  report.residual_found = relative_residual(found.fits, Whose::found);
  report.residual = relative_residual(found.fits, Whose::physical);
  report.noise = relative_residual(found.fits, Whose::expected);
  report.verdict = found.verdict;
  report.friction = choice.model.friction;
  report.friction_scores = choice.scores;
  report.filters = found.filters;
  report.notes = found.notes;
  if (!found.reason.empty()) report.notes.insert(report.notes.begin(), found.reason);
  return report;
}

ExcitationMotion excitation_motion(const Robot& robot, const ExcitationOptions& options) {
  TorqueModel model(robot);
  return exciting_motion(model, options);
}

}  // namespace parid
