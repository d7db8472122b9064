#include "model/format/urdf/urdf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "base/text/spelling.hpp"
#include "model/frame.hpp"
#include "model/lint/check.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

// Line 1 is <robot>; the body begins on line 2.
std::string robot(const std::string& body) {
  return "<robot name=\"r\">\n" + body + "\n</robot>\n";
}
Description parse(const std::string& body, bool floating = false) {
  return parse_urdf(robot(body), "r.urdf", floating);
}
std::string message_of(const std::string& text, const std::string& file = "r.urdf") {
  try {
    parse_urdf(text, file);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}
std::string remarks_of(const std::string& body) {
  std::string all;
  for (const Finding& f : parse(body).remarks) all += f.code + " " + f.text() + "\n";
  return all;
}

const std::string two_links = "<link name=\"a\"/>\n<link name=\"b\"/>\n";  // lines 2 and 3
std::string joint(const std::string& type, const std::string& inside) {    // begins on line 4
  return two_links + "<joint name=\"j\" type=\"" + type +
         "\"><parent link=\"a\"/><child link=\"b\"/>\n" + inside + "</joint>";
}
const std::string unit_inertia =
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>";
std::string link(const std::string& inside) { return "<link name=\"a\">\n" + inside + "</link>"; }
std::string inertial(const std::string& inside) {
  return link("<inertial>\n" + inside + "</inertial>");
}

TEST(Urdf, KeepsTheOrderOfTheFileAndTheLines) {
  const auto d = parse(
      "<joint name=\"second\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint>\n"
      "<link name=\"c\"/>\n<link\n name=\"a\"/>\n<link name=\"b\"/>\n"
      "<joint name=\"first\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>");
  EXPECT_EQ(d.name, "r");
  EXPECT_EQ(d.file, "r.urdf");
  ASSERT_EQ(d.links.size(), 3u);
  EXPECT_EQ(d.links[0].name + d.links[1].name + d.links[2].name, "cab");
  EXPECT_EQ(d.links[0].line, 3);
  EXPECT_EQ(d.links[1].line, 4);
  EXPECT_EQ(d.joints[0].name, "second");
  EXPECT_EQ(d.joints[1].name, "first");
  EXPECT_EQ(d.joints[1].line, 7);
}

TEST(Urdf, ReadsEveryTypeOfJoint) {
  const std::pair<const char*, JointType> types[] = {
      {"revolute", JointType::revolute},   {"continuous", JointType::continuous},
      {"prismatic", JointType::prismatic}, {"fixed", JointType::fixed},
      {"floating", JointType::floating},   {"planar", JointType::planar},
      {"spherical", JointType::spherical}, {"ball", JointType::spherical}};
  for (const auto& [word, type] : types)
    EXPECT_EQ(parse(joint(word, "")).joints.at(0).type, type) << word;
}

TEST(Urdf, ReadsEverythingInAJoint) {
  const auto d = parse(joint("revolute",
                             "<origin xyz=\"1 2 +3\" rpy=\"0 0 1.5707963267948966\"/>\n"
                             "<axis xyz=\"0 -1 0\"/>\n"
                             "<limit lower=\"-1\" upper=\"2e0\" effort=\"30\" velocity=\"4\"/>\n"
                             "<mimic joint=\"k\" multiplier=\"-2\" offset=\".5\"/>\n"
                             "<dynamics damping=\"0.1\" friction=\"0.2\"/>\n"
                             "<safety_controller k_velocity=\"1\"/><calibration rising=\"0\"/>"));
  const JointDescription& j = d.joints.at(0);
  EXPECT_EQ(j.parent, "a");
  EXPECT_EQ(j.child, "b");
  EXPECT_EQ(j.origin.p.z, 3);
  EXPECT_EQ(j.origin.R.r0.y, -1);
  EXPECT_EQ(j.axis.y, -1);
  EXPECT_EQ(j.limits.lower, -1);
  EXPECT_EQ(j.limits.upper, 2);
  EXPECT_EQ(j.limits.effort, 30);
  EXPECT_EQ(j.limits.velocity, 4);
  EXPECT_TRUE(j.has_limits);
  EXPECT_EQ(j.mimic->joint, "k");
  EXPECT_EQ(j.mimic->multiplier, -2);
  EXPECT_EQ(j.mimic->offset, 0.5);
  EXPECT_EQ(j.damping, 0.1);
  EXPECT_EQ(j.friction, 0.2);
  EXPECT_EQ(j.axis_line, 6);
  EXPECT_EQ(j.limits_line, 7);
  EXPECT_EQ(j.mimic_line, 8);
  EXPECT_TRUE(d.remarks.empty());
}

TEST(Urdf, WhatAJointLeavesOutHasItsDefault) {
  const auto d = parse(joint("revolute", "<mimic joint=\"k\"/>"));
  const JointDescription& j = d.joints.at(0);
  EXPECT_EQ(j.axis.x, 1);
  EXPECT_EQ(j.origin.R.r0.x, 1);
  EXPECT_FALSE(j.has_limits);
  EXPECT_EQ(j.limits.upper, Limits::none);
  EXPECT_EQ(j.mimic->multiplier, 1);
  EXPECT_EQ(j.mimic->offset, 0);
  EXPECT_EQ(j.gear_ratio, 1);
  EXPECT_EQ(j.rotor_inertia, 0);
}

TEST(Urdf, ReadsLimitsAsTheyAreMeant) {
  const struct {
    const char *type, *limit;
    double lower, upper;
  } rows[] = {{"continuous", "lower=\"-1\" upper=\"1\"", -Limits::none, Limits::none},  // ignored
              {"revolute", "effort=\"1\" velocity=\"1\"", -Limits::none, Limits::none},
              {"prismatic", "upper=\"0.04\"", 0, 0.04},
              {"revolute", "lower=\"-inf\" upper=\"inf\"", -Limits::none, Limits::none},
              {"revolute", "lower=\" -1.5e-1\n\" upper=\"+1\"", -0.15, 1}};
  for (const auto& row : rows) {
    const auto d = parse(joint(row.type, std::string("<limit ") + row.limit + "/>"));
    EXPECT_EQ(d.joints[0].limits.lower, row.lower) << row.limit;
    EXPECT_EQ(d.joints[0].limits.upper, row.upper) << row.limit;
  }
}

TEST(Urdf, ExpressesInertiaInTheLinksFrame) {
  const auto d = parse(
      inertial("<origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
               "<inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0.2\" iyy=\"3\" iyz=\"0.3\" izz=\"3.5\"/>"));
  const Inertia& i = d.links.at(0).inertia.value();
  EXPECT_EQ(d.links[0].inertia_line, 3);
  EXPECT_EQ(i.mass, 2);
  EXPECT_EQ(i.com.y, 2);
  EXPECT_EQ(i.about_com.xx, 3);  // a quarter turn about z exchanges x and y
  EXPECT_EQ(i.about_com.yy, 1);
  EXPECT_EQ(i.about_com.zz, 3.5);
  EXPECT_EQ(i.about_com.xy, -0.1);
  EXPECT_EQ(i.about_com.xz, -0.3);
  EXPECT_EQ(i.about_com.yz, 0.2);
}

TEST(Urdf, RollPitchYawTurnAboutFixedAxes) {
  const double r = 0.3, p = -0.7, y = 1.1;
  const Mat3<double> R = rotation_rpy({r, p, y});
  EXPECT_NEAR(R.r0.x, std::cos(y) * std::cos(p), 1e-15);
  EXPECT_NEAR(R.r1.x, std::sin(y) * std::cos(p), 1e-15);
  EXPECT_NEAR(R.r2.x, -std::sin(p), 1e-15);
  EXPECT_NEAR(R.r2.y, std::cos(p) * std::sin(r), 1e-15);
  EXPECT_NEAR(R.r2.z, std::cos(p) * std::cos(r), 1e-15);
  EXPECT_NEAR(R.r0.y, std::cos(y) * std::sin(p) * std::sin(r) - std::sin(y) * std::cos(r), 1e-15);
}

TEST(Urdf, RightAnglesAreExactAndOthersAreNotTouched) {
  for (int k = -9; k <= 9; ++k) {
    const auto [s, c] = exact_sin_cos(k * std::numbers::pi / 2);
    EXPECT_EQ(s, std::round(std::sin(k * std::numbers::pi / 2))) << k;
    EXPECT_EQ(c, std::round(std::cos(k * std::numbers::pi / 2))) << k;
  }
  EXPECT_EQ(exact_sin_cos(1.5707963).cos, std::cos(1.5707963));
  EXPECT_EQ(exact_sin_cos(1.57079632679).cos, std::cos(1.57079632679));
  EXPECT_NE(exact_sin_cos(1e-14).sin, 0);
}

TEST(Urdf, ReadsDrivesHoweverTheyAreWritten) {
  const auto with = [](const std::string& in_joint, const std::string& after) {
    return parse(joint("revolute", in_joint) + "\n" + after);
  };
  const std::string j = "<joint name=\"j\"/>";
  const std::string reduction = "<mechanicalReduction>50</mechanicalReduction>";
  const std::vector<std::string> ways = {
      "<transmission name=\"t\">" + j + "<actuator name=\"m\">" + reduction +
          "</actuator></transmission>",
      "<transmission name=\"t\"><joint name=\"j\">" + reduction +
          "</joint><actuator name=\"m\"/></transmission>",
      "<transmission type=\"Simple\" name=\"t\"><actuator name=\"m\"/>" + j + reduction +
          "</transmission>",
      "<ros2_control><transmission name=\"t\"><joint name=\"j\"><mechanical_reduction> 50 "
      "</mechanical_reduction></joint></transmission></ros2_control>"};
  for (const std::string& text : ways) EXPECT_EQ(with("", text).joints[0].gear_ratio, 50) << text;

  const std::string rotor = "<drake:rotor_inertia value=\"0.01\"/>",
                    gear = "<drake:gear_ratio value=\"10\"/>";
  for (const auto& d :
       {with(rotor + gear, ""), with("", "<transmission>" + j + "<actuator>" + rotor + gear +
                                             "</actuator></transmission>")}) {
    EXPECT_EQ(d.joints[0].gear_ratio, 10);
    EXPECT_DOUBLE_EQ(d.joints[0].rotor_inertia, 1);
    EXPECT_TRUE(d.remarks.empty());
  }
  EXPECT_DOUBLE_EQ(with(rotor, "").joints[0].rotor_inertia, 0.01);

  const auto assumed = with(rotor, "<transmission>" + j + reduction + "</transmission>");
  EXPECT_DOUBLE_EQ(assumed.joints[0].rotor_inertia, 25);
  EXPECT_EQ(assumed.remarks.at(0).code, "assumed-gear-ratio");

  const auto differential =
      with("", "<transmission>" + j + "<joint name=\"j\"/>" + reduction + "</transmission>");
  EXPECT_EQ(differential.joints[0].gear_ratio, 1);
}

TEST(Urdf, AddsAWorldThatIsOnlyNamed) {
  const auto d = parse(
      "<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"world\"/><child "
      "link=\"a\"/></joint>");
  ASSERT_EQ(d.links.size(), 2u);
  EXPECT_EQ(d.links[0].name, "world");
  EXPECT_EQ(d.links[0].line, 3);
  EXPECT_TRUE(check(d).empty());
}

TEST(Urdf, AFloatingRootHangsOnAJointOfItsName) {
  const auto d = parse(joint("revolute", ""), true);
  ASSERT_EQ(d.links.size(), 3u);
  EXPECT_EQ(d.links[0].name, "world");
  ASSERT_EQ(d.joints.size(), 2u);
  EXPECT_EQ(d.joints[0].name, "a");
  EXPECT_EQ(d.joints[0].type, JointType::floating);
  EXPECT_EQ(d.joints[0].parent, "world");
  EXPECT_EQ(d.joints[0].child, "a");
  EXPECT_EQ(d.joints[0].line, 2);
}

TEST(Urdf, AFixedJointToTheWorldBecomesTheFloatingOne) {
  const auto body = [](const std::string& type) {
    return "<link name=\"a\"/><link name=\"b\"/>"
           "<joint name=\"elbow\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>"
           "<joint name=\"bolt\" type=\"" +
           type +
           "\"><parent link=\"world\"/><child link=\"a\"/>"
           "<origin xyz=\"0 0 1\"/></joint>";
  };
  const auto d = parse(body("fixed"), true);
  ASSERT_EQ(d.joints.size(), 2u);
  EXPECT_EQ(d.joints[0].name, "a");
  EXPECT_EQ(d.joints[0].type, JointType::floating);
  EXPECT_EQ(d.joints[0].origin.p.z, 0);
  EXPECT_EQ(d.joints[1].name, "elbow");

  const auto already = parse(body("floating"), true);
  EXPECT_EQ(already.joints[1].name, "bolt");
  EXPECT_EQ(already.joints[1].origin.p.z, 1);
  EXPECT_EQ(already.joints.size(), 2u);

  try {
    parse(body("revolute"), true);
    FAIL() << "a robot on a rail cannot float";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("load it without a floating base"), std::string::npos)
        << e.what();
  }
}

TEST(Urdf, AFloatingJointFindsAFreeName) {
  const auto d = parse(
      "<link name=\"a\"/><link name=\"b\"/><joint name=\"a\" type=\"revolute\"><parent "
      "link=\"a\"/><child link=\"b\"/></joint>",
      true);
  EXPECT_EQ(d.joints[0].name, "a_floating");
}

TEST(Urdf, IgnoresWhatOtherProgramsRead) {
  EXPECT_EQ(
      remarks_of("<material name=\"m\"><color rgba=\"1 1 1 1\"/></material><gazebo "
                 "reference=\"a\"><mu1>1</mu1></gazebo>"
                 "<sensor/><ros2_control/><drake:proximity/><foo:bar/><disable_collisions/>"
                 "<link name=\"a\"><visual><orgin/></visual><collision/><self_collision_checking/>"
                 "<foo:bar/></link>"),
      "");
}

TEST(Urdf, RemarksOnWordsThatAreProbablyMisspelt) {
  const struct {
    std::string body;
    const char* remark;
  } rows[] = {
      {link("<intertial/>"),
       "unknown-tag r.urdf:3: link 'a' contains an unknown tag <intertial>; did you mean "
       "<inertial>?"},
      {link("<mass value=\"1\"/>"),
       "unknown-tag r.urdf:3: link 'a' contains an unknown tag <mass>; move it into <inertial>"},
      {link("<wobble/>"),
       "unknown-tag r.urdf:3: link 'a' contains an unknown tag <wobble>; the tag is ignored; "
       "remove it if no other program reads it"},
      {"<lnik name=\"b\"/>",
       "unknown-tag r.urdf:2: the robot contains an unknown tag <lnik>; did you mean <link>?"},
      {joint("fixed", "<orgin/>"),
       "unknown-tag r.urdf:5: joint 'j' contains an unknown tag <orgin>; did you mean <origin>?"},
      {joint("fixed", "<Origin/>"), "did you mean <origin>?"},
      {joint("fixed", "<limits/>"), "did you mean <limit>?"},
      {joint("fixed", "<origin xzy=\"0 0 1\"/>"),
       "unknown-attribute r.urdf:5: joint 'j' has an unknown attribute 'xzy' in <origin>; did you "
       "mean 'xyz'?"},
      {joint("revolute", "<dynamics dampning=\"1\"/>"), "did you mean 'damping'?"},
      {inertial("<mass value=\"1\"/><orgin/>" + unit_inertia),
       "link 'a' contains an unknown tag <orgin>; did you mean <origin>?"},
      {joint("fixed", "<origin/>\n<origin/>"),
       "repeated-tag r.urdf:6: joint 'j' contains a second <origin>; remove one; only the first "
       "one is used"},
      {"<transmission name=\"t\">\n<joint name=\"x\"/></transmission>",
       "unknown-transmission-joint r.urdf:3: transmission 't' names joint 'x', which does not "
       "exist"},
      {inertial(
           "<mass value=\"1\"/>\n<inertia ixx=\"1\" ixy=\"0.1\" iyx=\"0.2\" iyy=\"1\" izz=\"1\"/>"),
       "asymmetric-inertia r.urdf:5: link 'a' has ixy = 0.1 but iyx = 0.2; ixy is used; make them "
       "equal"},
  };
  for (const auto& row : rows) {
    const std::string found = remarks_of(row.body);
    EXPECT_NE(found.find(row.remark), std::string::npos) << found << "should have: " << row.remark;
    EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1) << found;
  }
}

TEST(Urdf, SaysWhereAndWhatIsWrong) {
  const std::string mass = "<mass value=\"1\"/>";
  const struct {
    std::string body;
    const char* message;
  } rows[] = {
      {"<link/>",
       "r.urdf:2: a link has no attribute 'name' in <link>; add it: <link name=\"...\">"},
      {"<link nmae=\"a\"/>",
       "r.urdf:2: a link has no attribute 'name' in <link>; did you mean 'name' by 'nmae'?"},
      {"<link name=\"\"/>",
       "r.urdf:2: a link has an empty attribute 'name' in <link>; give it a value"},
      {"\n<joint type=\"fixed\"/>",
       "r.urdf:3: a joint has no attribute 'name' in <joint>; add it: <joint name=\"...\">"},
      {"<joint name=\"j\"/>",
       "r.urdf:2: joint 'j' has no attribute 'type' in <joint>; add it: <joint type=\"...\">"},
      {joint("hinge", ""),
       "r.urdf:4: joint 'j' has the unknown type 'hinge'; give one of revolute, continuous, "
       "prismatic, fixed, floating, planar, spherical, ball"},
      {joint("revolut", ""),
       "r.urdf:4: joint 'j' has the unknown type 'revolut'; did you mean 'revolute'?"},
      {"<joint name=\"j\" type=\"fixed\"/>",
       "r.urdf:2: joint 'j' has no <parent>; add <parent link=\"...\"/>"},
      {"<joint name=\"j\" type=\"fixed\">\n<parent link=\"a\"/></joint>",
       "r.urdf:2: joint 'j' has no <child>; add <child link=\"...\"/>"},
      {"<joint name=\"j\" type=\"fixed\">\n<paernt link=\"a\"/></joint>",
       "r.urdf:2: joint 'j' has no <parent>; did you mean <parent> by <paernt> on line 3?"},
      {"<joint name=\"j\" type=\"fixed\">\n<parent/></joint>",
       "r.urdf:3: joint 'j' has no attribute 'link' in <parent>; add it: <parent link=\"...\">"},
      {joint("fixed", "<origin xyz=\"1 0\"/>"),
       "r.urdf:5: joint 'j' has <origin xyz=\"1 0\"> with 2 numbers; give three numbers separated "
       "by spaces, such as \"0 0 0.5\""},
      {joint("fixed", "<origin rpy=\"1 0 0 0\"/>"),
       "r.urdf:5: joint 'j' has <origin rpy=\"1 0 0 0\"> with 4 numbers; give three"},
      {joint("fixed", "<origin xyz=\"\"/>"),
       "r.urdf:5: joint 'j' has <origin xyz=\"\"> with 0 numbers; give three"},
      {joint("fixed", "<origin xyz=\"0,0,1\"/>"),
       "r.urdf:5: joint 'j' has <origin xyz=\"0,0,1\">, which is not a list of numbers; give three "
       "numbers separated by spaces"},
      {joint("fixed", "<origin xyz=\"0 0 1m\"/>"),
       "r.urdf:5: joint 'j' has <origin xyz=\"0 0 1m\">, which is not a list of numbers; give "
       "three"},
      {joint("fixed", "<origin xyz=\"0 0 nan\"/>"),
       "r.urdf:5: joint 'j' has <origin xyz=\"0 0 nan\">, which is not finite; give a finite "
       "number"},
      {joint("fixed", "<origin xyz=\"0 0 1e999\"/>"),
       "r.urdf:5: joint 'j' has <origin xyz=\"0 0 1e999\">, which is not a list of numbers"},
      {joint("revolute", "<axis xyz=\"z\"/>"),
       "r.urdf:5: joint 'j' has <axis xyz=\"z\">, which is not a list of numbers"},
      {joint("revolute", "<mimic/>"),
       "r.urdf:5: joint 'j' has no attribute 'joint' in <mimic>; add it"},
      {inertial("<mass/>"),
       "r.urdf:4: link 'a' has no attribute 'value' in <mass>; add it: <mass value=\"...\">"},
      {inertial("<mass value=\"1,5\"/>"),
       "r.urdf:4: link 'a' has <mass value=\"1,5\">, which is not a number; give one number"},
      {inertial(mass + "<intertia/>"),
       "r.urdf:3: link 'a' has no <inertia>; did you mean <inertia> by <intertia> on line 4?"},
      {inertial(mass + "\n<inertia iyy=\"1\" izz=\"1\"/>"),
       "r.urdf:5: link 'a' has no attribute 'ixx' in <inertia>; add it: <inertia ixx=\"...\">"},
      {inertial(mass + "<inertia ixy=\"0\" iyy=\"1\" izz=\"1\"/>"),
       "r.urdf:4: link 'a' has no attribute 'ixx' in <inertia>; add it: <inertia ixx=\"...\">"},
      {inertial(mass + "<inertia ixx=\"one\" iyy=\"1\" izz=\"1\"/>"),
       "r.urdf:4: link 'a' has <inertia ixx=\"one\">, which is not a number"},
  };
  for (const auto& row : rows) {
    const std::string found = message_of(robot(row.body));
    EXPECT_EQ(found.substr(0, std::string(row.message).size()), row.message) << found;
  }
}

// urdfdom accepts them. Misspelt ones are refused, above.
TEST(Urdf, MissingMassOrInertiaCountsAsZero) {
  const Description d = parse_urdf(
      R"(<robot name="r"><link name="a"><inertial><origin xyz="1 0 0"/><mass value="2"/></inertial>
      </link><link name="b"><inertial><density value="3"/></inertial></link><joint name="j"
      type="fixed"><parent link="a"/><child link="b"/></joint></robot>)",
      "r.urdf");
  ASSERT_TRUE(d.links[0].inertia && d.links[1].inertia);
  EXPECT_EQ(d.links[0].inertia->mass, 2);
  EXPECT_EQ(d.links[0].inertia->com.x, 1);
  EXPECT_EQ(d.links[0].inertia->about_com.xx, 0);
  EXPECT_EQ(d.links[1].inertia->mass, 0);
  std::size_t incomplete = 0;
  for (const Finding& f : d.remarks) incomplete += f.code == "incomplete-inertial";
  EXPECT_EQ(incomplete, 3u);
}

TEST(Urdf, RefusesWhatIsNotUrdf) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  const std::string begins = "a URDF file has one root element, <robot name=\"...\">";
  const struct {
    std::string text, message;
  } rows[] = {
      {"", "r.urdf: the file is empty; " + begins},
      {" \n\t\r\n", "r.urdf: the file is empty; " + begins},
      {"<!-- nothing -->", "r.urdf: the file contains no tag; " + begins},
      {std::string("\x7f"
                   "ELF\0\1",
                   6),
       "r.urdf: this is not a text file; give a robot file, as UTF-8 text"},
      {"\x1f\x8b\x08", "r.urdf: the file is compressed; expand it first: gunzip -k r.urdf"},
      {"This is no robot.", "r.urdf:1: malformed XML: text where a tag is expected"},
      {"\xff\xfe\xfd", "r.urdf:1: malformed XML: text where a tag is expected"},
      {"\n<sdf version=\"1.6\"/>",
       "r.urdf:2: the root is <sdf>: an SDFormat file, not URDF; " + begins},
      {"<mujoco/>", "r.urdf:1: the root is <mujoco>: a MuJoCo file, not URDF; " + begins},
      {"<html></html>", "r.urdf:1: the root is <html>: a web page, not URDF; " + begins},
      {"<thing/>", "r.urdf:1: the root is <thing>: another kind of file, not URDF; " + begins},
      {"<robot name=\"a\"/>\n<robot name=\"b\"/>",
       "r.urdf:2: <robot> follows the end of <robot>; " + begins},
      {robot("<link name=\"a\"></lnik>"),
       "r.urdf:2: malformed XML: mismatched or missing closing tag; check this line and the lines "
       "above"},
      {robot("<link name=a/>"),
       "r.urdf:2: malformed XML: an attribute is not written name=\"value\""},
      {robot("<!-- no end"), "r.urdf:2: malformed XML: unclosed comment: --> is missing"},
      {"<robot name=\"r\">\n<link name=\"a\"/>",
       "r.urdf:1: malformed XML: unclosed tag; check this"},
      {"<robot name=\"r\"", "r.urdf:1: malformed XML: a tag is incomplete or has no name"},
      {robot(deep), "r.urdf:2: malformed XML: tags are nested more than 100 levels deep"},
      {robot("<xacro:include filename=\"x\"/>"),
       "r.urdf:2: there is a tag <xacro:include>, so this is a xacro file; rename it to end "
       "in .xacro; Parid expands such files"},
      {robot("<link name=\"${prefix}a\"/>"),
       "r.urdf:2: <link> has name=\"${prefix}a\", so this is a xacro file"},
      {robot("<link name=\"a\">\n<visual><mesh filename=\"$(find p)/m\"/></visual></link>"),
       "r.urdf:3: <mesh> has filename=\"$(find p)/m\", so this is a xacro file"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(message_of(row.text).substr(0, row.message.size()), row.message)
        << message_of(row.text);
}

TEST(Urdf, ReadsWhatXacroHasExpanded) {
  EXPECT_EQ(message_of("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link "
                       "name=\"a\"/></robot>"),
            "no error");
}

std::string message_of_file(const std::string& path) {
  try {
    read_urdf(path);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Urdf, SaysWhyAFileCannotBeRead) {
  const std::string dir = ::testing::TempDir() + "parid_urdf_test";
  fs::create_directories(dir);
  EXPECT_EQ(message_of_file(dir), dir + ": this is a directory; give a URDF file in it");
  EXPECT_EQ(message_of_file(dir + "/none.urdf"),
            dir +
                "/none.urdf: cannot open the file (No such file or directory); give the path of a "
                "URDF file that can be read");
  EXPECT_EQ(message_of_file(""),
            ": cannot open the file (No such file or directory); give the path of a URDF file that "
            "can be read");

  std::ofstream(dir + "/good.urdf") << robot("<link name=\"a\"/>");
  EXPECT_EQ(read_urdf(dir + "/good.urdf").file, dir + "/good.urdf");

  std::ofstream(dir + "/large.urdf") << "<";
  fs::resize_file(dir + "/large.urdf",
                  (std::uintmax_t{128} << 20) + 1);  // takes no space on the disk
  EXPECT_EQ(message_of_file(dir + "/large.urdf"),
            dir +
                "/large.urdf: the file is larger than 128 MB; a URDF file for a robot with 100000 "
                "joints, the limit, is smaller");
  fs::remove_all(dir);
}

TEST(Urdf, ReadsNumbersAlikeInEveryLocale) {
  const char* before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before ? before : "C";
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) std::setlocale(LC_ALL, "");
  EXPECT_EQ(parse(joint("fixed", "<origin xyz=\"0.5 1e-3 -2.25\"/>")).joints[0].origin.p.x, 0.5);
  std::setlocale(LC_ALL, saved.c_str());
}

// Whether a number is too large or too small is not to be seen by its exponent.
TEST(Urdf, NumbersBeyondRangeAreZeroOrIgnoredWithAWarning) {
  const std::string zeros(400, '0');
  const auto damping = [](const std::string& number) {
    return joint("continuous", "<dynamics damping=\"" + number + "\"/>");
  };
  for (const std::string& small :
       {std::string("1e-400"), "0." + zeros + "1", "0." + zeros + "1e+5", "1" + zeros + "e-900"})
    EXPECT_EQ(parse(damping(small)).joints[0].damping, 0) << small;
  EXPECT_EQ(parse(damping("1" + zeros + "e-400")).joints[0].damping, 1);
  for (const std::string& large : {std::string("1e400"), "1" + zeros, "1" + zeros + "e-5"}) {
    const Description d = parse(damping(large));
    EXPECT_EQ(d.joints[0].damping, 0) << large;
    ASSERT_EQ(d.remarks.size(), 1u) << large;
    EXPECT_EQ(d.remarks[0].code, "unreadable-number");
  }
}

TEST(Spelling, FindsTheWordThatWasMeant) {
  const std::vector<std::string> words = {"inertial", "visual", "xyz", "rpy", "origin"};
  const std::pair<const char*, const char*> rows[] = {{"intertial", "inertial"},
                                                      {"xzy", "xyz"},
                                                      {"INERTIAL", "inertial"},
                                                      {"orgin", "origin"},
                                                      {"wobble", ""},
                                                      {"rpz", "rpy"},
                                                      {"", ""},
                                                      {"x", ""}};
  for (const auto& [word, meant] : rows) EXPECT_EQ(nearest(word, words), meant) << word;
}

TEST(Urdf, ALimitOfZeroIsNone) {
  const Limits l =
      parse(joint("revolute", "<limit lower=\"0\" upper=\"1\" effort=\"0\" velocity=\"-0\"/>"))
          .joints[0]
          .limits;
  EXPECT_EQ(l.effort, Limits::none);
  EXPECT_EQ(l.velocity, Limits::none);
  EXPECT_EQ(l.upper, 1);
}

// The rounding error of a large angle covers all numbers: only moderate angles can be right angles.
TEST(Urdf, LargeAnglesAreNotTakenForRightOnes) {
  for (const double angle : {1e3, -12345.0, 1e6, 4e8, 1e15, -1e15, 123456789012345678.0, 1e300}) {
    const std::string rpy = fmt::format("<origin rpy=\"0 0 {}\"/>", angle);
    const Mat3<double> R = parse(joint("fixed", rpy)).joints[0].origin.R;
    EXPECT_NEAR(R.r1.x, std::sin(angle), 1e-16) << angle;
    EXPECT_NEAR(R.r0.x, std::cos(angle), 1e-16) << angle;
  }
  for (int k = -100; k <= 100; ++k) {  // and those are, however they were rounded
    const double angle = k * std::numbers::pi / 2;
    for (const double near : {angle, std::nextafter(angle, 1e9), std::nextafter(angle, -1e9)}) {
      const Mat3<double> R = rotation_rpy({0, 0, near});
      EXPECT_TRUE(std::abs(R.r1.x) + std::abs(R.r0.x) == 1) << k;
      EXPECT_EQ(R.r0.x, std::round(std::cos(angle))) << k;
    }
  }
}

// A number that a robot need not have is remarked on and left out.
TEST(Urdf, RemarksOnUnreadableOptionalNumbers) {
  struct Row {
    std::string text, message;
  };
  const Row rows[] = {
      {joint("revolute", "<limit lower=\"1.2.3\"/>"),
       "r.urdf:5: joint 'j' has <limit lower=\"1.2.3\">, which is not a number; give one number, "
       "such as 0.5"},
      {joint("revolute", "<limit lower=\"0 1\"/>"),
       "r.urdf:5: joint 'j' has <limit lower=\"0 1\"> with 2 numbers; give one number, such as "
       "0.5"},
      {joint("revolute", "<limit effort=\"nan\"/>"),
       "r.urdf:5: joint 'j' has <limit effort=\"nan\">, which is not finite; give a finite number"},
      {joint("revolute", "<limit effort=\"+-1\"/>"),
       "r.urdf:5: joint 'j' has <limit effort=\"+-1\">, which is not a number"},
      {joint("revolute", "<dynamics damping=\"0x10\"/>"),
       "r.urdf:5: joint 'j' has <dynamics damping=\"0x10\">, which is not a number"},
      {joint("revolute", "<dynamics friction=\"inf\"/>"),
       "r.urdf:5: joint 'j' has <dynamics friction=\"inf\">, which is not finite"},
      {joint("revolute", "<drake:rotor_inertia/>"),
       "r.urdf:5: joint 'j' has no attribute 'value' in <drake:rotor_inertia>; add it"},
      {joint(
           "revolute",
           "</joint><transmission name=\"t\"><joint "
           "name=\"j\"/><actuator>\n<mechanicalReduction>fast</mechanicalReduction></actuator></"
           "transmission><joint name=\"k\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>"),
       "r.urdf:6: transmission 't' has <mechanicalReduction>fast</mechanicalReduction>, which is "
       "not a number; give one number, such as 50"},
  };
  for (const auto& row : rows) {
    const Description d = parse_urdf(robot(row.text), "r.urdf");
    ASSERT_FALSE(d.remarks.empty()) << row.text;
    EXPECT_EQ(d.remarks[0].code, "unreadable-number");
    const std::string remark = d.remarks[0].text();
    const std::string wrong = row.message.substr(0, row.message.find("; "));
    EXPECT_EQ(remark.substr(0, wrong.size()), wrong);
    EXPECT_NE(remark.find("; it is ignored"), remark.npos) << remark;
  }
  EXPECT_EQ(parse_urdf("<robot/>", "arm/ur5.urdf").name, "ur5");
}

}  // namespace
}  // namespace parid::test
