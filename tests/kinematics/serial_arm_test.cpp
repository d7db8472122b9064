// Closed forms of serial arms, recognised from their axes, against the description's own forward
// kinematics (tests/link_motion.hpp).

#include "kinematics/serial_arm.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <span>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "kinematics/serial_arm_ik.hpp"
#include "model/format/load.hpp"
#include "model/frame.hpp"
#include "parid/error.hpp"
#include "parid/inverse_kinematics.hpp"
#include "parid/robot.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "tests/full.hpp"
#include "tests/kinematics/disguised_arm.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"

using namespace parid;
using namespace parid::test;

namespace {

constexpr double right = std::numbers::pi / 2, half_turn = std::numbers::pi;

double pose_difference(const Pose<double>& A, const Pose<double>& B) {
  double most = 0;
  for (const Vec3<double>& d : {A.p - B.p, A.R.r0 - B.R.r0, A.R.r1 - B.R.r1, A.R.r2 - B.R.r2})
    most = std::max({most, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  return most;
}

struct BranchCheck {
  double worst = 0;   // of a branch's pose
  int returned = 0;   // poses whose own configuration is among the branches
  int singular = 0;   // poses with a singular branch
  long branches = 0;  // in all, and those that differ from all others of their pose
  long distinct = 0;
};

// All branches of the poses of random configurations. The seed is the configuration, so that a
// redundant arm keeps its arm angle or last joint.
BranchCheck check_poses(const Description& d, const std::string& link_name, int poses,
                        std::uint64_t seed, double near) {
  const Robot robot(d);
  const int link = robot.find_link(link_name);
  InverseKinematics ik(robot, link_name, {.threads = 1});
  const SerialArmSearch found = serial_arm(robot.canonical(), link);
  Rng rng(seed);
  BranchCheck out;
  for (int n = 0; n < poses; ++n) {
    std::vector<double> q = robot.neutral();
    for (int k = 0; k < found.arm->joints; ++k)
      q[static_cast<std::size_t>(found.arm->coordinate[k])] = uniform(rng, -3.1, 3.1);
    const Pose<double> pose = link_poses(d, q)[link];
    double nearest = 100;
    std::vector<std::vector<double>> all;
    bool singular = false;
    for (const IkBranch& b : ik.all(link_pose_of(pose), q)) {
      singular |= b.singular;
      double off = 0;
      for (std::size_t k = 0; k < q.size(); ++k) {
        EXPECT_TRUE(std::isfinite(b.q[k]));
        off = std::max(off, std::abs(std::remainder(b.q[k] - q[k], 2 * std::numbers::pi)));
      }
      nearest = std::min(nearest, off);
      out.worst = std::max(out.worst, pose_difference(link_poses(d, b.q)[link], pose));
      bool is_new = true;
      for (const auto& other : all) {
        double apart = 0;
        for (std::size_t k = 0; k < q.size(); ++k)
          apart = std::max(apart, std::abs(std::remainder(other[k] - b.q[k], 2 * half_turn)));
        is_new &= apart > 1e-6;
      }
      out.distinct += is_new;
      all.push_back(b.q);
    }
    out.branches += static_cast<long>(all.size());
    out.singular += singular;
    out.returned += nearest < near;
    if (nearest >= near && !singular) {
      ADD_FAILURE() << d.name << ": configuration " << n << " is " << nearest
                    << " from the nearest of " << all.size() << " branches";
    }
  }
  return out;
}

void expect_solved(const Description& d, const std::string& link, int poses, std::uint64_t seed,
                   double near = 1e-6) {
  SCOPED_TRACE(d.name);
  const BranchCheck c = check_poses(d, link, poses, seed, near);
  EXPECT_LT(c.worst, 1e-10);
  // Only close to singular configurations may the configuration itself be another of many.
  EXPECT_GE(c.returned, poses - c.singular);
  EXPECT_LE(c.singular, 2 + poses / 200);
  EXPECT_GE(c.branches, poses);
  EXPECT_GE(c.distinct, c.branches - 8 * c.singular);
  if (std::getenv("PARID_SHOW"))
    std::printf("%-24s %8d poses %9ld branches  %4d singular  %4d not returned  error %.1e\n",
                d.name.c_str(), poses, c.branches, c.singular, poses - c.returned, c.worst);
}

struct TableArm {
  const char* name;
  std::vector<DenavitHartenberg> rows;  // a, α, d, θ
  const char* shape;
  int slide = -1;
  const char* redundancy = "";
};

// Published lengths: data sheets of the makers, and the UR and Franka documentation.
const std::vector<TableArm>& table_arms() {
  static const std::vector<TableArm> all = {
      {"UR5",
       {{0, right, 0.089159, 0},
        {-0.425, 0, 0, 0},
        {-0.39225, 0, 0, 0},
        {0, right, 0.10915, 0},
        {0, -right, 0.09465, 0},
        {0, 0, 0.0823, 0}},
       "three_parallel"},
      {"KUKA KR 6 R900",
       {{0.025, -right, 0.4, 0},
        {0.455, 0, 0, 0},
        {0.035, -right, 0, 0},
        {0, right, 0.42, 0},
        {0, -right, 0, 0},
        {0, 0, 0.08, 0}},
       "spherical_wrist"},
      {"ABB IRB 120, shoulder axes that meet",
       {{0, -right, 0.29, 0},
        {0.27, 0, 0, 0},
        {0.07, -right, 0, 0},
        {0, right, 0.302, 0},
        {0, -right, 0, 0},
        {0, 0, 0.072, 0}},
       "puma"},
      {"Fanuc LR Mate 200iD",
       {{0.05, -right, 0.33, 0},
        {0.33, half_turn, 0, 0},
        {0.035, -right, 0, 0},
        {0, right, -0.335, 0},
        {0, -right, 0, 0},
        {0, half_turn, -0.08, 0}},
       "spherical_wrist"},
      {"Staubli TX2-60L",
       {{0, -right, 0.375, 0},
        {0.4, 0, 0.02, 0},
        {0, right, 0, 0},
        {0, -right, 0.45, 0},
        {0, right, 0, 0},
        {0, 0, 0.07, 0}},
       "puma"},
      {"lateral offsets at shoulder and elbow",
       {{0.15, -right, 0.4, 0},
        {0.4, 0, 0.12, 0},
        {0.05, right, -0.04, 0},
        {0, -right, 0.45, 0},
        {0, right, 0, 0},
        {0, 0, 0.07, 0}},
       "spherical_wrist"},
      {"oblique axes",
       {{0.1, 1.1, 0.4, 0},
        {0.4, 0, 0.12, 0},
        {0.05, 0.8, -0.04, 0},
        {0, 1.0, 0.45, 0},
        {0, 1.3, 0, 0},
        {0, 0, 0.07, 0}},
       "spherical_wrist"},
      {"axes 1 and 2 parallel",
       {{0.3, 0, 0.1, 0},
        {0.2, right, 0.1, 0},
        {0.05, right, 0.05, 0},
        {0, right, 0.3, 0},
        {0, right, 0, 0},
        {0, 0, 0.1, 0}},
       "spherical_wrist"},
      {"axes 1 and 2 meet, 3 oblique",
       {{0, right, 0.3, 0},
        {0.3, 0.7, 0.1, 0},
        {0.05, right, 0.05, 0},
        {0, right, 0.3, 0},
        {0, right, 0, 0},
        {0, 0, 0.1, 0}},
       "spherical_wrist"},
      {"axes 2 and 3 meet",
       {{0.2, right, 0.3, 0},
        {0, right, 0.15, 0},
        {0.05, right, 0.25, 0},
        {0, right, 0.3, 0},
        {0, right, 0, 0},
        {0, 0, 0.1, 0}},
       "spherical_wrist"},
      {"spherical shoulder",
       {{0, right, 0, 0},
        {0, right, 0, 0},
        {0.05, right, 0.4, 0},
        {0.3, 0, 0.05, 0},
        {0.1, right, 0, 0},
        {0, 0, 0.1, 0}},
       "spherical_wrist"},
      {"three parallel axes from the tip",
       {{0, right, 0.1, 0},
        {0.02, right, 0.1, 0},
        {0.4, 0, 0, 0},
        {0.35, 0, 0, 0},
        {0.1, right, 0.1, 0},
        {0, 0, 0.1, 0}},
       "three_parallel"},
      {"KUKA LBR iiwa 14",
       {{0, -right, 0.36, 0},
        {0, right, 0, 0},
        {0, right, 0.42, 0},
        {0, -right, 0, 0},
        {0, -right, 0.4, 0},
        {0, right, 0, 0},
        {0, 0, 0.126, 0}},
       "spherical_spherical",
       -1,
       "arm_angle"},
      {"seven axes with an elbow offset",
       {{0, -right, 0.3, 0},
        {0, right, 0, 0},
        {0.07, 1.2, 0.4, 0},
        {-0.05, -right, 0.02, 0},
        {0, -right, 0.35, 0},
        {0, right, 0, 0},
        {0, 0, 0.1, 0}},
       "spherical_spherical",
       -1,
       "arm_angle"},
      {"Franka Panda",
       {{0, -right, 0.333, 0},
        {0, right, 0, 0},
        {0.0825, right, 0.316, 0},
        {-0.0825, -right, 0, 0},
        {0, right, 0.384, 0},
        {0.088, right, 0, 0},
        {0, 0, 0.107, 0}},
       "spherical_wrist",
       -1,
       "last_joint"},
      {"SCARA",
       {{0.3, 0, 0.4, 0}, {0.25, half_turn, 0, 0}, {0, 0, 0, 0}, {0, 0, 0.05, 0}},
       "planar",
       2},
      {"SCARA that slides first",
       {{0, 0, 0, 0}, {0.3, 0, 0.4, 0}, {0.25, 0, 0, 0}, {0, 0, 0.1, 0}},
       "planar",
       0},
      {"planar arm of three joints", {{0.3, 0, 0, 0}, {0.25, 0, 0, 0}, {0.2, 0, 0, 0}}, "planar"},
      {"planar arm of two joints", {{0.3, 0, 0, 0}, {0.25, half_turn, 0, 0}}, "planar"},
  };
  return all;
}

}  // namespace

// Each arm with random base, tool, directions of axes, zeros and link frames.
TEST(SerialArm, EveryBranchOfArmsInDisguise) {
  for (const TableArm& arm : table_arms()) {
    Rng rng(7);
    for (int n = 0; n < 6; ++n) {
      Description d =
          disguised(rng, arm.rows, arm.slide, n % 2 ? LinkFrames::square : LinkFrames::any);
      d.name = arm.name;
      const std::string link = d.links.back().name;
      const Robot robot(d);
      const InverseKinematics ik(robot, link);
      ASSERT_EQ(ik.closed_form(), arm.shape) << arm.name << ": " << ik.closed_form_text();
      EXPECT_EQ(ik.redundancy(), arm.redundancy) << arm.name;
      const SerialArmSearch found = serial_arm(robot.canonical(), robot.find_link(link));
      EXPECT_TRUE(found.arm->exact()) << arm.name << " " << found.arm->deviation;
      expect_solved(d, link, cases(150, 3000), 11 + static_cast<std::uint64_t>(n));
    }
  }
}

// Right angles to five digits, as robot files have them: the tolerance takes them for right angles,
// and Newton steps on the file's own model do the rest.
TEST(SerialArm, AnglesWrittenWithFiveDigits) {
  for (const TableArm& arm : table_arms()) {
    Rng rng(8);
    std::vector<DenavitHartenberg> rows = arm.rows;
    bool any = false;
    for (DenavitHartenberg& row : std::span(rows).first(rows.size() - 1)) {  // the last: the tool
      const double rounded = std::round(row.alpha * 1e5) / 1e5;
      any |= rounded != row.alpha;
      row.alpha = rounded;
    }
    if (!any) continue;
    Description d = disguised(rng, rows, arm.slide, LinkFrames::any);
    d.name = arm.name;
    const std::string link = d.links.back().name;
    const Robot robot(d);
    const SerialArmSearch found = serial_arm(robot.canonical(), robot.find_link(link));
    ASSERT_TRUE(found.arm) << arm.name << ": " << found.why;
    EXPECT_FALSE(found.arm->exact()) << arm.name;
    EXPECT_LT(found.arm->deviation, 1e-4) << arm.name;
    // The arm angle is that of the form: Newton steps change it by as much as the form differs.
    const bool swivels = found.arm->redundancy == SerialArm::Redundancy::arm_angle;
    expect_solved(d, link, cases(300, 5000), 21, swivels ? 0.2 : 1e-6);
  }
}

TEST(SerialArm, OtherArmsHaveNoneAndTheReasonIsSaid) {
  auto why = [](const Robot& robot, const std::string& link) {
    return serial_arm(robot.canonical(), robot.find_link(link)).why;
  };
  Rng rng(9);
  const Robot chain{random_chain(rng, 6)};
  EXPECT_NE(why(chain, chain.tip()), "");
  const Robot ur5 = Robot::load("ur5");
  EXPECT_NE(why(ur5, ur5.link_names()[5]), "");
  EXPECT_NE(why(ur5, ur5.link_names().front()).find("0 joints"), std::string::npos);
  // a Stanford arm has its own form
  const Robot stanford = Robot::load("stanford");
  EXPECT_NE(why(stanford, stanford.tip()).find("prismatic"), std::string::npos);
  InverseKinematics ik(chain);
  try {
    ik.all({});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("closed-form"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find(ik.closed_form_text()), std::string::npos);
  }
}

TEST(SerialArm, SingularPosesAreReportedAndNoNumberIsLost) {
  for (const TableArm& arm : table_arms()) {
    SCOPED_TRACE(arm.name);
    Rng rng(10);
    Description d = disguised(rng, arm.rows, arm.slide, LinkFrames::square);
    const std::string link = d.links.back().name;
    const Robot robot(d);
    InverseKinematics ik(robot, link);
    const SerialArmSearch search = serial_arm(robot.canonical(), robot.find_link(link));
    ASSERT_TRUE(search.arm) << search.why;
    const SerialArm form = *search.arm;
    int singular = 0, found = 0;
    // all combinations of quarter turns of the form's own angles: stretched, folded, aligned
    for (int n = 0; n < 400; ++n) {
      std::vector<double> q(robot.neutral());
      for (int k = 0; k < form.joints; ++k) {
        const double theta = right * static_cast<double>(rng() % 4);
        q[static_cast<std::size_t>(form.coordinate[k])] = form.sign[k] * (theta - form.zero[k]);
      }
      const Pose<double> pose = link_poses(d, q)[robot.find_link(link)];
      for (const IkBranch& b : ik.all(link_pose_of(pose), q)) {
        for (const double x : b.q) ASSERT_TRUE(std::isfinite(x));
        EXPECT_LT(pose_difference(link_poses(d, b.q)[robot.find_link(link)], pose), 1e-8);
        singular += b.singular;
        ++found;
      }
      for (int b = 0; b < form.branches(); ++b)
        for (const double x : branch(form, pose, b, 0.3).q) ASSERT_TRUE(std::isfinite(x));
    }
    EXPECT_GT(found, 0);
    EXPECT_TRUE(singular > 0 || form.axes == 2);
  }
}

TEST(SerialArm, OutOfReachIsSaid) {
  for (const TableArm& arm : table_arms()) {
    SCOPED_TRACE(arm.name);
    Rng rng(12);
    const Description d = disguised(rng, arm.rows, arm.slide, LinkFrames::any);
    const Robot robot(d);
    const std::string link = d.links.back().name;
    const SerialArm form = serial_arm(robot.canonical(), robot.find_link(link)).arm.value();
    LinkPose far;
    far.position = {30, -20, 10};
    EXPECT_TRUE(InverseKinematics(robot, link).all(far).empty());
    if (form.axes == 2) continue;  // two angles follow from any pose; the check decides
    for (int b = 0; b < form.branches(); ++b)
      EXPECT_LT(branch(form, pose_of(far), b, 0.0).reach, 0);
  }
}

TEST(SerialArm, RedundancyIsKeptAndChosen) {
  for (const char* name : {"KUKA LBR iiwa 14", "seven axes with an elbow offset", "Franka Panda"})
    for (const TableArm& arm : table_arms()) {
      if (std::string(name) != arm.name) continue;
      SCOPED_TRACE(name);
      Rng rng(13);
      const Description d = disguised(rng, arm.rows, -1, LinkFrames::any);
      const Robot robot(d);
      const std::string link = d.links.back().name;
      const SerialArm form = serial_arm(robot.canonical(), robot.find_link(link)).arm.value();
      InverseKinematics ik(robot, link);
      int found = 0;
      for (int n = 0; n < 200; ++n) {
        std::vector<double> q(7);
        for (double& x : q) x = uniform(rng, -3, 3);
        const Pose<double> pose = link_poses(d, q)[robot.find_link(link)];
        const double given = uniform(rng, -3, 3);
        for (const IkBranch& b : ik.all_with(link_pose_of(pose), given, q)) {
          ++found;
          EXPECT_LT(pose_difference(link_poses(d, b.q)[robot.find_link(link)], pose), 1e-10);
          std::array<double, 7> chain{};
          for (std::size_t k = 0; k < 7; ++k) chain[k] = b.q[form.coordinate[k]];
          const double is = form.redundancy == SerialArm::Redundancy::last_joint
                                ? chain[6]
                                : arm_angle(form, chain);
          EXPECT_LT(std::abs(std::remainder(is - given, 2 * half_turn)), 1e-9);
        }
      }
      EXPECT_GT(found, 200);
    }
  InverseKinematics puma(Robot::load("puma560"));
  EXPECT_THROW(puma.all_with({}, 0.1), Error);
}

// Traced to a graph it is the same computation.
TEST(SerialArm, TracedToAGraph) {
  for (const TableArm& arm : table_arms()) {
    SCOPED_TRACE(arm.name);
    Rng rng(14);
    const Description d = disguised(rng, arm.rows, arm.slide, LinkFrames::any);
    const Robot robot(d);
    const int link = robot.find_link(d.links.back().name);
    const SerialArm form = serial_arm(robot.canonical(), link).arm.value();
    std::vector<double> q(robot.neutral());
    for (int k = 0; k < form.joints; ++k) q[form.coordinate[k]] = uniform(rng, -3, 3);
    const auto [R, p] = link_poses(d, q)[link];
    const std::vector<double> entries = {R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z,
                                         R.r2.x, R.r2.y, R.r2.z, p.x,    p.y,    p.z};
    Graph g;
    std::vector<Expr> in;
    for (int k = 0; k < 12; ++k) in.push_back(input(g, "x" + std::to_string(k)));
    const Pose<Expr> traced{{{in[0], in[1], in[2]}, {in[3], in[4], in[5]}, {in[6], in[7], in[8]}},
                            {in[9], in[10], in[11]}};
    const auto graph = branch(form, traced, 5, Expr(0.4));
    for (int k = 0; k < form.joints; ++k) output(g, "q" + std::to_string(k), graph.q[k]);
    const auto expected = branch(form, Pose<double>{R, p}, 5, 0.4);
    const std::vector<double> evaluated = evaluate<double>(g, entries);
    for (int k = 0; k < form.joints; ++k)
      EXPECT_NEAR(std::remainder(evaluated[k] - expected.q[k], 2 * half_turn), 0, 1e-9);
  }
}

// Public robot files, not in the repository. 100000 poses each in a full run.
TEST(SerialArm, TenArmsOfPublicRobotFiles) {
  namespace fs = std::filesystem;
  const char* data = std::getenv("PARID_EXTRA_DATA");
  const fs::path zoo = data ? fs::path(data) / "zoo" / "urdf" : fs::path();
  if (!data || !fs::is_directory(zoo)) GTEST_SKIP() << "PARID_EXTRA_DATA/zoo/urdf is not there";
  const std::string set = "Daniella1+urdf_files_dataset/urdf_files/",
                    ros = set + "ros-industrial/xacro_generated/";
  struct File {
    std::string path, link, form;
  };
  const File files[] = {
      {ros + "universal_robots/ur_description/urdf/ur5.urdf", "tool0", "three_parallel"},
      {"Gepetto+example-robot-data/robots/panda_description/urdf/panda.urdf", "panda_link8",
       "spherical_wrist"},
      {ros + "kuka/kuka_kr6_support/urdf/kr6r900sixx.urdf", "tool0", "spherical_wrist"},
      {ros + "abb/abb_irb120_support/urdf/irb120_3_58.urdf", "tool0", "puma"},
      {ros + "fanuc/fanuc_lrmate200ic_support/urdf/lrmate200ic.urdf", "tool0", "spherical_wrist"},
      {ros + "staubli/staubli_tx2_60_support/urdf/tx2_60l.urdf", "tool0", "puma"},
      {set + "matlab/iiwa_description/urdf/kukaIiwa14.urdf", "iiwa_link_ee", "spherical_spherical"},
      {set + "ros-industrial/kuka/kuka_kr16_support/urdf/kr16_2.urdf", "tool0", "spherical_wrist"},
      {ros + "fanuc/fanuc_m20ia_support/urdf/m20ia.urdf", "tool0", "spherical_wrist"},
      {set + "ros-industrial/abb/abb_irb2400_support/urdf/irb2400.urdf", "tool0",
       "spherical_wrist"},
  };
  for (const File& f : files) {
    Description d = load_description((zoo / f.path).string());
    const Robot robot(d);
    const InverseKinematics ik(robot, f.link);
    EXPECT_EQ(ik.closed_form(), f.form) << f.path << ": " << ik.closed_form_text();
    if (ik.closed_form().empty()) continue;
    d.name = fs::path(f.path).stem().string();
    expect_solved(d, f.link, cases(1000, 100000), 31);
  }
}
