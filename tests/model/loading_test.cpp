// Which robots load, what each finding has an effect on, and which quantities are refused.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "model/format/load.hpp"
#include "model/format/package_path.hpp"
#include "model/lint/check.hpp"
#include "model/lint/finding.hpp"
#include "parid/dynamics.hpp"
#include "parid/engine.hpp"
#include "parid/kinematics.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

const std::string solid =
    R"(<inertial><mass value="2"/><origin xyz="0.3 0 0"/>)"
    R"(<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>)";

// A base, an upper arm and a forearm on joints about y and z.
std::string arm(const std::string& upper, const std::string& lower, const std::string& joint = "",
                const std::string& head = "<robot name=\"arm\">") {
  return head + R"(<link name="base"/>
<link name="upper">)" +
         upper + R"(</link>
<link name="lower">)" +
         lower + R"(</link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
<axis xyz="0 1 0"/>)" +
         joint + R"(</joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
<origin xyz="0.6 0 0"/><axis xyz="0 0 1"/></joint>
</robot>)";
}

Robot robot_of(const std::string& text, LoadOptions options = {}) {
  return Robot::from_text(text, options, "arm.urdf");
}

std::string why(const auto& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::vector<std::string> codes_of(const std::string& text) {
  std::vector<std::string> codes;
  for (const Finding& f : check(parse_description(text, "arm.urdf", {}))) codes.push_back(f.code);
  return codes;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(Loading, MasslessArmHasTorquesAndPosesButNoAccelerations) {
  const Robot robot = robot_of(arm("", ""));
  Workspace w(robot);
  const std::vector<double> q{0.3, 0.4}, v{1, 2}, a{3, 4};
  std::vector<double> tau(2, NAN), M(4, NAN);
  inverse_dynamics(robot, w, q, v, a, tau);
  EXPECT_EQ(tau, (std::vector<double>{0, 0}));
  mass_matrix(robot, w, q, M);
  EXPECT_EQ(M, (std::vector<double>{0, 0, 0, 0}));
  EXPECT_NEAR(link_pose(robot, q, "lower").position[0], 0.6 * std::cos(0.3), 1e-15);

  const std::string refused = why([&] { forward_dynamics(robot, w, q, v, a, tau); });
  EXPECT_NE(refused.find("arm.urdf:4: joint 'shoulder' has no inertia behind it"),
            std::string::npos)
      << refused;
  EXPECT_NE(refused.find("the mass matrix is singular, so 'forward' is undefined"),
            std::string::npos)
      << refused;
  std::vector<double> dq(4), dv(4), dtau(4);
  EXPECT_NE(why([&] { forward_gradient(robot, w, q, v, a, dq, dv, dtau); }), "");
  EXPECT_NE(why([&] { prepare(w, {Quantity::forward_dynamics}); }), "");
  EXPECT_EQ(why([&] { prepare(w, {Quantity::inverse_gradient, Quantity::mass_matrix}); }), "");
}

TEST(Loading, EngineComputesWhatIsDefinedAndRefusesTheRest) {
  const Robot robot = robot_of(arm(solid, ""));  // the elbow moves nothing
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
  const std::vector<double> q(2 * 20, 0.3), v(2 * 20, 0.5), a(2 * 20, 0.7);
  std::vector<double> tau(2 * 20, NAN);
  engine.inverse_dynamics(20, q, v, a, tau);
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_TRUE(std::isfinite(tau[2 * k]));
    EXPECT_NE(tau[2 * k], 0);
    EXPECT_EQ(tau[2 * k + 1], 0);
  }
  const std::string refused = why([&] { engine.forward_dynamics(20, q, v, a, tau); });
  EXPECT_NE(refused.find("'elbow'"), std::string::npos) << refused;
}

TEST(Loading, ImpossibleInertiasCountAsWritten) {
  const std::string impossible =
      R"(<inertial><mass value="2"/><origin xyz="0.3 0 0"/>)"
      R"(<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.5"/></inertial>)";
  const std::string text = arm(solid, impossible);
  EXPECT_TRUE(has(codes_of(text), "triangle-inequality"));
  const Robot robot = robot_of(text);
  Workspace w(robot);
  std::vector<double> tau(2);
  inverse_dynamics(robot, w, std::vector<double>{0, 0}, std::vector<double>{0, 0},
                   std::vector<double>{0, 1}, tau);
  EXPECT_NEAR(tau[1], 0.5 + 2 * 0.3 * 0.3, 1e-14);  // about z, gravity along z
  std::vector<double> acceleration(2);
  forward_dynamics(robot, w, std::vector<double>{0, 0}, std::vector<double>{0, 0}, tau,
                   acceleration);
  EXPECT_NEAR(acceleration[1], 1, 1e-12);
}

TEST(Loading, StrictRefusesEveryError) {
  LoadOptions strict;
  strict.strict = true;
  EXPECT_NE(why([&] { robot_of(arm(solid, ""), strict); }).find("'elbow' has no inertia"),
            std::string::npos);
  EXPECT_EQ(why([&] { robot_of(arm(solid, solid), strict); }), "");
}

TEST(Loading, WarnsWhereNothingThatCountsIsWrong) {
  struct Case {
    std::string text;
    const char* code;
  };
  const Case cases[] = {
      {arm(solid, solid, "", "<robot>"), "no-name"},
      {arm(solid, solid, "", "<robot name=\" \">"), "no-name"},
      {arm(solid, solid, R"(<dynamics damping="stiff"/>)"), "unreadable-number"},
      {arm(solid, solid, R"(<limit lower="x" upper="1" effort="1" velocity="1"/>)"),
       "unreadable-number"},
      {arm(solid, solid, R"(<limit lower="1" upper="-1" effort="1" velocity="1"/>)"),
       "limit-order"},
      {arm(solid, solid, R"(<limit lower="-1" upper="1" effort="-5" velocity="1"/>)"),
       "negative-limit"},
      {arm(solid, solid, R"(<paint colour="red"/>)"), "unknown-tag"},
  };
  for (const auto& [text, code] : cases) {
    EXPECT_TRUE(has(codes_of(text), code)) << code;
    LoadOptions strict;
    strict.strict = true;
    EXPECT_EQ(why([&, t = text] { robot_of(t, strict); }), "") << code;
  }
}

TEST(Loading, LimitsThatCannotBeAreNotGiven) {
  const Robot reversed =
      robot_of(arm(solid, solid, R"(<limit lower="1" upper="-1" effort="-5" velocity="-2"/>)"));
  const Robot::Limit& limit = reversed.limits()[0];
  EXPECT_EQ(limit.lower, -INFINITY);
  EXPECT_EQ(limit.upper, INFINITY);
  EXPECT_EQ(limit.effort, INFINITY);
  EXPECT_EQ(limit.velocity, INFINITY);
}

TEST(Loading, MimicOfAFixedJointIsIgnored) {
  const std::string text =
      R"(<robot name="r"><link name="a"/><link name="b">)" + solid +
      R"(</link><link name="c"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<axis xyz="0 0 1"/></joint><joint name="k" type="fixed"><parent link="b"/><child link="c"/>
<mimic joint="nobody"/></joint></robot>)";
  EXPECT_TRUE(has(codes_of(text), "ignored-mimic"));
  EXPECT_EQ(robot_of(text).nv(), 1);
}

TEST(Loading, RoundingIsNotANegativeInertia) {
  const std::string dust =
      R"(<inertial><mass value="2"/><origin xyz="0.3 0 0"/><inertia ixx="-2.4e-35" ixy="0")"
      R"( ixz="0" iyy="0" iyz="0" izz="2.4e-35"/></inertial>)";
  const std::vector<std::string> codes = codes_of(arm(dust, solid));
  EXPECT_TRUE(has(codes, "point-mass"));
  EXPECT_FALSE(has(codes, "negative-inertia"));
}

TEST(Loading, StillRefusesWhatCannotBeUnderstood) {
  std::string lost = arm(solid, solid);
  lost.replace(lost.find("<child link=\"lower\"/>"), 21, "<child link=\"hand\"/>");
  EXPECT_NE(why([&] { robot_of(lost); }).find("'hand' of joint 'elbow' does not exist"),
            std::string::npos);
  EXPECT_NE(why([&] { robot_of(arm(solid, solid) + "<"); }), "");
  std::string cycle = arm(solid, solid);
  cycle.replace(cycle.find("<parent link=\"base\"/>"), 21, "<parent link=\"lower\"/>");
  EXPECT_NE(why([&] { robot_of(cycle); }).find("cycle"), std::string::npos);
  const std::string four = arm(solid, solid, R"(<origin xyz="0 0 0 0"/>)");
  EXPECT_NE(why([&] { robot_of(four); }).find("with 4 numbers"), std::string::npos);
}

TEST(Loading, FindingsNameTheQuantitiesThatTheyAffect) {
  const auto named = [](Effect e) { return names(affected(e)); };
  EXPECT_EQ(
      named(Effect::forward),
      (std::vector<std::string>{"forward", "inverse_mass", "forward_gradient", "forward_vjp",
                                "forward_jvp", "forward_parameter_vjp", "forward_parameter_jvp",
                                "operational", "rollout", "elastic_forward"}));
  EXPECT_TRUE(named(Effect::none).empty());
  EXPECT_EQ(named(Effect::all).size(), quantities().size());
  EXPECT_FALSE(has(named(Effect::inertia), "kinematics"));
  EXPECT_TRUE(has(named(Effect::inertia), "inverse"));
}

TEST(Loading, SuffixesAreCaseBlindAndContentDecides) {
  EXPECT_EQ(format_of(arm("", ""), "ARM.URDF"), RobotFormat::urdf);
  EXPECT_EQ(format_of("<?xml version=\"1.0\"?><!-- < --><mujoco/>", "arm.xml"), RobotFormat::mjcf);
  EXPECT_EQ(format_of("<sdf version=\"1.7\"/>", ""), RobotFormat::sdf);
  EXPECT_EQ(format_of("name = \"arm\"\n[[joint]]\n", ""), RobotFormat::toml);
  EXPECT_EQ(format_of(arm("", ""), "arm.urdf.xacro"), RobotFormat::xacro);
  EXPECT_EQ(robot_format("toml"), RobotFormat::toml);
  EXPECT_NE(why([] { robot_format("urfd"); }).find("did you mean 'urdf'"), std::string::npos);

  const fs::path folder = fs::temp_directory_path() / "parid_loading_test";
  fs::create_directories(folder);
  for (const char* name : {"arm.URDF", "arm", "arm.description"}) {
    std::ofstream(folder / name) << arm(solid, solid);
    EXPECT_EQ(Robot::load((folder / name).string()).nv(), 2) << name;
  }
  fs::remove_all(folder);
}

TEST(PackagePath, FindsPackagesByNameNearTheFileAndInTheEnvironment) {
  const fs::path folder = fs::temp_directory_path() / "parid_package_path_test";
  fs::remove_all(folder);
  const auto touch = [&](const fs::path& file) {
    fs::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << "x";
  };
  touch("near/arm_description/meshes/a.stl");
  touch("near/arm_description/urdf/arm.urdf");
  touch("ros/hand_description/meshes/b.stl");
  touch("prefix/share/leg_description/meshes/c.stl");
  touch("elsewhere/meshes/d.stl");
  const std::string urdf = (folder / "near/arm_description/urdf/arm.urdf").string();
  ::setenv("ROS_PACKAGE_PATH", (folder / "ros").c_str(), 1);
  ::setenv("AMENT_PREFIX_PATH",
           ((folder / "nowhere").string() + ":" + (folder / "prefix").string()).c_str(), 1);
  const PackagePath path({{"tool", (folder / "elsewhere").string()}});
  ::unsetenv("ROS_PACKAGE_PATH");
  ::unsetenv("AMENT_PREFIX_PATH");
  const auto resolved = [&](const char* uri) {
    return fs::relative(path.resolve(*package_uri(uri), urdf), fs::canonical(folder)).string();
  };
  EXPECT_EQ(resolved("package://arm_description/meshes/a.stl"),
            "near/arm_description/meshes/a.stl");
  EXPECT_EQ(resolved("package://hand_description/meshes/b.stl"),
            "ros/hand_description/meshes/b.stl");
  EXPECT_EQ(resolved("model://leg_description/meshes/c.stl"),
            "prefix/share/leg_description/meshes/c.stl");
  EXPECT_EQ(resolved("package://tool/meshes/d.stl"), "elsewhere/meshes/d.stl");
  EXPECT_FALSE(package_uri("file:///etc/passwd"));
  for (const char* bad : {"package://arm_description/../x", "package://../x", "package://",
                          "package://arm_description", "package://nobody/x"})
    EXPECT_NE(why([&] { path.resolve(*package_uri(bad), urdf); }), "") << bad;
  fs::create_symlink("/etc/passwd", folder / "elsewhere/meshes/out.stl");
  EXPECT_NE(why([&] {
              path.resolve(*package_uri("package://tool/meshes/out.stl"), urdf);
            }).find("outside its package"),
            std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace parid::test
