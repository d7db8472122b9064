// Robots with more links than any real one, and files that would exhaust memory: accepted files
// take linear time, and others are refused before they cost anything. Nothing is timed here; with
// quadratic time these tests would not end.

#include "model/format/size_limit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "model/canonical_model.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/joint/mimic.hpp"
#include "model/lint/check.hpp"
#include "model/lint/composite_mass.hpp"
#include "parid/dynamics.hpp"
#include "parid/robot.hpp"
#include "tests/base/scratch.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& e) {
    return e.what();
  }
  return "(accepted)";
}

const std::string solid =
    "<inertial><origin xyz=\"0.05 0 0\"/><mass value=\"1\"/><inertia ixx=\".01\" iyy=\".01\" "
    "izz=\".01\"/></inertial>";

// Joint i carries link i; parent(i) may be -1, the base.
template <class Parent>
std::string urdf_of(int n, const Parent& parent, const std::string& type = "continuous",
                    bool mimics = false, bool transmissions = false) {
  std::string text = "<robot name=\"r\"><link name=\"l-1\"/>\n";
  for (int i = 0; i < n; ++i) text += fmt::format("<link name=\"l{}\">{}</link>\n", i, solid);
  for (int i = 0; i < n; ++i)
    text += fmt::format(
        "<joint name=\"j{}\" type=\"{}\"><parent link=\"l{}\"/><child link=\"l{}\"/><origin "
        "xyz=\"0.1 0 0\"/><axis xyz=\"0 {} {}\"/>{}</joint>\n",
        i, type, parent(i), i, i % 2, 1 - i % 2,
        mimics && i > 0
            ? fmt::format("<mimic joint=\"j{}\" multiplier=\"-1\" offset=\"1\"/>", i - 1)
            : "");
  for (int i = 0; transmissions && i < n; ++i)
    text += fmt::format(
        "<transmission name=\"t{}\"><joint name=\"j{}\"/><mechanicalReduction>{}"
        "</mechanicalReduction></transmission>\n",
        i, i, i + 2);
  return text + "</robot>";
}
int before(int i) { return i - 1; }
int base(int) { return -1; }

constexpr int many = instrumented ? 2'000 : 20'000;

TEST(SizeLimit, LongAndWideRobotsLoad) {
  for (const auto parent : {before, base}) {
    const Description d = parse_urdf(urdf_of(many, parent), "r.urdf");
    EXPECT_TRUE(check(d).empty());
    const Robot robot(d);
    EXPECT_EQ(robot.nv(), many);
    EXPECT_EQ(robot.canonical().topology.parent[many], parent == before ? many - 1 : 0);
    EXPECT_EQ(robot.tip(), fmt::format("l{}", many - 1));
    EXPECT_EQ(parse_urdf(urdf_of(many, parent), "r.urdf", true).joints.size(), many + 1u);
  }
  const Robot welded(parse_urdf(urdf_of(many, before, "fixed"), "r.urdf"));
  EXPECT_EQ(welded.nv(), 0);
  EXPECT_NEAR(welded.canonical().link[many].pose.p.x, 0.1 * many, 1e-6);
}

TEST(SizeLimit, LongRobotsInToml) {
  std::string text = "convention = \"modified\"\n";
  for (int i = 0; i < many; ++i)
    text += "[[joint]]\na = 0.1\nmass = 1\ncom = [0.05, 0, 0]\ninertia = [0.01, 0.01, 0.01]\n";
  EXPECT_EQ(Robot(parse_toml(text, "r.toml")).nv(), many);
}

TEST(SizeLimit, EveryJointMayFollowTheOneBeforeAndHaveATransmission) {
  const Description d = parse_urdf(urdf_of(many, base, "continuous", true, true), "r.urdf");
  EXPECT_TRUE(check(d).empty());
  const std::vector<MimicChain> follow = mimic_chains(d);
  for (const int k : {0, 1, 2, many - 1}) {  // 1 - q, then 1 - (1 - q) = q
    EXPECT_EQ(follow[k].leader, 0);
    EXPECT_EQ(follow[k].scale, k % 2 ? -1 : 1);
    EXPECT_EQ(follow[k].offset, k % 2);
    EXPECT_EQ(d.joints[k].gear_ratio, k + 2);
  }
  EXPECT_EQ(Robot(d).nv(), 1);
}

TEST(SizeLimit, MoreThanAHundredThousandJointsAreRefused) {
  const std::string wrong =
      ": the robot has {} joints and {} links; the limit is 100000 joints; remove what does not "
      "move, or split it into several robots";
  std::string links = "<robot name=\"r\">", tables = "convention = \"modified\"\n";
  for (int i = 0; i < 100'002; ++i) links += "<link name=\"a\"/>";
  for (int i = 0; i < 100'001; ++i) tables += "[[joint]]\n";
  EXPECT_EQ(refusal([&] { parse_urdf(links + "</robot>", "r.urdf"); }),
            "r.urdf" + fmt::format(fmt::runtime(wrong), 0, 100'002));
  EXPECT_EQ(refusal([&] { parse_toml(tables, "r.toml"); }),
            "r.toml" + fmt::format(fmt::runtime(wrong), 100'001, 100'002));
  Description d;
  d.file = "made";
  d.joints.resize(100'001);
  d.links.resize(100'002);
  EXPECT_EQ(refusal([&] { Robot{d}; }),
            "made" + fmt::format(fmt::runtime(wrong), 100'001, 100'002));
  EXPECT_EQ(refusal([] { Robot::load("chain:100001"); }).find("chain:100001: 100001 links are too"),
            0u);
}

TEST(SizeLimit, FilesOfManyPartsAreRefusedBeforeTheyAreParsed) {
  std::string tags = "<robot name=\"r\">", values = "x = [";
  for (int i = 0; i < 6'000'000; ++i) {
    tags += "<a/>";
    values += "0,";
  }
  EXPECT_EQ(refusal([&] { parse_urdf(tags + "</robot>", "r.urdf"); }),
            "r.urdf: the file contains about 6000002 tags; the limit is 6000000; no robot within "
            "the limit of 100000 joints needs more");
  EXPECT_EQ(refusal([&] {
              parse_toml(values + "0]", "r.toml");
            }).find("r.toml: the file contains about 6000"),
            0u);
  std::string attributes = "<robot name=\"r\">";
  for (int i = 0; i < 2'000'000; ++i) attributes += "<a b='' c='' d=''/>";
  EXPECT_EQ(refusal([&] {
              parse_urdf(attributes + "</robot>", "r");
            }).find("r: the file contains about 6000001 "),
            0u);
}

std::string attributes(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += fmt::format(" a{}='>'", i);
  return text;
}

// tinyxml2 compares each attribute of a tag with all before it.
TEST(SizeLimit, ATagHasAThousandAttributesAtMost) {
  const std::string head =
                        "<robot name=\"r\"><!-- <a" + attributes(2000) + "> -->\n<link name=\"a\"",
                    tail = "/><![CDATA[<a" + attributes(2000) + ">]]></robot>",
                    refused =
                        "r:2: a tag has more than 1000 attributes; remove the attributes that are "
                        "not part of URDF";
  EXPECT_EQ(parse_urdf(head + attributes(999) + tail, "r").links.size(), 1u);
  EXPECT_EQ(refusal([&] { parse_urdf(head + attributes(1000) + tail, "r"); }), refused);
  EXPECT_EQ(refusal([&] { parse_urdf(head + attributes(2'000'000) + tail, "r"); }), refused);
}

// From each "&#" tinyxml2 looks for a ';' to the end of the text or value.
TEST(SizeLimit, CharactersByNumberEnd) {
  std::string unended;
  for (int i = 0; i < 5'000'000; ++i) unended += "&#";
  const std::string refused =
      ": malformed XML: '&#' starts a character reference, but no ';' ends it; write &amp;# for "
      "the two characters themselves";
  const auto robot = [](const std::string& value, const std::string& inside) {
    return "<robot name=\"r\">\n<link name=\"" + value + "\">\n" + inside + "</link></robot>";
  };
  EXPECT_EQ(refusal([&] { parse_urdf(robot(unended, ""), "r"); }), "r:2" + refused);
  EXPECT_EQ(refusal([&] { parse_urdf(robot("a", unended), "r"); }), "r:3" + refused);
  EXPECT_EQ(refusal([&] { parse_urdf(robot("a", "R&#D"), "r"); }), "r:3" + refused);
  // It is allowed where it has no meaning: in comments and CDATA, and after an ampersand's own
  // name.
  const Description d =
      parse_urdf(robot("&#65;&#x42;&#x0010FFFF;", "<!-- " + unended + " --><![CDATA[" + unended +
                                                      "]]><visual name='R&amp;#D'/>"),
                 "r");
  EXPECT_EQ(d.links.at(0).name, "AB\xF4\x8F\xBF\xBF");
}

// ---- names
// ------------------------------------------------------------------------------------------

std::string named(std::size_t bytes) { return std::string(bytes, 'n'); }

TEST(SizeLimit, NamesEndAtAThousandBytes) {
  const std::pair<std::string, std::string> urdfs[] = {
      {"<robot name=\"{}\">\n<link name=\"a\"/></robot>", "r:1: the name of the robot"},
      {"<robot name=\"r\">\n<link name=\"{}\"/></robot>", "r:2: the name of a link"},
      {"<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"{}\" "
       "type=\"fixed\">"
       "<parent link=\"a\"/><child link=\"b\"/></joint></robot>",
       "r:3: the name of a joint"},
      {"<robot name=\"r\"><link name=\"a\"/>\n<transmission name=\"{}\"/></robot>",
       "r:2: the name of a transmission"},
      {"<robot name=\"r\"><link name=\"a\"/><ros2_control>\n<transmission name=\"{}\"/>"
       "</ros2_control></robot>",
       "r:2: the name of a transmission"}};
  const std::string end = " has 1001 bytes; the limit is 1000; use a shorter name";
  for (const auto& [text, where] : urdfs) {
    const auto of = [&](std::size_t bytes) {
      return fmt::format(fmt::runtime(text), named(bytes));
    };
    EXPECT_EQ(refusal([&] { parse_urdf(of(1001), "r"); }), where + end);
    EXPECT_EQ(refusal([&] { parse_urdf(of(1000), "r"); }), "(accepted)");
  }
  const std::pair<std::string, std::string> tomls[] = {
      {"name = \"{}\"\n[[joint]]\naxis = [0, 0, 1]\n", "r:1: the name of the robot"},
      {"\nbase = \"{}\"\n[[joint]]\naxis = [0, 0, 1]\n", "r:2: the name of the base"},
      {"[[joint]]\nname = \"{}\"\naxis = [0, 0, 1]\n", "r:2: the name of a joint"},
      {"[[joint]]\naxis = [0, 0, 1]\nlink = \"{}\"\n", "r:3: the name of a link"}};
  for (const auto& [text, where] : tomls) {
    const auto of = [&](std::size_t bytes) {
      return fmt::format(fmt::runtime(text), named(bytes));
    };
    EXPECT_EQ(refusal([&] { parse_toml(of(1001), "r"); }), where + end);
    EXPECT_EQ(refusal([&] { parse_toml(of(1000), "r"); }), "(accepted)");
  }
}

// Each of its tags or keys could repeat the name: 100 GB, and 10.
TEST(SizeLimit, ALongNameIsRefusedBeforeItIsRepeated) {
  std::string tags, keys;
  for (int i = 0; i < 100'000; ++i) tags += "<visual/>";
  for (int i = 0; i < 10'000; ++i) keys += fmt::format("k{} = 1\n", i);
  EXPECT_EQ(refusal([&] {
              parse_urdf("<robot name=\"r\"><link name=\"" + named(1'000'000) + "\">" + tags +
                             "</link></robot>",
                         "r");
            }),
            "r:1: the name of a link has 1000000 bytes; the limit is 1000; use a shorter name");
  EXPECT_EQ(
      refusal([&] { parse_toml("[[joint]]\nname = \"" + named(1'000'000) + "\"\n" + keys, "r"); }),
      "r:2: the name of a joint has 1000000 bytes; the limit is 1000; use a shorter name");
}

TEST(SizeLimit, FilesWithoutEndAreRefused) {
  Scratch scratch;
  for (const char* name : {"zero.urdf", "zero.toml"}) {
    const std::string path = scratch.path(name);
    std::filesystem::create_symlink("/dev/zero", path);
    EXPECT_EQ(refusal([&] { Robot::load(path); }).find(path + ": the file is larger than 128 MB"),
              0u);
  }
}

TEST(SizeLimit, ALongLineIsReadOnce) {
  std::string line = "x = [0";
  for (int i = 0; i < 1'000'000; ++i) line += ", 0";
  EXPECT_EQ(
      parse_toml(line + "]\nconvention = \"modified\"\n[[joint]]\na = 1\n", "r.toml").joints.size(),
      1u);
}

// For each of its strings the line's end was once looked for; the byte at its end is refused then.
TEST(SizeLimit, ALineOfManyStringsIsReadOnce) {
  std::string line = "x = ";
  for (int i = 0; i < 10'000'000; ++i) line += "'' ";
  EXPECT_EQ(refusal([&] { parse_toml(line + "\x01", "r.toml"); }),
            "r.toml:1: this is not TOML: a control character; remove it");
}

TEST(SizeLimit, RemarksEnd) {
  std::string tags, keys;
  for (int i = 0; i < 20'000; ++i) {
    tags += "<wobble/>";
    keys += fmt::format("k{} = 1\n", i);
  }
  EXPECT_EQ(
      parse_urdf("<robot name=\"r\"><link name=\"a\"/>" + tags + "</robot>", "r").remarks.size(),
      most_remarks);
  EXPECT_EQ(parse_toml(keys + "convention = \"modified\"\n[[joint]]\na = 1\n", "r").remarks.size(),
            most_remarks);
}

// Remarks of every other kind, by code.
TEST(SizeLimit, RemarksOfEveryKindEnd) {
  constexpr int n = 15'000;
  std::string origins, transmissions, links, drives;
  for (int i = 0; i < n; ++i) {
    origins += "<origin/>";
    transmissions += "<transmission><joint name=\"none\"/></transmission>";
    links += fmt::format(
        "<link name=\"l{}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
        "iyx=\"1\"/></inertial></link>",
        i);
    drives += fmt::format(
        "<joint name=\"j{0}\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>"
        "<drake:rotor_inertia value=\"1\"/></joint><transmission><joint "
        "name=\"j{0}\"/><mechanicalReduction>2</mechanicalReduction></transmission>",
        i);
  }
  const auto remarks = [](const std::string& inside) {
    return parse_urdf(
               "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>" + inside + "</robot>", "r")
        .remarks;
  };
  const auto joint = [](const std::string& inside) {
    return "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>" + inside +
           "</joint>";
  };
  const std::pair<std::string, std::string> kinds[] = {
      {"repeated-tag", joint(origins)},
      {"unknown-transmission-joint", transmissions},
      {"asymmetric-inertia", links},
      {"assumed-gear-ratio", drives}};
  for (const auto& [code, inside] : kinds) {
    const std::vector<Finding> all = remarks(inside + joint("<wobble/>"));
    EXPECT_EQ(all.size(), most_remarks) << code;
    EXPECT_EQ(all.back().code, code);
    EXPECT_TRUE(all.back().remedy.ends_with("; further findings in this file are omitted"));
    EXPECT_EQ(all[0].remedy.find("left out"), std::string::npos);
  }
}

TEST(SizeLimit, RemarksOfAUrdfAndOfTheTomlBesideItEndTogether) {
  Scratch scratch;
  std::string tags, keys;
  for (int i = 0; i < 20'000; ++i) {
    tags += "<wobble/>";
    keys += fmt::format("k{} = 1\n", i);
  }
  scratch.file("r.urdf", "<robot name=\"r\"><link name=\"a\"/>" + tags + "</robot>");
  EXPECT_EQ(read_toml(scratch.file("r.toml", "urdf = \"r.urdf\"\n" + keys)).remarks.size(),
            most_remarks);
}

// The search for repeated tags was once quadratic.
TEST(SizeLimit, AThingMayStandAMillionTimes) {
  constexpr int often = instrumented ? 100'000 : 1'000'000;
  std::string tags;
  for (int i = 0; i < often; ++i) tags += "<origin/>";
  for (int i = 0; i < often; ++i) tags += "<axis/>";
  const Description d = parse_urdf(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"fixed\">"
      "<parent link=\"a\"/><child link=\"b\"/>" +
          tags + "</joint></robot>",
      "r");
  EXPECT_EQ(d.remarks.size(), most_remarks);
}

TEST(SizeLimit, FindingsEnd) {
  Description d;
  d.links.resize(30'001);
  d.joints.resize(30'000);
  for (std::size_t i = 0; i < d.links.size(); ++i) d.links[i].name = fmt::format("l{}", i);
  for (std::size_t i = 0; i < d.joints.size(); ++i) {
    JointDescription& j = d.joints[i];
    j.name = fmt::format("j{}", i);
    j.parent = "l0";
    j.child = d.links[i + 1].name;
    j.type = JointType::revolute;
    j.axis = {0, 0, 2};                            // a warning
    if (i >= 15'000) j.damping = j.friction = -1;  // errors
  }
  const auto count = [&](const auto& is) {
    const std::vector<Finding> all = check(d);
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is));
  };
  const auto is_error = [](const Finding& f) { return f.severity == Finding::Severity::error; };
  EXPECT_EQ(count(is_error), most_remarks);
  EXPECT_EQ(count(std::not_fn(is_error)), most_remarks);
  // Those left out count: where a number is none, nothing is said of others.
  const auto is_of_axis = [](const Finding& f) { return f.code == "axis-length"; };
  for (JointDescription& j : d.joints) j.child = "none";
  EXPECT_EQ(count(is_of_axis), most_remarks);
  d.joints[0].damping = std::nan("");
  EXPECT_EQ(count(is_of_axis), 0u);
}

TEST(SizeLimit, RemarksOnAttributesEnd) {
  std::string links;
  for (int i = 0; i < 800; ++i) {
    links += fmt::format("<link name=\"l{}\"", i);
    for (char c = 'a'; c <= 'z'; ++c) links += fmt::format(" type{}=\"\"", c);
    links += "/>";
  }
  EXPECT_EQ(parse_urdf("<robot name=\"r\">" + links + "</robot>", "r").remarks.size(),
            most_remarks);
}

TEST(SizeLimit, ACycleOfManyLinksIsNamedInALine) {
  const auto around = [](int i) { return i == 0 ? many - 1 : i - 1; };
  const std::string said = refusal([&] { Robot{parse_urdf(urdf_of(many, around), "r.urdf")}; });
  EXPECT_NE(said.find("'l0' to 'l1' to"), said.npos);
  EXPECT_NE(said.find(fmt::format("to ({} more) to 'l0'; a robot must be a tree", many - 10)),
            said.npos)
      << said;
}

// ---- the mass matrix of long robots
// ------------------------------------------------------------------

TEST(SizeLimit, PivotsOfArticulatedBodiesFactorTheMassMatrix) {
  for (int seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    const Description d = random_tree(
        rng, 12, {.prismatic = 0.3, .floating_base = seed % 3 == 0, .tips = seed % 2 == 0});
    lint::Findings none;
    lint::Tree tree = lint::check_structure(d, none);
    lint::check_mimics(d, tree, none);
    const lint::CompositeMass mass(d, tree);
    Eigen::VectorXd q(mass.size());
    for (double& x : q) x = uniform(rng, -1.5, 1.5);
    const Eigen::MatrixXd M = mass.at(q).M;
    if (seed % 3 != 0) {  // the torques' own, where positions are all there is
      const Robot robot(d);
      Workspace workspace(robot);
      Eigen::MatrixXd of_torques(q.size(), q.size());
      mass_matrix(robot, workspace, std::span(q.data(), q.size()),
                  std::span(of_torques.data(), of_torques.size()));
      EXPECT_LT((M - of_torques).norm(), 1e-12 * M.norm()) << seed;
    }
    const lint::Pivots pivots = mass.pivots(q);
    const double expected = 2 * M.llt().matrixL().toDenseMatrix().diagonal().array().log().sum();
    EXPECT_NEAR(pivots.pivot.array().log().sum(), expected, 1e-9 * static_cast<double>(M.rows()))
        << seed;
    EXPECT_EQ(pivots.idle.size(), 0);
  }
}

// A long chain that ends in two joints with no mass between them.
std::vector<Finding> long_with_pair(const std::string& second_axis, int n = 800) {
  std::string text = urdf_of(n, before);
  text.resize(text.size() - std::string("</robot>").size());
  text += fmt::format(
      "<link name=\"none\"/><link name=\"hand\">{}</link>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"l{}\"/><child link=\"none\"/><axis "
      "xyz=\"0 0 1\"/></joint><joint name=\"k\" type=\"continuous\"><parent link=\"none\"/><child "
      "link=\"hand\"/><axis xyz=\"{}\"/></joint></robot>",
      solid, n - 1, second_axis);
  return check(parse_urdf(text, "r.urdf"));
}

TEST(SizeLimit, LongRobotsThatMoveNoMassAreFound) {
  const std::vector<Finding> sound = long_with_pair("0 1 0");
  ASSERT_EQ(sound.size(), 1u) << sound[1].text();
  EXPECT_EQ(sound[0].code, "massless-link");
  const std::vector<Finding> idle = long_with_pair("0 0 1");
  ASSERT_EQ(idle.size(), 2u);
  const Finding& f = idle[0].code == "singular-mass" ? idle[0] : idle[1];
  EXPECT_EQ(f.code, "singular-mass");
  EXPECT_EQ(f.message,
            "robot 'r': a motion of joints 'j', 'k' has no inertia; forward dynamics is singular");
}

TEST(SizeLimit, AGimbalThatLocksAtZeroIsFoundOnALongRobotToo) {
  std::string text = urdf_of(700, before);
  text.resize(text.size() - std::string("</robot>").size());
  text += "<link name=\"b\"/><link name=\"c\"/><link name=\"d\">" + solid + "</link>";
  const char* rows[][4] = {
      {"roll", "l699", "b", "0 0 1"}, {"pitch", "b", "c", "0 1 0"}, {"roll2", "c", "d", "0 0 1"}};
  for (const auto& [name, parent, child, axis] : rows)
    text += fmt::format(
        "<joint name=\"{}\" type=\"continuous\"><parent link=\"{}\"/><child link=\"{}\"/><axis "
        "xyz=\"{}\"/></joint>",
        name, parent, child, axis);
  std::string said;
  for (const Finding& f : check(parse_urdf(text + "</robot>", "r.urdf")))
    if (f.code == "singular-at-zero") said = f.message;
  EXPECT_EQ(said,
            "robot 'r': a motion of joints 'roll', 'roll2' has no inertia in the zero position; "
            "forward dynamics is singular there");
}

}  // namespace
}  // namespace parid::test
