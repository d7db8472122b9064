#include "parid/model/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "parid/model/floating.hpp"
#include "parid/model/frame.hpp"
#include "parid/model/spelling.hpp"
#include "parid/model/toml_table.hpp"
#include "parid/model/urdf.hpp"

namespace parid {
namespace {

constexpr Field top_fields[] = {
    {"name", "the robot's name", "\"my arm\""},
    {"summary", "one line about the robot", "\"a six-joint arm\""},
    {"source", "where the figures come from, one string or several",
     "\"measured by us, May 2024\""},
    {"gravity", "three numbers of m/s²", "[0, 0, -9.81]"},
    {"convention", "\"modified\" (Craig), \"standard\" or \"frames\"", "\"modified\""},
    {"base", "the name of the link that stands still", "\"base\""},
    {"base_link", "the table [base_link]", "{mass = 10}"},
    {"urdf", "the name of a URDF file beside this one", "\"arm.urdf\""},
    {"joint", "one [[joint]] table per joint", "[{name = \"shoulder\"}]"},
};
constexpr Field joint_fields[] = {
    {"name", "the joint's name", "\"shoulder\""},
    {"type", "revolute, continuous, prismatic, fixed, floating, planar or spherical",
     "\"revolute\""},
    {"parent", "the name of the link the joint stands on", "\"base\""},
    {"link", "the name of the link the joint moves", "\"upper_arm\""},
    {"a", "a number of m", "0.4318"},
    {"alpha", "radians, or an expression such as \"90 deg\"", "\"-pi/2\""},
    {"d", "a number of m", "0.2435"},
    {"theta", "radians, or an expression such as \"90 deg\"", "\"pi/2\""},
    {"xyz", "three numbers of m", "[0, 0, 0.3]"},
    {"rpy", "three angles: roll, pitch, yaw", "[0, \"pi/2\", 0]"},
    {"rotation", "three orthonormal rows", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"},
    {"axis", "the direction the joint turns about or slides along", "[0, 0, 1]"},
    {"mass", "a number of kg", "4.2"},
    {"com", "three numbers of m", "[0, 0, 0.1]"},
    {"inertia", "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] in kg m²", "[0.02, 0.02, 0.01]"},
    {"inertia_about", "\"com\" or \"origin\"", "\"com\""},
    {"lower", "the least position: m if the joint slides, else radians", "-1.5"},
    {"upper", "the greatest position: m if the joint slides, else radians", "1.5"},
    {"velocity", "the greatest speed: m/s if the joint slides, else rad/s", "2.0"},
    {"effort", "the greatest force or torque: N or N m", "80"},
    {"damping", "viscous friction: N m s/rad, or N s/m", "0.1"},
    {"friction", "Coulomb friction: N m, or N", "0.5"},
    {"rotor_inertia", "the motor's inertia seen at the joint, in kg m²", "0.8"},
    {"motor_inertia", "the motor's own inertia in kg m²", "2e-4"},
    {"gear_ratio", "turns of the motor for one of the joint, not 0", "62.5"},
    {"mimic", "the joint it follows", "{joint = \"left\", multiplier = -1, offset = 0}"},
};
constexpr Field mimic_fields[] = {
    {"joint", "the name of the joint it follows", "\"left\""},
    {"multiplier", "a number", "-1"},
    {"offset", "m if the joint slides, else radians", "0"},
};
std::span<const Field> inertial_fields() {  // mass, com, inertia, inertia_about
  const std::span<const Field> all(joint_fields);
  size_t i = 0;
  while (std::string_view(all[i].key) != "mass") ++i;
  return all.subspan(i, 4);
}
constexpr const char* dh_keys[] = {"a", "alpha", "d", "theta"};
constexpr const char* frame_keys[] = {"xyz", "rpy", "rotation", "axis"};
constexpr const char* inertial_keys[] = {"mass", "com", "inertia", "inertia_about"};
constexpr const char* structure_keys[] = {"type", "parent", "link", "mimic"};

enum class Convention { modified, standard, frames };

constexpr std::pair<const char*, JointType> joint_types[] = {
    {"revolute", JointType::revolute},   {"continuous", JointType::continuous},
    {"prismatic", JointType::prismatic}, {"fixed", JointType::fixed},
    {"floating", JointType::floating},   {"planar", JointType::planar},
    {"spherical", JointType::spherical},
};

JointType joint_type(const TomlTable& t) {
  const std::string said = t.word("type").value_or("revolute");
  std::vector<std::string> known;
  for (const auto& [word, type] : joint_types) {
    if (said == word) return type;
    known.push_back(word);
  }
  const std::string meant = nearest(said, known);
  t.refuse("type", fmt::format("type '{}' is unknown{}", said,
                               meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant)));
}

std::optional<Convention> convention(const TomlTable& top) {
  const auto said = top.word("convention");
  if (!said) return {};
  if (*said == "modified") return Convention::modified;
  if (*said == "standard") return Convention::standard;
  if (*said == "frames") return Convention::frames;
  top.refuse("convention", fmt::format("convention '{}' is unknown", *said));
}

std::optional<Inertia> inertia(const TomlTable& t) {
  const auto mass = t.number("mass");
  const auto com = t.vector("com");
  const auto I = t.numbers("inertia", {3, 6});
  const auto about = t.word("inertia_about");
  for (const char* key : {"com", "inertia", "inertia_about"})
    if (!mass && t.has(key))
      t.refuse(t.at(key), fmt::format("{} is given, but no mass", key),
               "give the mass too, such as mass = 4.2");
  if (about && *about != "com" && *about != "origin")
    t.refuse("inertia_about", fmt::format("inertia_about is '{}'", *about));
  if (about && !I)
    t.refuse(t.at("inertia_about"), "inertia_about is given, but no inertia",
             "give the inertia too, such as inertia = [0.02, 0.02, 0.01]");
  if (!mass) return {};

  Inertia body{*mass, com.value_or(Vec3<double>{}), {}};
  if (I) body.about_com = {(*I)[0], (*I)[1], (*I)[2], 0, 0, 0};
  if (I && I->size() == 6) {
    body.about_com.xy = (*I)[3];
    body.about_com.xz = (*I)[4];
    body.about_com.yz = (*I)[5];
  }
  if (about && *about == "origin")
    body.about_com = body.about_com + point_inertia(-body.mass, body.com);
  return body;
}

void read_frame(const TomlTable& t, std::optional<Convention> said, JointDescription& joint) {
  const Convention c = said.value_or(Convention::frames);
  if (c == Convention::frames) {
    for (const char* key : dh_keys)
      if (t.has(key))
        t.refuse(
            t.at(key),
            fmt::format("{} is a Denavit-Hartenberg parameter, and {}", key,
                        said ? "the convention is \"frames\"" : "the file names no convention"),
            "write convention = \"modified\" (Craig) or convention = \"standard\" at the top, or "
            "place the joint by xyz and rpy");
    if (t.has("rpy") && t.has("rotation"))
      t.refuse(t.at("rotation"), "both rpy and rotation are given", "give one of them");
    joint.origin.p = t.vector("xyz").value_or(Vec3<double>{});
    if (const auto rpy = t.angles("rpy")) joint.origin.R = rotation_rpy(*rpy);
    if (const auto R = t.rotation("rotation")) joint.origin.R = *R;
    const bool directed = joint.type == JointType::revolute ||
                          joint.type == JointType::continuous ||
                          joint.type == JointType::prismatic || joint.type == JointType::planar;
    if (directed && !t.has("axis")) t.refuse("axis", "the joint has no axis");
    joint.axis = t.vector("axis").value_or(Vec3<double>{0, 0, 1});
  } else {
    for (const char* key : frame_keys)
      if (t.has(key))
        t.refuse(t.at(key), fmt::format("{} does not go with Denavit-Hartenberg parameters", key),
                 "write convention = \"frames\" at the top, or place the joint by a, alpha, d and "
                 "theta about z");
    const DenavitHartenberg dh{t.number("a").value_or(0), t.angle("alpha").value_or(0),
                               t.number("d").value_or(0), t.angle("theta").value_or(0)};
    joint.axis = {0, 0, 1};
    if (c == Convention::modified)
      joint.origin = modified_pose(dh);
    else
      joint.tip = standard_pose(dh);
  }
  joint.axis_line = t.line("axis");
}

// Limits and drive: what a URDF's joint may be given too.
void read_drive(const TomlTable& t, JointDescription& joint) {
  const bool slides = joint.type == JointType::prismatic;
  auto position = [&](const char* key) { return slides ? t.number(key) : t.angle(key); };
  for (const auto& [key, value] : {std::pair{"lower", &joint.limits.lower},
                                   {"upper", &joint.limits.upper},
                                   {"velocity", &joint.limits.velocity}})
    if (const auto v = position(key)) *value = *v;
  if (const auto v = t.number("effort")) joint.limits.effort = *v;
  for (const char* key :
       {"effort", "velocity", "upper", "lower"})  // the line of the first of them that is there
    if (t.has(key)) {
      joint.has_limits = true;
      joint.limits_line = t.line(key);
    }
  if (const auto v = t.number("damping")) joint.damping = *v;
  if (const auto v = t.number("friction")) joint.friction = *v;

  const auto ratio = t.number("gear_ratio");
  if (ratio && *ratio == 0) t.refuse("gear_ratio", "gear_ratio is 0");
  if (ratio) joint.gear_ratio = *ratio;
  const auto rotor = t.number("rotor_inertia"), motor = t.number("motor_inertia");
  if (rotor && motor)
    t.refuse(t.at("motor_inertia"), "both rotor_inertia and motor_inertia are given",
             "give rotor_inertia (seen at the joint), or motor_inertia and gear_ratio");
  if (motor && !ratio)
    t.refuse(t.at("motor_inertia"), "motor_inertia is given, but no gear_ratio",
             "give gear_ratio too (1 for a direct drive), or rotor_inertia seen at the joint");
  if (rotor) joint.rotor_inertia = *rotor;
  if (motor) joint.rotor_inertia = *motor * *ratio * *ratio;
}

std::optional<Mimic> read_mimic(const TomlTable& t, const std::string& file,
                                const std::string& owner, bool slides,
                                std::vector<Finding>& remarks) {
  const toml::table* table = t.subtable("mimic");
  if (!table) return {};
  const TomlTable m(*table, file, owner + ": mimic", mimic_fields);
  m.remark_unknown(remarks);
  Mimic mimic;
  if (!m.has("joint")) m.refuse("joint", "it does not say which joint to follow");
  mimic.joint = *m.word("joint");
  mimic.multiplier = m.number("multiplier").value_or(1);
  mimic.offset = (slides ? m.number("offset") : m.angle("offset")).value_or(0);
  return mimic;
}

// "Error while parsing key-value pair: expected X, saw Y" reads "in key-value pair: …".
std::string plain_sentence(std::string_view description) {
  constexpr std::string_view opening = "Error while parsing ";
  if (description.starts_with(opening))
    return "in " + std::string(description.substr(opening.size()));
  std::string sentence(description);
  if (!sentence.empty())
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

// toml++ reads ahead in blocks and cannot say on which line a byte is wrong.
int line_of_bad_utf8(std::string_view text) {
  int line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](size_t k) {
      return static_cast<unsigned char>(k < text.size() ? text[k] : 0);
    };
    if (text[i] == '\n') ++line;
    if (byte(i) < 0x80) continue;
    const int more = byte(i) >= 0xF5   ? -1
                     : byte(i) >= 0xF0 ? 3
                     : byte(i) >= 0xE0 ? 2
                     : byte(i) >= 0xC2 ? 1
                                       : -1;
    for (int k = 1; k <= more; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return line;
    if (more < 0) return line;
    i += more;
  }
  return line;
}

class Reader {
 public:
  Reader(const toml::table& root, const std::string& file)
      : root(root), top(root, file, "", top_fields) {
    robot.file = file;
  }

  Description read(bool floating) {
    top.remark_unknown(robot.remarks);
    joint_tables();
    if (top.has("urdf"))
      read_beside_urdf(floating);
    else
      read_alone(floating);
    robot.name = top.word("name").value_or(robot.name);
    robot.summary = top.word("summary").value_or("");
    if (const auto source = top.words("source"))
      robot.source = fmt::format("{}", fmt::join(*source, "; "));
    if (const auto gravity = top.vector("gravity")) robot.gravity = *gravity;
    std::stable_sort(robot.remarks.begin(), robot.remarks.end(),
                     [](const Finding& a, const Finding& b) { return a.at.line < b.at.line; });
    return robot;
  }

 private:
  const toml::table& root;
  TomlTable top;
  Description robot;
  std::vector<const toml::table*> tables;  // the [[joint]] tables

  void joint_tables() {
    const toml::node* node = root.get("joint");
    if (!node) return;
    const char* right = "write one [[joint]] table per joint, with double brackets";
    if (!node->is_array()) top.refuse(top.at("joint"), "joint is not a list of tables", right);
    for (const toml::node& each : *node->as_array()) {
      if (!each.is_table()) top.refuse(top.at("joint"), "joint is not a list of tables", right);
      tables.push_back(each.as_table());
    }
  }

  TomlTable joint_table(size_t i) const {
    const auto name = (*tables[i])["name"].value<std::string>();
    return {*tables[i], robot.file,
            name ? fmt::format("joint '{}'", *name) : fmt::format("joint {}", i + 1), joint_fields};
  }

  void read_alone(bool floating) {
    if (tables.empty())
      throw Error(Place{robot.file, 0},
                  root.empty() ? "the file is empty" : "the robot has no joints",
                  "write one [[joint]] table per joint (docs/robot-files.md shows how)");
    robot.name = std::filesystem::path(robot.file).stem().string();
    const std::optional<Convention> frames = convention(top);
    const std::string base = top.word("base").value_or("base");
    LinkDescription base_link{base,
                              {},
                              top.has("base_link") ? top.line("base_link")
                              : top.has("base")    ? top.line("base")
                                                   : 0,
                              0};
    if (const toml::table* table = top.subtable("base_link")) {
      const TomlTable t(*table, robot.file, "base_link", inertial_fields());
      t.remark_unknown(robot.remarks);
      base_link.inertia = inertia(t);
      base_link.inertia_line = base_link.inertia ? t.line("mass") : 0;
    }
    robot.links.push_back(base_link);
    for (size_t i = 0; i < tables.size(); ++i) read_joint(joint_table(i), i, frames);
    check_names();
    if (floating) float_root(robot, base);
  }

  void read_joint(const TomlTable& t, size_t i, std::optional<Convention> frames) {
    t.remark_unknown(robot.remarks);
    JointDescription joint;
    LinkDescription link;
    joint.name = t.word("name").value_or(fmt::format("joint{}", i + 1));
    joint.type = joint_type(t);
    joint.parent = t.word("parent").value_or(robot.links.back().name);
    joint.child = link.name = t.word("link").value_or(fmt::format("link{}", i + 1));
    joint.line = link.line = t.line();
    read_frame(t, frames, joint);
    read_drive(t, joint);
    joint.mimic = read_mimic(t, robot.file, fmt::format("joint '{}'", joint.name),
                             joint.type == JointType::prismatic, robot.remarks);
    if (joint.mimic) joint.mimic_line = t.line("mimic");
    link.inertia = inertia(t);
    if (link.inertia) link.inertia_line = t.line("mass");
    robot.joints.push_back(joint);
    robot.links.push_back(link);
  }

  // Names are what holds the file together: each is used once, and every parent is a link.
  void check_names() const {
    std::map<std::string, int> joints, links;
    for (const LinkDescription& link : robot.links) {
      const auto [first, fresh] = links.emplace(link.name, link.line);
      if (fresh) continue;
      const std::string where = first->second > 0 ? fmt::format(" (line {})", first->second) : "";
      throw Error(robot.at(link.line), fmt::format("link '{}' exists already{}", link.name, where),
                  "give each link its own name");
    }
    for (size_t i = 0; i < robot.joints.size(); ++i) {
      const JointDescription& joint = robot.joints[i];
      const auto [first, fresh] = joints.emplace(joint.name, joint.line);
      if (!fresh)
        throw Error(robot.at(joint.line),
                    fmt::format("joint '{}' exists already (line {})", joint.name, first->second),
                    "give each joint its own name");
      if (links.contains(joint.parent)) continue;
      std::vector<std::string> known;
      for (const auto& [name, line] : links) known.push_back(name);
      const std::string meant = nearest(joint.parent, known);
      const TomlTable t = joint_table(i);
      t.refuse(t.at("parent"), fmt::format("parent '{}' is no link of this robot", joint.parent),
               meant.empty() ? "name the base or the link of another joint"
                             : fmt::format("did you mean '{}'?", meant));
    }
  }

  // The robot is the URDF's; the tables add what URDF cannot say.
  void read_beside_urdf(bool floating) {
    for (const char* key : {"convention", "base", "base_link"})
      if (top.has(key))
        top.refuse(
            top.at(key),
            fmt::format("{} does not go with urdf: the URDF says how the robot is built", key),
            "leave it out");
    const std::string file = robot.file;
    const std::filesystem::path path =
        std::filesystem::path(file).parent_path() / *top.word("urdf");
    if (!std::filesystem::is_regular_file(path))
      top.refuse("urdf", fmt::format("there is no URDF file {}", path.string()));
    std::vector<Finding> remarks = std::move(robot.remarks);
    robot = read_urdf(path.string(), floating);
    for (size_t i = 0; i < tables.size(); ++i)
      add_to_urdf(TomlTable(*tables[i], file, fmt::format("joint {}", i + 1), joint_fields),
                  remarks);
    robot.remarks.insert(robot.remarks.end(), remarks.begin(), remarks.end());
  }

  void add_to_urdf(const TomlTable& t, std::vector<Finding>& remarks) {
    t.remark_unknown(remarks);
    if (!t.has("name")) t.refuse("name", "the table does not name its joint");
    const std::string name = *t.word("name");
    const auto joint = std::find_if(robot.joints.begin(), robot.joints.end(),
                                    [&](const JointDescription& j) { return j.name == name; });
    if (joint == robot.joints.end()) {
      std::vector<std::string> known;
      for (const JointDescription& j : robot.joints) known.push_back(j.name);
      const std::string meant = nearest(name, known);
      t.refuse(
          t.at("name"), fmt::format("{} has no joint '{}'", robot.file, name),
          meant.empty() ? "name a joint of the URDF" : fmt::format("did you mean '{}'?", meant));
    }
    for (const std::span<const char* const> keys :
         {std::span<const char* const>(dh_keys), {frame_keys}, {inertial_keys}, {structure_keys}})
      for (const char* key : keys)
        if (t.has(key))
          t.refuse(t.at(key), fmt::format("{} is the URDF's to say", key),
                   "beside a URDF, a [[joint]] table may give limits, damping, friction, "
                   "rotor_inertia, motor_inertia and gear_ratio");
    // The description's lines are the URDF's, so what these tables get wrong must be said here.
    const int limits_line = joint->limits_line;
    read_drive(t, *joint);
    joint->limits_line = limits_line > 0 ? limits_line : joint->line;
    if (t.has("lower") || t.has("upper"))
      if (joint->limits.lower > joint->limits.upper)
        t.refuse(t.at(t.has("lower") ? "lower" : "upper"),
                 fmt::format("lower limit {} is above upper limit {}", joint->limits.lower,
                             joint->limits.upper),
                 "swap them");
    for (const char* key :
         {"velocity", "effort", "damping", "friction", "rotor_inertia", "motor_inertia"})
      if (t.has(key) && *t.angle(key) < 0) t.refuse(key, fmt::format("{} is negative", key));
  }
};

}  // namespace

Description parse_toml(const std::string& text, const std::string& file, bool floating) {
  toml::table root;
  try {
    root = toml::parse(text, file);
  } catch (const toml::parse_error& e) {
    const bool bytes = e.description().find("utf-8") != std::string_view::npos;
    const int line = bytes ? line_of_bad_utf8(text) : static_cast<int>(e.source().begin.line);
    throw Error(Place{file, line}, "this is not TOML: " + plain_sentence(e.description()),
                bytes ? "save the file as UTF-8" : "");
  }
  return Reader(root, file).read(floating);
}

Description read_toml(const std::string& path, bool floating) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    throw Error(
        Place{path, 0}, "this is a directory",
        "give a robot file, such as " + (std::filesystem::path(path) / "robot.toml").string());
  if (!std::filesystem::exists(path, none))
    throw Error(Place{path, 0}, "there is no such file", "check the path");
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in)
    throw Error(Place{path, 0}, fmt::format("the file cannot be read ({})", std::strerror(errno)),
                "check its permissions");
  return parse_toml(text, path, floating);
}

}  // namespace parid
