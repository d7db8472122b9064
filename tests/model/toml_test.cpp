#include "model/format/toml/toml.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "base/text/spelling.hpp"
#include "model/format/angle_text.hpp"
#include "model/frame.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

constexpr double pi = std::numbers::pi;

// The message of the reader for a text that it must refuse.
std::string refusal(const std::string& text) {
  try {
    parse_toml(text, "arm.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "(accepted)";
}

// Refused at that line, in words that contain `wrong` and, after the semicolon, `right`.
void refused(const std::string& text, int line, const std::string& wrong,
             const std::string& right = "") {
  const std::string said = refusal(text);
  const std::string place = line > 0 ? "arm.toml:" + std::to_string(line) + ": " : "arm.toml: ";
  EXPECT_TRUE(said.starts_with(place)) << text << "\nsaid: " << said << "\nwanted: " << place;
  EXPECT_NE(said.find(wrong), std::string::npos)
      << text << "\nsaid: " << said << "\nwanted: " << wrong;
  const size_t remedy = said.find("; ");
  EXPECT_TRUE(right.empty() || (remedy != said.npos && said.find(right, remedy) != said.npos))
      << text << "\nsaid: " << said << "\nwanted: " << right;
}

void near(const Vec3<double>& a, const Vec3<double>& b, double tolerance = 1e-15) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}
void same(const Mat3<double>& A, const Mat3<double>& B) {  // exactly: zeros are zeros
  for (int j = 0; j < 3; ++j) near(A.column(j), B.column(j), 0);
}

// A folder of its own that goes away with the test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "parid-toml-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

const std::string dh = "convention = \"modified\"\n";    // line 1
const std::string frames = "convention = \"frames\"\n";  // line 1

TEST(Angle, ReadsWhatPeopleWrite) {
  EXPECT_DOUBLE_EQ(*parse_angle("pi/2"), pi / 2);
  EXPECT_DOUBLE_EQ(*parse_angle("-pi/2"), -pi / 2);
  EXPECT_DOUBLE_EQ(*parse_angle("2*pi/3"), 2 * pi / 3);
  EXPECT_DOUBLE_EQ(*parse_angle("90 deg"), pi / 2);
  EXPECT_DOUBLE_EQ(*parse_angle("-45deg"), -pi / 4);
  EXPECT_DOUBLE_EQ(*parse_angle("90°"), pi / 2);
  EXPECT_DOUBLE_EQ(*parse_angle(" 1.5e-1 "), 0.15);
  EXPECT_DOUBLE_EQ(*parse_angle("pi/2 + 10 deg"), pi / 2 + pi / 18);
  EXPECT_DOUBLE_EQ(*parse_angle("-(pi - 1)/2"), -(pi - 1) / 2);
  for (const char* wrong :
       {"", "pie", "pi/", "90 degrees", "1 2", "inf", "nan", "1/0", "(pi", "pi)", "--", "pi pi"})
    EXPECT_FALSE(parse_angle(wrong)) << wrong;
  EXPECT_FALSE(parse_angle(std::string(100000, '(')));
  EXPECT_FALSE(parse_angle(std::string(100000, '-')));
}

TEST(Angle, RightAnglesAreExact) {
  for (int k = -9; k <= 9; ++k) {
    const SinCos<double> a = exact_sin_cos(k * pi / 2);
    EXPECT_EQ(std::abs(a.sin), std::abs(k % 2)) << k;
    EXPECT_EQ(std::abs(a.cos), 1 - std::abs(k % 2)) << k;
    EXPECT_NEAR(a.sin, std::sin(k * pi / 2), 1e-14);
    EXPECT_NEAR(a.cos, std::cos(k * pi / 2), 1e-14);
  }
  EXPECT_EQ(exact_sin_cos(1.57).sin, std::sin(1.57));
  EXPECT_EQ(exact_sin_cos(1e-12).sin, std::sin(1e-12));  // small, and meant
}

TEST(Spelling, FindsTheNearWord) {
  const std::vector<std::string> known = {"mass", "com", "inertia", "rotor_inertia", "a"};
  EXPECT_EQ(nearest("mas", known), "mass");
  EXPECT_EQ(nearest("Mass", known), "mass");
  EXPECT_EQ(nearest("inertai", known), "inertia");
  EXPECT_EQ(nearest("rotor-inertia", known), "rotor_inertia");
  EXPECT_EQ(nearest("colour", known), "");
  EXPECT_EQ(nearest("q", known), "");
  EXPECT_EQ(edit_distance("ab", "ba"), 1);
  EXPECT_EQ(edit_distance("aab", "aab"), 0);
  EXPECT_EQ(edit_distance("xaby", "xbay"), 1);
  EXPECT_EQ(edit_distance("effort", "eforts"), 2);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(Toml, ModifiedFramesAreCraigs) {
  const Description d = parse_toml(
      dh + "[[joint]]\na = 0.4\nalpha = \"-pi/2\"\nd = 0.2\ntheta = \"90 deg\"\n", "arm.toml");
  const JointDescription& j = d.joints.at(0);
  // RotX(-90°) TransX(0.4) RotZ(90°) TransZ(0.2): x to -z, y to -x, z to y.
  same(j.origin.R, {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}});
  near(j.origin.p, {0.4, 0.2, 0}, 0);
  same(j.tip.R, Mat3<double>::identity());
  near(j.axis, {0, 0, 1}, 0);
}

TEST(Toml, StandardFramesStandAtTheFarEnd) {
  const Description d = parse_toml(
      "convention = \"standard\"\n[[joint]]\na = 0.4\nalpha = \"-pi/2\"\nd = 0.2\ntheta = \"90 "
      "deg\"\n",
      "arm.toml");
  const JointDescription& j = d.joints.at(0);
  // RotZ(90°) TransZ(0.2) TransX(0.4) RotX(-90°).
  same(j.tip.R, {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}});
  near(j.tip.p, {0, 0.4, 0.2}, 0);
  same(j.origin.R, Mat3<double>::identity());
  near(j.origin.p, {0, 0, 0}, 0);
  near(j.axis, {0, 0, 1}, 0);
}

// One planar arm in both conventions: the end of a link is where the next link begins.
TEST(Toml, BothConventionsMeetAtTheSamePoint) {
  const Description m = parse_toml(
      dh + "[[joint]]\nalpha = 0.3\n[[joint]]\na = 0.7\nalpha = 0.5\nd = 0.1\n", "m.toml");
  const Description s = parse_toml(
      "convention = \"standard\"\n[[joint]]\na = 0.7\nalpha = 0.5\n[[joint]]\nd = 0.1\n", "s.toml");
  const Pose<double> start{rotation_x(sin_cos(0.3)), {}};
  const Vec3<double> o{};
  near(m.joints[0].origin * (m.joints[1].origin * o),
       start * (s.joints[0].tip * (s.joints[1].tip * o)));
}

TEST(Toml, FramesPlaceByXyzAndRpyOrRotation) {
  const Description d =
      parse_toml(frames +
                     "[[joint]]\nxyz = [1, 2, 3]\nrpy = [0, \"pi/2\", 0]\naxis = [0, 1, 0]\n"
                     "[[joint]]\nrotation = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]\naxis = [0, 1, 0]\n",
                 "arm.toml");
  near(d.joints[0].origin.p, {1, 2, 3}, 0);
  same(d.joints[0].origin.R, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}});
  same(d.joints[1].origin.R, d.joints[0].origin.R);
  near(d.joints[0].axis, {0, 1, 0}, 0);
  EXPECT_EQ(d.joints[0].axis_line, 5);
  // Roll, pitch and yaw are about fixed axes: RotZ RotY RotX.
  same(rotation_rpy({pi / 2, pi / 2, 0}),
       rotation_y(exact_sin_cos(pi / 2)) * rotation_x(exact_sin_cos(pi / 2)));
}

TEST(Toml, RoundedRotationsAreMadeWhole) {
  const Description d = parse_toml(frames +
                                       "[[joint]]\ntype = \"fixed\"\nrotation = [[0.8660254, -0.5, "
                                       "0], [0.5, 0.8660254, 0], [0, 0, 1]]\n",
                                   "arm.toml");
  const Mat3<double>& R = d.joints[0].origin.R;
  EXPECT_NEAR(dot(R.r0, R.r0), 1, 1e-15);
  EXPECT_NEAR(dot(R.r0, R.r1), 0, 1e-15);
  EXPECT_NEAR(R.r0.x, std::sqrt(3) / 2, 1e-7);
}

TEST(Toml, NamesLinesAndDefaults) {
  const Description d = parse_toml(
      "# an arm\n"
      "name = \"arm\"\n"
      "summary = \"short\"\n"
      "source = [\"one\", \"two\"]\n"
      "gravity = [0, -9.8, 0]\n"
      "convention = \"modified\"\n"
      "base = \"ground\"\n"
      "\n"
      "[[joint]]\n"
      "mass = 2\n"
      "\n"
      "[[joint]]\n"
      "name = \"elbow\"\n"
      "link = \"forearm\"\n"
      "type = \"prismatic\"\n"
      "lower = -1\n"
      "upper = 2\n"
      "velocity = 3\n"
      "effort = 4\n"
      "damping = 5\n"
      "friction = 6\n"
      "motor_inertia = 0.5\n"
      "gear_ratio = -10\n"
      "mimic = {joint = \"joint1\", multiplier = 2, offset = 0.1}\n"
      "\n"
      "[[joint]]\n"
      "parent = \"link1\"\n"
      "type = \"spherical\"\n",
      "dir/arm.toml");
  EXPECT_EQ(d.name, "arm");
  EXPECT_EQ(d.summary, "short");
  EXPECT_EQ(d.file, "dir/arm.toml");
  EXPECT_EQ(d.source, "one; two");
  EXPECT_TRUE(d.remarks.empty());
  near(d.gravity, {0, -9.8, 0}, 0);
  ASSERT_EQ(d.links.size(), 4u);
  EXPECT_EQ(d.links[0].name, "ground");
  EXPECT_EQ(d.links[0].line, 7);
  EXPECT_FALSE(d.links[0].inertia);
  EXPECT_EQ(d.links[1].name, "link1");
  EXPECT_EQ(d.links[1].inertia_line, 10);
  EXPECT_EQ(d.links[1].inertia->mass, 2);
  EXPECT_EQ(d.links[2].name, "forearm");
  EXPECT_FALSE(d.links[2].inertia);
  ASSERT_EQ(d.joints.size(), 3u);
  EXPECT_EQ(d.joints[0].name, "joint1");
  EXPECT_EQ(d.joints[0].type, JointType::revolute);
  EXPECT_EQ(d.joints[0].line, 9);
  EXPECT_FALSE(d.joints[0].has_limits);
  const JointDescription& j = d.joints[1];
  EXPECT_EQ(j.name, "elbow");
  EXPECT_EQ(j.parent, "link1");
  EXPECT_EQ(j.child, "forearm");
  EXPECT_EQ(j.type, JointType::prismatic);
  EXPECT_EQ(j.line, 12);
  EXPECT_EQ(j.limits_line, 16);
  EXPECT_TRUE(j.has_limits);
  EXPECT_EQ(j.limits.lower, -1);
  EXPECT_EQ(j.limits.upper, 2);
  EXPECT_EQ(j.limits.velocity, 3);
  EXPECT_EQ(j.limits.effort, 4);
  EXPECT_EQ(j.damping, 5);
  EXPECT_EQ(j.friction, 6);
  EXPECT_EQ(j.rotor_inertia, 50);
  EXPECT_EQ(j.gear_ratio, -10);
  EXPECT_EQ(j.mimic->joint, "joint1");
  EXPECT_EQ(j.mimic->multiplier, 2);
  EXPECT_EQ(j.mimic->offset, 0.1);
  EXPECT_EQ(j.mimic_line, 24);
  EXPECT_EQ(d.joints[2].parent, "link1");
  EXPECT_EQ(d.joints[2].type, JointType::spherical);
}

TEST(Toml, InertiaAboutComOrOrigin) {
  const std::string body = "[[joint]]\nmass = 2\ncom = [0.1, 0.2, 0.3]\n";
  const Description c = parse_toml(dh + body + "inertia = [1, 2, 3, 0.4, 0.5, 0.6]\n", "arm.toml");
  const Sym3<double> I = c.links[1].inertia->about_com;
  EXPECT_EQ(I.xx, 1);
  EXPECT_EQ(I.yy, 2);
  EXPECT_EQ(I.zz, 3);
  EXPECT_EQ(I.xy, 0.4);
  EXPECT_EQ(I.xz, 0.5);
  EXPECT_EQ(I.yz, 0.6);
  const Description o =
      parse_toml(dh + body + "inertia = [1, 2, 3]\ninertia_about = \"origin\"\n", "arm.toml");
  const Sym3<double> J = o.links[1].inertia->about_com;
  EXPECT_DOUBLE_EQ(J.xx, 1 - 2 * (0.04 + 0.09));
  EXPECT_DOUBLE_EQ(J.yy, 2 - 2 * (0.01 + 0.09));
  EXPECT_DOUBLE_EQ(J.zz, 3 - 2 * (0.01 + 0.04));
  EXPECT_DOUBLE_EQ(J.xy, 2 * 0.02);
  EXPECT_DOUBLE_EQ(J.xz, 2 * 0.03);
  EXPECT_DOUBLE_EQ(J.yz, 2 * 0.06);
}

TEST(Toml, BaseLinkMayHaveMass) {
  const Description d = parse_toml(dh + "[base_link]\nmass = 7\n[[joint]]\n", "arm.toml");
  EXPECT_EQ(d.links[0].inertia->mass, 7);
  EXPECT_EQ(d.links[0].inertia_line, 3);
}

TEST(Toml, FloatingHangsTheRootOnTheWorld) {
  const std::string text = dh + "base = \"trunk\"\n[[joint]]\n";
  const Description d = parse_toml(text, "arm.toml", true);
  ASSERT_EQ(d.joints.size(), 2u);
  EXPECT_EQ(d.joints[0].name, "trunk");
  EXPECT_EQ(d.joints[0].type, JointType::floating);
  EXPECT_EQ(d.joints[0].parent, "world");
  EXPECT_EQ(d.joints[0].child, "trunk");
  EXPECT_EQ(d.joints[0].line, 2);
  EXPECT_EQ(d.links[0].name, "world");
  // What floats already stays as it is.
  const std::string free =
      frames + "base = \"world\"\n[[joint]]\nname = \"trunk\"\ntype = \"floating\"\n";
  EXPECT_EQ(parse_toml(free, "arm.toml", true).joints.size(), 1u);
  EXPECT_THROW(parse_toml(dh + "base = \"world\"\n[[joint]]\n", "arm.toml", true), Error);
  // A joint that has the root's name already keeps it.
  const Description taken = parse_toml(dh + "[[joint]]\nname = \"base\"\n", "arm.toml", true);
  EXPECT_EQ(taken.joints[0].name, "base_floating");
  EXPECT_EQ(taken.joints[1].name, "base");
}

TEST(Toml, UnknownKeysAreRemarked) {
  const Description d = parse_toml(
      dh + "colour = \"red\"\n\n[[joint]]\nmas = 3\nmimic = {joint = \"joint1\", ofset = 1}\n",
      "arm.toml");
  ASSERT_EQ(d.remarks.size(), 3u);
  EXPECT_EQ(
      d.remarks[0].text(),
      "arm.toml:2: key 'colour' is unknown and was ignored; docs/robot-files.md lists the keys");
  EXPECT_EQ(d.remarks[1].text(),
            "arm.toml:5: joint 1: key 'mas' is unknown and was ignored; did you mean 'mass'?");
  EXPECT_EQ(d.remarks[2].text(),
            "arm.toml:6: joint 'joint1': mimic: key 'ofset' is unknown and was ignored; did you "
            "mean 'offset'?");
  for (const Finding& f : d.remarks) {
    EXPECT_EQ(f.severity, Finding::Severity::warning);
    EXPECT_EQ(f.code, "unknown-key");
  }
}

TEST(Toml, IsNotNestedWithoutEnd) {
  std::string dots, brackets(101, '[');
  for (int k = 0; k < 300'000; ++k) dots += "a.";
  const std::string deep = "nested more than 100 levels deep";
  refused("name = \"x\"\n" + dots + "b = 1\n", 2, deep, "fewer dots");
  refused("[" + dots + "b]\n", 1, deep, "fewer dots");
  refused("[[joint]]\nc = {" + dots + "b = 1}\n", 2, deep, "fewer dots");
  refused("a = " + brackets + std::string(101, ']') + "\n", 1, deep, "remove brackets");
  // Dots of numbers and strings are not counted, nor those of another key.
  std::string keys = "x = [1.5";
  for (int k = 0; k < 200; ++k) keys += ", 2.5";
  keys += "]\ns = \"" + dots + "\"\n";
  for (int k = 0; k < 200; ++k) keys += "a.k" + std::to_string(k) + " = 1\n";
  EXPECT_EQ(refusal(keys).find("nested"), std::string::npos);
}

TEST(TomlRefuses, WhatIsNotToml) {
  refused("name = \n", 1, "this is not TOML");
  refused("\n\nname = \"arm\n", 3, "this is not TOML");
  refused("a = 1\na = 2\n", 2, "cannot redefine");
  refused("[[joint]\n", 1, "expected ']'");
  refused("a = 1\n\n[\n", 3, "a table header without a name", "[[joint]]");
  refused("a = [\n[1]]\n[#]\n", 3, "a table header without a name", "[[joint]]");
  refused("a = [\n#]\n]\nb = [1,\n }]\nc = 2\n", 5, "a key or a value is missing");
  refused("\n\xff\xfe", 2, "a byte that is not UTF-8", "save the file as UTF-8");
  refused("a = 1\nb = é\n", 2, "the character 'é' outside a string or comment", "in quotes");
  refused("a = 1\nb = [0\1]\n", 2, "a control character", "remove it");
  refused("a = 1\nb = 0\"é\"\n", 2, "a string or list starts in the middle of a word");
  refused("a = 0.5['é']\n", 1, "a string or list starts in the middle of a word");
  refused("a = [\"\"\"\"-\\é\"\"\"]", 1, "a non-ASCII character follows a backslash");
  refused("a = 1\nb =0&c='é'", 2, "a second '=' before the line ends", "start a new line");
  refused("a = 1\n\"\"\"a\"é", 2, "a key in triple quotation marks");
  refused("b = [0, 1.'é']\n", 1, "a string or list starts in the middle of a word");
  refused("a = \"\"\"\n\\\"a \\\n\n  é\"\"\"\n", 4, "a non-ASCII character follows a backslash");
  refused("a = \"\"\"\\\n\t\\é\"\"\"\n", 2, "a non-ASCII character follows a backslash");
  EXPECT_EQ(
      refusal("convention = \"modified\"\n[[joint]]\n[about.'é']\nx.\"é\" = [{y.'é' = 1},'é']\n"
              "z = \"\"\"a \\\n  b é\"\"\"\n"),
      "(accepted)");
  EXPECT_EQ(refusal("\xEF\xBB\xBF# é\nname = \"é\\\"é\"\nsummary = '''é\n[é'''\nconvention = "
                    "\"modified\"\n[[joint]]\n"),
            "(accepted)");
}

TEST(TomlRefuses, FilesThatHoldNoRobot) {
  refused("", 0, "the file is empty", "[[joint]]");
  refused("# nothing\n", 0, "the file is empty", "[[joint]]");
  refused(dh, 0, "the robot has no joints", "[[joint]]");
  refused(dh + "[joint]\nname = \"a\"\n", 2, "joint is not a list of tables", "double brackets");
  refused(dh + "joint = [1]\n", 2, "joint is not a list of tables", "double brackets");
}

TEST(TomlRefuses, FilesThatCannotBeRead) {
  const Folder folder;
  auto said = [](const std::string& path) -> std::string {
    try {
      read_toml(path);
    } catch (const Error& e) {
      return e.what();
    }
    return "(accepted)";
  };
  const std::string path = folder.path.string();
  EXPECT_EQ(said(path),
            path + ": this is a directory; give a robot file such as " + path + "/robot.toml");
  EXPECT_EQ(said(path + "/no.toml"), path + "/no.toml: there is no such file; check the path");
  const std::string empty = folder.write("empty.toml", "");
  EXPECT_TRUE(said(empty).starts_with(empty + ": the file is empty")) << said(empty);
  const std::string locked = folder.write("locked.toml", dh + "[[joint]]\n");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (!std::ifstream(locked)) {  // the superuser reads everything
    EXPECT_TRUE(said(locked).starts_with(locked + ": cannot open the file")) << said(locked);
  }
  const Description d = read_toml(folder.write("six axis.toml", dh + "[[joint]]\n"));
  EXPECT_EQ(d.name, "six axis");  // the file's name, where it says none
}

TEST(TomlRefuses, WrongTopLevelValues) {
  refused("convention = \"craig\"\n[[joint]]\n", 1, "convention 'craig' is unknown",
          "\"modified\"");
  refused("convention = 1\n[[joint]]\n", 1, "convention is a number", "\"modified\"");
  refused(dh + "gravity = 9.81\n[[joint]]\n", 2, "gravity is a number", "[0, 0, -9.81]");
  refused(dh + "gravity = [0, 9.81]\n[[joint]]\n", 2, "gravity has 2 entries", "three numbers");
  refused(dh + "gravity = [0,\n0,\nnan]\n[[joint]]\n", 4, "entry 3 of gravity is nan",
          "three numbers");
  refused(dh + "name = \"\"\n[[joint]]\n", 2, "name is empty", "the robot's name");
  refused(dh + "name = true\n[[joint]]\n", 2, "name is true or false", "the robot's name");
  refused(dh + "source = [\"a\",\n3]\n[[joint]]\n", 3, "entry 2 of source is a number",
          "the source of the figures");
  refused(dh + "base_link = 3\n[[joint]]\n", 2, "base_link is a number", "base_link = {mass = 10}");
  refused(dh + "base = 1979-05-27\n[[joint]]\n", 2, "base is a date or time", "\"base\"");
}

TEST(TomlRefuses, WrongJointValues) {
  refused(dh + "[[joint]]\n\nmass = \"3\"\n", 4, "joint 1: mass is a string",
          "give a mass in kg, such as mass = 4.2");
  refused(dh + "[[joint]]\nname = \"elbow\"\nmass = inf\n", 4, "joint 'elbow': mass is inf", "kg");
  refused(dh + "[[joint]]\nmass = nan\n", 3, "mass is nan", "kg");
  refused(dh + "[[joint]]\nmass = 1\ncom = 3\n", 4, "com is a number", "[0, 0, 0.1]");
  refused(dh + "[[joint]]\nmass = 1\ncom = [1]\n", 4, "com has 1 entry", "three lengths in m");
  refused(dh + "[[joint]]\nmass = 1\ncom = [1,\n2,\n\"x\"]\n", 6, "entry 3 of com is a string",
          "three lengths in m");
  refused(dh + "[[joint]]\nmass = 1\ninertia = [1, 2, 3, 4]\n", 4, "inertia has 4 entries",
          "[Ixx, Iyy, Izz]");
  refused(dh + "[[joint]]\nmass = 1\ninertia = [1, 2, 3]\ninertia_about = \"tip\"\n", 5,
          "inertia_about is 'tip'", "\"origin\"");
  refused(dh + "[[joint]]\nmass = 1\ninertia_about = \"com\"\n", 4, "no inertia",
          "give the inertia too");
  refused(dh + "[[joint]]\ncom = [0, 0, 0]\n", 3, "com is given, but no mass", "give the mass too");
  refused(dh + "[[joint]]\ninertia = [1, 1, 1]\n", 3, "inertia is given, but no mass",
          "give the mass too");
  refused(dh + "[[joint]]\ntype = \"revolut\"\n", 3,
          "type 'revolut' is unknown (did you mean 'revolute'?)", "prismatic");
  refused(dh + "[[joint]]\ntype = \"hinge\"\n", 3, "type 'hinge' is unknown",
          "revolute, continuous");
  refused(dh + "[[joint]]\nalpha = \"pi/x\"\n", 3, "alpha is \"pi/x\", which is not an angle",
          "\"90 deg\"");
  refused(dh + "[[joint]]\nalpha = \"1/0\"\n", 3, "not an angle");
  refused(dh + "[[joint]]\nalpha = [1]\n", 3, "alpha is an array", "\"-pi/2\"");
  refused(dh + "[[joint]]\nd = \"pi\"\n", 3, "d is a string", "a length in m");
  refused(dh + "[[joint]]\nlower = \"low\"\n", 3, "lower is \"low\", which is not an angle",
          "radians");
  refused(dh + "[[joint]]\ntype = \"prismatic\"\nlower = \"pi\"\n", 4, "lower is a string",
          "m for a prismatic joint");
  refused(dh + "[[joint]]\neffort = false\n", 3, "effort is true or false", "N m");
  refused(dh + "[[joint]]\ngear_ratio = 0\n", 3, "gear_ratio is 0", "not 0");
  refused(dh + "[[joint]]\nrotor_inertia = 1\nmotor_inertia = 1\n", 4,
          "both rotor_inertia and motor_inertia", "gear_ratio");
  refused(dh + "[[joint]]\nmotor_inertia = 1\n", 3, "no gear_ratio", "1 for a direct drive");
  refused(dh + "[[joint]]\nmimic = \"other\"\n", 3, "mimic is a string", "{joint = ");
  refused(dh + "[[joint]]\nmimic = {multiplier = 2}\n", 3,
          "the name of the mimicked joint is missing", "such as joint =");
  refused(dh + "[[joint]]\nmimic = {joint = \"a\", multiplier = \"2\"}\n", 3,
          "multiplier is a string");
  refused(dh + "[[joint]]\nname = 3\n", 3, "name is a number", "\"shoulder\"");
  refused(dh + "[base_link]\nmass = \"3\"\n[[joint]]\n", 3, "base_link: mass is a string", "kg");
}

TEST(TomlRefuses, GeometryOfTheWrongConvention) {
  refused("[[joint]]\nalpha = 1\n", 2, "the file names no convention",
          "convention = \"modified\" (Craig) or convention = \"standard\"");
  refused(frames + "[[joint]]\naxis = [0, 0, 1]\nd = 1\n", 4, "the convention is \"frames\"",
          "xyz and rpy");
  refused(dh + "[[joint]]\nxyz = [0, 0, 1]\n", 3, "xyz cannot be combined with Denavit-Hartenberg",
          "convention = \"frames\"");
  refused(dh + "[[joint]]\naxis = [0, 0, 1]\n", 3,
          "axis cannot be combined with Denavit-Hartenberg", "about z");
  refused(frames + "\n[[joint]]\nname = \"a\"\n", 3, "joint 'a': the joint has no axis",
          "axis = [0, 0, 1]");
  refused(frames + "[[joint]]\naxis = [0, 0]\n", 3, "axis has 2 entries");
  refused(frames + "[[joint]]\naxis = [0, 0, 1]\nrpy = [0, 0]\n", 4, "rpy has 2 entries",
          "roll, pitch, yaw");
  refused(frames + "[[joint]]\naxis = [0, 0, 1]\nrpy = [0, 0, \"pie\"]\n", 4,
          "entry 3 of rpy is \"pie\"", "roll, pitch, yaw");
  refused(
      frames +
          "[[joint]]\naxis = [0, 0, 1]\nrpy = [0, 0, 0]\nrotation = [[1,0,0],[0,1,0],[0,0,1]]\n",
      5, "both rpy and rotation");
  refused(frames + "[[joint]]\naxis = [0, 0, 1]\nrotation = [[1,0,0],[0,1,0]]\n", 4,
          "rotation has 2 rows", "three orthonormal rows");
  refused(frames + "[[joint]]\naxis = [0, 0, 1]\nrotation = [[1,0,0],\n[0,1],\n[0,0,1]]\n", 5,
          "row 2 of rotation is not three numbers");
  refused(frames + "[[joint]]\naxis = [0, 0, 1]\nrotation = [[1,0,0],[0,1,0],\n[0,0,\"z\"]]\n", 5,
          "entry 3 of row 3 of rotation is a string");
  refused(frames + "[[joint]]\naxis = [0, 0, 1]\nrotation = [[1,0,0],[0,1,0],[0,0,-1]]\n", 4,
          "rotation is not a rotation", "orthonormal");
}

TEST(TomlRefuses, NamesThatDoNotHang) {
  refused(dh + "[[joint]]\nparent = \"bse\"\n", 3,
          "joint 1: parent 'bse' is not a link of this robot", "did you mean 'base'?");
  refused(dh + "[[joint]]\nparent = \"elsewhere\"\n", 3, "parent 'elsewhere' is not a link",
          "name the base");
  refused(dh + "[[joint]]\nname = \"a\"\n[[joint]]\nname = \"a\"\n", 4,
          "joint 'a' exists already (line 2)", "its own name");
  refused(dh + "[[joint]]\nlink = \"a\"\n[[joint]]\nlink = \"a\"\n", 4,
          "link 'a' exists already (line 2)", "its own name");
  refused(dh + "[[joint]]\nlink = \"base\"\n", 2, "link 'base' exists already", "its own name");
}

constexpr const char* urdf_text =
    "<robot name=\"arm\">\n"
    "  <link name=\"base\"/>\n"
    "  <link name=\"l1\"/>\n"
    "  <joint name=\"shoulder\" type=\"continuous\"><parent link=\"base\"/><child "
    "link=\"l1\"/></joint>\n"
    "</robot>\n";

TEST(TomlBesideUrdf, AddsWhatUrdfCannotSay) {
  const Folder folder;
  const std::string urdf = folder.write("arm.urdf", urdf_text);
  const std::string toml = folder.write("arm.toml",
                                        "urdf = \"arm.urdf\"\nname = \"geared\"\ngravity = [0, 0, "
                                        "-1.62]\n[[joint]]\nname = \"shoulder\"\n"
                                        "motor_inertia = 0.001\ngear_ratio = 100\ndamping = "
                                        "0.5\nlower = \"-90 deg\"\nupper = 1\nmas = 3\n");
  const Description d = read_toml(toml);
  EXPECT_EQ(d.file, urdf);
  EXPECT_EQ(d.name, "geared");
  near(d.gravity, {0, 0, -1.62}, 0);
  ASSERT_EQ(d.joints.size(), 1u);
  const JointDescription& j = d.joints[0];
  EXPECT_DOUBLE_EQ(j.rotor_inertia, 10);
  EXPECT_EQ(j.gear_ratio, 100);
  EXPECT_EQ(j.damping, 0.5);
  EXPECT_DOUBLE_EQ(j.limits.lower, -pi / 2);
  EXPECT_TRUE(j.has_limits);
  ASSERT_FALSE(d.remarks.empty());
  EXPECT_EQ(d.remarks.back().at.file, toml);
  EXPECT_EQ(d.remarks.back().at.line, 11);
}

TEST(TomlBesideUrdf, RefusesWhatIsTheUrdfs) {
  const Folder folder;
  folder.write("arm.urdf", urdf_text);
  auto said = [&](const std::string& rest, int line, const std::string& wrong,
                  const std::string& right) {
    const std::string file = folder.write("arm.toml", rest);
    try {
      read_toml(file);
      ADD_FAILURE() << "accepted:\n" << rest;
    } catch (const Error& e) {
      const std::string text = e.what();
      EXPECT_TRUE(text.starts_with(file + ":" + std::to_string(line) + ": ")) << text;
      EXPECT_NE(text.find(wrong), std::string::npos) << text;
      EXPECT_NE(text.find(right), std::string::npos) << text;
    }
  };
  const std::string head = "urdf = \"arm.urdf\"\n",
                    joint = head + "[[joint]]\nname = \"shoulder\"\n";
  said("\nurdf = \"leg.urdf\"\n", 2, "the URDF file", "relative to this one");
  said("urdf = \"" + std::string(300, 'A') + "\"\n", 1, "the URDF file",
       "relative to this one");  // longer than a name of a file may be
  said(head + "convention = \"modified\"\n", 2, "convention cannot be combined with urdf",
       "remove it");
  said(head + "[[joint]]\ndamping = 1\n", 2, "does not name a joint", "such as name =");
  said(head + "[[joint]]\nname = \"sholder\"\n", 3, "has no joint 'sholder'",
       "did you mean 'shoulder'?");
  said(joint + "mass = 3\n", 4, "mass cannot be set here: the URDF file defines it",
       "rotor_inertia");
  said(joint + "a = 3\n", 4, "a cannot be set here: the URDF file defines it", "rotor_inertia");
  said(joint + "upper = -1\nlower = 1\n", 5, "lower limit 1 is above upper limit -1", "swap them");
  said(joint + "damping = -1\n", 4, "damping is negative", "N m s/rad");
}

// toml++ has no double for an integer beyond 2^53, which is no reason to take it for 0.
TEST(Toml, IntegersBeyondTwoToThe53AreRead) {
  const Description d = parse_toml(R"(convention = "frames"
gravity = [0, 0, -9007199254740993]
[[joint]]
axis = [0, 0, 1]
effort = 99999999999999999
lower = -9223372036854775808
upper = 9007199254740992
xyz = [9007199254740995, 0, 0]
drive = {efficiency = [[0, 0.5], [9223372036854775807, 0.9]]}
mass = 1
inertia = [1, 1, 1]
)",
                                   "arm.toml");
  EXPECT_EQ(d.joints[0].limits.effort, 1e17);
  EXPECT_EQ(d.joints[0].limits.lower, -0x1p63);
  EXPECT_EQ(d.joints[0].limits.upper, 0x1p53);
  EXPECT_EQ(d.joints[0].origin.p.x, 9007199254740996);  // to even, as any decimal number
  EXPECT_EQ(d.gravity.z, -9007199254740992);
  EXPECT_EQ(d.joints[0].drive->efficiency[1][0], 0x1p63);
}

// Exporters write 0 for an unknown limit.
TEST(Toml, ALimitOfZeroIsNone) {
  const std::string head = "[[joint]]\naxis = [0, 0, 1]\n";
  const Description d = parse_toml(head +
                                       "lower = 0\nupper = 1\nvelocity = 0\neffort = -0.0\nmass = "
                                       "1\ninertia = [1, 1, 1]\n",
                                   "arm.toml");
  EXPECT_EQ(d.joints[0].limits.velocity, Limits::none);
  EXPECT_EQ(d.joints[0].limits.effort, Limits::none);
  EXPECT_EQ(d.joints[0].limits.lower, 0);
  refused(head + "drive = {efficiency = [[0, 0.5], [1, 0.9]]}\neffort = 0\n", 3,
          "rated_torque is missing");
}

}  // namespace
}  // namespace parid::test
