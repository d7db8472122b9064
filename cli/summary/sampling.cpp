#include "cli/summary/sampling.hpp"

#include <fmt/format.h>

namespace parid::cli {

void check_sampling_options(const SamplingOptions& o) {
  if (o.stiffness && !(*o.stiffness > 0))
    throw Error(fmt::format("--stiffness: {} N m/rad; give a number above zero", *o.stiffness));
  if (!(o.full_torque_at > 0))
    throw Error(
        fmt::format("--full-torque-at: {} rad; give a number above zero", o.full_torque_at));
}

std::string said(const SamplingAdvice& a, const SamplingOptions& o) {
  std::string text = fmt::format(
      "sample at {:.3g} Hz or faster: 20 times the highest natural frequency, {:.3g} Hz\n",
      a.rate(), a.natural_frequency());
  if (a.servo > 0)
    text += fmt::format("  servo    {:>8.3g} Hz  {}\n", a.servo,
                        o.stiffness ? fmt::format("joints of {:g} N m/rad (N/m)", *o.stiffness)
                                    : fmt::format("motors that give full torque at {:g} rad (m)",
                                                  o.full_torque_at));
  if (a.gravity > 1e-6)
    text += fmt::format("  gravity  {:>8.3g} Hz  the arm as a pendulum\n", a.gravity);
  if (a.motion > 0) text += fmt::format("  motion   {:>8.3g} Hz  greatest |a|/|v|\n", a.motion);
  return text;
}

Json json_of(const std::optional<SamplingAdvice>& a, const SamplingOptions& o) {
  if (!a) return nullptr;
  return {{"rate", a->rate()},
          {"servo", a->servo},
          {"gravity", a->gravity},
          {"motion", a->motion},
          {"stiffness", o.stiffness ? Json(*o.stiffness) : Json(nullptr)},
          {"full_torque_at", o.full_torque_at}};
}

Json json_of(const std::vector<LimitBreak>& broken) {
  Json limits = Json::array();
  for (const LimitBreak& b : broken)
    limits.push_back({{"coordinate", b.coordinate},
                      {"kind", b.kind},
                      {"value", b.value},
                      {"limit", b.limit},
                      {"sample", b.row}});
  return limits;
}

}  // namespace parid::cli
