#include "model/compose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/text/spelling.hpp"
#include "model/frame.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "model/joint/rotor.hpp"
#include "model/lint/finding.hpp"

namespace parid::model {
namespace {

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& each : all) names.push_back(each.name);
  return names;
}

template <class Named>
std::unordered_set<std::string> name_set(const std::vector<Named>& all) {
  std::unordered_set<std::string> names;
  for (const Named& each : all) names.insert(each.name);
  return names;
}

std::string free_name(const std::unordered_set<std::string>& taken, std::string name) {
  while (taken.contains(name)) name += '_';
  return name;
}

const LinkDescription& link_named(const Description& d, const std::string& name) {
  for (const LinkDescription& l : d.links)
    if (l.name == name) return l;
  throw Error({d.file, 0}, fmt::format("robot '{}' has no link '{}'", d.name, name),
              did_you_mean(name, names_of(d.links)) + "`link_names()` lists its links");
}

// Rodrigues' formula; right angles give exact zeros and ones.
Mat3<double> turned(const Vec3<double>& unit, double angle) {
  const auto [s, c] = exact_sin_cos(angle);
  const double k = 1 - c;
  const auto& [x, y, z] = unit;
  return {{c + k * x * x, k * x * y - s * z, k * x * z + s * y},
          {k * x * y + s * z, c + k * y * y, k * y * z - s * x},
          {k * x * z - s * y, k * y * z + s * x, c + k * z * z}};
}

void make_fixed(JointDescription& j, double q) {
  j.origin = joint_pose(j, q);
  j.tip = {};
  j.type = JointType::fixed;
  j.mimic.reset();
  j.damping = j.friction = j.smoothing = j.rotor_inertia = 0;
  j.gear_ratio = 1;
  j.rotor_from_transmission = false;
  j.rotor.reset();
  j.stribeck.reset();
  j.journal.reset();
  j.linear.reset();
  j.thrust.reset();
  j.drive.reset();
  j.continuous_effort = Limits::none;
  j.motor.reset();
  j.elastic.reset();
  j.limits = {};
  j.has_limits = false;
}

// A rotor that does not spin is part of its link.
void hold_rotor(Description& d, const JointDescription& j) {
  if (!j.rotor || j.rotor->included) return;
  const Vec3<double> e = unit_vector(j.rotor->axis);
  const double J = j.rotor->inertia;
  const Sym3<double> own{J * e.x * e.x, J * e.y * e.y, J * e.z * e.z,
                         J * e.x * e.y, J * e.x * e.z, J * e.y * e.z};
  for (LinkDescription& l : d.links) {
    if (l.name != j.rotor->link) continue;
    if (!l.inertia) l.inertia = Inertia{};
    l.inertia->about_com = l.inertia->about_com + own;
  }
}

void drop_from_poses(Description& d, const std::unordered_set<std::string>& joints) {
  for (NamedPose& pose : d.poses)
    std::erase_if(pose.joints, [&](const auto& at) { return joints.contains(at.joint); });
}

}  // namespace

Pose<double> joint_pose(const JointDescription& j, double q) {
  Pose<double> motion;
  if (j.type == JointType::prismatic)
    motion.p = q * unit_vector(j.axis);
  else if (j.type == JointType::revolute || j.type == JointType::continuous)
    motion.R = turned(unit_vector(j.axis), q);
  return j.origin * motion * j.tip;
}

const LinkDescription& root_link(const Description& d) {
  std::unordered_set<std::string> children;
  for (const JointDescription& j : d.joints) children.insert(j.child);
  for (const LinkDescription& l : d.links)
    if (!children.contains(l.name)) return l;
  throw Error({d.file, 0}, fmt::format("robot '{}' has no root link", d.name),
              "a robot is a tree; remove a joint of the cycle");
}

void expand_frames(Description& d) {
  if (d.frames.empty()) return;
  std::unordered_set<std::string> links = name_set(d.links), joints = name_set(d.joints);
  const std::unordered_set<std::string> carriers = links;
  for (const FrameDescription& f : d.frames) {
    if (!carriers.contains(f.link)) {
      remark(d.remarks, finding("unknown-frame-link", d.at(f.line),
                                fmt::format("frame '{}' is on link '{}', which does not exist",
                                            f.name, f.link),
                                "the frame is ignored; name a link of the robot"));
      continue;
    }
    if (!links.insert(f.name).second) {
      remark(d.remarks,
             finding("duplicate-frame", d.at(f.line),
                     fmt::format("frame '{}' has the name of a link or of another frame", f.name),
                     "the frame is ignored; give it a unique name"));
      continue;
    }
    LinkDescription link;
    link.name = f.name;
    link.line = f.line;
    link.is_frame = true;
    JointDescription joint;
    joint.name = free_name(joints, f.name + "_frame");
    joint.parent = f.link;
    joint.child = f.name;
    joint.origin = f.pose;
    joint.line = joint.axis_line = f.line;
    joints.insert(joint.name);
    d.links.push_back(std::move(link));
    d.joints.push_back(std::move(joint));
  }
  d.frames.clear();
}

void lock_joints(Description& d, const std::map<std::string, double>& positions) {
  if (positions.empty()) return;
  std::unordered_map<std::string, int> by_name;
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) by_name.emplace(d.joints[k].name, k);
  std::unordered_map<int, double> leaders;
  const std::vector<MimicChain> chains = mimic_chains(d);
  for (const auto& [name, q] : positions) {
    const auto found = by_name.find(name);
    if (found == by_name.end())
      throw Error({d.file, 0}, fmt::format("robot '{}' has no joint '{}'", d.name, name),
                  did_you_mean(name, names_of(d.joints)) + "`velocity_names()` lists its joints");
    const JointDescription& j = d.joints[found->second];
    if (!std::isfinite(q))
      throw Error({d.file, j.line}, fmt::format("joint '{}' is locked at {}", name, q),
                  "give a finite position in rad or m");
    if (j.mimic)
      throw Error({d.file, j.line},
                  fmt::format("joint '{}' mimics joint '{}' and cannot be locked alone", name,
                              j.mimic->joint),
                  fmt::format("lock joint '{}'", d.joints[chains[found->second].leader].name));
    if (j.type == JointType::fixed)
      throw Error({d.file, j.line}, fmt::format("joint '{}' is fixed already", name),
                  "leave it out");
    if (position_count(j.type) != 1)
      throw Error({d.file, j.line},
                  fmt::format("joint '{}' is {} and has {} coordinates", name, name_of(j.type),
                              position_count(j.type)),
                  "lock revolute, continuous and prismatic joints");
    leaders.emplace(found->second, q);
  }
  std::unordered_set<std::string> locked;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const auto leader = leaders.find(chains[k].leader);
    if (leader == leaders.end() || d.joints[k].type == JointType::fixed) continue;
    const double at = chains[k].at(leader->second).value;
    if (!std::isfinite(at))
      throw Error({d.file, d.joints[k].mimic_line},
                  fmt::format("joint '{}' has no position where joint '{}' is locked at {}: its "
                              "four-bar linkage does not close there",
                              d.joints[k].name, d.joints[leader->first].name, leader->second),
                  "lock it within the range where the linkage closes");
    hold_rotor(d, d.joints[k]);
    make_fixed(d.joints[k], at);
    locked.insert(d.joints[k].name);
  }
  drop_from_poses(d, locked);
}

void attach(Description& to, const Description& other, const std::string& link,
            const Pose<double>& at, const std::string& prefix) {
  link_named(to, link);
  Description part = other;
  const std::string root = prefix + root_link(part).name;
  for (LinkDescription& l : part.links) {
    l.name = prefix + l.name;
    l.line = l.inertia_line = 0;
  }
  for (JointDescription& j : part.joints) {
    j.name = prefix + j.name;
    j.parent = prefix + j.parent;
    j.child = prefix + j.child;
    if (j.mimic) j.mimic->joint = prefix + j.mimic->joint;
    if (j.rotor) j.rotor->link = prefix + j.rotor->link;
    j.line = j.axis_line = j.limits_line = j.mimic_line = 0;  // lines of another file
    j.stribeck_line = j.journal_line = j.linear_line = j.thrust_line = j.drive_line = 0;
    j.rotor_line = 0;
    j.motor_line = j.elastic_line = 0;
  }
  const auto refuse_taken = [&](const auto& have, const auto& come, const char* kind) {
    const std::unordered_set<std::string> taken = name_set(have);
    for (const auto& each : come)
      if (taken.contains(each.name))
        throw Error({to.file, 0},
                    fmt::format("robots '{}' and '{}' both have a {} '{}'", to.name, other.name,
                                kind, each.name),
                    "give a prefix that makes the names of the attached robot its own");
  };
  refuse_taken(to.links, part.links, "link");
  refuse_taken(to.joints, part.joints, "joint");
  JointDescription joint;
  std::unordered_set<std::string> joints = name_set(to.joints);
  joints.merge(name_set(part.joints));
  joint.name = free_name(joints, root + "_attachment");
  joint.parent = link;
  joint.child = root;
  joint.origin = at;
  to.joints.push_back(std::move(joint));
  to.links.insert(to.links.end(), part.links.begin(), part.links.end());
  to.joints.insert(to.joints.end(), part.joints.begin(), part.joints.end());
  for (FrameDescription f : part.frames) {
    f.name = prefix + f.name;
    f.link = prefix + f.link;
    f.line = 0;
    to.frames.push_back(std::move(f));
  }
  for (NamedPose pose : part.poses) {
    pose.name = prefix + pose.name;
    pose.line = 0;
    for (auto& each : pose.joints) each.joint = prefix + each.joint;
    to.poses.push_back(std::move(pose));
  }
}

void remove_branch(Description& d, const std::string& link) {
  if (root_link(d).name == link_named(d, link).name)
    throw Error({d.file, 0}, fmt::format("link '{}' is the root of robot '{}'", link, d.name),
                "name a link that a joint carries");
  std::unordered_map<std::string, std::vector<const JointDescription*>> below;
  for (const JointDescription& j : d.joints) below[j.parent].push_back(&j);
  std::unordered_set<std::string> links, joints;
  for (const JointDescription& j : d.joints)
    if (j.child == link) joints.insert(j.name);
  for (std::vector<std::string> left{link}; !left.empty();) {
    const std::string name = left.back();
    left.pop_back();
    if (!links.insert(name).second) continue;
    for (const JointDescription* j : below[name]) {
      joints.insert(j->name);
      left.push_back(j->child);
    }
  }
  for (const JointDescription& j : d.joints)
    if (j.mimic && !joints.contains(j.name) && joints.contains(j.mimic->joint))
      throw Error({d.file, j.line},
                  fmt::format("joint '{}' mimics joint '{}', which would be removed", j.name,
                              j.mimic->joint),
                  "remove its link too, or lock the joint first");
  for (const JointDescription& j : d.joints)
    if (j.rotor && !joints.contains(j.name) && links.contains(j.rotor->link))
      throw Error({d.file, j.line},
                  fmt::format("the rotor of joint '{}' spins on link '{}', which would be removed",
                              j.name, j.rotor->link),
                  "remove the rotor first, or lock the joint");
  std::erase_if(d.links, [&](const auto& l) { return links.contains(l.name); });
  std::erase_if(d.joints, [&](const auto& j) { return joints.contains(j.name); });
  std::erase_if(d.frames, [&](const auto& f) { return links.contains(f.link); });
  drop_from_poses(d, joints);
  if (links.contains(d.tip)) d.tip.clear();
}

void set_mimic(Description& d, const std::string& joint, const Mimic& mimic) {
  for (JointDescription& j : d.joints) {
    if (j.name != joint) continue;
    j.mimic = mimic;
    j.mimic_line = 0;
    drop_from_poses(d, {joint});
    return;
  }
  throw Error({d.file, 0}, fmt::format("robot '{}' has no joint '{}'", d.name, joint),
              did_you_mean(joint, names_of(d.joints)) + "`parid info` lists its joints");
}

void remove_rotors(Description& d) {
  for (JointDescription& j : d.joints) {
    j.rotor_inertia = 0;
    j.rotor_from_transmission = false;
    j.rotor.reset();
    j.elastic.reset();
  }
}

std::vector<std::string> reflect_rotors(Description& d) {
  std::vector<std::string> names;
  for (JointDescription& j : d.joints) {
    if (!j.rotor) continue;
    names.push_back(j.name);
    j.rotor_inertia = reflected_inertia(j);
    j.gear_ratio = j.rotor->ratio;
    j.rotor.reset();
  }
  return names;
}

void spin_rotors(Description& d) {
  for (JointDescription& j : d.joints) {
    if (j.rotor_inertia == 0 || j.gear_ratio == 0 || velocity_count(j.type) != 1) continue;
    Rotor r{.inertia = j.rotor_inertia / (j.gear_ratio * j.gear_ratio), .ratio = j.gear_ratio};
    r.axis = j.origin.R * unit_vector(j.axis);
    r.link = j.parent;
    j.rotor = r;
    j.rotor_inertia = 0;
    j.rotor_from_transmission = false;
  }
}

}  // namespace parid::model
