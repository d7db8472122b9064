#include "model/format/urdf/urdf_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "base/text/characters.hpp"
#include "model/format/without_tips.hpp"
#include "model/frame.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/rotor.hpp"

namespace parid::model {
namespace {

std::string escaped(const std::string& text) {
  if (!text.empty() && text.find_first_not_of(" \t") == std::string::npos)
    throw Error(
        fmt::format("cannot write the name '{}' to URDF: readers treat a blank name as missing; "
                    "rename it, or write TOML",
                    text));
  for (const char* call : {"${", "$("})
    if (text.find(call) != std::string::npos)
      throw Error(fmt::format(
          "cannot write the name '{}' to URDF: xacro interprets '{}'; rename it, or write TOML",
          text, call));
  std::string out;
  for (const char c : text)
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("&#{};", static_cast<int>(c));
    else
      out += c;
  return out;
}
std::string number(double x) { return fmt::format("{}", x == 0 ? 0.0 : x); }  // no -0
std::string numbers(const Vec3<double>& v) {
  return fmt::format("{} {} {}", number(v.x), number(v.y), number(v.z));
}

// The motor's own inertia, in the fewest digits that reproduce the joint's.
std::string motor_inertia(const JointDescription& j) {
  const double ratio = j.gear_ratio, motor = j.rotor_inertia / (ratio * ratio);
  for (int digits = 1; digits <= 17; ++digits) {
    std::string text = fmt::format("{:.{}g}", motor, digits);
    if (std::strtod(text.c_str(), nullptr) * ratio * ratio == j.rotor_inertia) return text;
  }
  return number(motor);
}

bool turns(const JointDescription& j) {
  return j.type == JointType::revolute || j.type == JointType::continuous;
}
bool has_range(const JointDescription& j) {
  return std::isfinite(j.limits.lower) || std::isfinite(j.limits.upper);
}
// In URDF a revolute joint without limits is continuous, and no other is.
const char* word_of(const JointDescription& j) {
  if (turns(j)) return has_range(j) ? "revolute" : "continuous";
  return name_of(j.type);
}

class UrdfWriter {
 public:
  UrdfText write(const Description& d, const std::vector<std::string>& comments) {
    file = d.file;
    out += "<?xml version=\"1.0\"?>\n";
    for (const std::string& line : comments) comment(line);
    out +=
        fmt::format("<robot name=\"{}\" xmlns:drake=\"http://drake.mit.edu\">\n", escaped(d.name));
    for (const LinkDescription& l : d.links) link(l);
    for (const JointDescription& j : d.joints) joint(j);
    for (const JointDescription& j : d.joints)
      if (j.rotor_inertia != 0 || j.gear_ratio != 1) transmission(j);
    out += "</robot>\n";
    note(spherical,
         "spherical, a type that URDF does not have; Parid reads the file, other programs may not");
    note(half_open,
         "limited on one side only; the other limit is written as inf, which other programs may "
         "refuse");
    note(open,
         "missing the lower, upper, velocity or effort limits that URDF requires: Parid reads the "
         "file, other programs may refuse it; add the limits to the robot file");
    return {std::move(out), std::move(notes)};
  }

 private:
  std::string out, file;
  std::vector<std::string> notes, spherical, half_open, open;

  void note(const std::vector<std::string>& joints, const char* what) {
    if (joints.empty()) return;
    std::string names;
    for (std::size_t k = 0; k < joints.size() && k < 4; ++k)
      names += fmt::format("{}'{}'", k ? ", " : "", joints[k]);
    if (joints.size() > 4) names += fmt::format(" and {} more", joints.size() - 4);
    notes.push_back(fmt::format("joint{0} {1} {2} {3}", joints.size() > 1 ? "s" : "", names,
                                joints.size() > 1 ? "are" : "is", what));
  }

  void comment(const std::string& line) {
    out += "<!-- ";
    for (const char c : line) {
      if (c == '-' && out.back() == '-') out += ' ';  // two of them would end it
      out += is_control(c) ? ' ' : c;                 // XML cannot represent most of these
    }
    out += " -->\n";
  }
  template <class... Values>
  void tag(int depth, fmt::format_string<Values...> text, Values&&... values) {
    out.append(2 * static_cast<std::size_t>(depth), ' ');
    fmt::format_to(std::back_inserter(out), text, std::forward<Values>(values)...);
    out += "\n";
  }

  void link(const LinkDescription& l) {
    if (!l.inertia) return tag(1, "<link name=\"{}\"/>", escaped(l.name));
    const auto& [mass, com, I] = *l.inertia;
    tag(1, "<link name=\"{}\">", escaped(l.name));
    tag(2, "<inertial>");
    if (norm(com) != 0) tag(3, "<origin xyz=\"{}\" rpy=\"0 0 0\"/>", numbers(com));
    tag(3, "<mass value=\"{}\"/>", number(mass));
    tag(3, "<inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/>",
        number(I.xx), number(I.xy), number(I.xz), number(I.yy), number(I.yz), number(I.zz));
    tag(2, "</inertial>");
    tag(1, "</link>");
  }

  void joint(const JointDescription& j) {
    if (j.type == JointType::spherical) spherical.push_back(j.name);
    tag(1, "<joint name=\"{}\" type=\"{}\">", escaped(j.name), word_of(j));
    tag(2, "<parent link=\"{}\"/>", escaped(j.parent));
    tag(2, "<child link=\"{}\"/>", escaped(j.child));
    const Vec3<double> rpy = rpy_of(j.origin.R);
    if (norm(j.origin.p) != 0 || norm(rpy) != 0)
      tag(2, "<origin xyz=\"{}\" rpy=\"{}\"/>", numbers(j.origin.p), numbers(rpy));
    if (turns(j) || j.type == JointType::prismatic || j.type == JointType::planar)
      tag(2, "<axis xyz=\"{}\"/>", numbers(j.axis));
    limits(j);
    if (j.damping != 0 || j.friction != 0)
      tag(2, "<dynamics damping=\"{}\" friction=\"{}\"/>", number(j.damping), number(j.friction));
    if (j.mimic && !j.mimic->linear())
      throw Error(
          {file, j.mimic_line ? j.mimic_line : j.line},
          fmt::format("joint '{}' mimics joint '{}' by a {}, and <mimic> of URDF is linear", j.name,
                      j.mimic->joint, j.mimic->four_bar ? "four-bar linkage" : "polynomial"),
          "write TOML, or MJCF for a polynomial of degree 4 at most");
    if (j.mimic)
      tag(2, "<mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>", escaped(j.mimic->joint),
          number(j.mimic->multiplier), number(j.mimic->offset));
    tag(1, "</joint>");
  }

  void limits(const JointDescription& j) {
    const Limits& l = j.limits;
    std::string said;
    auto put = [&](const char* name, double x) {
      said += fmt::format(" {}=\"{}\"", name, number(x));
    };
    if (has_range(j)) {
      put("lower", l.lower);
      put("upper", l.upper);
    }
    if (std::isfinite(l.effort)) put("effort", l.effort);
    if (std::isfinite(l.velocity)) put("velocity", l.velocity);
    if (!said.empty()) tag(2, "<limit{}/>", said);
    if (has_range(j) && !(std::isfinite(l.lower) && std::isfinite(l.upper)))
      half_open.push_back(j.name);
    const bool some = !said.empty(), all = std::isfinite(l.effort) && std::isfinite(l.velocity);
    const bool slides = j.type == JointType::prismatic;
    if ((some && !all) || (slides && !(has_range(j) && all))) open.push_back(j.name);
  }

  void transmission(const JointDescription& j) {
    tag(1, "<transmission name=\"{} transmission\">", escaped(j.name));
    tag(2, "<type>transmission_interface/SimpleTransmission</type>");
    tag(2, "<joint name=\"{}\"/>", escaped(j.name));
    tag(2, "<actuator name=\"{} motor\">", escaped(j.name));
    tag(3, "<mechanicalReduction>{}</mechanicalReduction>", number(j.gear_ratio));
    if (j.rotor_inertia != 0) {
      tag(3, "<drake:rotor_inertia value=\"{}\"/>", motor_inertia(j));
      tag(3, "<drake:gear_ratio value=\"{}\"/>", number(j.gear_ratio));
    }
    tag(2, "</actuator>");
    tag(1, "</transmission>");
  }
};

}  // namespace

UrdfText to_urdf(const Description& given, const std::vector<std::string>& comments) {
  Description d = given;
  if (const std::vector<std::string> spinning = reflect_rotors(d); !spinning.empty()) {
    UrdfText urdf = to_urdf(d, comments);
    urdf.notes.push_back(fmt::format(
        "rotors spin on links at {} joint{}, beginning with '{}': URDF has their reflected inertia "
        "alone, the TOML file beside it has the rest",
        spinning.size(), spinning.size() == 1 ? "" : "s", spinning[0]));
    return urdf;
  }
  if (!has_tips(d)) return UrdfWriter().write(d, comments);
  UrdfText urdf = UrdfWriter().write(without_tips(d), comments);
  urdf.notes.push_back(
      "link frames are placed at the joints that move the links, not at the links' distal ends: "
      "poses, wrenches and centres of mass refer to these frames; torques are the same");
  return urdf;
}

}  // namespace parid::model
