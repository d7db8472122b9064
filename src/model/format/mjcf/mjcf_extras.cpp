#include "model/format/mjcf/mjcf_extras.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/text/shown.hpp"
#include "model/format/mjcf/mjcf_node.hpp"
#include "model/format/urdf/xml_tag.hpp"
#include "model/lint/finding.hpp"
#include "model/names.hpp"

namespace parid::model::mjcf {
namespace {

template <class Take>
void each_in(const Document& document, const char* section, const Take& take) {
  for (const Element& s : document.root.children)
    if (s.name == section)
      for (const Element& e : s.children) take(e);
}

const DefaultClass* class_of(const Document& document, const Defaults& defaults, const Element& e) {
  const std::string* name = e.attribute("class");
  return name ? defaults.named(*name, document, e.line) : defaults.main();
}

std::string called(const Element& e) {
  const std::string* name = e.attribute("name");
  return name ? name->substr(0, 200) : "";
}

bool has_one_freedom(const JointDescription& j) {
  return j.type == JointType::revolute || j.type == JointType::continuous ||
         j.type == JointType::prismatic;
}

class Couplings {
 public:
  Couplings(const JointList& list, NotRepresented& missing, Description& d)
      : list_(list), missing_(missing), d_(d), leader_(d.joints.size()) {
    std::iota(leader_.begin(), leader_.end(), 0);
  }

  void read(const Node& tag) {
    const std::string name = called(tag.element());
    if (!tag.flag("active").value_or(true)) return;
    const NamedJoint* one = find(tag, "joint1");
    if (!tag.text("joint2")) {
      missing_.add("equality constraints that hold a joint", "the joint can move", tag.line(),
                   tag.text_or("joint1", ""));
      return;
    }
    const NamedJoint* two = find(tag, "joint2");
    auto p = tag.numbers("polycoef", 1, 5).value_or(std::vector<double>{0, 1, 0, 0, 0});
    p.resize(5, 0.0);
    JointDescription& joint = d_.joints[one->joint];
    const std::string pair = fmt::format("{} to {}", joint.name, d_.joints[two->joint].name);
    if (!has_one_freedom(joint) || !has_one_freedom(d_.joints[two->joint]) || joint.mimic ||
        last_leader(two->joint) == one->joint) {
      missing_.add("couplings that overlap or have several coordinates", "the joints are free",
                   tag.line(), pair);
    } else {
      // y - y0 = Σ p_k (x - x0)^k in powers of x
      std::vector<double> c(1, 0.0);
      for (auto k = p.rbegin(); k != p.rend(); ++k) {
        c.push_back(0.0);
        for (std::size_t h = c.size() - 1; h > 0; --h) c[h] = c[h - 1] - two->ref * c[h];
        c[0] = *k - two->ref * c[0];
      }
      while (c.size() > 2 && c.back() == 0) c.pop_back();
      joint.mimic = Mimic{d_.joints[two->joint].name, c[1], one->ref + c[0],
                          std::vector<double>(c.begin() + 2, c.end())};
      joint.mimic_line = tag.line();
      leader_[one->joint] = two->joint;
    }
  }

 private:
  int last_leader(int j) {
    while (leader_[j] != j) j = leader_[j] = leader_[leader_[j]];  // halves the path
    return j;
  }
  const NamedJoint* find(const Node& tag, const char* attribute) const {
    const std::string name = tag.text_or(attribute, "");
    const auto found = list_.by_name.find(name);
    if (found == list_.by_name.end())
      tag.fail(fmt::format("names the joint {}, which does not exist", shown(name)),
               "name a joint of this model");
    return &list_.joints[found->second];
  }

  const JointList& list_;
  NotRepresented& missing_;
  Description& d_;
  std::vector<int> leader_;  // by joint of the description: the joint that it mimics, or itself
};

// The largest force of an actuator, without its gear; infinite if it has no limit.
double largest_force(const Node& tag, const Compiler& c) {
  const auto size = [](const std::vector<double>& range) {
    return std::max(std::abs(range[0]), std::abs(range[1]));
  };
  double force = Limits::none;
  if (const auto range = limited_range(tag, c, "forcerange", "forcelimited")) force = size(*range);
  // The control is a force up to a factor only if nothing depends on the position.
  const std::string& kind = tag.element().name;
  const std::string inherited = tag.text_or("(tag)", "general");
  const bool general = kind == "general" && (inherited == "general" || inherited == "motor");
  const bool plain = kind == "motor" || (general && tag.text_or("gaintype", "fixed") == "fixed" &&
                                         tag.text_or("biastype", "none") == "none");
  const auto control = limited_range(tag, c, "ctrlrange", "ctrllimited");
  if (!plain || !control) return force;
  const auto gain = kind == "general" ? tag.numbers("gainprm", 1, 100) : std::nullopt;
  return std::min(force, size(*control) * std::abs(gain ? gain->front() : 1));
}

}  // namespace

void read_couplings(const Document& document, const Defaults& defaults, const JointList& list,
                    NotRepresented& missing, Description& d) {
  Couplings couplings(list, missing, d);
  each_in(document, "equality", [&](const Element& e) {
    // Defaults of <equality> have no joints and no polynomials.
    static_cast<void>(class_of(document, defaults, e));
    if (e.name == "joint")
      couplings.read(Node(document, e, nullptr, "equality/joint"));
    else if (e.name == "connect" || e.name == "weld")
      missing.add("closed loops", "the tree is left open there", e.line, called(e));
    else
      missing.add(fmt::format("equality/{}", shown(e.name)), "it is left out", e.line, called(e));
  });
}

void read_actuators(const Document& document, const Compiler& c, const Defaults& defaults,
                    const JointList& list, NotRepresented& missing, Description& d) {
  struct Drive {
    int count = 0;
    double effort = 0, gear = 1;
  };
  std::map<int, Drive> drives;  // by joint of the description
  each_in(document, "actuator", [&](const Element& e) {
    const Node tag(document, e, class_of(document, defaults, e),
                   fmt::format("actuator {}", shown(called(e))));
    if (e.name == "muscle") {
      missing.add("muscles", "they give no effort limits", e.line, called(e));
      return;
    }
    const std::string* name = tag.text("joint");
    if (!name) name = tag.text("jointinparent");
    if (!name) {
      missing.add("actuators of tendons, sites and bodies", "they give no effort limits", e.line,
                  called(e));
      return;
    }
    const auto found = list.by_name.find(*name);
    if (found == list.by_name.end())
      tag.fail(fmt::format("names the joint {}, which does not exist", shown(*name)),
               "name a joint of this model");
    const int joint = list.joints[found->second].joint;
    if (!has_one_freedom(d.joints[joint])) return;
    const auto gear = tag.numbers("gear", 1, 6);
    Drive& drive = drives[joint];
    ++drive.count;
    drive.gear = gear ? gear->front() : 1;
    const double force = largest_force(tag, c);
    drive.effort += std::isinf(force) ? force : force * std::abs(drive.gear);
  });
  for (const auto& [joint, drive] : drives) {
    double& effort = d.joints[joint].limits.effort;
    effort = std::min(effort, drive.effort);
    if (drive.count == 1 && drive.gear != 0) d.joints[joint].gear_ratio = drive.gear;
  }
}

void read_keyframes(const Document& document, const JointList& list, Description& d) {
  const auto quaternion = [](const double* wxyz) {  // of unit length, x y z w
    const double n = std::hypot(std::hypot(wxyz[0], wxyz[1]), std::hypot(wxyz[2], wxyz[3]));
    if (!(n > 1e-14 && n < 1e100)) return std::array<double, 4>{0, 0, 0, 1};
    return std::array<double, 4>{wxyz[1] / n, wxyz[2] / n, wxyz[3] / n, wxyz[0] / n};
  };
  const auto pose_of = [&](const std::vector<double>& q) {
    NamedPose pose;
    for (const NamedJoint& j : list.joints) {
      const JointDescription& joint = d.joints[j.joint];
      if (joint.mimic) continue;
      const double* at = q.data() + j.qpos;
      NamedPose::JointPosition own{joint.name, {}};
      const int first = joint.type == JointType::floating    ? 3
                        : joint.type == JointType::spherical ? 0
                                                             : 1;
      for (int k = 0; k < first; ++k) own.q.push_back(at[k]);
      if (first != 1)
        for (const double x : quaternion(at + first)) own.q.push_back(x);
      pose.joints.push_back(std::move(own));
    }
    return pose;
  };

  std::vector<double> zero(static_cast<std::size_t>(list.nq), 0.0);
  bool differs = false;
  for (const NamedJoint& j : list.joints) {
    double* at = zero.data() + j.qpos;
    const JointType type = d.joints[j.joint].type;
    if (type == JointType::spherical) at[0] = 1;
    if (has_one_freedom(d.joints[j.joint])) *at = j.ref;
    if (type == JointType::floating) {
      const Mat3<double>& R = j.body.R;
      Eigen::Matrix3d matrix;
      matrix << R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z;
      const Eigen::Quaterniond turn(matrix);
      const double own[] = {j.body.p.x, j.body.p.y, j.body.p.z, turn.w(),
                            turn.x(),   turn.y(),   turn.z()};
      std::copy(std::begin(own), std::end(own), at);
      differs |= norm(j.body.p) != 0 || turn.w() != 1;
    }
    differs |= j.ref != 0;
  }
  if (differs) {
    d.poses.push_back(pose_of(zero));
    d.poses.back().name = "qpos0";
  }

  int count = 0;
  each_in(document, "keyframe", [&](const Element& e) {
    if (e.name != "key") return;
    const Node tag(document, e, nullptr, "keyframe");
    std::string name = tag.text_or("name", "");
    require_short_name(name, "a keyframe", tag.at());
    if (name.empty()) name = fmt::format("key{}", count);
    ++count;
    const std::string* text = tag.text("qpos");
    if (!text) return;  // the model's zero configuration
    const auto q = parse_numbers(*text);
    const bool finite =
        q && std::all_of(q->begin(), q->end(), [](double x) { return std::isfinite(x); });
    if (!finite || q->size() != zero.size()) {
      remark(d.remarks,
             finding("unused-pose", tag.at(),
                     fmt::format("keyframe {} has a 'qpos' that is not {} finite numbers",
                                 shown(name), zero.size()),
                     "it is ignored; give one number per coordinate"));
      return;
    }
    d.poses.push_back(pose_of(*q));
    d.poses.back().name = name;
    d.poses.back().line = e.line;
  });
}

void list_other_sections(const Document& document, NotRepresented& missing) {
  each_in(document, "tendon", [&](const Element& e) {
    missing.add("tendons", "they move and load no joint", e.line, called(e));
  });
  each_in(document, "contact", [&](const Element& e) {
    missing.add("contacts", "bodies pass through one another", e.line, called(e));
  });
  each_in(document, "deformable", [&](const Element& e) {
    missing.add("deformable bodies", "they are left out", e.line, called(e));
  });
  for (const Element& s : document.root.children) {
    if (s.name != "option") continue;
    for (const char* fluid : {"density", "viscosity", "wind"})
      if (const std::string* value = s.attribute(fluid)) {
        const auto numbers = parse_numbers(*value);
        if (numbers &&
            std::any_of(numbers->begin(), numbers->end(), [](double x) { return x != 0; }))
          missing.add("forces of the surrounding fluid", "torques leave them out", s.line, fluid);
      }
  }
}

}  // namespace parid::model::mjcf
