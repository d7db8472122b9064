// SDF files by libsdformat: poses of links, axes, inertias; and torques by KDL of the robot that
// libsdformat reads. Nothing of the expected values comes from Parid's own reader.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sdf/sdf.hh>

#include "model/compose.hpp"
#include "model/format/load.hpp"
#include "model/format/sdf/sdf.hpp"
#include "model/format/size_limit.hpp"
#include "model/frame.hpp"
#include "model/inertia.hpp"
#include "model/lint/check.hpp"
#include "model/lint/finding.hpp"
#include "peers/peer.hpp"
#include "tests/layer.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

Pose<double> pose_from(const ignition::math::Pose3d& p) {
  const ignition::math::Matrix3d R(p.Rot());
  return {{{R(0, 0), R(0, 1), R(0, 2)}, {R(1, 0), R(1, 1), R(1, 2)}, {R(2, 0), R(2, 1), R(2, 2)}},
          {p.X(), p.Y(), p.Z()}};
}
double distance(const Pose<double>& a, const Pose<double>& b) {
  return std::max(difference(a.R, b.R), norm(a.p - b.p));
}

// A model as libsdformat resolves it, in the world, at zero.
struct SdformatLink {
  Pose<double> pose;
  Inertia inertia;  // in the link's frame
};
struct SdformatJoint {
  sdf::JointType type;
  std::string parent, child;
  Vec3<double> origin, axis;  // in the child link's frame
};
struct SdformatModel {
  std::map<std::string, SdformatLink> links;
  std::map<std::string, SdformatJoint> joints;
  bool understood = true;
};

void add_model(const sdf::Model& m, const Pose<double>& at, const std::string& prefix,
               SdformatModel& to) {
  const auto resolved = [&](const sdf::SemanticPose& pose, const std::string& in) {
    ignition::math::Pose3d p;
    if (!pose.Resolve(p, in).empty()) to.understood = false;
    return p;
  };
  for (std::uint64_t k = 0; k < m.LinkCount(); ++k) {
    const sdf::Link& l = *m.LinkByIndex(k);
    const auto& given = l.Inertial();
    const auto moi = given.Moi();  // about the centre of mass, along the link's axes
    const auto c = given.Pose().Pos();
    to.links[prefix + l.Name()] = {
        at * pose_from(resolved(l.SemanticPose(), "__model__")),
        {given.MassMatrix().Mass(),
         {c.X(), c.Y(), c.Z()},
         {moi(0, 0), moi(1, 1), moi(2, 2), moi(0, 1), moi(0, 2), moi(1, 2)}}};
  }
  for (std::uint64_t k = 0; k < m.JointCount(); ++k) {
    const sdf::Joint& j = *m.JointByIndex(k);
    std::string parent, child;
    if (!j.ResolveParentLink(parent).empty() || !j.ResolveChildLink(child).empty() ||
        child == "world") {
      to.understood = false;
      continue;
    }
    SdformatJoint out{
        j.Type(), parent == "world" ? parent : prefix + parent, prefix + child, {}, {}};
    const auto p = resolved(j.SemanticPose(), child).Pos();
    out.origin = {p.X(), p.Y(), p.Z()};
    if (const sdf::JointAxis* axis = j.Axis(0)) {
      ignition::math::Vector3d xyz;
      if (!axis->ResolveXyz(xyz, child).empty()) to.understood = false;
      xyz.Normalize();
      out.axis = {xyz.X(), xyz.Y(), xyz.Z()};
    }
    to.joints[prefix + j.Name()] = out;
  }
  for (std::uint64_t k = 0; k < m.ModelCount(); ++k) {
    const sdf::Model& inner = *m.ModelByIndex(k);
    add_model(inner, at * pose_from(resolved(inner.SemanticPose(), "__model__")),
              prefix + inner.Name() + "::", to);
  }
}

// Of the file's only model; none: libsdformat refuses the file, or it holds several.
std::optional<SdformatModel> by_sdformat(const std::string& text) {
  sdf::Console::Instance()->SetQuiet(true);
  sdf::Root root;
  if (!root.LoadSdfString(text).empty()) return {};
  SdformatModel out;
  if (const sdf::Model* m = root.Model()) {
    add_model(*m, pose_from(m->RawPose()), "", out);
  } else {
    if (root.WorldCount() != 1 || root.WorldByIndex(0)->ModelCount() != 1) return {};
    const sdf::Model* inside = root.WorldByIndex(0)->ModelByIndex(0);
    ignition::math::Pose3d p;
    if (!inside->SemanticPose().Resolve(p).empty()) return {};
    add_model(*inside, pose_from(p), "", out);
  }
  if (!out.understood || out.links.empty()) return {};
  return out;
}

// The pose of each link of a description at zero, in its root.
std::map<std::string, Pose<double>> zero_poses(const Description& d) {
  std::map<std::string, Pose<double>> poses;
  std::map<std::string, const JointDescription*> above;
  for (const JointDescription& j : d.joints) above[j.child] = &j;
  for (const LinkDescription& l : d.links) {
    Pose<double> pose;
    for (auto j = above.find(l.name); j != above.end(); j = above.find(j->second->parent))
      pose = j->second->origin * j->second->tip * pose;
    poses[l.name] = pose;
  }
  return poses;
}

// The robot that libsdformat reads, with joints of one freedom in the order of ours: each link's
// frame is moved to the origin of the joint that carries it.
std::optional<Description> flattened(const SdformatModel& m, const Description& ours) {
  Description d;
  d.name = "sdformat";
  d.file = "sdformat";
  d.gravity = ours.gravity;
  std::map<std::string, Pose<double>> frames{{"world", {}}};
  std::map<std::string, bool> carried;
  for (const auto& [name, l] : m.links) frames[name] = l.pose;
  for (const auto& [name, j] : m.joints) {
    if (!frames.count(j.child) || !frames.count(j.parent)) return {};
    if (carried[j.child]) return {};
    carried[j.child] = true;
    frames[j.child].p = m.links.at(j.child).pose * j.origin;
  }
  d.links.push_back({.name = "world", .inertia = {}});
  for (const auto& [name, l] : m.links) {
    const Pose<double> moved_by = inverse(frames[name]) * l.pose;
    d.links.push_back({.name = name, .inertia = moved(moved_by, l.inertia)});
    if (carried[name]) continue;
    JointDescription fixed;
    fixed.name = "world_to_" + name;
    fixed.parent = "world";
    fixed.child = name;
    fixed.origin = frames[name];
    d.joints.push_back(fixed);
  }
  const auto add = [&](const std::string& name, const SdformatJoint& j) {
    JointDescription out;
    out.name = name;
    out.parent = j.parent;
    out.child = j.child;
    out.origin = inverse(frames[j.parent]) * frames[j.child];
    out.axis = j.axis;
    switch (j.type) {
      case sdf::JointType::FIXED: break;
      case sdf::JointType::PRISMATIC: out.type = JointType::prismatic; break;
      case sdf::JointType::REVOLUTE:
      case sdf::JointType::CONTINUOUS: out.type = JointType::revolute; break;
      default: return false;
    }
    d.joints.push_back(out);
    return true;
  };
  for (const JointDescription& j : ours.joints) {
    if (j.mimic) return {};
    const auto found = m.joints.find(j.name);
    if (found != m.joints.end() && !add(j.name, found->second)) return {};
  }
  return d;
}

struct Compared {
  int poses = 0, torques = 0;
};

void compare(const std::string& text, const std::string& name, Compared& counted) {
  const auto theirs = by_sdformat(text);
  if (!theirs) return;
  Description d;
  try {
    d = parse_description(text, name, {.format = RobotFormat::sdf});
  } catch (const Error&) {
    return;  // what Parid refuses is another test's subject
  }
  const std::vector<Finding> findings = check(d);
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return refuses(f); }))
    return;          // several bodies that no joint connects, closed loops
  remove_rotors(d);  // of Drake's tags, which libsdformat does not read
  const auto poses = zero_poses(d);
  for (const auto& [link, expected] : theirs->links) {
    const auto found = poses.find(link);
    ASSERT_NE(found, poses.end()) << name << ": no link " << link;
    EXPECT_LT(distance(found->second, expected.pose), 1e-12) << name << ": " << link;
    ++counted.poses;
  }
  const auto by_kdl = flattened(*theirs, d);
  if (!by_kdl) return;
  std::optional<Robot> robot;
  std::unique_ptr<peers::Peer> kdl;
  try {
    robot.emplace(d);
    kdl = peers::kdl(*by_kdl);
  } catch (const std::exception&) {
    return;  // outside the scope of one of them
  }
  if (robot->nv() == 0) return;
  ASSERT_EQ(static_cast<int>(robot->nv()), kdl->nv()) << name;
  Rng rng(12);
  for (int k = 0; k < 3; ++k) {
    const RandomState s = random_state(rng, robot->description());
    const Torques ours = torques(*robot, s);
    Torques expected(ours.size());
    kdl->inverse_dynamics(s.q.data(), s.v.data(), s.a.data(), expected.data());
    EXPECT_LT(relative_error(ours, expected), 1e-9) << name;
    ++counted.torques;
  }
}

std::string sdf_link(const std::string& name, const std::string& pose = "") {
  return fmt::format(
      R"(<link name="{}">{}<inertial><pose>0.1 0.02 -0.03 0.2 0.1 -0.4</pose><mass>2</mass><inertia>
      <ixx>0.1</ixx><iyy>0.2</iyy><izz>0.15</izz><ixy>0.01</ixy><ixz>-0.02</ixz><iyz>0.005</iyz>
      </inertia></inertial></link>)",
      name, pose);
}
std::string sdf_joint(const std::string& name, const char* type, const std::string& parent,
                      const std::string& child, const std::string& rest) {
  return fmt::format(R"(<joint name="{}" type="{}"><parent>{}</parent><child>{}</child>{}</joint>)",
                     name, type, parent, child, rest);
}
constexpr auto tilted = "<axis><xyz>0.3 -0.5 0.7</xyz></axis>";

// Offset bases, joints away from their links, frames of frames, axes in other frames, old versions.
TEST(SdfBySdformat, OwnModels) {
  const std::string at_a = "<pose>0.1 0.2 0.3 0.4 -0.5 0.6</pose>",
                    at_b = "<pose>-0.3 0.1 0.5 0.2 0.7 -0.1</pose>";
  const std::string shifted = "<pose>0.05 -0.06 0.07 0.1 0.2 0.3</pose>";
  const std::string links = sdf_link("a", at_a) + sdf_link("b", at_b);
  const std::string two = links +
                          sdf_joint("j1", "revolute", "world", "a", shifted + std::string(tilted)) +
                          sdf_joint("j2", "prismatic", "a", "b", shifted + std::string(tilted));
  const std::string in_model =
      "<axis><xyz>0.3 -0.5 0.7</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>";
  const std::string frames =
      R"(<frame name="f"><pose>0.2 0 0 0 0 0.5</pose></frame><frame name="g" attached_to="a">
      <pose relative_to="f">0 0.3 0 0.7 0 0</pose></frame>)" +
      sdf_link("a", R"(<pose relative_to="f">0 0 0.4 0.1 0 0</pose>)") +
      sdf_link("b", R"(<pose relative_to="j">0.1 0.1 0 0 0.3 0</pose>)") +
      R"(<joint name="j" type="continuous"><pose relative_to="g">0.2 0 0 0 0 1</pose><parent>a
      </parent><child>b</child><axis><xyz expressed_in="f">0 1 1</xyz></axis></joint>)";
  const std::string nested = R"(<model name="hand"><pose relative_to="b">0.1 0 0.2 0 1 0</pose>)" +
                             two + "</model>" + links +
                             sdf_joint("j1", "revolute", "a", "b", tilted) +
                             sdf_joint("mount", "fixed", "b", "hand::a", "");
  const std::string nested_free =
      R"(<model name="hand"><pose relative_to="b">0.1 0 0.2 0 1 0</pose>)" + links +
      sdf_joint("j1", "revolute", "a", "b", shifted + tilted) + "</model>" + links +
      sdf_joint("j1", "revolute", "a", "b", tilted) +
      sdf_joint("mount", "fixed", "b", "hand::a", "");
  const struct {
    const char *name, *version;
    std::string body;
  } models[] = {
      {"chain", "1.9", two},
      {"placed", "1.7", "<pose>0.3 -0.2 0.1 0.5 0.4 0.3</pose>" + two},
      {"free root", "1.8",
       "<pose>0.3 -0.2 0.1 0.5 0.4 0.3</pose>" + links +
           sdf_joint("j", "revolute", "a", "b", shifted + std::string(tilted))},
      {"frames", "1.8", frames},
      {"nested", "1.8", nested_free},
      {"nested and fixed twice", "1.8", nested},
      {"axis in the model", "1.5",
       links + sdf_joint("j", "revolute", "a", "b", shifted + in_model)},
      {"1.4", "1.4", links + sdf_joint("j", "revolute", "a", "b", shifted + std::string(tilted))},
      {"tree", "1.6",
       two + sdf_link("c") + sdf_joint("j3", "revolute", "a", "c", std::string(tilted))},
      {"universal", "1.9",
       links + sdf_joint("j", "universal", "a", "b",
                         shifted + std::string(tilted) + "<axis2><xyz>1 0 0</xyz></axis2>")},
  };
  Compared all;
  for (const auto& m : models)
    compare(
        fmt::format("<sdf version=\"{}\"><model name=\"m\">{}</model></sdf>", m.version, m.body),
        m.name, all);
  EXPECT_GE(all.poses, 20);
  EXPECT_GE(all.torques, 18);
}

TEST(SdfBySdformat, ModelsOfOthers) {
  const char* data = std::getenv("PARID_EXTRA_DATA");
  const fs::path zoo = data ? fs::path(data) / "zoo" / "sdf" : fs::path();
  if (!data || !fs::is_directory(zoo))
    GTEST_SKIP() << "PARID_EXTRA_DATA does not name a folder with zoo/sdf";
  Compared all;
  for (const auto& each : fs::recursive_directory_iterator(zoo))
    if (each.path().extension() == ".sdf" || each.path().extension() == ".world") {
      std::string text;
      try {
        text = text_of_file(each.path().string(), "an SDF file");
      } catch (const Error&) {
        continue;
      }
      compare(text, each.path().string(), all);
    }
  RecordProperty("poses", all.poses);
  RecordProperty("torques", all.torques);
  EXPECT_GT(all.poses, 0);
  EXPECT_GT(all.torques, 0);
}

}  // namespace
}  // namespace parid::test
