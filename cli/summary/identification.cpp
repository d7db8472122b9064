#include "cli/summary/identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/output/arguments.hpp"
#include "parid/dynamics.hpp"

namespace parid::cli {
namespace {

std::string error_text(const Estimate& e) {
  return e.found ? fmt::format("{:.2g}", e.standard_error) : "-";
}
std::string percent_text(const Estimate& e) {
  if (!e.found || e.value == 0) return "-";
  const double percent = 100 * e.standard_error / std::abs(e.value);
  if (percent >= 1000) return ">1000%";
  return percent < 10 ? fmt::format("{:.2g}%", percent) : fmt::format("{:.0f}%", percent);
}
std::string confusion(const Estimate& e) {
  if (e.confused_with.empty()) return "not identifiable from these logs; keeps its given value";
  std::string names;
  for (const std::string& n : e.confused_with) names += (names.empty() ? "" : ", ") + n;
  return "not distinguishable from " + names + "; keeps its given value";
}

void print_fits(const std::vector<TorqueFit>& fits) {
  const double noise = relative_residual(fits, Whose::expected);
  const auto last = [&](const std::string& text) {
    return std::isnan(noise) ? "" : fmt::format(" {:>10}", text);
  };
  fmt::print("{:<22} {:>10} {:>10} {:>10} {:>22}{}\n", "torque, RMS", "measured", "file", "fitted",
             "physically consistent", last("noise"));
  for (const TorqueFit& f : fits)
    fmt::print("{:<22} {:>10.4g} {:>10.3g} {:>10.3g} {:>22.3g}{}\n", f.coordinate, f.measured,
               f.given, f.found, f.physical, last(fmt::format("{:.3g}", f.expected)));
  fmt::print("{:<22} {:>10} {:>10.3g} {:>10.3g} {:>22.3g}{}\n", "relative to measured", "1",
             relative_residual(fits, Whose::given), relative_residual(fits, Whose::found),
             relative_residual(fits, Whose::physical), last(fmt::format("{:.3g}", noise)));
}

}  // namespace

void print_filters(const std::vector<FilterReport>& filters, const std::vector<std::string>& logs) {
  for (std::size_t k = 0; k < filters.size(); ++k) {
    const FilterReport& f = filters[k];
    if (f.kind == FilterKind::none) continue;
    const auto [least, most] =
        std::minmax_element(f.position_noise.begin(), f.position_noise.end());
    fmt::print(
        "{}: {} filter{}, cut-off {:.3g} Hz ({}) at {:.6g} samples/s; noise of positions "
        "{:.2g} to {:.2g}; {} samples at each end are not used\n",
        std::filesystem::path(logs[k]).filename().string(), name(f.kind),
        f.window > 0 ? fmt::format(" of {} samples", f.window) : "", f.cutoff,
        f.chosen ? "from the spectrum" : "given", f.rate, *least, *most, f.edge);
  }
}

void print_friction_scores(const std::vector<FrictionScore>& scores) {
  if (scores.empty()) return;
  fmt::print("{:<22} {:>10} {:>20} {:>10} {:>9}\n", "friction model", "parameters",
             "error on unseen, %", "score", "± error");
  for (const FrictionScore& s : scores)
    fmt::print("{:<22} {:>10} {:>20.3g} {:>10.4g} {:>9.2g}{}\n",
               fmt::format("{}{}", name(s.friction), s.drives ? " + drives" : ""), s.parameters,
               100 * s.residual, s.score, s.deviation, s.chosen ? "  chosen" : "");
  fmt::print("\n");
}

void print_identification(const TorqueModel& model, const Identification& found) {
  std::size_t told = 0;
  for (const Estimate& e : found.estimates) told += e.found;
  fmt::print(
      "{}: {} samples, {} equations, {} of {} parameters identifiable, condition number {:.3g}\n\n",
      model.robot().name(), found.samples, found.equations, told, found.estimates.size(),
      found.condition);
  fmt::print("{:<22} {:>10} {:>10} {:>9} {:>7} {:>22}  {:<9}  {}\n", "parameter", "file", "fitted",
             "± error", "", "physically consistent", "unit", "meaning");
  for (const Estimate& e : found.estimates) {
    const ModelParameter& p = e.parameter;
    std::string meaning;
    if (p.kind == ParameterKind::inertia)
      meaning = model.base().meaning(static_cast<std::size_t>(p.place), 4);
    if (meaning == p.name) meaning.clear();
    if (!e.found) meaning = confusion(e);
    fmt::print("{:<22} {:>10.4g} {:>10.4g} {:>9} {:>7} {:>22.4g}  {:<9}  {}\n", p.name, p.given,
               e.value, error_text(e), percent_text(e), e.physical, p.unit, meaning);
  }
  fmt::print("\n");
  print_fits(found.fits);
}

void print_validation(const std::vector<TorqueFit>& fits) {
  fmt::print("\nValidation on other logs:\n");
  print_fits(fits);
}

Json json_of(const std::vector<Estimate>& estimates) {
  Json all = Json::array();
  for (const Estimate& e : estimates)
    all.push_back({{"name", e.parameter.name},
                   {"kind", name_of(e.parameter.kind)},
                   {"unit", e.parameter.unit},
                   {"meaning", e.parameter.meaning},
                   {"given", e.parameter.given},
                   {"value", e.value},
                   {"standard_error", finite(e.standard_error)},
                   {"relative_error",
                    e.value != 0 ? finite(e.standard_error / std::abs(e.value)) : Json(nullptr)},
                   {"physical", e.physical},
                   {"found", e.found},
                   {"confused_with", e.confused_with}});
  return all;
}

Json json_of(const std::vector<TorqueFit>& fits) {
  Json all = Json::array();
  for (const TorqueFit& f : fits)
    all.push_back({{"coordinate", f.coordinate},
                   {"equations", f.equations},
                   {"measured_rms", f.measured},
                   {"given_rms", f.given},
                   {"found_rms", f.found},
                   {"physical_rms", f.physical},
                   {"noise", f.noise},
                   {"expected_rms", finite(f.expected)},
                   {"autocorrelation", f.autocorrelation}});
  return all;
}

Json json_of(const std::vector<FilterReport>& filters) {
  Json all = Json::array();
  for (const FilterReport& f : filters)
    all.push_back({{"kind", name(f.kind)},
                   {"rate", f.kind == FilterKind::none ? Json(nullptr) : Json(f.rate)},
                   {"cutoff", f.kind == FilterKind::none ? Json(nullptr) : Json(f.cutoff)},
                   {"chosen", f.chosen},
                   {"window", f.window},
                   {"edge", f.edge},
                   {"position_noise", f.position_noise}});
  return all;
}

Json json_of(const std::vector<FrictionScore>& scores) {
  Json all = Json::array();
  for (const FrictionScore& s : scores)
    all.push_back({{"friction", name(s.friction)},
                   {"drives", s.drives},
                   {"parameters", s.parameters},
                   {"residual", s.residual},
                   {"score", s.score},
                   {"deviation", s.deviation},
                   {"chosen", s.chosen}});
  return all;
}

TomlComments comments(const TorqueModel& model, const Identification& found,
                      const std::vector<std::string>& logs) {
  TomlComments c;
  std::string names;
  for (const std::string& log : logs)
    names += (names.empty() ? "" : ", ") + std::filesystem::path(log).filename().string();
  c.head = {
      fmt::format("{}, identified by `parid identify` from {}.", model.robot().name(), names), "",
      fmt::format("{} samples; condition number {:.3g}; relative residual torque {:.3g}, before "
                  "identification {:.3g}.",
                  found.samples, found.condition, relative_residual(found.fits, Whose::physical),
                  relative_residual(found.fits, Whose::given)),
      std::string("Torques determine only sums of inertias (\"base\" below, ± standard error); the "
                  "figures of ") +
          "each link",
      "are the physically consistent ones closest to the original file that have these sums."};
  for (const FilterReport& f : found.filters)
    if (f.kind != FilterKind::none)
      c.head.push_back(fmt::format("Filter: {}, cut-off {:.3g} Hz at {:.6g} samples/s.",
                                   name(f.kind), f.cutoff, f.rate));
  if (!found.reason.empty()) c.head.push_back("Warning: " + in_flags(found.reason) + ".");
  for (const std::string& note : found.notes) c.head.push_back("Note: " + in_flags(note) + ".");
  for (const Estimate& e : found.estimates) {
    const ModelParameter& p = e.parameter;
    const std::string sure =
        e.found ? fmt::format("{:.5g} ± {:.2g} {}", e.value, e.standard_error, p.unit)
                : confusion(e);
    std::string joint;
    for (const JointDescription& j : model.robot().description().joints) {
      const bool of_link =
          p.kind == ParameterKind::inertia && p.name.substr(0, p.name.rfind('.')) == j.child;
      const bool of_joint =
          p.kind != ParameterKind::inertia &&
          model.robot().velocity_names()[p.place].substr(0, j.name.size()) == j.name;
      if (of_link || of_joint) joint = j.name;
    }
    c.joint[joint].push_back(p.kind == ParameterKind::inertia
                                 ? fmt::format("base {} = {}", model.base().meaning(p.place), sure)
                                 : fmt::format("{} = {}", p.name, sure));
  }
  return c;
}

}  // namespace parid::cli
