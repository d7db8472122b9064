#include "cli/payload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/numbers.hpp"
#include "parid/error.hpp"

namespace parid::cli {

Robot with_payload(const Robot& robot, const std::string& text) {
  const auto [link, x] = numbers_at_link("--payload", text);
  if (x.size() != 1 && x.size() != 4 && x.size() != 10)
    throw Error(
        fmt::format("--payload: {} numbers given; give a mass, or mass,x,y,z, or "
                    "mass,x,y,z,Ixx,Iyy,Izz,Ixy,Ixz,Iyz",
                    x.size()));
  if (!(x[0] > 0))
    throw Error(
        fmt::format("--payload: a mass of {} kg; a payload weighs more than nothing", x[0]));
  std::array<double, 3> centre{};
  std::array<double, 6> inertia{};
  if (x.size() >= 4) centre = {x[1], x[2], x[3]};
  if (x.size() == 10) std::copy(x.begin() + 4, x.end(), inertia.begin());
  return robot.with_payload(link.empty() ? robot.tip() : link, x[0], centre, inertia);
}

}  // namespace parid::cli
