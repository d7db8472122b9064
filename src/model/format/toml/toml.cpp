#include "model/format/toml/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "base/text/spelling.hpp"
#include "model/floating.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/toml/toml_document.hpp"
#include "model/format/toml/toml_joint.hpp"
#include "model/format/toml/toml_motor.hpp"
#include "model/format/toml/toml_table.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/lint/finding.hpp"
#include "model/names.hpp"

namespace parid::model {
namespace {

constexpr Field top_fields[] = {
    {"name", "the robot's name", "\"my arm\""},
    {"summary", "a one-line description of the robot", "\"a six-joint arm\""},
    {"source", "the source of the figures, one string or several", "\"measured by us, May 2024\""},
    {"gravity", "three numbers in m/s²", "[0, 0, -9.81]"},
    {"convention", "\"modified\" (Craig), \"standard\" or \"frames\"", "\"modified\""},
    {"base", "the name of the base link", "\"base\""},
    {"base_link", "the properties of the base link", "{mass = 10}"},
    {"urdf", "the name of a URDF file, relative to this one", "\"arm.urdf\""},
    {"tip", "the name of the link that is the tip", "\"link6\""},
    {"joint", "one [[joint]] table per joint", "[{name = \"shoulder\"}]"},
};

class Reader {
 public:
  Reader(const toml::table& root, const std::string& file)
      : root(root), top(root, file, "", top_fields) {
    robot.file = file;
  }

  Description read(bool floating) {
    require_short(root, "name", "the robot");
    require_short(root, "base", "the base");
    top.remark_unknown(robot.remarks);
    joint_tables();
    if (top.has("urdf"))
      read_beside_urdf(floating);
    else
      read_alone(floating);
    robot.name = top.word("name").value_or(robot.name);
    robot.tip = top.word("tip").value_or(robot.tip);
    require_tip();
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

  void require_tip() const {
    if (robot.tip.empty()) return;
    std::vector<std::string> known;
    for (const LinkDescription& link : robot.links) {
      if (link.name == robot.tip) return;
      known.push_back(link.name);
    }
    top.refuse(top.at("tip"), fmt::format("tip '{}' is not a link of this robot", robot.tip),
               did_you_mean(robot.tip, known) + "name a link that a joint moves");
  }

  void joint_tables() {
    const toml::node* node = root.get("joint");
    if (!node) return;
    const char* right = "write one [[joint]] table per joint, with double brackets";
    if (!node->is_array()) top.refuse(top.at("joint"), "joint is not a list of tables", right);
    for (const toml::node& each : *node->as_array()) {
      if (!each.is_table()) top.refuse(top.at("joint"), "joint is not a list of tables", right);
      tables.push_back(each.as_table());
      require_short(*tables.back(), "name", "a joint");
      require_short(*tables.back(), "link", "a link");
    }
    require_few(robot.file, tables.size(), tables.size() + 1);
  }

  void require_short(const toml::table& table, const char* key, const char* whose) const {
    if (const auto* name = table[key].as_string())
      require_short_name(name->get(), whose, robot.at(static_cast<int>(name->source().begin.line)));
  }

  TomlTable joint_table(size_t i) const {
    const auto name = (*tables[i])["name"].value<std::string>();
    return {*tables[i], robot.file,
            name ? fmt::format("joint '{}'", *name) : fmt::format("joint {}", i + 1),
            joint_fields()};
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
    if (floating) float_root(robot);
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
    read_rotor(t, robot.file, fmt::format("joint '{}'", joint.name), joint, robot.remarks);
    read_friction(t, robot.file, fmt::format("joint '{}'", joint.name), joint, robot.remarks);
    read_motor(t, robot.file, fmt::format("joint '{}'", joint.name), joint, robot.remarks);
    joint.mimic = read_mimic(t, robot.file, fmt::format("joint '{}'", joint.name),
                             joint.type == JointType::prismatic, robot.remarks);
    if (joint.mimic) joint.mimic_line = t.line("mimic");
    link.inertia = inertia(t);
    if (link.inertia) link.inertia_line = t.line("mass");
    robot.joints.push_back(joint);
    robot.links.push_back(link);
  }

  // Names connect the parts of the file: each is unique, and every parent is a link.
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
      t.refuse(t.at("parent"), fmt::format("parent '{}' is not a link of this robot", joint.parent),
               meant.empty() ? "name the base or the link of another joint"
                             : fmt::format("did you mean '{}'?", meant));
    }
  }

  // The URDF file defines the robot; the tables add what URDF cannot express.
  void read_beside_urdf(bool floating) {
    for (const char* key : {"convention", "base", "base_link"})
      if (top.has(key))
        top.refuse(top.at(key),
                   fmt::format(
                       "{} cannot be combined with urdf: the URDF file defines the structure", key),
                   "remove it");
    const std::string file = robot.file;
    const std::filesystem::path path =
        std::filesystem::path(file).parent_path() / *top.word("urdf");
    if (std::error_code none; !std::filesystem::is_regular_file(path, none))
      top.refuse("urdf", fmt::format("the URDF file {} does not exist", path.string()));
    std::vector<Finding> remarks = std::move(robot.remarks);
    robot = read_urdf(path.string(), floating);
    std::unordered_map<std::string, JointDescription*> by_name;
    for (JointDescription& j : robot.joints) by_name.emplace(j.name, &j);
    for (size_t i = 0; i < tables.size(); ++i)
      add_to_urdf(TomlTable(*tables[i], file, fmt::format("joint {}", i + 1), joint_fields()), file,
                  by_name, remarks);
    for (Finding& f : remarks) remark(robot.remarks, std::move(f));
  }

  void add_to_urdf(const TomlTable& t, const std::string& file,
                   const std::unordered_map<std::string, JointDescription*>& by_name,
                   std::vector<Finding>& remarks) {
    t.remark_unknown(remarks);
    if (!t.has("name")) t.refuse("name", "the table does not name a joint");
    const std::string name = *t.word("name");
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      std::vector<std::string> known;
      for (const JointDescription& j : robot.joints) known.push_back(j.name);
      const std::string meant = nearest(name, known);
      t.refuse(
          t.at("name"), fmt::format("{} has no joint '{}'", robot.file, name),
          meant.empty() ? "name a joint of the URDF" : fmt::format("did you mean '{}'?", meant));
    }
    JointDescription* const joint = found->second;
    for (const char* key : {"type", "parent", "link", "mimic", "a", "alpha", "d", "theta", "xyz",
                            "rpy", "rotation", "axis", "mass", "com", "inertia", "inertia_about"})
      if (t.has(key))
        t.refuse(t.at(key), fmt::format("{} cannot be set here: the URDF file defines it", key),
                 "with a URDF file, a [[joint]] table may set limits, damping, friction, bearings, "
                 "drive, elastic, rotor, rotor_inertia, motor_inertia, gear_ratio and motor");
    // The description's lines are the URDF's, so errors in these tables must be reported here.
    const int limits_line = joint->limits_line;
    read_drive(t, *joint);
    read_rotor(t, file, fmt::format("joint '{}'", name), *joint, remarks);
    joint->limits_line = limits_line > 0 ? limits_line : joint->line;
    read_friction(t, file, fmt::format("joint '{}'", name), *joint, remarks);
    read_motor(t, file, fmt::format("joint '{}'", name), *joint, remarks);
    joint->motor_line = joint->elastic_line = 0;
    if (t.has("lower") || t.has("upper"))
      if (joint->limits.lower > joint->limits.upper)
        t.refuse(t.at(t.has("lower") ? "lower" : "upper"),
                 fmt::format("lower limit {} is above upper limit {}", joint->limits.lower,
                             joint->limits.upper),
                 "swap them");
    for (const char* key : {"velocity", "effort", "damping", "friction", "smoothing",
                            "rotor_inertia", "motor_inertia"})
      if (t.has(key) && *t.angle(key) < 0) t.refuse(key, fmt::format("{} is negative", key));
  }
};

}  // namespace

Description parse_toml(const std::string& text, const std::string& file, bool floating) {
  const toml::table root = parsed_toml(text, file);
  Description d = Reader(root, file).read(floating);
  require_printable_names(d);
  return d;
}

Description read_toml(const std::string& path, bool floating) {
  return parse_toml(toml_text(path, "a robot file such as", "robot.toml"), path, floating);
}

}  // namespace parid::model
