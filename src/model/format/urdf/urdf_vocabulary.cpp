// The tags and attributes of URDF, and suggestions for misspelt ones.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text/spelling.hpp"
#include "model/format/urdf/urdf_parts.hpp"
#include "model/lint/finding.hpp"

namespace parid::model::urdf {

namespace {

using Words = std::vector<std::string_view>;

struct Known {
  std::string_view tag;
  Words attributes;  // others are not reported unless they resemble one of these
  Words read;        // children that Parid reads, each at most once except in <robot>
  Words ignored;     // children that other programs read
};

const std::vector<Known>& known_tags() {
  static const std::vector<Known> all = {
      {"robot",
       {"name", "version"},
       {"link", "joint"},
       {"transmission", "gazebo", "material", "sensor", "ros2_control", "frame", "loop_joint",
        "self_collision_checking", "group", "end_effector", "chain", "passive_joint", "group_state",
        "virtual_joint", "disable_collisions", "force_torque_sensor", "verbose", "module",
        "camera"}},
      {"link",
       {"name", "type"},
       {"inertial"},
       {"visual", "collision", "gazebo", "material", "sensor", "contact", "frame", "verbose",
        "type", "self_collision_checking", "collision_checking", "velocity_decay", "static",
        "audio_source", "origin"}},
      {"inertial", {}, {"origin", "mass", "inertia"}, {"gazebo", "density"}},
      {"joint",
       {"name", "type"},
       {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
       {"safety_controller", "calibration", "gazebo", "sensor", "frame", "verbose", "type",
        "hardwareInterface"}},
      {"origin", {"xyz", "rpy"}, {}, {}},
      {"mass", {"value"}, {}, {}},
      {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz", "iyx", "izx", "izy"}, {}, {}},
      {"parent", {"link"}, {}, {}},
      {"child", {"link"}, {}, {}},
      {"axis", {"xyz"}, {}, {}},
      {"limit",
       {"lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"},
       {},
       {}},
      {"dynamics",
       {"damping", "friction", "spring_stiffness", "spring_reference", "stiffness"},
       {},
       {}},
      {"mimic", {"joint", "multiplier", "offset"}, {}, {}},
  };
  return all;
}

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool other_programs_read(const Known& in, std::string_view tag) {
  if (tag.starts_with("xacro:")) return false;
  return has(in.ignored, tag) || tag.find(':') != tag.npos || tag.starts_with("disable_");
}

// <mass> directly in <link> is spelt correctly but misplaced.
std::string_view where_it_belongs(std::string_view tag) {
  for (const Known& k : known_tags())
    if (has(k.read, tag)) return k.tag;
  return {};
}

void remark_on_tag(const Known& in, const Tag& tag, Description& d) {
  if (tag.name().starts_with("xacro:")) {
    remark(d.remarks, finding("unknown-tag", tag.at(),
                              fmt::format("{} contains <{}>, an unexpanded xacro macro; ignored",
                                          tag.owner(), tag.name()),
                              "expand the file with xacro"));
    return;
  }
  const std::string message =
      fmt::format("{} contains an unknown tag <{}>", tag.owner(), tag.name());
  Words candidates = in.read;
  candidates.insert(candidates.end(), in.ignored.begin(), in.ignored.end());
  const auto place = where_it_belongs(tag.name());
  const auto meant = nearest(tag.name(), candidates);
  remark(d.remarks,
         finding("unknown-tag", tag.at(), message,
                 !place.empty()   ? fmt::format("move it into <{}>", place)
                 : !meant.empty() ? fmt::format("did you mean <{}>?", meant)
                                  : "the tag is ignored; remove it if no other program reads it"));
}

void remark_on_attributes(const Known& in, const Tag& tag, Description& d) {
  Words given;
  for (auto* a = tag.element()->FirstAttribute(); a; a = a->Next())
    if (has(in.attributes, a->Name())) given.emplace_back(a->Name());
  for (auto* a = tag.element()->FirstAttribute(); a; a = a->Next()) {
    if (enough(d.remarks)) return;
    const std::string_view name = a->Name();
    if (has(in.attributes, name) || name.find(':') != name.npos) continue;
    const auto meant = nearest(name, in.attributes);
    if (!meant.empty() && !has(given, meant))
      remark(d.remarks, finding("unknown-attribute", tag.at(),
                                fmt::format("{} has an unknown attribute '{}' in <{}>", tag.owner(),
                                            name, tag.name()),
                                fmt::format("did you mean '{}'?", meant)));
  }
}

std::string owner_of(const Tag& child) {
  if (child.name() != "link" && child.name() != "joint") return child.owner();
  return fmt::format("{} '{}'", child.name(), child.text("name").value_or(""));
}

void remark_inside(const Tag& tag, Description& d) {
  const auto& all = known_tags();
  const auto in =
      std::find_if(all.begin(), all.end(), [&](auto& k) { return k.tag == tag.name(); });
  if (in == all.end()) return;
  remark_on_attributes(*in, tag, d);
  if (in->read.empty()) return;
  Words seen;
  for (const Tag& child : tag.children()) {
    if (enough(d.remarks)) return;
    if (has(in->read, child.name())) {
      const bool is_new = !has(seen, child.name());
      if (is_new) seen.push_back(child.name());
      if (!is_new && tag.name() != "robot")
        remark(d.remarks,
               finding("repeated-tag", child.at(),
                       fmt::format("{} contains a second <{}>", child.owner(), child.name()),
                       "remove one; only the first one is used"));
      remark_inside(child.owned_by(owner_of(child)), d);
    } else if (!other_programs_read(*in, child.name())) {
      remark_on_tag(*in, child, d);
    }
  }
}

}  // namespace

void remark_unreadable(const Tag& tag, const Error& why, Description& d) {
  std::string message = why.what();  // "file:line: what is wrong; what would be right"
  if (const std::string place = tag.at().text() + ": "; message.starts_with(place))
    message.erase(0, place.size());
  const std::size_t remedy = std::min(message.rfind("; "), message.size());
  remark(d.remarks,
         finding("unreadable-number", tag.at(), message.substr(0, remedy),
                 "it is ignored" + (remedy < message.size() ? message.substr(remedy) : "")));
}

void remark_on_words(const Tag& robot, Description& d) { remark_inside(robot, d); }

bool has_attribute(std::string_view tag, std::string_view attribute) {
  for (const Known& k : known_tags())
    if (k.tag == tag) return has(k.attributes, attribute);
  return false;
}

}  // namespace parid::model::urdf
