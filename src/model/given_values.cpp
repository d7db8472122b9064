#include "model/given_values.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "model/canonical_model.hpp"
#include "model/floating.hpp"
#include "model/lint/check.hpp"

namespace parid::model {

void require_finite(const char* name, std::span<const double> values) {
  for (const double x : values)
    if (!std::isfinite(x)) [[unlikely]]
      throw Error(fmt::format("{}: {} is not finite; give finite numbers", name, x));
}

void require_above_zero(const char* name, double value, const char* such_as) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(fmt::format("{}: {} is not positive; give a number above zero, such as {}", name,
                            value, such_as));
}

void require_within(const char* name, double value, double least, double most) {
  if (!(value >= least && value <= most))
    throw Error(fmt::format("{}: {} is out of range; give {} to {}", name, value, least, most));
}

void require_rising(const char* name, std::span<const double> instants) {
  require_finite(name, instants);
  for (std::size_t k = 1; k < instants.size(); ++k)
    if (!(instants[k] > instants[k - 1]))
      throw Error(fmt::format("{} starts at {} and ends at {}; give the earlier time first", name,
                              instants[k - 1], instants[k]));
}

void require_payload(const Inertia& payload) {
  const auto& [mass, c, I] = payload;
  require_finite("mass", std::array{mass});
  if (!(mass > 0))
    throw Error(
        fmt::format("mass: {} kg is not positive; give the mass of the payload in kg", mass));
  require_finite("centre", std::array{c.x, c.y, c.z});
  require_finite("inertia", std::array{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
  Description alone;  // checked like a link's inertia
  alone.links.push_back({"payload", payload});
  float_root(alone);
  for (const Finding& f : check(alone))
    if (f.code == "negative-inertia" || f.code == "triangle-inequality")
      throw Error(fmt::format("{}; {}", f.message, f.remedy));
}

void require_moving_links(const Robot& robot, int most, const char* what) {
  if (const int n = robot.canonical().topology.n; n > most)
    throw Error({robot.description().file, 0},
                fmt::format("robot '{}' has {} moving links; {} supports at most {}", robot.name(),
                            n, what, most),
                "use a part of the robot; torques have no such limit");
}

}  // namespace parid::model
