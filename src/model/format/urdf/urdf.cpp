#include "model/format/urdf/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text/spelling.hpp"
#include "model/floating.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/urdf/urdf_parts.hpp"
#include "model/frame.hpp"
#include "model/joint/given_limit.hpp"
#include "model/lint/finding.hpp"
#include "model/names.hpp"

namespace parid::model {

namespace {

struct TypeWord {
  std::string_view word;
  JointType type;
};
constexpr TypeWord type_words[] = {
    {"revolute", JointType::revolute},   {"continuous", JointType::continuous},
    {"prismatic", JointType::prismatic}, {"fixed", JointType::fixed},
    {"floating", JointType::floating},   {"planar", JointType::planar},
    {"spherical", JointType::spherical},  // not in URDF; ours
    {"ball", JointType::spherical},       // another name for it
};

JointType read_type(const Tag& tag) {
  const std::string word = tag.required_text("type");
  std::vector<std::string> known;
  for (const TypeWord& t : type_words) {
    if (t.word == word) return t.type;
    known.emplace_back(t.word);
  }
  const std::string meant = nearest(word, known);
  throw Error(tag.at(), fmt::format("{} has the unknown type '{}'", tag.owner(), word),
              meant.empty() ? fmt::format("give one of {}", fmt::join(known, ", "))
                            : fmt::format("did you mean '{}'?", meant));
}

Pose<double> read_origin(const Tag& parent) {
  const auto origin = parent.child("origin");
  if (!origin) return {};
  return {rotation_rpy(origin->vector("rpy").value_or(Vec3<double>{})),
          origin->vector("xyz").value_or(Vec3<double>{})};
}

// URDF has the upper half of the matrix. Some files also give the lower half: as zeros, which are
// ignored, or as numbers, which should agree.
void compare_halves(const Tag& tag, Description& d) {
  constexpr std::array<const char*, 2> pairs[] = {{"ixy", "iyx"}, {"ixz", "izx"}, {"iyz", "izy"}};
  for (const auto& [upper, lower] : pairs) {
    const auto a = tag.number(upper), b = tag.number(lower);
    if (b && *b != 0 && a.value_or(0) != *b)
      remark(d.remarks, finding("asymmetric-inertia", tag.at(),
                                fmt::format("{} has {} = {} but {} = {}", tag.owner(), upper,
                                            a.value_or(0), lower, *b),
                                fmt::format("{} is used; make them equal", upper)));
  }
}

// A child of <inertial>. One that is not there counts as zero, as in urdfdom; a misspelt one is an
// Error.
std::optional<Tag> inertial_part(const Tag& inertial, const char* name, const char* example,
                                 Description& d) {
  if (inertial.child(name) || inertial.has_misspelt_child(name))
    return inertial.required_child(name, example);
  remark(d.remarks, finding("incomplete-inertial", inertial.at(),
                            fmt::format("{} has no <{}> in <inertial>; it counts as zero",
                                        inertial.owner(), name),
                            fmt::format("add {}", example)));
  return {};
}

Inertia read_inertia(const Tag& inertial, Description& d) {
  const auto mass_tag = inertial_part(inertial, "mass", "<mass value=\"...\"/>", d);
  const double mass = mass_tag ? mass_tag->required_number("value") : 0;
  const auto inertia_tag = inertial_part(
      inertial, "inertia",
      "<inertia ixx=\"...\" ixy=\"0\" ixz=\"0\" iyy=\"...\" iyz=\"0\" izz=\"...\"/>", d);
  if (!inertia_tag) return moved(read_origin(inertial), {mass, {}, {}});
  const Tag& tag = *inertia_tag;
  const auto product = [&](const char* name) { return tag.number(name).value_or(0); };
  const Sym3<double> tensor{tag.required_number("ixx"),
                            tag.required_number("iyy"),
                            tag.required_number("izz"),
                            product("ixy"),
                            product("ixz"),
                            product("iyz")};
  compare_halves(tag, d);
  return moved(read_origin(inertial), {mass, {}, tensor});
}

// Box, cylinder or sphere; none for a mesh.
std::optional<PrimitiveShape> read_shape(const Tag& part) {
  const auto geometry = part.child("geometry");
  if (!geometry) return {};
  PrimitiveShape shape;
  shape.at = read_origin(part);
  if (const auto box = geometry->child("box")) {
    const auto size = box->vector("size");
    if (!size) return {};
    shape.size = {size->x, size->y, size->z};
  } else if (const auto cylinder = geometry->child("cylinder")) {
    shape.kind = PrimitiveShape::Kind::cylinder;
    shape.size = {cylinder->required_number("radius"), cylinder->required_number("length"), 0};
  } else if (const auto sphere = geometry->child("sphere")) {
    shape.kind = PrimitiveShape::Kind::sphere;
    shape.size = {sphere->required_number("radius"), 0, 0};
  } else {
    return {};
  }
  return shape;
}

// The collision shapes of the link or, without any, its visual ones. No torque depends on them, so
// unreadable parts are skipped.
std::vector<PrimitiveShape> read_shapes(const Tag& link) {
  std::vector<PrimitiveShape> shapes;
  for (const char* part : {"collision", "visual"}) {
    for (const Tag& each : link.children(part)) {
      try {
        if (const auto shape = read_shape(each)) shapes.push_back(*shape);
      } catch (const Error&) {
      }
    }
    if (!shapes.empty()) break;
  }
  return shapes;
}

LinkDescription read_link(const Tag& unnamed, Description& d) {
  LinkDescription link;
  link.name = unnamed.owned_by("a link").required_text("name");
  link.line = unnamed.line();
  const Tag tag = unnamed.owned_by(fmt::format("link '{}'", link.name));
  if (const auto inertial = tag.child("inertial")) {
    link.inertia = read_inertia(*inertial, d);
    link.inertia_line = inertial->line();
  }
  link.shapes = read_shapes(tag);
  return link;
}

// An infinite limit counts as none. If only one end is given the other is 0, as URDF specifies; if
// neither is, URDF specifies 0 to 0, but a joint that cannot move is never intended.
void read_limits(const Tag& tag, JointDescription& joint, Description& d) {
  joint.has_limits = true;
  joint.limits_line = tag.line();
  const auto number = [&](const char* attribute) {
    return urdf::lenient(tag, d, [&] { return tag.number(attribute, true); });
  };
  const auto lower = number("lower"), upper = number("upper");
  if (joint.type != JointType::continuous && (lower || upper)) {
    joint.limits.lower = lower.value_or(0);
    joint.limits.upper = upper.value_or(0);
  }
  joint.limits.effort = given_limit(number("effort").value_or(Limits::none));
  joint.limits.velocity = given_limit(number("velocity").value_or(Limits::none));
}

bool has_axis(JointType type) {
  return type == JointType::revolute || type == JointType::continuous ||
         type == JointType::prismatic || type == JointType::planar;
}

// A fixed joint has no coordinate that could mimic another.
std::optional<Mimic> read_mimic(const Tag& mimic, JointType type, Description& d) {
  if (type == JointType::fixed) {
    remark(d.remarks, finding("ignored-mimic", mimic.at(),
                              fmt::format("{} is fixed and has a <mimic>", mimic.owner()),
                              "the <mimic> is ignored; remove it, or give the joint another type"));
    return {};
  }
  return Mimic{mimic.required_text("joint"), mimic.number("multiplier").value_or(1),
               mimic.number("offset").value_or(0)};
}

JointDescription read_joint(const Tag& unnamed, Description& d) {
  JointDescription joint;
  joint.name = unnamed.owned_by("a joint").required_text("name");
  joint.line = unnamed.line();
  const Tag tag = unnamed.owned_by(fmt::format("joint '{}'", joint.name));
  joint.type = read_type(tag);
  joint.parent = tag.required_child("parent", "<parent link=\"...\"/>").required_text("link");
  joint.child = tag.required_child("child", "<child link=\"...\"/>").required_text("link");
  joint.origin = read_origin(tag);
  joint.axis_line = tag.line();
  if (const auto axis = tag.child("axis")) {
    joint.axis_line = axis->line();
    const auto xyz = axis->vector("xyz");
    if (xyz && has_axis(joint.type)) joint.axis = *xyz;  // exporters write 0 0 0 at fixed joints
  }
  if (const auto limit = tag.child("limit")) read_limits(*limit, joint, d);
  if (const auto mimic = tag.child("mimic")) {
    joint.mimic = read_mimic(*mimic, joint.type, d);
    joint.mimic_line = mimic->line();
  }
  if (const auto dynamics = tag.child("dynamics")) {
    const auto number = [&](const char* attribute) {
      return urdf::lenient(*dynamics, d, [&] { return dynamics->number(attribute); }).value_or(0);
    };
    joint.damping = number("damping");
    joint.friction = number("friction");
  }
  return joint;
}

// The robot's name or, if the file gives none, the file's.
std::string name_of(const Tag& robot, Description& d) {
  const std::string name = robot.text("name").value_or("");
  if (name.find_first_not_of(" \t\r\n") != name.npos) return name;
  std::string stem = std::filesystem::path(d.file).stem().string();
  if (stem.empty() || stem.starts_with('<')) stem = "robot";
  remark(d.remarks, finding("no-name", robot.at(), "the robot has no name",
                            fmt::format("'{}' is used; write <robot name=\"...\">", stem)));
  return stem;
}

// Many files attach the robot to a link `world` that they never declare.
void add_implicit_world(Description& d) {
  const auto is_world = [](const auto& link) { return link.name == "world"; };
  if (std::any_of(d.links.begin(), d.links.end(), is_world)) return;
  for (const JointDescription& joint : d.joints) {
    if (joint.parent != "world") continue;
    LinkDescription world;
    world.name = "world";
    world.line = joint.line;
    d.links.insert(d.links.begin(), world);
    return;
  }
}

}  // namespace

Description parse_urdf(const std::string& text, const std::string& file, bool floating) {
  tinyxml2::XMLDocument document;
  const Tag robot = urdf::open_document(document, text, file);
  Description d;
  d.file = file;
  d.name = name_of(robot, d);
  require_few(file, robot.count("joint"), robot.count("link"));
  for (const Tag& tag : robot.children("link")) d.links.push_back(read_link(tag, d));
  for (const Tag& tag : robot.children("joint")) d.joints.push_back(read_joint(tag, d));
  add_implicit_world(d);
  urdf::read_drives(robot, d);
  urdf::remark_on_words(robot, d);
  if (floating) float_root(d);
  require_printable_names(d);
  return d;
}

Description read_urdf(const std::string& path, bool floating) {
  return parse_urdf(urdf::read_text(path), path, floating);
}

}  // namespace parid::model
