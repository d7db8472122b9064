#include "model/format/builtin.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/format/embedded.hpp"
#include "model/format/parametric.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/lint/check.hpp"
#include "tests/layer.hpp"
#include "tests/model/same_robot.hpp"

namespace parid::test {
namespace {

const std::map<std::string, std::string> expected_dof = {
    {"puma560", "6"},        {"puma560-3", "3"},  {"puma560-positioning", "3"},
    {"stanford", "6"},       {"stanford-3", "3"}, {"planar2", "2"},
    {"planar3", "3"},        {"scara", "4"},      {"panda", "7"},
    {"panda-friction", "7"}, {"ur5", "6"},        {"ur5-friction", "6"},
    {"quadruped", "18"},     {"humanoid", "38"},  {"orthogonal:N", "N"},
    {"chain:N", "N"},
};

double determinant(const Sym3<double>& A) {
  return A.xx * (A.yy * A.zz - A.yz * A.yz) - A.xy * (A.xy * A.zz - A.yz * A.xz) +
         A.xz * (A.xy * A.yz - A.yy * A.xz);
}
// Sylvester's criterion. `least` > 0 requires a margin, relative to the trace.
bool positive_definite(const Sym3<double>& A, double least) {
  const double t = A.xx + A.yy + A.zz;
  return A.xx > least * t && A.xx * A.yy - A.xy * A.xy > least * t * t &&
         determinant(A) > least * t * t * t;
}
// A tensor is a body's if its second moments, ∫ r rᵀ dm = trace(I)/2 1 - I, are not negative; that
// is the triangle inequality of the principal moments. A lamina has equality.
bool possible(const Sym3<double>& I) {
  const double h = (I.xx + I.yy + I.zz) / 2, little = 1e-12 * h;
  return positive_definite(I, 0) && positive_definite({h - I.xx + little, h - I.yy + little,
                                                       h - I.zz + little, -I.xy, -I.xz, -I.yz},
                                                      -1e-24);
}

void physical(const Description& d) {
  EXPECT_TRUE(d.remarks.empty()) << (d.remarks.empty() ? "" : d.remarks[0].text());
  EXPECT_FALSE(d.name.empty());
  EXPECT_FALSE(d.source.empty()) << d.name;
  EXPECT_EQ(d.links.size(), d.joints.size() + 1) << d.name;
  for (size_t i = 1; i < d.links.size(); ++i) {
    const LinkDescription& link = d.links[i];
    ASSERT_TRUE(link.inertia) << d.name << " " << link.name;
    EXPECT_GT(link.inertia->mass, 0) << d.name << " " << link.name;
    EXPECT_TRUE(possible(link.inertia->about_com)) << d.name << " " << link.name;
    EXPECT_LT(norm(link.inertia->com), 1) << d.name << " " << link.name;
  }
  for (const JointDescription& j : d.joints) {
    EXPECT_DOUBLE_EQ(norm(j.axis), 1) << d.name << " " << j.name;
    if (j.type == JointType::floating) continue;
    EXPECT_TRUE(j.has_limits) << d.name << " " << j.name;
    EXPECT_TRUE(std::isfinite(j.limits.lower) && std::isfinite(j.limits.upper))
        << d.name << " " << j.name;
    EXPECT_LT(j.limits.lower, j.limits.upper) << d.name << " " << j.name;
    EXPECT_GT(j.limits.velocity, 0) << d.name << " " << j.name;
    EXPECT_GT(j.limits.effort, 0) << d.name << " " << j.name;
    EXPECT_GE(j.rotor_inertia, 0) << d.name << " " << j.name;
  }
}

std::string refusal(const std::string& name) {
  try {
    return builtin(name) ? "(a robot)" : "(no such name)";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(Builtin, ListsEveryRobotWithItsDegreesOfFreedom) {
  std::map<std::string, std::string> dof;
  for (const BuiltinRobot& robot : builtin_robots()) {
    EXPECT_FALSE(robot.summary.empty()) << robot.name;
    EXPECT_EQ(robot.summary.find('\n'), std::string::npos) << robot.name;
    EXPECT_LE(robot.summary.size(), 100u) << robot.name;
    dof[robot.name] = robot.dof;
  }
  for (const auto& [name, n] : expected_dof) EXPECT_EQ(dof[name], n) << name;
}

TEST(Builtin, EveryRobotIsPossible) {
  for (const EmbeddedRobot& each : embedded_robots()) {
    const std::optional<Description> robot = builtin(each.name);
    ASSERT_TRUE(robot) << each.name;
    EXPECT_EQ(robot->name, each.name);
    EXPECT_EQ(robot->file, std::string("robots/") + each.name + ".toml");
    physical(*robot);
  }
  for (const char* name :
       {"orthogonal:1", "orthogonal:7", "chain:1", "chain:7", "chain:1000", "chain:65536"})
    physical(*builtin(name));
}

TEST(Builtin, FiguresAreTheTheses) {
  const Description d = *builtin("puma560");
  EXPECT_EQ(d.joints[2].origin.p.x, 0.4318);
  EXPECT_EQ(d.joints[2].origin.p.z, -0.0934);
  EXPECT_EQ(d.joints[1].origin.p.y, 0.2435);  // along z turned by -pi/2 about x, exactly
  EXPECT_EQ(d.joints[1].origin.p.z, 0);
  EXPECT_EQ(d.joints[1].rotor_inertia, 4.71);
  EXPECT_EQ(d.links[6].inertia->about_com.zz, 0.00004);
  EXPECT_EQ(builtin("stanford")->links[3].inertia->com.z, -0.6447);
  EXPECT_EQ(builtin("stanford")->joints[2].type, JointType::prismatic);
  EXPECT_EQ(builtin("planar3")->links[3].inertia->about_com.zz, 1.0 / 12);
}

// Arm and payload put together here, from the program's figures.
TEST(Builtin, PositioningCarriesItsPayload) {
  const Description d = *builtin("puma560-positioning");
  const Inertia arm{6.05, {0, -0.07, 0}, {0.2, 0.0234, 0.212, 0, 0, 0}},
      payload{5, {0, -0.4318, 0}, {}};
  const Moments<double> both = moments(arm) + moments(payload), ours = moments(*d.links[3].inertia);
  EXPECT_DOUBLE_EQ(ours.m, both.m);
  EXPECT_DOUBLE_EQ(ours.ms.y, both.ms.y);
  EXPECT_NEAR(ours.K.xx, both.K.xx, 1e-15);
  EXPECT_NEAR(ours.K.yy, both.K.yy, 1e-15);
  EXPECT_NEAR(ours.K.zz, both.K.zz, 1e-15);
  EXPECT_EQ(d.gravity.z, -9.8);
}

TEST(Builtin, ThreeJointVersionsAreTheFirstThreeJoints) {
  for (const std::string name : {"puma560", "stanford"}) {
    const Description whole = *builtin(name), part = *builtin(name + "-3");
    for (int i = 0; i < 3; ++i) {
      const Moments<double> a = moments(*whole.links[i + 1].inertia),
                            b = moments(*part.links[i + 1].inertia);
      EXPECT_EQ(a.m, b.m);
      EXPECT_EQ(a.ms.x, b.ms.x);
      EXPECT_EQ(a.ms.y, b.ms.y);
      EXPECT_EQ(a.ms.z, b.ms.z);
      EXPECT_EQ(a.K.xx, b.K.xx);
      EXPECT_EQ(a.K.yy, b.K.yy);
      EXPECT_EQ(a.K.zz, b.K.zz);
      EXPECT_EQ(norm(whole.joints[i].origin.p - part.joints[i].origin.p), 0);
      EXPECT_EQ(whole.joints[i].rotor_inertia, part.joints[i].rotor_inertia);
      EXPECT_EQ(whole.joints[i].limits.lower, part.joints[i].limits.lower);
      EXPECT_EQ(whole.joints[i].limits.upper, part.joints[i].limits.upper);
    }
  }
}

TEST(Builtin, LeggedRobotsFloatOnce) {
  for (const char* name : {"quadruped", "humanoid"}) {
    const Description d = *builtin(name, true);
    EXPECT_EQ(std::count_if(d.joints.begin(), d.joints.end(),
                            [](auto& j) { return j.type == JointType::floating; }),
              1);
  }
  const Description d = *builtin("panda", true);
  EXPECT_EQ(d.joints.size(), 8u);
  EXPECT_EQ(d.joints[0].name, "base");
  EXPECT_EQ(builtin("chain:3", true)->joints.size(), 4u);
}

// Left and right are mirror images in y: the whole body's centre lies in the plane between.
TEST(Builtin, HumanoidIsSymmetric) {
  const Description d = *builtin("humanoid");
  std::map<std::string, Vec3<double>> origin{{"world", {}}};
  Moments<double> all;
  for (size_t i = 0; i < d.joints.size(); ++i) {
    const JointDescription& j = d.joints[i];
    ASSERT_TRUE(origin.contains(j.parent));
    origin[j.child] = origin[j.parent] + j.origin.p;
    all =
        all + moments(moved({Mat3<double>::identity(), origin[j.child]}, *d.links[i + 1].inertia));
  }
  EXPECT_NEAR(all.ms.y, 0, 1e-13);
  EXPECT_NEAR(all.K.xy, 0, 1e-13);
  EXPECT_NEAR(all.K.yz, 0, 1e-13);
  EXPECT_NEAR(all.m, 68.4, 1e-9);
}

TEST(Builtin, UnknownNames) {
  EXPECT_FALSE(builtin("puma"));
  EXPECT_FALSE(builtin(""));
  EXPECT_FALSE(builtin("chains:3"));
  EXPECT_FALSE(builtin("puma560.toml"));
  EXPECT_EQ(nearest_builtin("puma56"), "puma560");
  EXPECT_EQ(nearest_builtin("pandda"), "panda");
  EXPECT_EQ(nearest_builtin("zeppelin"), "");
}

TEST(Parametric, RefusesWhatIsNoNumberOfLinks) {
  const std::string right = "; give a number of links from 1 to 100000, such as chain:7";
  EXPECT_EQ(refusal("chain:0"), "chain:0: a robot needs at least one link" + right);
  EXPECT_EQ(refusal("chain:-3"), "chain:-3: a robot needs at least one link" + right);
  EXPECT_EQ(refusal("chain:x"), "chain:x: invalid number of links 'x'" + right);
  EXPECT_EQ(refusal("chain:7.5"), "chain:7.5: invalid number of links '7.5'" + right);
  EXPECT_EQ(refusal("chain: 7"), "chain: 7: invalid number of links ' 7'" + right);
  EXPECT_EQ(refusal("chain:100001"), "chain:100001: 100001 links are too many" + right);
  EXPECT_EQ(refusal("chain:99999999999999999999"),
            "chain:99999999999999999999: too many links" + right);
  EXPECT_EQ(refusal("chain:"),
            "chain:: 'chain' is a family of robots; the number of links is missing" + right);
  EXPECT_EQ(refusal("chain"),
            "chain: 'chain' is a family of robots; the number of links is missing" + right);
  EXPECT_TRUE(refusal("orthogonal:0").ends_with("such as orthogonal:7"));
  EXPECT_EQ(refusal("chain:100000"), "(a robot)");
}

TEST(Parametric, GoldenSequence) {
  const double phi = (std::sqrt(5) - 1) / 2;
  EXPECT_EQ(golden(0), 0);
  for (int k = 1; k < 1000; ++k) EXPECT_NEAR(golden(k), k * phi - std::floor(k * phi), 1e-12);
  EXPECT_NE(golden(16 * 100000), 0);
}

TEST(Parametric, ChainIsGenericAndItsBeginningDoesNotDependOnItsLength) {
  const Description d = chain(1000), longer = chain(2000);
  for (size_t i = 0; i < d.joints.size(); ++i) {
    const Pose<double>& A = d.joints[i].origin;
    const Inertia& I = *d.links[i + 1].inertia;
    if (i == 0) {
      EXPECT_EQ(norm(A.p), 0);
      EXPECT_EQ(A.R.r2.z, 1);
    } else {
      for (const double v : {A.p.x, A.p.y, A.p.z, A.R.r1.y, A.R.r1.z, A.R.r2.y, A.R.r2.z})
        EXPECT_GT(std::abs(v), 1e-3) << i;
      EXPECT_LT(norm(A.p), 0.13) << i;
    }
    for (const double v : {I.com.x, I.com.y, I.com.z}) EXPECT_GE(std::abs(v), 0.01) << i;
    for (const double v : {I.about_com.xy, I.about_com.xz, I.about_com.yz})
      EXPECT_GT(std::abs(v), 1e-5) << i;
    std::set<double> moments{I.about_com.xx, I.about_com.yy, I.about_com.zz};
    EXPECT_EQ(moments.size(), 3u) << i;
    EXPECT_EQ(I.mass, longer.links[i + 1].inertia->mass);
    EXPECT_EQ(I.about_com.xy, longer.links[i + 1].inertia->about_com.xy);
    EXPECT_EQ(A.p.y, longer.joints[i].origin.p.y);
  }
  // The numbers docs/robot-files.md gives for the second link.
  EXPECT_NEAR(d.links[2].inertia->mass, 1.1311896, 1e-6);
}

TEST(Parametric, OrthogonalHasRightAnglesAndDiagonalInertias) {
  const Description d = orthogonal(100);
  int parallel = 0;
  for (size_t i = 0; i < d.joints.size(); ++i) {
    const Mat3<double>& R = d.joints[i].origin.R;
    EXPECT_TRUE(std::abs(R.r2.z) == 1 || R.r2.z == 0) << i;
    parallel += std::abs(R.r2.z) == 1;
    const Sym3<double>& I = d.links[i + 1].inertia->about_com;
    EXPECT_EQ(std::abs(I.xy) + std::abs(I.xz) + std::abs(I.yz), 0) << i;
  }
  EXPECT_EQ(parallel, 34);  // the first, and every third
}

// The manufacturer's robot description in its own frames (Universal_Robots_ROS2_Description,
// config/ur5): ours has other frames, and the same torques.
TEST(Builtin, TheUr5IsTheManufacturers) {
  struct Row {
    const char *link, *xyz, *rpy, *com, *turn;
    double mass;
    const char *ixx, *izz;
  };
  const Row rows[] = {
      {"shoulder_pan", "0 0 0.089159", "0 0 0", "0 -0.00193 -0.02561", "0 0 0", 3.7,
       "0.014972358333333331", "0.01040625"},
      {"shoulder_lift", "0 0 0", "1.5707963267948966 0 0", "-0.2125 0 0.11336",
       "0 1.5707963267948966 0", 8.393, "0.13388583541666665", "0.0151074"},
      {"elbow", "-0.425 0 0", "0 0 0", "-0.24225 0 0.0265", "0 1.5707963267948966 0", 2.33,
       "0.031216803515624995", "0.004095"},
      {"wrist_1", "-0.39225 0 0.10915", "0 0 0", "0 -0.01634 -0.0018", "0 0 0", 1.219,
       "0.002013889583333333", "0.0021942"},
      {"wrist_2", "0 -0.09465 0", "1.5707963267948966 0 0", "0 0.01634 -0.0018", "0 0 0", 1.219,
       "0.0018310395833333333", "0.0021942"},
      {"wrist_3", "0 0.0823 0", "1.5707963267948966 3.141592653589793 3.141592653589793",
       "0 0 -0.001159", "0 0 0", 0.1879, "8.062475833333332e-05", "0.0001321171875"},
  };
  // Their base_link is rotated by half a turn about z.
  std::string urdf =
      "<robot name='ur5'><link name='base'/><link name='turned'/><joint name='half' type='fixed'>"
      "<parent link='base'/><child link='turned'/><origin rpy='0 0 3.141592653589793'/></joint>";
  std::string parent = "turned";
  for (const Row& r : rows) {
    urdf += fmt::format(
        "<link name='{0}_link'><inertial><origin xyz='{1}' rpy='{2}'/><mass value='{3}'/><inertia "
        "ixx='{4}' iyy='{4}' izz='{5}' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='{0}' type='revolute'><parent link='{6}'/><child link='{0}_link'/><origin "
        "xyz='{7}' rpy='{8}'/><axis xyz='0 0 1'/></joint>",
        r.link, r.com, r.turn, r.mass, r.ixx, r.izz, parent, r.xyz, r.rpy);
    parent = std::string(r.link) + "_link";
  }
  const Description published = parse_urdf(urdf + "</robot>", "ur5.urdf");
  const Description ours = builtin("ur5").value();
  same_torques(ours, published);
  // No wrist has matter half a metre away.
  EXPECT_TRUE(check(ours).empty());
  for (const LinkDescription& l : ours.links) {
    if (!l.inertia) continue;
    const Sym3<double>& I = l.inertia->about_com;
    EXPECT_LT(std::sqrt((I.xx + I.yy + I.zz) / (2 * l.inertia->mass)), 0.2) << l.name;
  }
}

}  // namespace
}  // namespace parid::test
