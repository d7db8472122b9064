// Gear ratios and rotor inertias. Files give them in several ways:
//
//   <transmission> <joint name=J/> <actuator> <mechanicalReduction>50        ROS
//   <transmission> <joint name=J> <mechanicalReduction>50                    the same, elsewhere
//   <transmission> <joint name=J/> <actuator/> <mechanicalReduction>50       ROS, older
//   <ros2_control> <transmission> <joint name=J> <mechanical_reduction>50    ROS 2
//   <drake:rotor_inertia value=1e-5/> <drake:gear_ratio value=50/>           Drake, in an actuator
//                                                                            or in the joint itself
// Transmissions over several joints (differentials) have no single ratio; only values given at the
// joint itself are read from them.

#include <fmt/format.h>

#include <map>

#include "model/format/urdf/urdf_parts.hpp"
#include "model/lint/finding.hpp"

namespace parid::model::urdf {

namespace {

struct Drive {
  std::optional<double> reduction, rotor, gear;  // the last two are Drake's
  int line = 0;
};

void keep(std::optional<double>& where, std::optional<double> value) {
  if (!where && value) where = value;
}

// The number of an element that a robot need not have; a ratio of zero is none.
std::optional<double> optional_number(const Tag& tag, bool inside, Description& d) {
  return lenient(tag, d, [&]() -> std::optional<double> {
    return inside ? tag.number_inside() : tag.required_number("value");
  });
}

std::optional<double> ratio(const Tag& tag, bool inside, Description& d) {
  const std::optional<double> value = optional_number(tag, inside, d);
  if (value != 0.0) return value;
  remark(d.remarks, finding("unreadable-number", tag.at(),
                            fmt::format("{} has <{}> 0", tag.owner(), tag.name()),
                            "it is ignored; give motor turns per joint turn"));
  return {};
}

std::optional<double> reduction_in(const Tag& tag, Description& d) {
  for (const char* name : {"mechanicalReduction", "mechanical_reduction"})
    if (const auto found = tag.child(name)) return ratio(*found, true, d);
  return {};
}

void read_drake_tags(const Tag& tag, Drive& drive, Description& d) {
  if (const auto rotor = tag.child("drake:rotor_inertia")) {
    keep(drive.rotor, optional_number(*rotor, false, d));
    drive.line = rotor->line();
  }
  if (const auto gear = tag.child("drake:gear_ratio")) keep(drive.gear, ratio(*gear, false, d));
}

void read_transmission(const Tag& transmission, std::map<std::string, Drive>& drives,
                       Description& d) {
  const auto joints = transmission.children("joint");
  for (const Tag& joint : joints) {
    const auto name = joint.text("name");
    if (!name) continue;                    // old files name joints in other ways, without ratios
    const auto found = drives.find(*name);  // read_drives() has entered every joint
    if (found == drives.end()) {
      if (enough(d.remarks)) continue;
      remark(d.remarks, finding("unknown-transmission-joint", joint.at(),
                                fmt::format("{} names joint '{}', which does not exist",
                                            transmission.owner(), *name),
                                "correct the joint's name; the transmission is ignored"));
      continue;
    }
    Drive& drive = found->second;
    keep(drive.reduction, reduction_in(joint, d));
    if (joints.size() > 1) continue;
    for (const Tag& actuator : transmission.children("actuator")) {
      keep(drive.reduction, reduction_in(actuator, d));
      read_drake_tags(actuator, drive, d);
    }
    keep(drive.reduction, reduction_in(transmission, d));
  }
}

}  // namespace

void read_drives(const Tag& robot, Description& d) {
  std::map<std::string, Drive> drives;  // by joint
  for (const Tag& joint : robot.children("joint")) {
    const std::string name = joint.text("name").value_or("");
    read_drake_tags(joint.owned_by(fmt::format("joint '{}'", name)), drives[name], d);
  }
  const auto read_all_in = [&](const Tag& parent) {
    for (const Tag& t : parent.children("transmission"))
      read_transmission(t.owned_by(fmt::format("transmission '{}'", t.text("name").value_or(""))),
                        drives, d);
  };
  read_all_in(robot);
  for (const Tag& control : robot.children("ros2_control")) read_all_in(control);

  for (JointDescription& joint : d.joints) {
    const Drive& drive = drives[joint.name];
    joint.gear_ratio = drive.gear.value_or(drive.reduction.value_or(1));
    joint.rotor_inertia = drive.rotor.value_or(0) * joint.gear_ratio * joint.gear_ratio;
    joint.rotor_from_transmission = joint.rotor_inertia != 0;
    if (drive.rotor && !drive.gear && joint.gear_ratio != 1)
      remark(d.remarks,
             finding("assumed-gear-ratio", d.at(drive.line),
                     fmt::format("joint '{}' has a rotor inertia but no <drake:gear_ratio>; using "
                                 "the transmission's mechanical reduction {}",
                                 joint.name, joint.gear_ratio),
                     "add <drake:gear_ratio value=\"...\"/>"));
  }
}

}  // namespace parid::model::urdf
