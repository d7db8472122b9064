// Closed forms of inverse kinematics against the description's own forward kinematics.

#include "kinematics/closed_form.hpp"

#include <gtest/gtest.h>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "model/format/load.hpp"
#include "model/frame.hpp"
#include "parid/inverse_kinematics.hpp"
#include "parid/robot.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "scalar/pack.hpp"
#include "tests/kinematics/disguised_arm.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/random_robot.hpp"

using namespace parid;
using namespace parid::test;

namespace {

double largest_difference(const Pose<double>& A, const Pose<double>& B) {
  double most = 0;
  for (const Vec3<double>& d : {A.p - B.p, A.R.r0 - B.R.r0, A.R.r1 - B.R.r1, A.R.r2 - B.R.r2})
    most = std::max({most, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  return most;
}
double turned(double angle) { return std::abs(std::remainder(angle, 2 * std::numbers::pi)); }

// Lee and Chang's PUMA as a chain of standard frames, independent of closed_form().
Pose<double> lee_chang_forward(const PumaLengths& l, const std::array<double, 6>& q) {
  const double right = std::numbers::pi / 2;
  const DenavitHartenberg rows[] = {{0, -right, 0, q[0]},   {l.a2, 0, l.d2, q[1]},
                                    {l.a3, right, 0, q[2]}, {0, -right, l.d4, q[3]},
                                    {0, right, 0, q[4]},    {0, 0, l.d6, q[5]}};
  Pose<double> T;
  for (const DenavitHartenberg& row : rows) T = T * standard_pose(row);
  return T;
}

// Every branch of poses of random postures. Counts, so that nothing passes by doing nothing.
void check_branches(const Description& d, const std::string& link_name, int poses,
                    bool reach_backwards) {
  SCOPED_TRACE(d.name);
  const Robot robot(d);
  const int link = robot.find_link(link_name);
  const auto form = closed_form(robot.canonical(), link);
  ASSERT_TRUE(form);
  InverseKinematics ik(robot, link_name);
  Rng rng(5);
  double worst = 0;
  int returned = 0, distinct = 0;
  for (int n = 0; n < poses; ++n) {
    std::vector<double> q(robot.nq());
    for (std::size_t k = 0; k < 6; ++k) q[form->coordinate[k]] = uniform(rng, -3.1, 3.1);
    if (reach_backwards) q[form->coordinate[2]] = (rng() % 2 ? 1 : -1) * uniform(rng, 0.2, 0.9);
    const Pose<double> pose = link_poses(d, q)[link];
    std::vector<std::vector<double>> all;
    double nearest = 10;
    for (int b = 0; b < ClosedForm::branches; ++b) {
      const ArmAngles<double> s = branch(*form, pose, b);
      ASSERT_GT(s.reach, -1e-12);
      std::vector<double> found = q;
      double off = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        ASSERT_TRUE(std::isfinite(s.q[k]));
        found[form->coordinate[k]] = s.q[k];
        off = std::max(off, turned(s.q[k] - q[form->coordinate[k]]));
      }
      nearest = std::min(nearest, off);
      worst = std::max(worst, largest_difference(link_poses(d, found)[link], pose));
      bool is_new = true;
      for (const auto& other : all) {
        double apart = 0;
        for (std::size_t k = 0; k < q.size(); ++k)
          apart = std::max(apart, turned(other[k] - found[k]));
        is_new &= apart > 1e-6;
      }
      distinct += is_new;
      all.push_back(found);
    }
    returned += nearest < 1e-9;
    if (n < 5) {
      EXPECT_EQ(ik.all(link_pose_of(pose)).size(), 8u);  // it checks where they lead
    }
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_GE(returned, poses - poses / 1000);  // within 1e-9 of a singularity it comes less near
  EXPECT_EQ(distinct, 8 * poses);
}

}  // namespace

TEST(PumaIk, LeeAndChangsArmAndFrames) {
  Rng rng(1);
  const PumaConstants<double> constants(lee_chang_puma);
  double worst = 0;
  for (int n = 0; n < 2000; ++n) {
    std::array<double, 6> q;
    for (double& x : q) x = uniform(rng, -3.1, 3.1);
    const Pose<double> pose = lee_chang_forward(lee_chang_puma, q);
    for (double arm : {1.0, -1.0})
      for (double elbow : {1.0, -1.0})
        for (double wrist : {1.0, -1.0}) {
          const auto s = puma_ik(constants, pose, arm, elbow, wrist);
          worst = std::max(worst, largest_difference(lee_chang_forward(lee_chang_puma, s.q), pose));
        }
  }
  EXPECT_LT(worst, 1e-12);
}

TEST(ClosedForm, OneHundredThousandSolutionsOfThePuma) {
  const Description d = load_description("puma560");
  check_branches(d, Robot(d).tip(), 12500, false);
}
TEST(ClosedForm, EveryBranchOfTheStanfordArm) {
  const Description d = load_description("stanford");
  check_branches(d, Robot(d).tip(), 12500, true);
}
TEST(ClosedForm, PumasInDisguise) {
  Rng rng(2);
  for (int n = 0; n < 20; ++n) {
    const Description d = disguised_puma(rng);
    check_branches(d, d.links.back().name, 200, false);
  }
}

TEST(ClosedForm, StanfordArmsInDisguise) {
  Rng rng(3);
  for (int n = 0; n < 20; ++n) {
    const Description d = disguised_stanford(rng);
    check_branches(d, d.links.back().name, 200, true);
  }
}

TEST(ClosedForm, OtherArmsHaveNone) {
  for (const char* name : {"panda", "ur5", "scara", "planar3", "quadruped"}) {
    const Robot robot = Robot::load(name);
    for (int link = 0; link < static_cast<int>(robot.link_names().size()); ++link)
      EXPECT_FALSE(closed_form(robot.canonical(), link)) << name << " " << link;
  }
  const Robot puma = Robot::load("puma560");
  EXPECT_FALSE(closed_form(puma.canonical(), puma.find_link("link5")));
}

// An arm of micrometres is a PUMA too, and half a nanometre between its first axes is no rounding.
TEST(ClosedForm, ToleranceIsByTheArmsSize) {
  auto small_puma = [](double offset) {
    Description d = load_description("puma560");
    for (JointDescription& j : d.joints) {
      j.origin.p = 1e-6 * j.origin.p;
      j.tip.p = 1e-6 * j.tip.p;
    }
    d.joints[1].origin.p = d.joints[1].origin.p + Vec3<double>{offset, 0, 0};
    for (LinkDescription& l : d.links)
      if (l.inertia) l.inertia->com = 1e-6 * l.inertia->com;
    const Robot robot(std::move(d));
    return closed_form(robot.canonical(), robot.find_link(robot.tip())).has_value();
  };
  EXPECT_TRUE(small_puma(0));
  EXPECT_FALSE(small_puma(5e-10));
}

TEST(ClosedForm, OutOfReachIsSaidAndNoNumberIsLost) {
  for (const char* name : {"puma560", "stanford"}) {
    const Robot robot = Robot::load(name);
    const auto form = closed_form(robot.canonical(), robot.find_link(robot.tip()));
    const std::vector<Vec3<double>> points =
        form->arm == ClosedForm::Arm::puma ? std::vector<Vec3<double>>{{2, 0, 0}, {0.01, 0, 0.5}}
                                           : std::vector<Vec3<double>>{{0.01, 0, 0.5}};
    for (const Vec3<double>& p : points)
      for (int b = 0; b < 8; ++b) {
        const auto s = branch(*form, Pose<double>{Mat3<double>::identity(), p}, b);
        EXPECT_LT(s.reach, 0) << name;
        for (double x : s.q) EXPECT_TRUE(std::isfinite(x));
      }
  }
}

// Traced to a graph, and in a register of poses, it is the same computation.
TEST(ClosedForm, OtherNumberTypes) {
  const Robot robot = Robot::load("puma560");
  const auto form = closed_form(robot.canonical(), robot.find_link(robot.tip()));
  Rng rng(4);
  std::vector<double> q(6);
  for (double& x : q) x = uniform(rng, -3, 3);
  const Pose<double> pose = link_poses(robot.description(), q)[robot.find_link(robot.tip())];
  const auto& [R, p] = pose;
  const double entries[] = {R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z,
                            R.r2.x, R.r2.y, R.r2.z, p.x,    p.y,    p.z};
  Graph g;
  std::vector<Expr> in;
  for (int k = 0; k < 12; ++k) in.push_back(input(g, "x" + std::to_string(k)));
  const Pose<Expr> traced{{{in[0], in[1], in[2]}, {in[3], in[4], in[5]}, {in[6], in[7], in[8]}},
                          {in[9], in[10], in[11]}};
  const auto graph = branch(*form, traced, 3);
  for (int k = 0; k < 6; ++k) output(g, "q" + std::to_string(k), graph.q[k]);
  const auto expected = branch(*form, pose, 3);
  const std::vector<double> evaluated =
      evaluate<double>(g, std::vector<double>(entries, entries + 12));
  using P = Pack<2>;
  const auto packed = branch(*form, Pose<P>{to<P>(R), to<P>(p)}, 3);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(evaluated[k], expected.q[k]);
    EXPECT_NEAR(packed.q[k][1], expected.q[k], 1e-13);
  }
}
