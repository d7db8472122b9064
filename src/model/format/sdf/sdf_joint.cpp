#include "model/format/sdf/sdf_joint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text/spelling.hpp"
#include "model/format/urdf/xml_tag.hpp"
#include "model/frame.hpp"
#include "model/lint/finding.hpp"
#include "model/names.hpp"

namespace parid::model::sdf {
namespace {

using xml::Node;

enum class Type {
  revolute,
  continuous,
  prismatic,
  fixed,
  ball,
  universal,
  revolute2,
  screw,
  gearbox
};
struct TypeWord {
  const char* word;
  Type type;
};
constexpr TypeWord type_words[] = {
    {"revolute", Type::revolute},   {"continuous", Type::continuous},
    {"prismatic", Type::prismatic}, {"fixed", Type::fixed},
    {"ball", Type::ball},           {"universal", Type::universal},
    {"revolute2", Type::revolute2}, {"screw", Type::screw},
    {"gearbox", Type::gearbox},
};

Type type_of(const Node& joint, const std::string& name) {
  const std::string word = required_attribute(joint, "type");
  std::vector<std::string> known;
  for (const TypeWord& t : type_words) {
    if (word == t.word) return t.type;
    known.emplace_back(t.word);
  }
  throw Error(joint.at(),
              fmt::format("joint '{}' has the unknown type '{}'", name, word.substr(0, 80)),
              did_you_mean(word, known) + fmt::format("give one of {}", fmt::join(known, ", ")));
}

constexpr double unlimited = 1e16;  // the format's value for infinity

double finite_or(double x, double none) {
  return std::isfinite(x) && std::abs(x) < unlimited ? x : none;
}

class JointReader {
 public:
  JointReader(const ModelScope& s, const Node& joint, const Frames& frames,
              const xml::Places& places, Description& d)
      : s_(s), joint_(joint), frames_(frames), places_(places), d_(d) {
    name_ = s.prefix + required_attribute(joint, "name");
    require_short_name(name_, "a joint", joint.at());
    key_ = Frames::joint_key(s, *joint.attribute("name"));
  }

  void read() {
    const Type type = type_of(joint_, name_);
    if (type == Type::gearbox) return;
    JointDescription j = between();
    switch (type) {
      case Type::fixed: add(std::move(j)); return;
      case Type::ball:
        j.type = JointType::spherical;
        axis_dynamics("axis", j);
        add(std::move(j));
        return;
      case Type::revolute:
      case Type::continuous:
        j.type = JointType::revolute;
        axis("axis", j);
        if (type == Type::continuous) unlimit(j);
        break;
      case Type::prismatic:
        j.type = JointType::prismatic;
        axis("axis", j);
        break;
      case Type::universal:
      case Type::revolute2: two_axes(std::move(j)); return;
      case Type::screw: screw(std::move(j)); return;
      case Type::gearbox: return;
    }
    drake(j);
    add(std::move(j));
  }

 private:
  const Node& required(const char* child) const {
    if (const Node* n = joint_.child(child)) return *n;
    throw Error(joint_.at(), fmt::format("joint '{}' has no <{}>", name_, child),
                fmt::format("add <{}>LINK</{}>", child, child));
  }

  JointDescription between() const {
    JointDescription j;
    j.name = name_;
    j.line = j.axis_line = places_.line(joint_);
    const Node &parent = required("parent"), &child = required("child");
    const std::string from = frames_.find(s_, parent.inner_text(), parent),
                      to = frames_.find(s_, child.inner_text(), child);
    j.parent = frames_.link_of(from);
    j.child = frames_.link_of(to);
    if (j.child == "world")
      throw Error(child.at(), fmt::format("joint '{}' has the world as its child", name_),
                  "make the world its parent");
    const auto key = [](const std::string& link) {
      return link == "world" ? std::string(Frames::world) : "link " + link;
    };
    j.origin = frames_.relative(key(j.parent), key_);
    j.tip = frames_.relative(key_, key(j.child));
    return j;
  }
  void add(JointDescription j) { d_.joints.push_back(std::move(j)); }

  // The axis in the joint's frame.
  Vec3<double> direction(const Node& axis) const {
    const Node* xyz = axis.child("xyz");
    Vec3<double> v{0, 0, 1};
    if (xyz) {
      const std::vector<double> x = numbers_in(*xyz, 3);
      v = {x[0], x[1], x[2]};
    }
    for (const double c : {v.x, v.y, v.z})
      if (!std::isfinite(c)) throw Error(xyz->at(), "an axis is not finite", "give finite numbers");
    const Version version = s_.model->version;
    const std::string* in = xyz && !version.before(1, 7) ? xyz->attribute("expressed_in") : nullptr;
    const Node* flag = axis.child("use_parent_model_frame");
    std::string frame = key_;
    if (in && !in->empty())
      frame = frames_.find(s_, *in, *xyz);
    else if (version.before(1, 5) || (version.before(1, 7) && flag && truth_in(*flag)))
      frame = s_.frame;
    return frame == key_ ? v : frames_.relative(key_, frame).R * v;
  }

  void axis(const char* name, JointDescription& j) {
    const Node* a = joint_.child(name);
    j.axis = {0, 0, 1};
    if (!a) return;
    j.axis_line = places_.line(*a);
    j.axis = direction(*a);
    if (const Node* limit = a->child("limit")) limits(*limit, j);
    if (j.type == JointType::revolute && !std::isfinite(j.limits.lower) &&
        !std::isfinite(j.limits.upper))
      j.type = JointType::continuous;
    axis_dynamics(name, j);
    if (const Node* mimic = a->child("mimic")) read_mimic(*mimic, j);
  }
  void limits(const Node& limit, JointDescription& j) const {
    j.has_limits = true;
    j.limits_line = places_.line(limit);
    j.limits.lower = finite_or(child_number(limit, "lower", -unlimited), -Limits::none);
    j.limits.upper = finite_or(child_number(limit, "upper", unlimited), Limits::none);
    for (const auto& [name, value] :
         {std::pair{"effort", &j.limits.effort}, std::pair{"velocity", &j.limits.velocity}}) {
      const double x = child_number(limit, name, -1);  // negative: no limit
      *value = x < 0 ? Limits::none : finite_or(x, Limits::none);
    }
  }
  static void unlimit(JointDescription& j) {
    j.type = JointType::continuous;
    j.limits.lower = -Limits::none;
    j.limits.upper = Limits::none;
  }
  void axis_dynamics(const char* name, JointDescription& j) {
    const Node* a = joint_.child(name);
    const Node* dynamics = a ? a->child("dynamics") : nullptr;
    if (!dynamics) return;
    j.damping = child_number(*dynamics, "damping", 0);
    j.friction = child_number(*dynamics, "friction", 0);
    if (child_number(*dynamics, "spring_stiffness", 0) != 0)
      remark(d_.remarks, finding("sdf-unsupported", dynamics->at(),
                                 fmt::format("joint '{}' has a spring", name_),
                                 "it is ignored; add its torque yourself"));
  }

  void read_mimic(const Node& mimic, JointDescription& j) {
    const std::string leader = required_attribute(mimic, "joint");
    const std::string* which = mimic.attribute("axis");
    const std::string key = frames_.find(s_, leader, mimic);
    if (!key.starts_with("joint "))
      throw Error(mimic.at(),
                  fmt::format("joint '{}' mimics '{}', which is not a joint", name_, leader),
                  "name a joint");
    const double multiplier = child_number(mimic, "multiplier", 1),
                 reference = child_number(mimic, "reference", 0),
                 offset = child_number(mimic, "offset", 0);
    j.mimic = Mimic{key.substr(6) + (which && *which == "axis2" ? "_axis2" : ""), multiplier,
                    offset - multiplier * reference};
    j.mimic_line = places_.line(mimic);
  }

  // Drake's additional elements.
  void drake(JointDescription& j) const {
    const Node *rotor = joint_.child("drake:rotor_inertia"),
               *gear = joint_.child("drake:gear_ratio");
    if (gear) j.gear_ratio = number_in(*gear);
    if (rotor) j.rotor_inertia = number_in(*rotor) * j.gear_ratio * j.gear_ratio;
    const Node* mimic = joint_.child("drake:mimic");
    if (!mimic || j.mimic) return;
    const std::string leader = required_attribute(*mimic, "joint");
    const auto value = [&](const char* name, double otherwise) {
      const std::string* text = mimic->attribute(name);
      const auto numbers = text ? parse_numbers(*text) : std::vector<double>{otherwise};
      if (!numbers || numbers->size() != 1)
        throw Error(mimic->at(), fmt::format("'{}' of <drake:mimic> is not a number", name),
                    "give one number");
      return numbers->front();
    };
    j.mimic = Mimic{s_.prefix + leader, value("multiplier", 1), value("offset", 0)};
    j.mimic_line = places_.line(*mimic);
  }

  // A massless link between joints `first` and `second`.
  void join(JointDescription first, JointDescription second, const std::string& link_name) {
    LinkDescription link;
    link.name = link_name;
    link.line = places_.line(joint_);
    second.line = first.line;
    second.parent = link.name;
    second.child = first.child;
    second.tip = first.tip;
    second.origin = {};
    first.child = link.name;
    first.tip = {};
    d_.links.push_back(std::move(link));
    add(std::move(first));
    add(std::move(second));
  }

  void two_axes(JointDescription first) {
    JointDescription second;
    second.name = name_ + "_axis2";
    second.type = first.type = JointType::revolute;
    second.axis_line = first.line;
    axis("axis", first);
    axis("axis2", second);
    join(std::move(first), std::move(second), name_ + "_cross");
  }

  void screw(JointDescription turning) {
    JointDescription sliding;
    sliding.name = name_ + "_slide";
    turning.type = JointType::revolute;
    axis("axis", turning);
    sliding.type = JointType::prismatic;
    sliding.axis = turning.axis;
    sliding.axis_line = turning.axis_line;
    double advance = 1 / (2 * std::numbers::pi);  // m per rad; the default is a metre per turn
    // thread_pitch is older: radians per metre, left-handed.
    if (const Node* pitch = joint_.child("screw_thread_pitch")) {
      advance = number_in(*pitch) / (2 * std::numbers::pi);
    } else if (const Node* old = joint_.child("thread_pitch")) {
      if (number_in(*old) == 0)
        throw Error(old->at(), fmt::format("joint '{}' has the thread pitch 0", name_),
                    "give radians per metre");
      advance = -1 / number_in(*old);
    }
    sliding.mimic = Mimic{turning.name, advance, 0};
    sliding.mimic_line = turning.line;
    join(std::move(turning), std::move(sliding), name_ + "_nut");
  }

  const ModelScope& s_;
  const Node& joint_;
  const Frames& frames_;
  const xml::Places& places_;
  Description& d_;
  std::string name_, key_;
};

// 1 or -1 where a joint's axis is along `axis` of the gearbox, seen in the joint's frame; 0
// otherwise.
double along(const Vec3<double>& axis, const Vec3<double>& other) {
  const double length = length_of(axis) * length_of(other);
  if (!(length > 0)) return 0;
  const double cosine = dot(axis, other) / length;
  return std::abs(std::abs(cosine) - 1) < 1e-9 ? (cosine > 0 ? 1 : -1) : 0;
}

// The joint from `body` to `link`, or null.
JointDescription* joint_between(Description& d, const std::string& body, const std::string& link) {
  for (JointDescription& j : d.joints)
    if (j.parent == body && j.child == link &&
        (j.type == JointType::revolute || j.type == JointType::continuous))
      return &j;
  return nullptr;
}

std::string key_of_link(const std::string& link) {
  return link == "world" ? std::string(Frames::world) : "link " + link;
}

// The gearbox's axis in the frame of the joint between two links.
Vec3<double> axis_at(const Frames& frames, const ModelScope& s, const Node& gearbox,
                     const char* name, const JointDescription& joint) {
  const Node* axis = gearbox.child(name);
  const Node* xyz = axis ? axis->child("xyz") : nullptr;
  Vec3<double> v{0, 0, 1};
  if (xyz) {
    const std::vector<double> x = numbers_in(*xyz, 3);
    v = {x[0], x[1], x[2]};
  }
  std::string frame = Frames::joint_key(s, *gearbox.attribute("name"));
  const std::string* in = xyz ? xyz->attribute("expressed_in") : nullptr;
  if (in && !in->empty()) frame = frames.find(s, *in, *xyz);
  if (s.model->version.before(1, 5)) frame = s.frame;
  const Pose<double> in_child = frames.relative(key_of_link(joint.child), frame);
  return joint.tip.R * (in_child.R * v);
}

// theta_2 = -ratio theta_1: of the child and of the parent against the reference body.
bool apply_gearbox(const ModelScope& s, const Node& n, const Frames& frames,
                   const xml::Places& places, Description& d) {
  const Node *body = n.child("gearbox_reference_body"), *parent = n.child("parent"),
             *child = n.child("child");
  if (!body || !parent || !child) return false;
  const auto link = [&](const Node& at) {
    return frames.link_of(frames.find(s, at.inner_text(), at));
  };
  JointDescription* first = joint_between(d, link(*body), link(*parent));
  JointDescription* second = joint_between(d, link(*body), link(*child));
  if (!first || !second || first == second || second->mimic) return false;
  const double sign =
      along(axis_at(frames, s, n, "axis", *first), first->axis) *
      along(axis_at(frames, s, n, n.child("axis2") ? "axis2" : "axis", *second), second->axis);
  if (sign == 0) return false;
  second->mimic = Mimic{first->name, -sign * child_number(n, "gearbox_ratio", 1), 0};
  second->mimic_line = places.line(n);
  return true;
}

struct Known {
  std::string_view tag;
  std::vector<std::string_view> children;
};
const std::vector<Known>& known_tags() {
  static const std::vector<Known> all = {
      {"model",
       {"link", "joint", "frame", "pose", "static", "self_collide", "allow_auto_disable", "plugin",
        "gripper", "enable_wind", "origin"}},
      {"link",
       {"inertial",
        "pose",
        "visual",
        "collision",
        "gravity",
        "enable_wind",
        "self_collide",
        "kinematic",
        "must_be_base_link",
        "velocity_decay",
        "sensor",
        "projector",
        "light",
        "battery",
        "audio_sink",
        "audio_source",
        "particle_emitter",
        "plugin",
        "origin",
        "frame"}},
      {"inertial",
       {"mass", "pose", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame",
        "origin"}},
      {"joint",
       {"parent", "child", "axis", "axis2", "pose", "physics", "sensor", "gearbox_ratio",
        "gearbox_reference_body", "thread_pitch", "screw_thread_pitch", "plugin", "frame",
        "origin"}},
      {"axis", {"xyz", "limit", "dynamics", "mimic", "use_parent_model_frame", "initial_position"}},
  };
  return all;
}

void remark_inside(const Node& n, const std::string& owner, Description& d) {
  const auto& all = known_tags();
  const std::string_view tag = n.name == "axis2" ? std::string_view("axis") : n.name;
  const auto known = std::find_if(all.begin(), all.end(), [&](auto& k) { return k.tag == tag; });
  if (known == all.end()) return;
  for (const Node& child : n.children) {
    if (enough(d.remarks)) return;
    if (child.is_text() || child.name.find(':') != std::string::npos) continue;
    const std::string* name = child.attribute("name");
    const std::string who = name && (child.name == "link" || child.name == "joint")
                                ? fmt::format("{} '{}'", child.name, name->substr(0, 200))
                                : owner;
    if (std::find(known->children.begin(), known->children.end(), child.name) !=
        known->children.end()) {
      remark_inside(child, who, d);
      continue;
    }
    const auto meant = nearest(std::string_view(child.name), known->children);
    remark(d.remarks,
           finding("unknown-tag", child.at(),
                   fmt::format("{} has an unknown tag <{}>", owner, child.name.substr(0, 80)),
                   meant.empty() ? "it is ignored; remove it if nothing else reads it"
                                 : fmt::format("did you mean <{}>?", meant)));
  }
}

}  // namespace

void read_joint(const ModelScope& s, const Node& joint, const Frames& frames,
                const xml::Places& places, Description& d) {
  JointReader(s, joint, frames, places, d).read();
}

void apply_gearboxes(const Frames& frames, const xml::Places& places, Description& d) {
  constexpr int most_gearboxes = 500;  // each looks at all joints
  int gearboxes = 0;
  for (const ModelScope& s : frames.models())
    for (const Node& n : s.model->element.children) {
      const std::string* type = n.name == "joint" ? n.attribute("type") : nullptr;
      if (!type || *type != "gearbox") continue;
      if (++gearboxes <= most_gearboxes && apply_gearbox(s, n, frames, places, d)) continue;
      remark(d.remarks,
             finding("sdf-unsupported", n.at(),
                     fmt::format("gearbox '{}' is ignored", n.attribute("name")->substr(0, 200)),
                     "it must couple two joints of its reference body along their axes"));
    }
}

void remark_on_tags(const Model& m, Description& d) {
  remark_inside(m.element, fmt::format("model '{}'", m.name.substr(0, 200)), d);
  for (const Model& nested : m.nested) remark_on_tags(nested, d);
}

}  // namespace parid::model::sdf
