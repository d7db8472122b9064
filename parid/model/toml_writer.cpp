#include "parid/model/toml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "parid/model/coordinates.hpp"
#include "parid/model/frame.hpp"

namespace parid {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    else
      out += c;
  return out + "\"";
}
std::string number(double x) { return fmt::format("{}", x == 0 ? 0.0 : x); }  // no -0
std::string vector(const Vec3<double>& v) {
  return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z));
}
// Right angles by name: only those are exact when read.
std::string angle(double x) {
  const double quarters = x / (std::numbers::pi / 2), whole = std::round(quarters);
  if (whole == 0 || std::abs(quarters - whole) > 1e-15 * std::abs(whole)) return number(x);
  const int k = static_cast<int>(whole);
  const std::string sign = k < 0 ? "-" : "", size = std::abs(k) == 1   ? "pi/2"
                                                    : std::abs(k) == 2 ? "pi"
                                                    : k % 2 == 0
                                                        ? fmt::format("{}*pi", std::abs(k) / 2)
                                                        : fmt::format("{}*pi/2", std::abs(k));
  return "\"" + sign + size + "\"";
}

double difference(const Mat3<double>& A, const Mat3<double>& B) {
  auto most = [](const Vec3<double>& a, const Vec3<double>& b) {
    return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
  };
  return std::max({most(A.r0, B.r0), most(A.r1, B.r1), most(A.r2, B.r2)});
}
double difference(const Pose<double>& A, const Pose<double>& B) {
  return std::max({difference(A.R, B.R), std::abs(A.p.x - B.p.x), std::abs(A.p.y - B.p.y),
                   std::abs(A.p.z - B.p.z)});
}
bool is_identity(const Pose<double>& A) { return difference(A, Pose<double>{}) == 0; }

// An angle that differs from a right one by rounding is that right one.
double snapped(double x) {
  const double right = std::round(x / (std::numbers::pi / 2)) * (std::numbers::pi / 2);
  return std::abs(x - right) < 1e-14 ? right : x;
}

DenavitHartenberg standard_parameters(const Pose<double>& tip) {
  const Mat3<double>& R = tip.R;
  DenavitHartenberg dh;
  dh.theta = snapped(std::atan2(R.r1.x, R.r0.x));
  dh.alpha = snapped(std::atan2(R.r2.y, R.r2.z));
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

// Links' frames at the joints instead of the far ends.
Description without_tips(Description d) {
  for (JointDescription& j : d.joints) {
    for (LinkDescription& l : d.links)
      if (l.name == j.child && l.inertia) l.inertia = moved(j.tip, *l.inertia);
    for (JointDescription& next : d.joints)
      if (next.parent == j.child) next.origin = j.tip * next.origin;
    j.tip = {};
  }
  return d;
}

class Writer {
 public:
  Writer(const Description& d, const TomlComments& comments) : d(d), comments(comments) {
    standard = std::any_of(d.joints.begin(), d.joints.end(),
                           [](const JointDescription& j) { return !is_identity(j.tip); });
  }

  std::string text() {
    for (const std::string& line : comments.head) comment(line);
    if (!comments.head.empty()) out += "\n";
    put("name", quoted(d.name));
    if (!d.summary.empty()) put("summary", quoted(d.summary));
    if (!d.source.empty()) put("source", quoted(d.source));
    put("gravity", vector(d.gravity));
    put("convention", standard ? "\"standard\"" : "\"frames\"");
    const LinkDescription& root = root_link();
    put("base", quoted(root.name));
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
  bool standard = false;
  std::string out;

  void comment(const std::string& line) { out += line.empty() ? "#\n" : "# " + line + "\n"; }
  void put(const char* key, const std::string& value) {
    out += fmt::format("{} = {}\n", key, value);
  }
  void put(const char* key, double value, double default_value) {
    if (value != default_value) put(key, number(value));
  }

  const LinkDescription& root_link() const {
    for (const LinkDescription& l : d.links)
      if (std::none_of(d.joints.begin(), d.joints.end(),
                       [&](const JointDescription& j) { return j.child == l.name; }))
        return l;
    throw Error({d.file, 0}, "no link stands still: joints lead in a circle",
                "`parid check` says where");
  }

  void body(const Inertia& i) {
    put("mass", number(i.mass));
    put("com", vector(i.com));
    const Sym3<double>& I = i.about_com;
    std::string entries = fmt::format("{}, {}, {}", number(I.xx), number(I.yy), number(I.zz));
    if (I.xy != 0 || I.xz != 0 || I.yz != 0)
      entries += fmt::format(", {}, {}, {}", number(I.xy), number(I.xz), number(I.yz));
    put("inertia", "[" + entries + "]");
  }

  void place(const JointDescription& j) {
    if (standard) {
      const DenavitHartenberg dh = standard_parameters(j.tip);
      put("a", dh.a, 0);
      if (dh.alpha != 0) put("alpha", angle(dh.alpha));
      put("d", dh.d, 0);
      if (dh.theta != 0) put("theta", angle(dh.theta));
      return;
    }
    if (norm(j.origin.p) != 0) put("xyz", vector(j.origin.p));
    if (difference(j.origin.R, Mat3<double>::identity()) != 0) rotation(j.origin.R);
    const bool directed = j.type == JointType::revolute || j.type == JointType::continuous ||
                          j.type == JointType::prismatic || j.type == JointType::planar;
    if (directed) put("axis", vector(j.axis));
  }

  // Roll, pitch and yaw where they give back every bit that counts, else the matrix.
  void rotation(const Mat3<double>& R) {
    const Vec3<double> rpy{snapped(std::atan2(R.r2.y, R.r2.z)),
                           snapped(std::atan2(-R.r2.x, std::hypot(R.r0.x, R.r1.x))),
                           snapped(std::atan2(R.r1.x, R.r0.x))};
    if (difference(rotation_rpy(rpy), R) < 5e-16)
      return put("rpy", fmt::format("[{}, {}, {}]", angle(rpy.x), angle(rpy.y), angle(rpy.z)));
    put("rotation", fmt::format("[{}, {}, {}]", vector(R.r0), vector(R.r1), vector(R.r2)));
  }

  void joint(const JointDescription& j) {
    out += "\n";
    if (const auto lines = comments.joint.find(j.name); lines != comments.joint.end())
      for (const std::string& line : lines->second) comment(line);
    out += "[[joint]]\n";
    put("name", quoted(j.name));
    put("type", quoted(name_of(j.type)));
    put("parent", quoted(j.parent));
    put("link", quoted(j.child));
    place(j);
    for (const LinkDescription& l : d.links)
      if (l.name == j.child && l.inertia) body(*l.inertia);
    put("lower", j.limits.lower, -Limits::none);
    put("upper", j.limits.upper, Limits::none);
    put("velocity", j.limits.velocity, Limits::none);
    put("effort", j.limits.effort, Limits::none);
    put("damping", j.damping, 0);
    put("friction", j.friction, 0);
    put("rotor_inertia", j.rotor_inertia, 0);
    put("gear_ratio", j.gear_ratio, 1);
    if (j.mimic)
      put("mimic",
          fmt::format("{{joint = {}, multiplier = {}, offset = {}}}", quoted(j.mimic->joint),
                      number(j.mimic->multiplier), number(j.mimic->offset)));
  }
};

}  // namespace

std::string to_toml(const Description& d, const TomlComments& comments) {
  const bool tips = std::any_of(d.joints.begin(), d.joints.end(),
                                [](const JointDescription& j) { return !is_identity(j.tip); });
  if (!tips || std::all_of(d.joints.begin(), d.joints.end(), is_standard))
    return Writer(d, comments).text();
  const Description plain = without_tips(d);
  return Writer(plain, comments).text();
}

}  // namespace parid
