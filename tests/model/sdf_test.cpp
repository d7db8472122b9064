#include "model/format/sdf/sdf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "model/format/urdf/urdf.hpp"
#include "model/frame.hpp"
#include "model/lint/check.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/robot.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;

std::string model(const std::string& body, const std::string& version = "1.9") {
  return fmt::format("<sdf version=\"{}\">\n<model name=\"m\">\n{}\n</model></sdf>\n", version,
                     body);
}
Description parse(const std::string& body, const std::string& version = "1.9",
                  const LoadOptions& options = {}) {
  return parse_sdf(model(body, version), "m.sdf", options);
}
std::string message_of(const std::string& text, const LoadOptions& options = {}) {
  try {
    parse_sdf(text, "m.sdf", options);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}
std::string link(const std::string& name, const std::string& pose = "") {
  return fmt::format(
      "<link name=\"{}\">{}<inertial><pose>0.1 0.02 -0.03 0.2 0.1 0</pose><mass>2</mass><inertia>"
      "<ixx>0.1</ixx><iyy>0.2</iyy><izz>0.15</izz><ixy>0.01</ixy></inertia></inertial></link>\n",
      name, pose);
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& rest = "") {
  return fmt::format(
      "<joint name=\"{}\" type=\"{}\"><parent>{}</parent><child>{}</child>{}</joint>\n", name, type,
      parent, child, rest);
}
const JointDescription& joint_of(const Description& d, const std::string& name) {
  for (const JointDescription& j : d.joints)
    if (j.name == name) return j;
  throw std::out_of_range(name);
}
void expect_near(const Vec3<double>& a, const Vec3<double>& b) {
  EXPECT_NEAR(a.x, b.x, 1e-14);
  EXPECT_NEAR(a.y, b.y, 1e-14);
  EXPECT_NEAR(a.z, b.z, 1e-14);
}
void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << text;
}
std::vector<double> torque(const Description& d, const std::vector<double>& q,
                           const std::vector<double>& qd, const std::vector<double>& qdd) {
  const Robot robot(d);
  Workspace workspace(robot);
  std::vector<double> tau(static_cast<std::size_t>(robot.nv()));
  inverse_dynamics(robot, workspace, q, qd, qdd, tau);
  return tau;
}

// The same arm as URDF and as SDF, with link frames that are not at the joints.
TEST(Sdf, OffsetLinkFramesGiveTheTorquesOfUrdf) {
  const std::string urdf =
      "<robot name=\"m\"><link name=\"base\"/><link name=\"a\"><inertial><origin xyz=\"0.1 0.02 "
      "-0.03\""
      " rpy=\"0.2 0.1 0\"/><mass value=\"2\"/><inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.15\" "
      "ixy=\"0.01\"/></inertial></link>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>"
      "<origin xyz=\"0.3 0.1 0.5\" rpy=\"0.4 -0.2 0.7\"/><axis xyz=\"0 -1 0\"/></joint></robot>";
  const Description right = parse_urdf(urdf, "m.urdf");
  // The link's frame is moved by X from the joint's: the inertia is given in the moved frame.
  const Pose<double> X{rotation_rpy({0.3, 0.1, -0.2}), {0.05, -0.04, 0.02}};
  const Pose<double> joint_in_model{rotation_rpy({0.4, -0.2, 0.7}), {0.3, 0.1, 0.5}};
  const Pose<double> link_in_model = joint_in_model * X;
  const Pose<double> in_link =
      inverse(X) * Pose<double>{rotation_rpy({0.2, 0.1, 0}), {0.1, 0.02, -0.03}};
  const auto text = [](const Pose<double>& A) {
    const Vec3<double> r = rpy_of(A.R);
    return fmt::format("{} {} {} {} {} {}", A.p.x, A.p.y, A.p.z, r.x, r.y, r.z);
  };
  const Description d = parse(fmt::format(
      "<link name=\"base\"/><link name=\"a\"><pose>{}</pose><inertial><pose>{}</pose><mass>2</mass>"
      "<inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.15</izz><ixy>0.01</ixy></inertia></inertial>"
      "</link><joint name=\"w\" type=\"fixed\"><parent>world</parent><child>base</child></joint>"
      "<joint name=\"j\" type=\"revolute\"><parent>base</parent><child>a</child>"
      "<pose relative_to=\"__model__\">{}</pose><axis><xyz>0 -1 0</xyz></axis></joint>",
      text(link_in_model), text(in_link), text(joint_in_model)));
  ASSERT_EQ(Robot(d).nv(), 1);
  for (const double q : {0.0, 0.7, -2.0})
    EXPECT_NEAR(torque(d, {q}, {1.5}, {-0.4})[0], torque(right, {q}, {1.5}, {-0.4})[0], 1e-13);
}

TEST(Sdf, AxesAreInTheFramesThatTheVersionsSay) {
  const std::string links = link("a") + link("b", "<pose>1 0 0 0 0 1.5707963267948966</pose>");
  const auto axis = [&](const std::string& version, const std::string& inside) {
    return parse(links + joint("j", "revolute", "a", "b", "<axis>" + inside + "</axis>"), version)
        .joints[0]
        .axis;
  };
  expect_near(axis("1.4", "<xyz>1 0 0</xyz>"), {0, -1, 0});
  expect_near(axis("1.5", "<xyz>1 0 0</xyz>"), {1, 0, 0});
  expect_near(axis("1.6", "<xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame>"),
              {0, -1, 0});
  expect_near(axis("1.7", "<xyz>1 0 0</xyz>"), {1, 0, 0});
  expect_near(axis("1.7", "<xyz expressed_in=\"__model__\">1 0 0</xyz>"), {0, -1, 0});
  expect_near(axis("1.11", "<xyz expressed_in=\"a\">0 1 0</xyz>"), {1, 0, 0});
  expect_near(axis("1.9", ""), {0, 0, 1});
}

TEST(Sdf, PosesAreRelativeToTheNamedFrames) {
  const Description d =
      parse(link("a", "<pose relative_to=\"f\">1 0 0 0 0 0</pose>") +
            "<frame name=\"f\"><pose degrees=\"true\">0 2 0 0 0 90</pose></frame>"
            "<frame name=\"g\" attached_to=\"b\"><pose>0 0 3 0 0 0</pose></frame>" +
            link("b", "<pose relative_to=\"j\">0 0 1 0 0 0</pose>") +
            joint("j", "revolute", "a", "b",
                  "<pose relative_to=\"a\">0 0.5 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>"));
  const JointDescription& j = joint_of(d, "j");
  expect_near(j.origin.p, {0, 0.5, 0});
  expect_near(j.tip.p, {0, 0, 1});
  // The pose of a is f · (1 0 0): (0, 2, 0) + Rz(90°)(1, 0, 0)
  EXPECT_EQ(d.joints[0].name, "world_to_a");
  expect_near(d.joints[0].origin.p, {0, 3, 0});
  ASSERT_EQ(d.frames.size(), 2u);
  EXPECT_EQ(d.frames[0].name, "f");
  EXPECT_EQ(d.frames[0].link, "a");
  expect_near(d.frames[0].pose.p, {-1, 0, 0});
  EXPECT_EQ(d.frames[1].link, "b");
  expect_near(d.frames[1].pose.p, {0, 0, 3});
  expect_has(
      message_of(model(link("a", "<pose relative_to=\"b\"/>") +
                       link("b", "<pose relative_to=\"a\"/>") + joint("j", "fixed", "a", "b"))),
      "is placed relative to itself");
  expect_has(message_of(model(link("a") + "<frame name=\"f\" attached_to=\"lnk\"/>")),
             "names 'lnk', which is not a link, joint, frame or model here");
}

TEST(Sdf, QuaternionsAndDegrees) {
  const Description d = parse(
      "<pose rotation_format=\"quat_xyzw\">0 0 0 0 0 0.7071067811865476 0.7071067811865476</pose>" +
      link("a"));
  EXPECT_EQ(d.joints[0].parent, "world");
  EXPECT_NEAR(rpy_of(d.joints[0].origin.R).z, pi / 2, 1e-15);
}

TEST(Sdf, NestedModelsAndPlacementFrames) {
  const Description d = parse(
      link("a") +
      "<model name=\"hand\" placement_frame=\"mount\"><pose relative_to=\"a\">0 0 1 0 0 0</pose>" +
      link("palm") + "<frame name=\"mount\"><pose>0 0.25 0 0 0 1.5707963267948966</pose></frame>" +
      link("finger", "<pose>0 1 0 0 0 0</pose>") +
      joint(
          "grip", "prismatic", "palm", "finger",
          "<axis><xyz>1 0 0</xyz><limit><lower>0</lower><upper>0.1</upper><effort>5</effort>"
          "<velocity>-1</velocity></limit><dynamics><damping>0.3</damping><friction>0.2</friction>"
          "</dynamics></axis>") +
      "</model>" + joint("wrist", "continuous", "a", "hand::palm"));
  ASSERT_EQ(d.links.size(), 3u);
  EXPECT_EQ(d.links[1].name, "hand::palm");
  const JointDescription &wrist = joint_of(d, "wrist"), &grip = joint_of(d, "hand::grip");
  // The mount is at (0, 0, 1) of a; the palm is at the mount's inverse from there.
  expect_near(wrist.origin.p, {-0.25, 0, 1});
  EXPECT_NEAR(rpy_of(wrist.origin.R).z, -pi / 2, 1e-15);
  EXPECT_EQ(grip.parent, "hand::palm");
  EXPECT_EQ(grip.limits.upper, 0.1);
  EXPECT_EQ(grip.limits.effort, 5);
  EXPECT_EQ(grip.limits.velocity, Limits::none);
  EXPECT_EQ(grip.damping, 0.3);
  EXPECT_EQ(grip.friction, 0.2);
  EXPECT_EQ(wrist.type, JointType::continuous);
  ASSERT_EQ(d.frames.size(), 1u);
  EXPECT_EQ(d.frames[0].name, "hand::mount");
  EXPECT_EQ(d.frames[0].link, "hand::palm");
}

TEST(Sdf, JointTypesOfSeveralAxes) {
  const Description u =
      parse(link("a") + link("b") +
            joint("j", "universal", "a", "b",
                  "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"));
  ASSERT_EQ(u.joints.size(), 2u);
  EXPECT_EQ(u.joints[0].child, "j_cross");
  EXPECT_EQ(u.joints[1].name, "j_axis2");
  EXPECT_EQ(u.joints[1].child, "b");
  expect_near(u.joints[1].axis, {0, 1, 0});
  const Description ball = parse(link("a") + link("b") + joint("j", "ball", "a", "b"));
  EXPECT_EQ(ball.joints[0].type, JointType::spherical);
  EXPECT_NE(message_of(model(link("a") + link("b") + joint("j", "hinge", "a", "b")))
                .find("unknown type 'hinge'"),
            std::string::npos);
}

// The power of a screw joint: its torque is that of turning plus the pitch times that of sliding.
TEST(Sdf, ScrewsTurnAndSlide) {
  const auto screw = [&](const std::string& pitch) {
    return parse(link("a") + link("b") +
                 joint("j", "screw", "a", "b", "<axis><xyz>0 0 1</xyz></axis>" + pitch));
  };
  const Description d = screw("<screw_thread_pitch>0.5</screw_thread_pitch>");
  EXPECT_NEAR(joint_of(d, "j_slide").mimic->multiplier, 0.5 / (2 * pi), 1e-16);
  EXPECT_NEAR(joint_of(screw("<thread_pitch>-10</thread_pitch>"), "j_slide").mimic->multiplier, 0.1,
              1e-16);
  ASSERT_EQ(Robot(d).nv(), 1);
  // At rest: the weight along z times metres per radian.
  EXPECT_NEAR(torque(d, {0.3}, {0}, {0})[0], 2 * 9.81 * 0.5 / (2 * pi), 1e-12);
}

TEST(Sdf, MimicsAndGearboxes) {
  const std::string two = link("a") + link("b") + link("c") +
                          joint("p", "revolute", "a", "b", "<axis><xyz>0 0 1</xyz></axis>");
  const Description mimic = parse(
      two + joint("q", "revolute", "a", "c",
                  "<axis><xyz>0 0 1</xyz><mimic joint=\"p\"><multiplier>2</multiplier><offset>0.5"
                  "</offset><reference>0.1</reference></mimic></axis>"),
      "1.11");
  EXPECT_EQ(joint_of(mimic, "q").mimic->joint, "p");
  EXPECT_EQ(joint_of(mimic, "q").mimic->multiplier, 2);
  EXPECT_NEAR(joint_of(mimic, "q").mimic->offset, 0.3, 1e-16);
  const std::string gear =
      joint("q", "revolute", "a", "c", "<axis><xyz>0 0 -1</xyz></axis>") +
      joint("g", "gearbox", "b", "c",
            "<gearbox_ratio>3</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body>"
            "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>");
  const Description geared = parse(two + gear);
  // theta_2 = -3 theta_1 about z; joint q turns about -z.
  EXPECT_EQ(joint_of(geared, "q").mimic->multiplier, 3);
  EXPECT_EQ(geared.joints.size(), 2u);
  const Description loose = parse(two + joint("g", "gearbox", "b", "c"));
  EXPECT_EQ(loose.remarks.back().code, "sdf-unsupported");
}

TEST(Sdf, WorldsHaveGravityAndChosenModels) {
  const std::string world =
      "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 -3.7</gravity>"
      "<frame name=\"table\"><pose>0 0 0.7 0 0 0</pose></frame>"
      "<model name=\"ground\"><static>true</static>" +
      link("plate") + "</model><model name=\"arm\"><pose relative_to=\"table\">1 0 0 0 0 0</pose>" +
      link("a") + link("b") + joint("j", "revolute", "a", "b") + "</model></world></sdf>";
  const Description d = parse_sdf(world, "w.sdf", {});
  EXPECT_EQ(d.name, "arm");
  EXPECT_EQ(d.gravity.z, -3.7);
  expect_near(d.joints[0].origin.p, {1, 0, 0.7});
  EXPECT_EQ(parse_sdf(world, "w.sdf", {.arguments = {{"model", "ground"}}}).name, "ground");
  expect_has(message_of(world, {.arguments = {{"model", "amr"}}}), "did you mean 'arm'?");
  expect_has(message_of(world, {.arguments = {{"modle", "arm"}}}), "has no argument 'modle'");
}

TEST(Sdf, FloatingFreesTheRoot) {
  const std::string arm =
      link("a", "<pose>0 0 1 0 0 0</pose>") + link("b") + joint("j", "revolute", "a", "b");
  EXPECT_EQ(Robot(parse(arm)).nv(), 1);
  const Description d = parse(arm, "1.9", {.floating = true});
  EXPECT_EQ(Robot(d).nv(), 7);
  EXPECT_EQ(d.joints[0].type, JointType::floating);
}

TEST(Sdf, DefaultsAndUnknownTagsAreRemarked) {
  const Description d = parse("<link name=\"a\"/>\n<lnik name=\"b\"/>");
  ASSERT_TRUE(d.links[0].inertia);
  EXPECT_EQ(d.links[0].inertia->mass, 1);
  ASSERT_EQ(d.remarks.size(), 2u);
  EXPECT_EQ(d.remarks[0].text(),
            "m.sdf:4: model 'm' has an unknown tag <lnik>; did you mean <link>?");
  EXPECT_EQ(d.remarks[1].code, "sdf-default-inertia");
}

TEST(Sdf, ErrorsHaveLines) {
  expect_has(message_of(model("<link name=\"a\"><inertial><mass>\nheavy</mass></inertial></link>")),
             "m.sdf:3: <mass>heavy</mass> is not numbers");
  expect_has(message_of(model(link("a") + "\n" + joint("j", "revolute", "a", "nowhere"))),
             "names 'nowhere'");
  expect_has(message_of(model(link("a") + link("a"))), "there is a second link a");
  expect_has(message_of("<sdf version=\"2.0\"/>"), "version '2.0'");
  expect_has(message_of("<sdf version=\"1.9\"/>"), "has no <model>");
  expect_has(message_of(model(joint("j", "fixed", "world", "__model__"))), "without links");
}

class SdfFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             (std::string("sdf_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  fs::path folder;
};

TEST_F(SdfFiles, IncludesAreNestedOrMerged) {
  write("models/grip/model.config",
        "<model><sdf version=\"1.5\">old.sdf</sdf><sdf version=\"1.7\">grip.sdf</sdf></model>");
  write("models/grip/grip.sdf",
        "<sdf version=\"1.7\">\n<model name=\"grip\"><pose>9 9 9 0 0 0</pose>\n" +
            link("palm", "<pose>0 0 0.1 0 0 0</pose>") + "</model></sdf>");
  LoadOptions o;
  o.packages["grip"] = (folder / "models/grip").string();
  const std::string file = (folder / "arm.sdf").string();
  const auto arm = [&](const std::string& include) {
    return parse_sdf(model(link("a") + include), file, o);
  };
  const Description d =
      arm("<include><uri>model://grip</uri><name>left</name><pose>0 1 0 0 0 0</pose></include>" +
          joint("j", "revolute", "a", "left::palm"));
  ASSERT_EQ(d.links.size(), 2u);
  EXPECT_EQ(d.links[1].name, "left::palm");
  expect_near(d.joints[0].origin.p, {0, 1, 0.1});
  EXPECT_EQ(d.at(d.links[1].line).text(), (folder / "models/grip/grip.sdf").string() + ":3");
  const Description merged =
      arm("<include merge=\"true\"><uri>models/grip</uri><pose>0 1 0 0 0 0</pose></include>" +
          joint("j", "revolute", "a", "palm"));
  EXPECT_EQ(merged.links[1].name, "palm");
  expect_near(merged.joints[0].origin.p, {0, 1, 0.1});
  const auto message = [&](const std::string& uri) {
    try {
      arm("<include><uri>" + uri + "</uri></include>");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  expect_has(message("https://fuel.example/x"), "is not downloaded");
  expect_has(message("model://nowhere_at_all"), "model 'nowhere_at_all' is not found");
  expect_has(message("../../../etc/passwd"), "arm.sdf:4: ");
}

TEST_F(SdfFiles, EndlessIncludesStop) {
  const std::string file =
      write("loop.sdf", model(link("a") + "<include><uri>loop.sdf</uri></include>"));
  expect_has(
      [&] {
        try {
          Robot::load(file);
        } catch (const Error& e) {
          return std::string(e.what());
        }
        return std::string("no error");
      }(),
      "nested more than");
}

// Drake's models of the zoo load; the numbers of joints are those of Drake.
TEST(Sdf, DrakesModelsLoad) {
  const char* data = std::getenv("PARID_EXTRA_DATA");
  const fs::path zoo = fs::path(data ? data : "") / "zoo/sdf/RobotLocomotion+models";
  if (!data || !fs::exists(zoo))
    GTEST_SKIP() << "PARID_EXTRA_DATA does not name a folder with zoo/sdf";
  const std::pair<const char*, int> robots[] = {
      {"iiwa_description/sdf/iiwa14_no_collision.sdf", 7},
      {"iiwa_description/sdf/iiwa7_no_collision.sdf", 7},
      {"allegro_hand_description/sdf/allegro_hand_description_right.sdf", 16},
      {"wsg_50_description/sdf/schunk_wsg_50.sdf", 2},
  };
  for (const auto& [file, nv] : robots)
    EXPECT_EQ(Robot::load((zoo / file).string()).nv(), nv) << file;
}

}  // namespace
}  // namespace parid::test
