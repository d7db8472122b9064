#include "cli/summary/friction_table.hpp"

#include <fmt/format.h>

#include "model/joint/coordinates.hpp"

namespace parid::cli {
namespace {

// Of each coordinate, the gears between motor and joint; joints of several freedoms have none.
std::vector<double> gear_ratios(const Robot& robot) {
  std::vector<double> ratios;
  for (const JointDescription& j : robot.description().joints)
    for (int k = 0; k < velocity_count(j); ++k)
      ratios.push_back(velocity_count(j) == 1 ? j.gear_ratio : 1);
  return ratios;
}

}  // namespace

void print_friction(const Robot& robot, const Torques& x) {
  const std::vector<double> ratio = gear_ratios(robot);
  bool geared = false;
  for (const double r : ratio) geared |= r != 1;
  fmt::print(
      "\nTorques with friction: rigid bodies and rotors, what bearings take, what drives take\n");
  fmt::print("  {:<20} {:>12} {:>12} {:>12} {:>12}{}\n", "joint", "rigid", "bearing", "drive",
             "total", geared ? "     at the motor" : "");
  for (int k = 0; k < robot.nv(); ++k)
    fmt::print("  {:<20} {:>12.4f} {:>12.4f} {:>12.4f} {:>12.4f}{}\n", robot.velocity_names()[k],
               x.rigid[k] + 0.0, x.bearing[k] + 0.0, x.drive[k] + 0.0, x.tau[k] + 0.0,
               geared ? fmt::format(" {:>16.6f}", x.tau[k] / ratio[k] + 0.0) : "");
}

Json friction_json(const Robot& robot, const Torques& x) {
  const std::vector<double> ratio = gear_ratios(robot);
  Json rows = Json::array();
  for (int k = 0; k < robot.nv(); ++k)
    rows.push_back({{"coordinate", robot.velocity_names()[k]},
                    {"rigid", x.rigid[k]},
                    {"bearing", x.bearing[k]},
                    {"drive", x.drive[k]},
                    {"total", x.tau[k]},
                    {"motor", x.tau[k] / ratio[k]}});
  return rows;
}

}  // namespace parid::cli
