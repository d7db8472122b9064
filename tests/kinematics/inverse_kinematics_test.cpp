// The API of inverse kinematics. Its claims are checked with the description's own forward
// kinematics (tests/link_motion.hpp), never with ours.

#include "parid/inverse_kinematics.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "kinematics/damped_step.hpp"
#include "model/format/load.hpp"
#include "parid/error.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/ik_kernel.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/random_robot.hpp"

using namespace parid;
using namespace parid::test;

namespace {

double position_error(const Pose<double>& A, const Pose<double>& B) { return norm(A.p - B.p); }
double angle_error(const Pose<double>& A, const Pose<double>& B) {  // small angles
  const Mat3<double> R = A.R * transposed(B.R);
  const double s = 0.5 * norm(Vec3<double>{R.r2.y - R.r1.z, R.r0.z - R.r2.x, R.r1.x - R.r0.y});
  return std::atan2(s, 0.5 * (R.r0.x + R.r1.y + R.r2.z - 1));
}

struct Poses {
  std::vector<std::vector<double>> q;  // that lead there
  std::vector<LinkPose> pose;
};
Poses reachable(const Robot& robot, int link, int count, std::uint64_t seed) {
  Rng rng(seed);
  Poses out;
  for (int n = 0; n < count; ++n) {
    out.q.push_back(random_state(rng, robot.description()).q);
    out.pose.push_back(link_pose_of(link_poses(robot.description(), out.q.back())[link]));
  }
  return out;
}

// The leader's coordinate within the limits of all that follow it.
bool within_limits(const Description& d, const std::vector<double>& q) {
  const Coordinates at(d);
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
    const JointDescription& j = d.joints[k];
    if (position_count(j.type) != 1) continue;
    const MimicSource f = mimic_source(d, k);
    const double x = f.scale * q[at.q[f.joint]] + f.offset;
    if (x < j.limits.lower - 1e-12 || x > j.limits.upper + 1e-12) return false;
  }
  return true;
}

struct Count {
  int claimed = 0, right = 0, within = 0;
};
Count count(const Robot& robot, int link, const std::vector<LinkPose>& poses,
            const std::vector<double>& q, const std::vector<IkReport>& reports) {
  Count n;
  const std::size_t nq = robot.nq();
  for (std::size_t r = 0; r < poses.size(); ++r) {
    const std::vector<double> row(q.begin() + r * nq, q.begin() + (r + 1) * nq);
    const Pose<double> at = link_poses(robot.description(), row)[link], wanted = pose_of(poses[r]);
    n.claimed += reports[r].converged;
    n.right += position_error(at, wanted) < 2e-9 && angle_error(at, wanted) < 2e-9;
    n.within += within_limits(robot.description(), row);
  }
  return n;
}

}  // namespace

TEST(InverseKinematics, TenThousandPosesOfThePandaOnEveryInstructionSet) {
  const Robot robot = Robot::load("panda");
  const int link = robot.find_link(robot.tip());
  const Poses poses = reachable(robot, link, 10000, 1);
  for (const KernelSet& set : kernel_sets<KernelSet>()) {
    SCOPED_TRACE(set.name);
    setenv("PARID_ISA", set.name, 1);
    InverseKinematics ik(robot);
    unsetenv("PARID_ISA");
    EXPECT_EQ(ik.solver(), "numeric");
    std::vector<double> q(10000 * 7);
    std::vector<IkReport> reports(10000);
    const std::size_t converged = ik.solve(poses.pose, {}, q, reports);
    const Count n = count(robot, link, poses.pose, q, reports);
    EXPECT_GE(n.claimed, 9950);
    EXPECT_EQ(n.claimed, static_cast<int>(converged));
    EXPECT_EQ(n.right, n.claimed);
    EXPECT_EQ(n.within, 10000);
  }
}

TEST(InverseKinematics, OnePoseAtATimeOfManyRobots) {
  for (const char* name : {"panda", "ur5", "puma560", "stanford"}) {
    SCOPED_TRACE(name);
    const Robot robot = Robot::load(name);
    const int link = robot.find_link(robot.tip());
    const Poses poses = reachable(robot, link, 500, 2);
    for (bool closed : {true, false}) {
      InverseKinematics ik(robot, {.closed_form = closed});
      std::vector<double> q;
      std::vector<IkReport> reports;
      for (const LinkPose& pose : poses.pose) {
        const IkSolution s = ik.solve(pose);
        q.insert(q.end(), s.q.begin(), s.q.end());
        reports.push_back(s);
        EXPECT_EQ(s.converged, s.why.empty());
        EXPECT_EQ(s.attempts == 0, ik.solver() != "numeric");
      }
      const Count n = count(robot, link, poses.pose, q, reports);
      EXPECT_GE(n.claimed, closed && ik.solver() != "numeric" ? 500 : 498);
      EXPECT_EQ(n.right, n.claimed);
      EXPECT_EQ(n.within, 500);
    }
  }
}

// A hand's breadth away from a posture, the seed's own neighbourhood is where the answer is.
TEST(InverseKinematics, ASeedKeepsItsNeighbourhood) {
  for (const char* name : {"panda", "puma560", "stanford", "ur5"}) {
    SCOPED_TRACE(name);
    const Robot robot = Robot::load(name);
    InverseKinematics ik(robot);
    const Poses poses = reachable(robot, robot.find_link(robot.tip()), 300, 3);
    Rng rng(4);
    int near = 0;
    for (std::size_t n = 0; n < poses.q.size(); ++n) {
      std::vector<double> seed = poses.q[n];
      for (double& x : seed) x += uniform(rng, -0.02, 0.02);
      const IkSolution s = ik.solve(poses.pose[n], seed);
      double far = 0;
      for (std::size_t k = 0; k < seed.size(); ++k) far = std::max(far, std::abs(s.q[k] - seed[k]));
      near += s.converged && far < 0.5;
    }
    EXPECT_GE(near, 290);  // the rest are near singular postures and limits
  }
}

// All lanes search for one pose, but the seed's own search, if it arrives at all, is the answer:
// the same that a row of a batch gives, where a pose has one lane.
TEST(InverseKinematics, TheSeedsSearchGoesBeforeFasterOnes) {
  const Robot robot = Robot::load("panda");
  InverseKinematics ik(robot);
  const Poses poses = reachable(robot, robot.find_link(robot.tip()), 300, 12);
  Rng rng(13);
  int mimic_source = 0;
  for (std::size_t n = 0; n < poses.q.size(); ++n) {
    std::vector<double> seed = poses.q[n], q(7);
    for (double& x : seed) x += uniform(rng, -1, 1);
    std::vector<IkReport> report(1);
    ik.solve(std::span(poses.pose).subspan(n, 1), seed, q, report);
    if (!report[0].converged || report[0].attempts > 1) continue;
    ++mimic_source;
    EXPECT_EQ(ik.solve(poses.pose[n], seed).q, q);
  }
  EXPECT_GT(mimic_source, 150);
}

TEST(InverseKinematics, TreesOfEveryJoint) {
  Rng rng(5);
  int tried = 0, found = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Description d =
        trial % 3 == 0
            ? random_chain(rng, 8, {.prismatic = 0.3, .fixed = 0.2, .spherical = 0.3, .tips = true})
        : trial % 3 == 1 ? random_chain(rng, 4, {.planar = 0.3, .floating_base = true})
                         : random_chain(rng, 8);
    if (trial % 3 == 2) d.joints[5].mimic = Mimic{"joint2", -0.7, 0.3};
    for (JointDescription& j : d.joints)
      if (velocity_count(j.type) == 1 && !j.mimic) {
        j.limits.lower = -2;
        j.limits.upper = 2.5;
      }
    const Robot robot(d);
    const int link = robot.find_link(robot.tip());
    InverseKinematics ik(robot);
    const Poses poses = reachable(robot, link, 20, 100 + trial);
    std::vector<double> q;
    std::vector<IkReport> reports;
    for (const LinkPose& pose : poses.pose) {
      const IkSolution s = ik.solve(pose);
      q.insert(q.end(), s.q.begin(), s.q.end());
      reports.push_back(s);
    }
    const Count n = count(robot, link, poses.pose, q, reports);
    EXPECT_EQ(n.right, n.claimed);
    EXPECT_EQ(n.within, 20);
    tried += 20;
    found += n.right;
  }
  EXPECT_GE(found, tried * 99 / 100);
}

TEST(InverseKinematics, PositionAlone) {
  const Robot robot = Robot::load("puma560-3");
  const int link = robot.find_link(robot.tip());
  InverseKinematics ik(robot);
  for (const LinkPose& pose : reachable(robot, link, 200, 6).pose) {
    const IkSolution s = ik.solve(pose.position);
    ASSERT_TRUE(s) << s.why;
    EXPECT_LT(position_error(link_poses(robot.description(), s.q)[link], pose_of(pose)), 2e-9);
    EXPECT_TRUE(within_limits(robot.description(), s.q));
  }
}

TEST(InverseKinematics, FailureIsHonest) {
  for (const char* name : {"panda", "puma560"}) {
    SCOPED_TRACE(name);
    const Robot robot = Robot::load(name);
    const int link = robot.find_link(robot.tip());
    InverseKinematics ik(robot);
    LinkPose far;
    far.position = {3, 0, 0.5};
    for (bool turning : {true, false}) {
      const IkSolution s = turning ? ik.solve(far) : ik.solve(far.position);
      EXPECT_FALSE(s);
      EXPECT_NE(s.why.find("closest solution: position error"), std::string::npos) << s.why;
      EXPECT_TRUE(within_limits(robot.description(), s.q));
      const double left = position_error(link_poses(robot.description(), s.q)[link], pose_of(far));
      EXPECT_NEAR(s.position_error, left, 1e-9);
      EXPECT_GT(left, 1.5);
      EXPECT_LT(left, 3);
    }
  }
}

// The PUMA's branches at a pose that limits forbid to some of them.
TEST(InverseKinematics, AllBranchesOfThePuma) {
  const Robot robot = Robot::load("puma560");
  const int link = robot.find_link(robot.tip());
  InverseKinematics ik(robot);
  EXPECT_EQ(ik.solver(), "puma");
  int within = 0, beyond = 0;
  for (const LinkPose& pose : reachable(robot, link, 200, 7).pose) {
    const std::vector<IkBranch> all = ik.all(pose);
    EXPECT_EQ(all.size(), 8u);
    for (const IkBranch& b : all) {
      const Pose<double> at = link_poses(robot.description(), b.q)[link];
      EXPECT_LT(position_error(at, pose_of(pose)), 1e-12);
      EXPECT_LT(angle_error(at, pose_of(pose)), 1e-12);
      EXPECT_EQ(b.within_limits, within_limits(robot.description(), b.q));
      ++(b.within_limits ? within : beyond);
    }
  }
  EXPECT_GT(within, 200);
  EXPECT_GT(beyond, 200);
  LinkPose far;
  far.position = {3, 0, 0};
  EXPECT_TRUE(ik.all(far).empty());
  InverseKinematics searched(Robot::load("puma560"), {.closed_form = false});
  EXPECT_THROW(searched.all(far), Error);
}

TEST(InverseKinematics, ARowDoesNotDependOnThreadsOrNeighbours) {
  const Robot robot = Robot::load("panda");
  const Poses poses = reachable(robot, robot.find_link(robot.tip()), 700, 8);
  auto solved = [&](std::size_t first, std::size_t count, int threads) {
    InverseKinematics ik(robot, {.threads = threads});
    std::vector<double> q(count * 7);
    std::vector<IkReport> reports(count);
    ik.solve(std::span(poses.pose).subspan(first, count), {}, q, reports);
    return q;
  };
  const std::vector<double> all = solved(0, 700, 1), by_three = solved(0, 700, 3),
                            some = solved(100, 33, 2);
  EXPECT_EQ(all, by_three);
  EXPECT_EQ(some, std::vector<double>(all.begin() + 700, all.begin() + 133 * 7));
}

// Newton's: near the pose a step leaves little of the distance, of the place and of the turn.
TEST(IkKernel, AStepGoesAllTheWayWhereItIsShort) {
  const Robot robot = Robot::load("puma560");
  const Path path = path_to(robot.canonical(), robot.description(), robot.find_link(robot.tip()));
  DampedStep<double> step(path);
  const std::vector<double> there{0.3, -0.7, 0.4, 0.5, 0.9, -0.6};
  const Pose<double> pose = forward(path, there.data());
  std::vector<double> q(there), next(6), after(6);
  for (std::size_t k = 0; k < 6; ++k) q[k] += (k % 2 ? 1e-3 : -2e-3);
  const auto first = step.step(q.data(), pose, 1.0, next.data());
  const auto then = step.step(next.data(), pose, 1.0, after.data());
  EXPECT_LT(std::sqrt(then.angle2), 0.05 * std::sqrt(first.angle2));
  EXPECT_LT(std::sqrt(then.position2), 0.05 * std::sqrt(first.position2));
}

// A step of every kernel, lane by lane, is a step in plain numbers.
TEST(IkKernel, StepsAsPlainNumbersDo) {
  Rng rng(9);
  const Description d = random_chain(rng, 8, {.prismatic = 0.3, .spherical = 0.3});
  const Robot robot(d);
  const Path path = path_to(robot.canonical(), d, robot.find_link(robot.tip()));
  DampedStep<double> plain(path);
  for (const KernelSet& set : kernel_sets<KernelSet>()) {
    SCOPED_TRACE(set.name);
    setenv("PARID_ISA", set.name, 1);
    const std::unique_ptr<IkKernel> kernel = best_kernels<IkKernelSet>().make(path);
    unsetenv("PARID_ISA");
    const int W = kernel->lanes(), nq = path.nq;
    EXPECT_EQ(W, std::string(set.name) == "baseline" ? 2 : std::string(set.name) == "avx2" ? 4 : 8);
    using Rows = std::vector<double, math::detail::CacheLineAllocator<double>>;
    Rows q(nq * W), next(nq * W), target(12 * W), p2(W), a2(W);
    std::vector<std::vector<double>> start;
    std::vector<Pose<double>> pose;
    for (int lane = 0; lane < W; ++lane) {
      start.push_back(random_state(rng, d).q);
      pose.push_back(random_pose(rng, 1));
      const LinkPose p = link_pose_of(pose.back());
      for (int k = 0; k < nq; ++k) q[k * W + lane] = start[lane][k];
      for (int k = 0; k < 9; ++k) target[k * W + lane] = p.rotation[k];
      for (int k = 0; k < 3; ++k) target[(9 + k) * W + lane] = p.position[k];
    }
    kernel->step(q.data(), target.data(), true, next.data(), p2.data(), a2.data());
    for (int lane = 0; lane < W; ++lane) {
      std::vector<double> expected(nq);
      const auto distance = plain.step(start[lane].data(), pose[lane], 1.0, expected.data());
      EXPECT_NEAR(p2[lane], distance.position2, 1e-12);
      EXPECT_NEAR(a2[lane], distance.angle2, 1e-12);
      for (int k = 0; k < nq; ++k) EXPECT_NEAR(next[k * W + lane], expected[k], 1e-10);
      for (const PathJoint& j : path.joints) {
        if (j.kind != JointKind::spherical) continue;
        double square = 0;
        for (int k = 0; k < 4; ++k) square += expected[j.q + k] * expected[j.q + k];
        EXPECT_NEAR(square, 1, 1e-14);
      }
    }
  }
}

// Of a tool on a link, on arms with and without closed forms: where the description's own forward
// kinematics puts the tip, and the same as of a frame there.
TEST(InverseKinematics, ATipIsWhereItsOffsetPutsIt) {
  Rng rng(11);
  for (const char* name : {"puma560", "stanford", "panda", "ur5"}) {
    const Robot robot = Robot::load(name);
    const int link = robot.find_link(robot.tip());
    for (int sample = 0; sample < 3; ++sample) {
      const Pose<double> tip = random_pose(rng, 0.3);
      const LinkPose offset = link_pose_of(tip);
      InverseKinematics ik(robot, robot.tip(), offset);
      InverseKinematics plain(robot);
      EXPECT_EQ(ik.solver(), plain.solver());
      EXPECT_EQ(ik.offset().position, offset.position);
      const Robot framed = robot.with_frame("tool", robot.tip(), offset.position, offset.rotation);
      InverseKinematics of_frame(framed, "tool");
      const Poses some = reachable(robot, link, 3, 20 + sample);
      for (std::size_t k = 0; k < some.pose.size(); ++k) {
        const Pose<double> wanted = pose_of(some.pose[k]) * tip;
        const IkSolution s = ik.solve(link_pose_of(wanted), some.q[k]);
        ASSERT_TRUE(s) << name << s.why;
        const Pose<double> at = link_poses(robot.description(), s.q)[link] * tip;
        EXPECT_LT(position_error(at, wanted), 1e-9) << name;
        EXPECT_LT(angle_error(at, wanted), 1e-9) << name;
        const IkSolution f = of_frame.solve(link_pose_of(wanted), some.q[k]);
        ASSERT_TRUE(f);
        for (std::size_t x = 0; x < s.q.size(); ++x) EXPECT_NEAR(s.q[x], f.q[x], 1e-7) << name;
        const IkSolution p = ik.solve(link_pose_of(wanted).position, some.q[k]);
        ASSERT_TRUE(p) << name << p.why;
        EXPECT_LT(norm((link_poses(robot.description(), p.q)[link] * tip).p - wanted.p), 1e-8);
        if (ik.solver() != "numeric") {
          EXPECT_EQ(ik.all(link_pose_of(wanted)).size(), plain.all(some.pose[k]).size());
        }
      }
    }
  }
  LinkPose none;
  none.rotation[0] = 2;
  EXPECT_THROW(InverseKinematics(Robot::load("ur5"), "wrist_3_link", none), Error);
}

TEST(InverseKinematics, MistakesAreNamed) {
  const Robot robot = Robot::load("panda");
  InverseKinematics ik(robot);
  EXPECT_THROW(InverseKinematics(robot, "hand"), Error);
  LinkPose pose;
  EXPECT_THROW(ik.solve(pose, std::vector<double>(3)), std::invalid_argument);
  pose.position[1] = std::nan("");
  EXPECT_THROW(ik.solve(pose), Error);
  pose.position[1] = 0;
  pose.rotation = {1, 0, 0, 0, 1, 0, 0, 0, -1};
  EXPECT_THROW(ik.solve(pose), Error);
  std::vector<double> q(7);
  std::vector<IkReport> reports(2);
  EXPECT_THROW(ik.solve(std::vector<LinkPose>(1), {}, q, reports), std::invalid_argument);
}
