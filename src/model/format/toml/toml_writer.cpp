#include "model/format/toml/toml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "model/format/toml/toml_friction_writer.hpp"
#include "model/format/toml/toml_motor.hpp"
#include "model/format/toml/toml_value.hpp"
#include "model/format/without_tips.hpp"
#include "model/frame.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::model {
namespace {

double difference(const Pose<double>& A, const Pose<double>& B) {
  return std::max({model::difference(A.R, B.R), std::abs(A.p.x - B.p.x), std::abs(A.p.y - B.p.y),
                   std::abs(A.p.z - B.p.z)});
}

DenavitHartenberg standard_parameters(const Pose<double>& tip) {
  const Mat3<double>& R = tip.R;
  DenavitHartenberg dh;
  dh.theta = to_right_angle(std::atan2(R.r1.x, R.r0.x));
  dh.alpha = to_right_angle(std::atan2(R.r2.y, R.r2.z));
  const SinCos<double> turn = exact_sin_cos(dh.theta);
  dh.a = turn.cos * tip.p.x + turn.sin * tip.p.y;
  dh.d = tip.p.z;
  return dh;
}
bool is_standard(const JointDescription& j) {
  const bool along_z = j.axis.x == 0 && j.axis.y == 0 && j.axis.z > 0;
  return is_identity(j.origin) && along_z &&
         difference(standard_pose(standard_parameters(j.tip)), j.tip) < 1e-14;
}

std::string rotor_text(const Rotor& r) {
  return fmt::format("{{inertia = {}, ratio = {}, link = {}, axis = {}, included = {}}}",
                     toml_number(r.inertia), toml_number(r.ratio), toml_quoted(r.link),
                     toml_vector(r.axis), r.included);
}

class TomlWriter {
 public:
  TomlWriter(const Description& d, const TomlComments& comments) : d(d), comments(comments) {
    standard = has_tips(d);
    for (const LinkDescription& l : d.links) link[l.name] = &l;
  }

  std::string text() {
    for (const std::string& line : comments.head) comment(line);
    if (!comments.head.empty()) out += "\n";
    put("name", toml_quoted(d.name));
    if (!d.summary.empty()) put("summary", toml_quoted(d.summary));
    if (!d.source.empty()) put("source", toml_quoted(d.source));
    put("gravity", toml_vector(d.gravity));
    if (!d.tip.empty()) put("tip", toml_quoted(d.tip));
    put("convention", standard ? "\"standard\"" : "\"frames\"");
    const LinkDescription& root = root_link();
    put("base", toml_quoted(root.name));
    if (root.inertia) {
      out += "\n[base_link]\n";
      body(*root.inertia);
    }
    for (const JointDescription& j : d.joints) joint(j);
    return out;
  }

 private:
  const Description& d;
  const TomlComments& comments;
  std::map<std::string, const LinkDescription*> link;
  bool standard = false;
  std::string out;

  void comment(const std::string& line) { out += line.empty() ? "#\n" : "# " + line + "\n"; }
  void put(const char* key, const std::string& value) {
    out += fmt::format("{} = {}\n", key, value);
  }
  void put(const char* key, double value, double default_value) {
    if (value != default_value) put(key, toml_number(value));
  }

  const LinkDescription& root_link() const {
    std::set<std::string> carried;
    for (const JointDescription& j : d.joints) carried.insert(j.child);
    for (const LinkDescription& l : d.links)
      if (!carried.contains(l.name)) return l;
    throw Error({d.file, 0}, "the robot has no root link: its joints form a cycle",
                "`check()` lists what is wrong");
  }

  void body(const Inertia& i) {
    put("mass", toml_number(i.mass));
    put("com", toml_vector(i.com));
    const Sym3<double>& I = i.about_com;
    std::string entries =
        fmt::format("{}, {}, {}", toml_number(I.xx), toml_number(I.yy), toml_number(I.zz));
    if (I.xy != 0 || I.xz != 0 || I.yz != 0)
      entries +=
          fmt::format(", {}, {}, {}", toml_number(I.xy), toml_number(I.xz), toml_number(I.yz));
    put("inertia", "[" + entries + "]");
  }

  void place(const JointDescription& j) {
    if (standard) {
      const DenavitHartenberg dh = standard_parameters(j.tip);
      put("a", dh.a, 0);
      if (dh.alpha != 0) put("alpha", toml_angle(dh.alpha));
      put("d", dh.d, 0);
      if (dh.theta != 0) put("theta", toml_angle(dh.theta));
      return;
    }
    if (norm(j.origin.p) != 0) put("xyz", toml_vector(j.origin.p));
    if (model::difference(j.origin.R, Mat3<double>::identity()) != 0) rotation(j.origin.R);
    const bool directed = j.type == JointType::revolute || j.type == JointType::continuous ||
                          j.type == JointType::prismatic || j.type == JointType::planar;
    if (directed) put("axis", toml_vector(j.axis));
  }

  // Roll, pitch and yaw if they reproduce the matrix to rounding, else the matrix.
  void rotation(const Mat3<double>& R) {
    const Vec3<double> rpy = rpy_of(R);
    if (model::difference(rotation_rpy(rpy), R) < 5e-16)
      return put("rpy", fmt::format("[{}, {}, {}]", toml_angle(rpy.x), toml_angle(rpy.y),
                                    toml_angle(rpy.z)));
    put("rotation",
        fmt::format("[{}, {}, {}]", toml_vector(R.r0), toml_vector(R.r1), toml_vector(R.r2)));
  }

  void joint(const JointDescription& j) {
    out += "\n";
    if (const auto lines = comments.joint.find(j.name); lines != comments.joint.end())
      for (const std::string& line : lines->second) comment(line);
    out += "[[joint]]\n";
    put("name", toml_quoted(j.name));
    put("type", toml_quoted(name_of(j.type)));
    put("parent", toml_quoted(j.parent));
    put("link", toml_quoted(j.child));
    place(j);
    if (const auto l = link.find(j.child); l != link.end() && l->second->inertia)
      body(*l->second->inertia);
    put("lower", j.limits.lower, -Limits::none);
    put("upper", j.limits.upper, Limits::none);
    put("velocity", j.limits.velocity, Limits::none);
    put("effort", j.limits.effort, Limits::none);
    put("damping", j.damping, 0);
    put("friction", j.friction, 0);
    for (const auto& [key, value] : friction_keys(j)) put(key.c_str(), value);
    put("rotor_inertia", j.rotor_inertia, 0);
    put("gear_ratio", j.gear_ratio, 1);
    for (const auto& [key, value] : motor_keys(j)) put(key.c_str(), value);
    if (j.rotor) put("rotor", rotor_text(*j.rotor));
    if (j.mimic) put("mimic", mimic(*j.mimic));
  }

  static std::string mimic(const Mimic& m) {
    std::string text = fmt::format("{{joint = {}", toml_quoted(m.joint));
    if (m.higher.empty()) {
      text += fmt::format(", multiplier = {}, offset = {}", toml_number(m.multiplier),
                          toml_number(m.offset));
    } else {
      text +=
          fmt::format(", polynomial = [{}, {}", toml_number(m.offset), toml_number(m.multiplier));
      for (const double c : m.higher) text += ", " + toml_number(c);
      text += "]";
    }
    if (m.four_bar) {
      const FourBar& f = *m.four_bar;
      text += fmt::format(
          ", four_bar = {{ground = {}, input = {}, coupler = {}, output = {}, angle = {}, "
          "crossed = {}}}",
          toml_number(f.ground), toml_number(f.input), toml_number(f.coupler),
          toml_number(f.output), toml_number(f.angle), f.crossed);
    }
    return text + "}";
  }
};

}  // namespace

std::string to_toml(const Description& d, const TomlComments& comments) {
  if (d.joints.empty())
    throw Error({d.file, 0}, "the robot has no joints; a TOML file needs at least one",
                "add a joint, for example a fixed one, or write URDF");
  if (!has_tips(d) || std::all_of(d.joints.begin(), d.joints.end(), is_standard))
    return TomlWriter(d, comments).text();
  const Description plain = without_tips(d);
  return TomlWriter(plain, comments).text();
}

std::string to_toml_beside(const Description& d, const std::string& urdf,
                           const TomlComments& comments) {
  std::string head, joints;
  for (const std::string& line : comments.head) head += "# " + line + "\n";
  if (!head.empty()) head += "\n";
  auto put = [](std::string& out, const std::string& key, const std::string& value) {
    out += fmt::format("{} = {}\n", key, value);
  };
  put(head, "urdf", toml_quoted(urdf));
  if (!d.summary.empty()) put(head, "summary", toml_quoted(d.summary));
  if (!d.source.empty()) put(head, "source", toml_quoted(d.source));
  const Vec3<double> usual = Description{}.gravity;
  const bool other_gravity = norm(d.gravity - usual) != 0;
  if (other_gravity) put(head, "gravity", toml_vector(d.gravity));
  const Description at_joints = without_tips(d);  // as the URDF is written
  for (const JointDescription& j : at_joints.joints) {
    auto keys = friction_keys(j);
    if (j.rotor) keys.emplace_back("rotor", rotor_text(*j.rotor));
    for (auto& key : motor_keys(j)) keys.push_back(std::move(key));
    if (keys.empty()) continue;
    joints += "\n[[joint]]\n";
    put(joints, "name", toml_quoted(j.name));
    for (const auto& [key, value] : keys) put(joints, key, value);
  }
  return other_gravity || !joints.empty() ? head + joints : "";
}

}  // namespace parid::model
