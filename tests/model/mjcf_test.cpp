// The reader of MJCF: the interpretation of each part of a model, and messages for mistakes.

#include "model/format/mjcf/mjcf.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "model/format/load.hpp"
#include "model/format/mjcf/mjcf_writer.hpp"
#include "model/lint/check.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

constexpr auto solid = R"(<inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.01 0.01"/>)";

Description model(const std::string& body, const std::string& rest = "") {
  return parse_mjcf("<mujoco model=\"m\"><compiler angle=\"radian\"/>\n" + rest +
                        "\n<worldbody>\n<body name=\"a\">" + body + "</body></worldbody></mujoco>",
                    "m.xml");
}
std::string refusal(const std::string& text) {
  try {
    parse_mjcf(text, "m.xml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
const JointDescription& joint(const Description& d, const std::string& name) {
  for (const JointDescription& j : d.joints)
    if (j.name == name) return j;
  throw std::out_of_range(name);
}
std::string remarks(const Description& d) {
  std::string all;
  for (const Finding& f : d.remarks) all += f.text() + "\n";
  return all;
}

TEST(Mjcf, LinksJointsAndNames) {
  const Description d = model(
      std::string("<joint name=\"one\" axis=\"0 0 2\" range=\"-1 2\"/><joint type=\"slide\"/>") +
      solid + "<body>" + solid + "</body>");
  ASSERT_EQ(d.links.size(), 4u);
  EXPECT_EQ(d.links[0].name, "world");
  EXPECT_EQ(d.links[1].name, "a.one");
  EXPECT_TRUE(d.links[1].joins_only);
  EXPECT_EQ(d.links[2].name, "a");
  EXPECT_EQ(d.links[3].name, "body2");
  ASSERT_EQ(d.joints.size(), 3u);
  EXPECT_EQ(d.joints[0].type, JointType::revolute);
  EXPECT_EQ(d.joints[0].axis.z, 1);
  EXPECT_EQ(d.joints[0].limits.lower, -1);
  EXPECT_EQ(d.joints[1].name, "a_joint");
  EXPECT_EQ(d.joints[1].type, JointType::prismatic);
  EXPECT_EQ(d.joints[2].name, "body2_fixed");
  EXPECT_EQ(d.joints[2].type, JointType::fixed);
  EXPECT_TRUE(check(d).empty()) << check(d)[0].text();
}

TEST(Mjcf, DegreesAreTheDefault) {
  const Description d = parse_mjcf(
      "<mujoco><worldbody><body><joint name=\"j\" range=\"-90 180\" limited=\"true\"/></body>"
      "</worldbody></mujoco>",
      "m.xml");
  EXPECT_EQ(joint(d, "j").limits.lower, -std::numbers::pi / 2);
  EXPECT_EQ(joint(d, "j").limits.upper, std::numbers::pi);
  EXPECT_EQ(d.name, "m");  // of the file
}

TEST(Mjcf, LimitsHoldWhereTheyAreSaidToHold) {
  const auto lower = [](const std::string& attributes, const std::string& compiler) {
    return joint(model("<joint name=\"j\" " + attributes + "/>", compiler), "j").limits.lower;
  };
  const double none = -Limits::none;
  EXPECT_EQ(lower("range=\"-1 1\"", ""), -1);
  EXPECT_EQ(lower("range=\"-1 1\" limited=\"false\"", ""), none);
  EXPECT_EQ(lower("range=\"-1 1\"", "<compiler autolimits=\"false\"/>"), none);
  EXPECT_EQ(lower("range=\"-1 1\" limited=\"true\"", "<compiler autolimits=\"false\"/>"), -1);
  EXPECT_EQ(lower("range=\"-1e10 1\"", ""), none);
}

TEST(Mjcf, EffortAndGear) {
  const auto read = [](const std::string& actuators, const std::string& attributes = "") {
    return joint(model("<joint name=\"j\" " + attributes + "/>",
                       "<default><default class=\"servo\"><position kp=\"3\"/></default></default>"
                       "<actuator>" +
                           actuators + "</actuator>"),
                 "j");
  };
  EXPECT_EQ(read("<motor joint=\"j\" ctrlrange=\"-2 3\" gear=\"-10\"/>").limits.effort, 30);
  EXPECT_EQ(read("<motor joint=\"j\" gear=\"-10\"/>").gear_ratio, -10);
  EXPECT_EQ(read("<motor joint=\"j\"/>").limits.effort, Limits::none);
  EXPECT_EQ(read("<position joint=\"j\" ctrlrange=\"-2 2\"/>").limits.effort, Limits::none);
  EXPECT_EQ(read("<position joint=\"j\" forcerange=\"-7 7\"/>").limits.effort, 7);
  EXPECT_EQ(read("<general joint=\"j\" gainprm=\"5\" ctrlrange=\"-2 2\"/>").limits.effort, 10);
  EXPECT_EQ(read("<general joint=\"j\" class=\"servo\" ctrlrange=\"-2 2\"/>").limits.effort,
            Limits::none);
  EXPECT_EQ(read("<motor joint=\"j\" forcerange=\"-7 7\"/><motor joint=\"j\" forcerange=\"-1 1\"/>")
                .limits.effort,
            8);
  EXPECT_EQ(
      read("<motor joint=\"j\" forcerange=\"-7 7\"/>", "actuatorfrcrange=\"-4 4\"").limits.effort,
      4);
}

TEST(Mjcf, CouplingsAreMimics) {
  const std::string joints = std::string(
                                 "<joint name=\"p\"/><joint name=\"q\" ref=\"0.5\"/>"
                                 "<joint name=\"r\"/>") +
                             solid;
  const Description d = model(joints,
                              "<equality><joint joint1=\"q\" joint2=\"p\" polycoef=\"1 2 0 0 0\"/>"
                              "<joint joint1=\"r\" joint2=\"q\"/></equality>");
  ASSERT_TRUE(joint(d, "q").mimic && joint(d, "r").mimic);
  EXPECT_EQ(joint(d, "q").mimic->multiplier, 2);
  EXPECT_EQ(joint(d, "q").mimic->offset, 1.5);
  EXPECT_EQ(joint(d, "r").mimic->offset, -0.5);
  for (const auto& [text, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {"<joint joint1=\"q\"/>", "hold a joint"},
           {"<joint joint1=\"q\" joint2=\"p\"/><joint joint1=\"p\" joint2=\"q\"/>", "overlap"},
           {"<connect body1=\"a\" anchor=\"0 0 0\"/>", "closed loops"}}) {
    const std::string said =
        remarks(model(joints, std::string("<equality>") + text + "</equality>"));
    EXPECT_NE(said.find(why), said.npos) << said;
    EXPECT_EQ(said.find("m.xml:2: "), 0u) << said;
  }
}

TEST(Mjcf, SitesAreFramesAndKeyframesPoses) {
  const Description d = parse_mjcf(
      R"(<mujoco><worldbody><site name="origin" pos="1 0 0"/>
      <body name="a" pos="0 0 2"><freejoint name="root"/><site name="a" pos="0 0 1"/><site/>
        <body name="b"><joint name="j" ref="90"/></body></body></worldbody>
      <keyframe><key name="home" qpos="1 2 3 2 0 0 0 0.5"/><key name="short" qpos="1 2"/></keyframe>
      </mujoco>)",
      "m.xml");
  ASSERT_EQ(d.frames.size(), 2u);
  EXPECT_EQ(d.frames[0].link, "world");
  EXPECT_EQ(d.frames[1].name, "a_site");  // `a` is a link
  EXPECT_EQ(d.frames[1].pose.p.z, 1);
  ASSERT_EQ(d.poses.size(), 2u);
  EXPECT_EQ(d.poses[0].name, "qpos0");
  EXPECT_EQ(d.poses[0].joints[0].q, (std::vector<double>{0, 0, 2, 0, 0, 0, 1}));
  EXPECT_EQ(d.poses[0].joints[1].q[0], std::numbers::pi / 2);
  EXPECT_EQ(d.poses[1].name, "home");
  EXPECT_EQ(d.poses[1].joints[0].q, (std::vector<double>{1, 2, 3, 0, 0, 0, 1}));
  EXPECT_EQ(d.remarks.back().code, "unused-pose");
}

// The formula for a tetrahedron at the origin with edges along the axes.
TEST(Mjcf, InertiaOfAMesh) {
  const char* rules[] = {"", "inertia=\"exact\""};
  for (const char* rule : rules) {
    const Description d = model(
        "<joint/><geom type=\"mesh\" mesh=\"t\" density=\"6\"/>",
        std::string("<asset><mesh name=\"t\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" scale=\"2 1 1\" "
                    "face=\"0 2 1 0 1 3 0 3 2 1 2 3\" ") +
            rule + "/></asset>");
    const Inertia& i = d.links.back().inertia.value();
    EXPECT_NEAR(i.mass, 2, 1e-14);
    EXPECT_NEAR(i.com.x, 0.5, 1e-14);
    EXPECT_NEAR(i.com.y, 0.25, 1e-14);
    // About the vertex: m/10 (b² + c²), products m/20 a b; less those of the centre of mass.
    EXPECT_NEAR(i.about_com.xx, 2 * (2.0 / 10 - 2.0 / 16), 1e-14);
    EXPECT_NEAR(i.about_com.yy, 2 * (5.0 / 10 - 5.0 / 16), 1e-14);
    EXPECT_NEAR(i.about_com.xy, -2 * (2.0 / 20 - 2.0 / 16), 1e-14);
  }
}

class MjcfFiles : public ::testing::Test {
 protected:
  std::string put(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path("robot/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::string refusal_of(const std::string& path) {
    try {
      load_description(path);
    } catch (const Error& e) {
      const std::string what = e.what();
      return what.substr(std::filesystem::path(path).parent_path().string().size() + 1);
    }
    return "";
  }
  Scratch folder_;
};

TEST_F(MjcfFiles, IncludesAreRelativeToTheMainFile) {
  put("parts/arm.xml", std::string("<mujocoinclude>\n<body name=\"arm\"><joint name=\"j\"/>") +
                           solid + "<include file=\"parts/hand.xml\"/></body></mujocoinclude>");
  put("parts/hand.xml",
      "<mujoco><body name=\"hand\">\n<inertial pos=\"0 0 0\" mass=\"-1\"/></body></mujoco>");
  const std::string main = put(
      "main.xml", "<mujoco><worldbody>\n<include file=\"parts/arm.xml\"/></worldbody></mujoco>");
  const Description d = load_description(main);
  ASSERT_EQ(d.links.size(), 3u);
  EXPECT_EQ(d.links[2].name, "hand");
  const std::vector<Finding> found = check(d);  // with the included file's line
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].at.file.ends_with("parts/hand.xml")) << found[0].at.file;
  EXPECT_EQ(found[0].at.line, 2);
}

TEST_F(MjcfFiles, IncludesThatAreRefused) {
  const auto main = [&](const std::string& name) {
    return refusal_of(put("main.xml", "<mujoco>\n<include file=\"" + name + "\"/></mujoco>"));
  };
  put("again.xml", "<mujoco>\n\n<include file=\"main.xml\"/></mujoco>");
  EXPECT_EQ(main("again.xml"),
            "again.xml:3: the file 'main.xml' is included a second time; MJCF allows each file "
            "once, so that no file includes itself");
  EXPECT_EQ(
      main("none.xml"),
      "main.xml:2: the included file 'none.xml' does not exist; give its path relative to the "
      "main file");
  EXPECT_NE(main("/etc/passwd").find("lies outside the model's directory"), std::string::npos);
  EXPECT_NE(main("../../../x.xml").find("lies outside the model's directory"), std::string::npos);
  put("other.xml", "<robot/>");
  EXPECT_NE(main("other.xml").find("other.xml:1: the root is 'robot'"), std::string::npos);
  EXPECT_NE(refusal("<mujoco><include file=\"a.xml\"/></mujoco>").find("which is not on disk"),
            std::string::npos);
}

TEST_F(MjcfFiles, MeshesAreReadWhereTheyMatter) {
  const auto text = [](const std::string& inertial, const std::string& joint) {
    return "<mujoco><compiler meshdir=\"meshes\"/><asset><mesh "
           "file=\"t.obj\"/></asset><worldbody>\n"
           "<body name=\"b\">" +
           joint + inertial +
           "\n<geom type=\"mesh\" mesh=\"t\"/></body>"
           "</worldbody></mujoco>";
  };
  const std::string hinge = "<joint name=\"j\"/>";
  EXPECT_TRUE(check(load_description(put("given.xml", text(solid, hinge)))).empty());
  const std::vector<Finding> found = check(load_description(put("missing.xml", text("", hinge))));
  const auto missing = std::find_if(found.begin(), found.end(),
                                    [](const Finding& f) { return f.code == "missing-mesh"; });
  ASSERT_NE(missing, found.end());
  EXPECT_EQ(missing->at.line, 3);
  EXPECT_EQ(missing->message,
            "the mass of body 'b' is not known: mesh 't' names the file 'meshes/t.obj', which "
            "does not exist");
  EXPECT_EQ(load_description(put("still.xml", text("", ""))).remarks[0].code, "unknown-mass");
  put("meshes/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Description d = load_description(put("there.xml", text("", hinge)));
  EXPECT_NEAR(d.links.back().inertia.value().mass, 1000.0 / 6, 1e-10);
}

TEST(Mjcf, WhatIsNotRepresentedIsListed) {
  const Description d = model(
      "<joint name=\"j\" stiffness=\"3\"/><joint name=\"b\" type=\"ball\" armature=\"1\"/>"
      "<composite type=\"cable\"/><gem/><geom siz=\"1\" size=\"0.1\"/><camera/>",
      "<tendon><fixed name=\"t\"/></tendon><contact><exclude body1=\"a\" body2=\"a\"/></contact>"
      "<actuator><muscle name=\"m\" joint=\"j\"/><motor tendon=\"t\"/></actuator>"
      "<option viscosity=\"0.1\"/><sensr/>");
  const std::string said = remarks(d);
  for (const char* part :
       {"springs of joints", "armature of ball", "<composite> in a body", "tendons", "contacts",
        "muscles", "actuators of tendons", "surrounding fluid", "did you mean <geom>?",
        "did you mean 'size'?", "did you mean <sensor>?"})
    EXPECT_NE(said.find(part), said.npos) << part << "\n" << said;
  EXPECT_EQ(said.find("camera"), said.npos);
  for (const Finding& f : d.remarks) EXPECT_EQ(f.severity, Finding::Severity::warning) << f.text();
}

TEST(Mjcf, MistakesHavePlaceAndRemedy) {
  const auto body = [](const std::string& inside) {
    return refusal("<mujoco>\n<worldbody>\n<body name=\"a\">\n" + inside +
                   "</body></worldbody></mujoco>");
  };
  EXPECT_EQ(body("<joint name=\"j\" axis=\"0 1\"/>"),
            "m.xml:4: joint 'j' has axis='0 1' with 2 numbers; give 3 numbers");
  EXPECT_EQ(body("<joint name=\"j\" type=\"hing\"/>"),
            "m.xml:4: joint 'j' has type='hing'; give one of free, ball, slide, hinge");
  EXPECT_EQ(body("<joint class=\"x\"/>"),
            "m.xml:4: there is no default class 'x'; define it in <default>");
  EXPECT_EQ(body("<inertial pos=\"0 0 0\"/>"),
            "m.xml:4: body 'a' has an <inertial> without 'mass'; give its mass in kg");
  EXPECT_EQ(body("<freejoint name=\"f\"/><joint/>"),
            "m.xml:4: joint 'f' is free, but its body has other joints too; keep the free joint "
            "alone");
  EXPECT_EQ(
      body("<joint name=\"j\"/><geom name=\"g\" type=\"box\" size=\"1 2\"/>"),
      "m.xml:4: geom 'g' needs 3 numbers in 'size'; give half sizes in metres, or the body an "
      "<inertial>");
  EXPECT_EQ(refusal("<mujoco>\n</mujoco>"),
            "m.xml:1: the model has no <worldbody>; add one with the bodies of the robot");
  EXPECT_EQ(
      refusal(
          "<mujoco><worldbody/><actuator>\n<motor name=\"m\" joint=\"x\"/></actuator></mujoco>"),
      "m.xml:2: actuator 'm' names the joint 'x', which does not exist; name a joint of this "
      "model");
}

TEST(Mjcf, AFreeBodyFloatsAndAnArmCan) {
  const Description free = model(std::string("<freejoint/>") + solid);
  EXPECT_EQ(free.joints[0].type, JointType::floating);
  const std::string arm = std::string("<mujoco><worldbody><body name=\"base\">") + solid +
                          "<body name=\"a\"><joint/>" + solid +
                          "</body></body></worldbody></mujoco>";
  const Description d = parse_mjcf(arm, "m.xml", LoadOptions{.floating = true});
  EXPECT_EQ(d.joints[0].type, JointType::floating);
  EXPECT_EQ(d.joints[0].name, "base");
}

TEST(Mjcf, MocapBodiesAreLeftOut) {
  const Description d = parse_mjcf(
      "<mujoco><worldbody><body name=\"m\" mocap=\"true\"><geom size=\"1\"/></body></worldbody>"
      "</mujoco>",
      "m.xml");
  EXPECT_EQ(d.links.size(), 1u);
  EXPECT_NE(remarks(d).find("mocap bodies"), std::string::npos);
}

TEST(MjcfWriter, KeepsLimitsNamesFramesAndPoses) {
  const Description d = parse_mjcf(
      R"(<mujoco model="a &amp; b"><compiler angle="radian"/><option gravity="0 0 -1.62"/><worldbody>
      <body name="base"><body name="&lt;x&gt;"><joint name="j" range="-1 2" armature="0.1" damping="3"
        frictionloss="0.5"/><joint name="k" type="slide"/>
        <inertial pos="0.1 0 0" mass="1" fullinertia="0.2 0.3 0.4 0.01 0.02 0.03"/>
        <site name="tool" pos="0 0 1" quat="1 1 0 0"/></body></body></worldbody>
      <equality><joint joint1="k" joint2="j" polycoef="0.5 2 0 0 0"/></equality>
      <actuator><motor joint="j" gear="20" ctrlrange="-2 2"/></actuator>
      <keyframe><key name="home" qpos="0.25 1"/></keyframe></mujoco>)",
      "m.xml");
  const MjcfText text = to_mjcf(d);
  EXPECT_TRUE(text.notes.empty()) << text.notes[0];
  const Description again = parse_mjcf(text.text, "again.xml");
  EXPECT_EQ(again.name, "a & b");
  EXPECT_EQ(again.gravity.z, -1.62);
  const JointDescription &a = joint(d, "j"), &b = joint(again, "j");
  EXPECT_EQ(b.limits.lower, -1);
  EXPECT_EQ(b.limits.effort, 40);
  EXPECT_EQ(b.gear_ratio, 20);
  EXPECT_EQ(b.rotor_inertia, a.rotor_inertia);
  EXPECT_EQ(b.damping, 3);
  EXPECT_EQ(b.friction, 0.5);
  EXPECT_EQ(joint(again, "k").mimic->offset, 0.5);
  ASSERT_EQ(again.frames.size(), 1u);
  EXPECT_EQ(again.frames[0].link, "<x>");
  EXPECT_NEAR(again.frames[0].pose.R.r1.z, -1, 1e-15);
  ASSERT_EQ(again.poses.size(), 1u);
  EXPECT_EQ(again.poses[0].joints[0].q[0], 0.25);
  EXPECT_EQ(again.links.back().inertia->about_com.xz, 0.02);
  EXPECT_EQ(to_mjcf(again).text, text.text);
}

TEST(MjcfWriter, RefusesWhatMjcfCannotHold) {
  EXPECT_THROW(to_mjcf(load_description("chain:100")), Error);
  EXPECT_NO_THROW(to_mjcf(load_description("chain:80")));
  EXPECT_THROW(to_mjcf(load_description("chain:100000")), Error);
  Description broken = load_description("planar2");
  broken.joints[1].parent = "nowhere";
  EXPECT_THROW(to_mjcf(broken), Error);
}

}  // namespace
}  // namespace parid::test
