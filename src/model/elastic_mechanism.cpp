#include "model/elastic_mechanism.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "base/text/spelling.hpp"
#include "model/compose.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/rotor.hpp"

namespace parid::model {
namespace {

bool springs(const JointDescription& j) {
  return j.elastic && velocity_count(j) == 1 && position_count(j) == 1;
}

void require_motors(const Description& d) {
  bool any = false;
  for (const JointDescription& j : d.joints) {
    if (!springs(j)) continue;
    any = true;
    const Place at = d.at(j.elastic_line ? j.elastic_line : j.line);
    if (j.rotor)
      throw Error(at,
                  fmt::format("joint '{}' is elastic, and its rotor spins on link '{}'; the model "
                              "of elastic joints has no gyroscopic torques of rotors",
                              j.name, j.rotor->link),
                  "give rotor_inertia instead of rotor");
    if (!(j.rotor_inertia > 0))
      throw Error(at, fmt::format("joint '{}' is elastic, but has no rotor inertia", j.name),
                  "give rotor_inertia, the inertia of the motor as the joint sees it");
  }
  if (!any)
    throw Error({d.file, 0}, fmt::format("robot '{}' has no elastic joints", d.name),
                "give a joint elastic = {stiffness = …}, or use Robot::with_elasticity()");
}

std::string unused_name(std::unordered_set<std::string>& taken, std::string name) {
  while (!taken.insert(name).second) name += '_';
  return name;
}

}  // namespace

std::vector<ElasticJoint> elastic_joints(const Description& d) {
  std::vector<ElasticJoint> all;
  int position = 0, velocity = 0;
  for (const JointDescription& j : d.joints) {
    if (springs(j))
      all.push_back({j.name, position, velocity, j.elastic->stiffness, j.elastic->damping,
                     reflected_inertia(j)});
    position += position_count(j);
    velocity += velocity_count(j);
  }
  return all;
}

void set_elasticity(Description& d, const std::string& joint, const Elasticity& elastic) {
  std::vector<std::string> names;
  for (JointDescription& j : d.joints) {
    names.push_back(j.name);
    if (j.name != joint) continue;
    j.elastic = elastic;
    j.elastic_line = 0;
    return;
  }
  throw Error({d.file, 0}, fmt::format("robot '{}' has no joint '{}'", d.name, joint),
              did_you_mean(joint, names) + "`parid info` lists its joints");
}

double motor_loss(const JointDescription& j, double tau, double v) {
  if (!j.drive) return 0;
  const Drive& drive = *j.drive;
  const double way = smooth_sign(v, j.smoothing * j.smoothing);
  if (drive.efficiency.empty()) return way * drive.breakaway;
  const double load = drive.rated > 0 ? std::abs(tau) / drive.rated : 0;
  return drive_loss(DriveLaw<double>{drive.breakaway, 0, 0}, tau, v, way, efficiency(drive, load));
}

void remove_motors(Description& d) {
  require_motors(d);
  for (JointDescription& j : d.joints) {
    if (!springs(j)) continue;
    j.rotor_inertia = 0;
    j.rotor_from_transmission = false;
    j.drive.reset();
    j.motor.reset();
    j.elastic.reset();
  }
}

Robot link_side(const Robot& robot) {
  if (elastic_joints(robot.description()).empty()) return robot;
  Description d = robot.description();
  d.tip = robot.tip();
  remove_motors(d);
  return Robot(std::move(d));
}

void release_motors(Description& d) {
  const std::vector<JointDescription> joints = d.joints;
  const std::string root = root_link(d).name;
  remove_motors(d);
  std::unordered_set<std::string> taken;
  for (const LinkDescription& l : d.links) taken.insert(l.name);
  for (const JointDescription& j : joints) taken.insert(j.name);
  for (const JointDescription& j : joints) {
    if (!springs(j)) continue;
    LinkDescription rotor;
    rotor.name = unused_name(taken, j.name + ".rotor");
    rotor.line = j.line;
    JointDescription motor;
    motor.name = unused_name(taken, j.name + ".motor");
    motor.type = j.type == JointType::prismatic ? j.type : JointType::continuous;
    motor.parent = root;
    motor.child = rotor.name;
    motor.axis = {0, 0, 1};
    motor.smoothing = j.smoothing;
    motor.drive = j.drive;
    motor.drive_line = j.drive_line;
    motor.rotor_inertia = j.rotor_inertia;
    motor.gear_ratio = j.gear_ratio;
    motor.line = motor.axis_line = j.line;
    d.links.push_back(std::move(rotor));
    d.joints.push_back(std::move(motor));
  }
}

}  // namespace parid::model
