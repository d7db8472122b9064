#include "model/format/mjcf/mjcf_writer.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/characters.hpp"
#include "model/format/without_tips.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "model/joint/rotor.hpp"

namespace parid::model::mjcf {
namespace {

using V = Vec3<double>;
using P = Pose<double>;

constexpr int deepest = 90;  // nested bodies: XML readers accept a hundred levels

std::string escaped(const std::string& text) {
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
    else
      out += c;
  return out;
}

std::string number(double x) { return fmt::format("{}", x == 0 ? 0.0 : x); }  // no -0
std::string numbers(const V& v) {
  return fmt::format("{} {} {}", number(v.x), number(v.y), number(v.z));
}
std::string numbers(const std::vector<double>& all) {
  std::string out;
  for (const double x : all) out += (out.empty() ? "" : " ") + number(x);
  return out;
}

std::string quaternion(const Mat3<double>& R) {
  Eigen::Matrix3d matrix;
  matrix << R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z;
  const Eigen::Quaterniond q(matrix);
  return numbers({q.w(), q.x(), q.y(), q.z()});
}

bool is_identity(const Mat3<double>& R) {
  const Mat3<double> D = R - Mat3<double>::identity();
  return norm(D.r0) == 0 && norm(D.r1) == 0 && norm(D.r2) == 0;
}

std::string placed(const P& at) {
  std::string out;
  if (norm(at.p) != 0) out += fmt::format(" pos=\"{}\"", numbers(at.p));
  if (!is_identity(at.R)) out += fmt::format(" quat=\"{}\"", quaternion(at.R));
  return out;
}

bool has_range(const JointDescription& j) {
  return std::isfinite(j.limits.lower) || std::isfinite(j.limits.upper);
}
bool has_axis(JointType t) {
  return t == JointType::revolute || t == JointType::continuous || t == JointType::prismatic;
}
// Its numbers depend on the axes in which they are given.
bool has_own_axes(JointType t) {
  return t == JointType::spherical || t == JointType::floating || t == JointType::planar;
}

class Writer {
 public:
  explicit Writer(const Description& d) : d_(d) {
    for (const FrameDescription& f : d.frames) frames_.emplace(f.link, &f);
    for (std::size_t k = 0; k < d.joints.size(); ++k)
      joint_.emplace(d.joints[k].name, static_cast<int>(k));
    for (std::size_t k = 0; k < d.links.size(); ++k)
      link_.emplace(d.links[k].name, static_cast<int>(k));
    children_.resize(d.links.size());
    std::vector<bool> is_child(d.links.size());
    for (std::size_t k = 0; k < d.joints.size(); ++k) {
      const auto parent = link_.find(d.joints[k].parent), child = link_.find(d.joints[k].child);
      if (parent == link_.end() || child == link_.end() || is_child[child->second])
        refuse_structure();
      children_[parent->second].push_back(static_cast<int>(k));
      is_child[child->second] = true;
    }
    root_ = static_cast<int>(std::find(is_child.begin(), is_child.end(), false) - is_child.begin());
    require_tree();
  }

  MjcfText write(const std::vector<std::string>& comments) {
    for (const std::string& line : comments) comment(line);
    tag(0, "<mujoco model=\"{}\">", escaped(d_.name));
    tag(1, "<compiler angle=\"radian\" autolimits=\"true\"/>");
    tag(1, "<option gravity=\"{}\"/>", numbers(d_.gravity));
    tag(1, "<worldbody>");
    const LinkDescription& root = d_.links[root_];
    const bool is_world = root.name == "world";  // it never moves: its mass has no effect
    if (!is_world) {
      tag(2, "<body name=\"{}\">", escaped(root.name));
      inertial(root, 3);
    }
    sites(root.name, is_world ? 2 : 3);
    for (const int j : children_[root_])
      if (is_world || d_.joints[j].type != JointType::floating) body(j, is_world ? 2 : 3, 1);
    if (!is_world) tag(2, "</body>");
    for (const int j : children_[root_])
      if (!is_world && d_.joints[j].type == JointType::floating) body(j, 2, 1);
    tag(1, "</worldbody>");
    couplings();
    actuators();
    keyframes();
    tag(0, "</mujoco>");
    notes();
    return {std::move(out_), std::move(notes_)};
  }

 private:
  [[noreturn]] void refuse_structure() const {
    throw Error({d_.file, 0}, "the links do not form one tree, which MJCF needs",
                "`check()` lists what is wrong");
  }
  [[noreturn]] void refuse_depth() const {
    throw Error(
        {d_.file, 0},
        fmt::format("the robot has more than {} links in a row, and no reader of MJCF takes "
                    "as many",
                    deepest),
        "write URDF or TOML");
  }
  // Every link is reached from the root, in few enough steps to recurse.
  void require_tree() const {
    if (d_.links.empty() || link_.size() != d_.links.size()) refuse_structure();
    std::vector<int> level{root_};
    std::size_t reached = 0;
    for (int depth = 0; !level.empty(); ++depth) {
      if (depth > 7 * deepest) refuse_depth();
      reached += level.size();
      std::vector<int> below;
      for (const int link : level)
        for (const int j : children_[link]) below.push_back(link_.at(d_.joints[j].child));
      level = std::move(below);
    }
    if (reached != d_.links.size()) refuse_structure();
  }

  template <class... Values>
  void tag(int depth, fmt::format_string<Values...> text, Values&&... values) {
    out_.append(2 * static_cast<std::size_t>(depth), ' ');
    fmt::format_to(std::back_inserter(out_), text, std::forward<Values>(values)...);
    out_ += "\n";
  }
  void comment(const std::string& line) {
    out_ += "<!-- ";
    for (const char c : line) {
      if (c == '-' && out_.back() == '-') out_ += ' ';  // two of them would end it
      out_ += is_control(c) ? ' ' : c;
    }
    out_ += " -->\n";
  }

  void inertial(const LinkDescription& l, int depth) {
    if (!l.inertia) return;
    const auto& [mass, com, I] = *l.inertia;
    const bool diagonal = I.xy == 0 && I.xz == 0 && I.yz == 0;
    tag(depth, "<inertial mass=\"{}\" pos=\"{}\" {}=\"{}\"/>", number(mass), numbers(com),
        diagonal ? "diaginertia" : "fullinertia",
        diagonal ? numbers(V{I.xx, I.yy, I.zz})
                 : numbers(std::vector<double>{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}));
  }

  void sites(const std::string& link, int depth) {
    const auto [first, last] = frames_.equal_range(link);
    for (auto f = first; f != last; ++f)
      tag(depth, "<site name=\"{}\"{}/>", escaped(f->second->name), placed(f->second->pose));
  }

  // Joints from this one to the next link that needs its own body.
  std::vector<int> chain(int j) const {
    std::vector<int> joints{j};
    if (d_.joints[j].type == JointType::fixed) return joints;
    for (;;) {
      const int link = link_.at(d_.joints[joints.back()].child);
      const LinkDescription& l = d_.links[link];
      const bool bare = (!l.inertia || (l.inertia->mass == 0 && norm_of(l) == 0)) &&
                        children_[link].size() == 1 && !frames_.contains(l.name);
      if (!bare) return joints;
      const JointDescription &next = d_.joints[children_[link][0]],
                             &last = d_.joints[joints.back()];
      // Quaternions keep their meaning only in the body's own axes.
      const bool fits =
          has_axis(next.type) || (next.type == JointType::spherical && is_identity(next.tip.R));
      if (!fits || !has_axis(last.type) || joints.size() == 6) return joints;
      joints.push_back(children_[link][0]);
    }
  }
  static double norm_of(const LinkDescription& l) {
    const Sym3<double>& I = l.inertia->about_com;
    return std::abs(I.xx) + std::abs(I.yy) + std::abs(I.zz) + std::abs(I.xy) + std::abs(I.xz) +
           std::abs(I.yz);
  }
  void body(int first, int depth, int level) {
    if (level > deepest) refuse_depth();
    const std::vector<int> joints = chain(first);
    P at;  // of the body in its parent, at the joints' zero
    for (const int j : joints) at = at * d_.joints[j].origin * d_.joints[j].tip;
    const LinkDescription& link = d_.links[link_.at(d_.joints[joints.back()].child)];
    const bool moves = d_.joints[first].type != JointType::fixed;
    tag(depth, "<body name=\"{}\"{}>", escaped(link.name),
        d_.joints[first].type == JointType::floating ? "" : placed(at));
    P frame;
    for (const int j : joints) {
      frame = frame * d_.joints[j].origin;
      joint(d_.joints[j], inverse(at) * frame, depth + 1);
      frame = frame * d_.joints[j].tip;
    }
    inertial(link, depth + 1);
    if (moves && (!link.inertia || link.inertia->mass == 0)) massless_.push_back(link.name);
    sites(link.name, depth + 1);
    for (const int j : children_[link_.at(link.name)]) {
      if (d_.joints[j].type == JointType::floating)
        throw Error(d_.at(d_.joints[j].line),
                    fmt::format("joint '{}' floats below another joint, and MJCF has free joints "
                                "at the root only",
                                d_.joints[j].name),
                    "write URDF or TOML");
      body(j, depth + 1, level + 1);
    }
    tag(depth, "</body>");
  }

  // `at`: the joint's frame in the body's.
  void joint(const JointDescription& j, const P& at, int depth) {
    const auto one = [&](const std::string& name, const char* type, const V& axis) {
      std::string text = fmt::format("<joint name=\"{}\" type=\"{}\"", escaped(name), type);
      if (norm(at.p) != 0 && std::string_view(type) != "slide")
        text += fmt::format(" pos=\"{}\"", numbers(at.p));
      if (std::string_view(type) != "ball")
        text += fmt::format(" axis=\"{}\"", numbers(at.R * axis));
      if (has_range(j) && j.type != JointType::planar) {
        const auto end = [](double x) { return std::isfinite(x) ? x : std::copysign(1e10, x); };
        text += fmt::format(" range=\"{} {}\"", number(end(j.limits.lower)),
                            number(end(j.limits.upper)));
      }
      if (j.rotor_inertia != 0) text += fmt::format(" armature=\"{}\"", number(j.rotor_inertia));
      if (j.damping != 0) text += fmt::format(" damping=\"{}\"", number(j.damping));
      if (j.friction != 0) text += fmt::format(" frictionloss=\"{}\"", number(j.friction));
      tag(depth, "{}/>", text);
    };
    switch (j.type) {
      case JointType::fixed: return;
      case JointType::revolute:
      case JointType::continuous: one(j.name, "hinge", j.axis); break;
      case JointType::prismatic: one(j.name, "slide", j.axis); break;
      case JointType::spherical: one(j.name, "ball", {}); break;
      case JointType::planar: {
        const Mat3<double> axes = plane_axes(unit(j.axis));
        one(j.name + ".x", "slide", axes.column(0));
        one(j.name + ".y", "slide", axes.column(1));
        one(j.name + ".theta", "hinge", axes.column(2));
        planar_.push_back(j.name);
        break;
      }
      case JointType::floating:
        if (norm(j.origin.p) != 0 || !is_identity(j.origin.R))
          throw Error(d_.at(j.line),
                      fmt::format("joint '{}' floats about a displaced origin, and free joints of "
                                  "MJCF have the world's coordinates",
                                  j.name),
                      "remove the joint's origin, or write URDF or TOML");
        tag(depth, "<freejoint name=\"{}\"/>", escaped(j.name));
    }
    if (std::isfinite(j.limits.velocity)) velocity_.push_back(j.name);
    if (j.smoothing != 0 || j.stribeck || j.journal || j.linear || j.thrust || j.drive)
      friction_.push_back(j.name);
    if (j.motor || std::isfinite(j.continuous_effort)) motor_.push_back(j.name);
    if (j.elastic) elastic_.push_back(j.name);
  }
  static V unit(const V& v) { return (1 / norm(v)) * v; }

  void couplings() {
    bool open = false;
    for (const JointDescription& j : d_.joints) {
      if (!j.mimic) continue;
      if (!open) tag(1, "<equality>");
      open = true;
      const Mimic& m = *j.mimic;
      constexpr std::size_t most = 3;  // powers beyond the first
      if (m.four_bar || m.higher.size() > most)
        throw Error(
            d_.at(j.mimic_line ? j.mimic_line : j.line),
            fmt::format("joint '{}' mimics joint '{}' by {}, and MJCF has polynomials of "
                        "degree 4 at most",
                        j.name, m.joint,
                        m.four_bar ? "a four-bar linkage" : "a polynomial of higher degree"),
            "write TOML, or lock the joint");
      std::vector<double> c = m.higher;
      c.resize(most, 0.0);
      tag(2, "<joint joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} {} {} {}\"/>", escaped(j.name),
          escaped(m.joint), number(m.offset), number(m.multiplier), number(c[0]), number(c[1]),
          number(c[2]));
    }
    if (open) tag(1, "</equality>");
  }

  void actuators() {
    bool open = false;
    for (const JointDescription& j : d_.joints) {
      const bool limited = std::isfinite(j.limits.effort) && j.limits.effort != 0;
      if (!has_axis(j.type) || (!limited && j.gear_ratio == 1)) continue;
      if (!open) tag(1, "<actuator>");
      open = true;
      std::string text = fmt::format("<motor name=\"{0}\" joint=\"{0}\"", escaped(j.name));
      if (j.gear_ratio != 1) text += fmt::format(" gear=\"{}\"", number(j.gear_ratio));
      if (limited) {
        const double force = j.limits.effort / std::abs(j.gear_ratio);
        text += fmt::format(" ctrlrange=\"{} {}\"", number(-force), number(force));
      }
      tag(2, "{}/>", text);
    }
    if (open) tag(1, "</actuator>");
  }

  // Coordinates in MuJoCo's order: bodies depth first, as they were written.
  void order(int link, std::vector<int>& joints) const {
    std::vector<int> below = children_[link];
    if (link == root_ && d_.links[root_].name != "world")
      std::stable_partition(below.begin(), below.end(),
                            [&](int j) { return d_.joints[j].type != JointType::floating; });
    for (const int j : below) {
      if (d_.joints[j].type != JointType::fixed) joints.push_back(j);
      order(link_.at(d_.joints[j].child), joints);
    }
  }

  void keyframes() {
    std::vector<int> joints;
    order(root_, joints);
    if (!std::is_sorted(joints.begin(), joints.end()))
      notes_.push_back("the order of coordinates changes: in MJCF it is that of the bodies");
    if (d_.poses.empty()) return;
    tag(1, "<keyframe>");
    for (const NamedPose& pose : d_.poses) {
      std::map<std::string, std::vector<double>> given;
      for (const auto& [name, q] : pose.joints) given.emplace(name, q);
      std::vector<double> all;
      for (const int j : joints) append(d_.joints[j], given, all);
      tag(2, "<key name=\"{}\" qpos=\"{}\"/>", escaped(pose.name), numbers(all));
    }
    tag(1, "</keyframe>");
  }
  void append(const JointDescription& j, const std::map<std::string, std::vector<double>>& given,
              std::vector<double>& all) const {
    const std::vector<double> q = position(j, given, 0);
    const std::size_t turn = j.type == JointType::floating    ? 3
                             : j.type == JointType::spherical ? 0
                                                              : q.size();
    all.insert(all.end(), q.begin(), q.begin() + static_cast<long>(turn));
    if (turn < q.size())
      for (const std::size_t k : {3, 0, 1, 2}) all.push_back(q[turn + k]);  // w first
  }
  std::vector<double> position(const JointDescription& j,
                               const std::map<std::string, std::vector<double>>& given,
                               int depth) const {
    constexpr int longest = 100;  // mimics of mimics
    if (const auto leader = j.mimic ? joint_.find(j.mimic->joint) : joint_.end();
        leader != joint_.end() && depth < longest) {
      const auto q = position(d_.joints[leader->second], given, depth + 1);
      if (q.size() == 1) return {Coupling{{step_of(*j.mimic)}}(q[0]).value};
    }
    const std::size_t n = static_cast<std::size_t>(position_count(j.type));
    if (const auto at = given.find(j.name); at != given.end() && at->second.size() == n)
      return at->second;
    std::vector<double> q(n, 0.0);
    if (n == 1)
      q[0] = std::clamp(0.0, j.limits.lower, std::max(j.limits.lower, j.limits.upper));
    else if (j.type != JointType::planar)
      q.back() = 1;
    return q;
  }

  void note(const std::vector<std::string>& names, const std::string& what) {
    if (names.empty()) return;
    std::string some;
    for (std::size_t k = 0; k < names.size() && k < 4; ++k)
      some += fmt::format("{}'{}'", k ? ", " : "", names[k]);
    if (names.size() > 4) some += fmt::format(" and {} more", names.size() - 4);
    notes_.push_back(fmt::format("{}: {}", some, what));
  }
  void notes() {
    note(planar_, "planar joints are written as two slides and a hinge");
    note(velocity_, "MJCF has no velocity limits; they are left out");
    note(motor_, "MJCF has no ratings of motors and no continuous efforts; they are left out");
    note(elastic_, "MJCF has no elastic transmissions; they are left out");
    note(friction_, "MJCF has no Stribeck friction, bearings or drives; they are left out");
    note(massless_, "MuJoCo refuses moving bodies without mass");
  }

  const Description& d_;
  std::map<std::string, int> link_, joint_;
  std::multimap<std::string, const FrameDescription*> frames_;  // by link
  std::vector<std::vector<int>> children_;                      // joints, by link
  int root_ = 0;
  std::string out_;
  std::vector<std::string> notes_, planar_, velocity_, friction_, motor_, elastic_, massless_;
};

}  // namespace
}  // namespace parid::model::mjcf

namespace parid::model {

MjcfText to_mjcf(const Description& given, const std::vector<std::string>& comments) {
  Description d = given;
  if (const std::vector<std::string> spinning = reflect_rotors(d); !spinning.empty()) {
    MjcfText text = to_mjcf(d, comments);
    text.notes.push_back(fmt::format(
        "rotors spin on links at {} joint{}, beginning with '{}': armature is their reflected "
        "inertia alone",
        spinning.size(), spinning.size() == 1 ? "" : "s", spinning[0]));
    return text;
  }
  const bool turned = std::any_of(d.joints.begin(), d.joints.end(), [](const JointDescription& j) {
    return mjcf::has_own_axes(j.type) && !mjcf::is_identity(j.tip.R);
  });
  if (!turned) return mjcf::Writer(d).write(comments);
  const Description moved = without_tips(d);
  MjcfText text = mjcf::Writer(moved).write(comments);
  text.notes.push_back(
      "link frames are moved to their joints: poses, wrenches and centres of mass are "
      "given in other frames than before; torques are the same");
  return text;
}

}  // namespace parid::model
