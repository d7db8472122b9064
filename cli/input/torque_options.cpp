#include "cli/input/torque_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "model/description.hpp"

namespace parid::cli {

Robot with_payload(const Robot& robot, const std::string& text) {
  const auto [link, x] = numbers_at_link("--payload", text);
  if (x.size() != 1 && x.size() != 4 && x.size() != 10)
    throw Error(
        fmt::format("--payload: {} numbers given; give a mass, or mass,x,y,z, or "
                    "mass,x,y,z,Ixx,Iyy,Izz,Ixy,Ixz,Iyz",
                    x.size()));
  std::array<double, 3> c{};
  std::array<double, 6> I{};
  if (x.size() >= 4) c = {x[1], x[2], x[3]};
  if (x.size() == 10) std::copy(x.begin() + 4, x.end(), I.begin());
  try {
    return robot.with_payload(link.empty() ? robot.only_tip() : link, x[0], c, I);
  } catch (const Error& e) {
    throw Error(fmt::format("--payload: {}", e.what()));
  }
}

namespace {

// A rotor that is given only in a <transmission> is easily overlooked.
void note_rotors(const Robot& robot) {
  std::vector<std::string> joints;
  for (const JointDescription& j : robot.description().joints)
    if (j.rotor_from_transmission && j.rotor_inertia != 0) joints.push_back(j.name);
  if (joints.empty()) return;
  constexpr std::size_t shown = 6;
  const std::size_t more = joints.size() > shown ? joints.size() - shown : 0;
  joints.resize(joints.size() - more);
  note(
      "note: rotor inertias of the file's <transmission> elements count, at {}{}; --no-rotors "
      "leaves them out",
      fmt::join(joints, ", "), more > 0 ? fmt::format(" and {} more joints", more) : "");
}

}  // namespace

Robot asked_robot(const TorqueOptions& o) {
  Robot robot = load_robot(o, true);
  if (o.gravity) robot = robot.with_gravity(vector3("--gravity", *o.gravity));
  if (!o.force && !o.silent) note_rotors(robot);
  if (robot.nv() == 0)
    throw Error({robot.description().file, 0},
                fmt::format("robot '{}' has no moving joint", robot.name()),
                "there are no torques to compute; --floating gives the robot a floating base");
  return o.payload ? with_payload(robot, *o.payload) : robot;
}

ExternalLoads asked_external_loads(const TorqueOptions& o, const Robot& robot) {
  ExternalLoads s;
  auto vector = [](const char* option, const std::optional<std::string>& text) {
    return vector3(option, text.value_or("0,0,0"));
  };
  s.set_base_motion(robot, vector("--base-angular-velocity", o.base_velocity),
                    vector("--base-angular-acceleration", o.base_angular_acceleration),
                    vector("--base-acceleration", o.base_acceleration));
  if (o.as_printed && (o.payload || o.tip_wrench || o.base_velocity ||
                       o.base_angular_acceleration || o.base_acceleration || o.floating))
    throw Error(
        "--as-printed: the printed figures are for the robot without external loads; omit payload, "
        "wrench, base motion and --floating");
  if (!o.tip_wrench) return s;
  const auto [link, x] = numbers_at_link("--tip-wrench", *o.tip_wrench);
  if (x.size() != 6)
    throw Error(
        fmt::format("--tip-wrench: {} number{} given; a wrench has six: force, then moment, such "
                    "as 0,0,-5,0,0,0",
                    x.size(), x.size() == 1 ? "" : "s"));
  try {
    s.add_wrench(robot, link.empty() ? robot.only_tip() : link, {x[0], x[1], x[2]},
                 {x[3], x[4], x[5]});
  } catch (const Error& e) {
    throw Error(fmt::format("--tip-wrench: {}", e.what()));
  }
  return s;
}

}  // namespace parid::cli
