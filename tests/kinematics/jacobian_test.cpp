// Frames, velocities and Jacobians against the description's own chain rule
// (tests/link_motion.hpp), against differences in time, and against KDL and DART.

#include "kinematics/jacobian.hpp"

#include <gtest/gtest.h>

#include "model/format/load.hpp"
#include "model/user_state.hpp"
#include "parid/kinematics.hpp"
#include "peers/peer.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/random_robot.hpp"

using namespace parid;
using namespace parid::test;

namespace {

// Every kind of joint; a joint that follows another, both on the way to the same tip.
std::vector<Description> robots() {
  Rng rng(7);
  std::vector<Description> all;
  for (const char* name : {"puma560", "panda", "stanford", "scara", "quadruped"})
    all.push_back(load_description(name));
  all.push_back(random_chain(rng, 6, {.tips = true}));
  all.push_back(random_tree(
      rng, 9, {.prismatic = 0.5, .fixed = 0.3, .planar = 0.3, .spherical = 0.5, .tips = true}));
  all.push_back(random_tree(rng, 8, {.prismatic = 0.5, .fixed = 0.3, .floating_base = true}));
  Description follows = random_chain(rng, 5);
  follows.joints[3].mimic = Mimic{"joint2", -0.7, 0.3};
  all.push_back(follows);
  return all;
}

double distance(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b); }
double distance(const Mat3<double>& A, const Mat3<double>& B) {
  return norm(A.r0 - B.r0) + norm(A.r1 - B.r1) + norm(A.r2 - B.r2);
}
std::vector<double> times(const std::vector<double>& J, const std::vector<double>& v) {
  std::vector<double> out(6);
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t k = 0; k < v.size(); ++k) out[r] += J[r * v.size() + k] * v[k];
  return out;
}
void expect_near(const LinkRate& rate, const std::vector<double>& twist, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(rate.linear[k], twist[k], tolerance);
    EXPECT_NEAR(rate.angular[k], twist[k + 3], tolerance);
  }
}

// Where the robot is a moment later, moving with v and accelerating with a.
RandomState later(const Description& d, const RandomState& s, double h) {
  RandomState out = s;
  for (std::size_t k = 0; k < s.v.size(); ++k) out.v[k] = s.v[k] + h * s.a[k];
  // The middle of the step, so that the error is of third order.
  std::vector<double> middle_v = s.v, middle = s.q;
  for (std::size_t k = 0; k < s.v.size(); ++k) middle_v[k] += 0.5 * h * s.a[k];
  const std::vector<double> first = position_rates(d, s.q, s.v);
  for (std::size_t k = 0; k < middle.size(); ++k) middle[k] += 0.5 * h * first[k];
  const std::vector<double> rate = position_rates(d, middle, middle_v);
  for (std::size_t k = 0; k < s.q.size(); ++k) out.q[k] = s.q[k] + h * rate[k];
  return out;
}

const std::array<double, 3> some_point{0.1, -0.2, 0.3};

}  // namespace

TEST(Kinematics, PosesAndVelocitiesAreThoseOfTheDescription) {
  for (const Description& d : robots()) {
    SCOPED_TRACE(d.name);
    const Robot robot(d);
    Kinematics k(robot);
    Rng rng(11);
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, d);
      k.set(s.q, s.v, s.a);
      const auto expected = link_motions(d, s.q, s.v);
      for (int link = 0; link < static_cast<int>(d.links.size()); ++link) {
        const auto& [pose, v, w] = expected[link];
        EXPECT_LT(distance(pose_of(k.pose(link)).R, pose.R), 1e-13);
        EXPECT_LT(distance(pose_of(k.pose(link)).p, pose.p), 1e-13);
        const LinkRate rate = k.velocity(link);
        EXPECT_LT(distance(vector(rate.linear), v), 1e-12);
        EXPECT_LT(distance(vector(rate.angular), w), 1e-12);
      }
    }
  }
}

TEST(Kinematics, JacobiansGiveVelocitiesAndTheirRatesAccelerations) {
  for (const Description& d : robots()) {
    SCOPED_TRACE(d.name);
    const Robot robot(d);
    Kinematics k(robot);
    Rng rng(13);
    std::vector<double> J(6 * robot.nv()), Jd(6 * robot.nv());
    const RandomState s = random_state(rng, d);
    k.set(s.q, s.v, s.a);
    for (int link = 0; link < static_cast<int>(d.links.size()); ++link) {
      for (Axes axes : {Axes::root, Axes::link}) {
        k.jacobian(link, J, some_point, axes);
        expect_near(k.velocity(link, some_point, axes), times(J, s.v), 1e-11);
      }
      k.jacobian(link, J, some_point);
      k.jacobian_rate(link, Jd, some_point);
      std::vector<double> sum = times(J, s.a);
      const std::vector<double> bias = times(Jd, s.v);
      for (int r = 0; r < 6; ++r) sum[r] += bias[r];
      expect_near(k.acceleration(link, some_point), sum, 1e-10);
    }
  }
}

TEST(Kinematics, RatesAreDifferencesInTime) {
  const double h = 1e-5;
  for (const Description& d : robots()) {
    SCOPED_TRACE(d.name);
    const Robot robot(d);
    Kinematics now(robot), before(robot), after(robot);
    Rng rng(17);
    const RandomState s = random_state(rng, d), s0 = later(d, s, -h), s1 = later(d, s, h);
    now.set(s.q, s.v, s.a);
    before.set(s0.q, s0.v);
    after.set(s1.q, s1.v);
    const std::size_t size = 6 * static_cast<std::size_t>(robot.nv());
    std::vector<double> J0(size), J1(size), Jd(size);
    for (int link = 0; link < static_cast<int>(d.links.size()); ++link) {
      for (Axes axes : {Axes::root, Axes::link}) {
        before.jacobian(link, J0, some_point, axes);
        after.jacobian(link, J1, some_point, axes);
        now.jacobian_rate(link, Jd, some_point, axes);
        for (std::size_t e = 0; e < size; ++e) EXPECT_NEAR((J1[e] - J0[e]) / (2 * h), Jd[e], 2e-6);
      }
      const LinkRate v0 = before.velocity(link, some_point), v1 = after.velocity(link, some_point),
                     a = now.acceleration(link, some_point);
      for (int r = 0; r < 3; ++r) {
        EXPECT_NEAR((v1.linear[r] - v0.linear[r]) / (2 * h), a.linear[r], 2e-5);
        EXPECT_NEAR((v1.angular[r] - v0.angular[r]) / (2 * h), a.angular[r], 2e-5);
      }
    }
  }
}

// The same templates over dual numbers: derivatives of positions by one-freedom coordinates are the
// Jacobian's linear rows.
TEST(Kinematics, DualNumbersDifferentiateFramesToTheJacobian) {
  using D = Dual<7>;
  const Description d = load_description("panda");
  const Robot robot(d);
  const CanonicalModel& c = robot.canonical();
  Rng rng(19);
  const RandomState s = random_state(rng, d);
  const Mechanism<D> m(c.mechanism);
  State<D> motion(m);
  Frames<D> frames(c);
  auto zero = [](int) { return D(0.0); };
  load_state(
      c, motion, [&](int k) { return D::variable(s.q[k], k); }, zero, zero);
  motion.place(m);
  frames.place(m, motion);
  Kinematics k(robot);
  k.set(s.q);
  std::vector<double> J(6 * 7);
  for (int link = 0; link < static_cast<int>(d.links.size()); ++link) {
    const Vec3<D> p = link_pose(c, frames, link).p;
    k.jacobian(link, J);
    for (int col = 0; col < 7; ++col) {
      EXPECT_NEAR(p.x.d[col], J[col], 1e-14);
      EXPECT_NEAR(p.y.d[col], J[7 + col], 1e-14);
      EXPECT_NEAR(p.z.d[col], J[14 + col], 1e-14);
    }
  }
}

TEST(Kinematics, KdlAndDartAgree) {
  Rng rng(23);
  std::vector<Description> all{load_description("puma560"),
                               load_description("panda"),
                               load_description("stanford"),
                               random_chain(rng, 7, {.tips = true}),
                               random_tree(rng, 8, {.prismatic = 0.4, .spherical = 0.5}),
                               random_tree(rng, 6, {.prismatic = 0.4, .floating_base = true})};
  int compared = 0;
  for (const Description& d : all)
    for (const auto& make : {peers::kdl, peers::dart}) {
      std::unique_ptr<peers::Peer> peer;
      try {
        peer = make(d);
      } catch (const std::runtime_error&) {
        continue;  // outside its scope, or not installed
      }
      SCOPED_TRACE(peer->name() + ", " + d.name);
      const Robot robot(d);
      Kinematics k(robot);
      const RandomState s = random_state(rng, d);
      k.set(s.q, s.v);
      std::vector<double> J(6 * robot.nv()), Jd(6 * robot.nv());
      for (const JointDescription& j : d.joints) {
        const peers::LinkKinematics theirs = peer->link_kinematics(j.name, s.q.data(), s.v.data());
        const int link = robot.find_link(j.child);
        const Pose<double> ours = pose_of(k.pose(link));
        EXPECT_LT(distance(ours.R, theirs.pose.R), 1e-12);
        EXPECT_LT(distance(ours.p, theirs.pose.p), 1e-12);
        k.jacobian(link, J);
        k.jacobian_rate(link, Jd);
        for (std::size_t e = 0; e < J.size(); ++e) {
          EXPECT_NEAR(J[e], theirs.jacobian[e], 1e-12);
          EXPECT_NEAR(Jd[e], theirs.jacobian_rate[e], 1e-11);
        }
        ++compared;
      }
    }
#if defined(PARID_HAVE_KDL) && defined(PARID_HAVE_DART)
  EXPECT_GE(compared, 60);
#endif
}

TEST(LinkPose, QuaternionsGoThereAndBack) {
  Rng rng(29);
  for (int trial = 0; trial < 1000; ++trial) {
    const Mat3<double> R = trial == 0   ? Mat3<double>::diagonal(1, -1, -1)
                           : trial == 1 ? Mat3<double>::diagonal(-1, 1, -1)
                           : trial == 2 ? Mat3<double>::diagonal(-1, -1, 1)
                                        : random_rotation(rng);
    const LinkPose pose = link_pose_of({R, {1, 2, 3}});
    const std::array<double, 4> q = pose.quaternion();
    EXPECT_GE(q[3], 0);
    EXPECT_LT(distance(pose_of(LinkPose::from_quaternion({1, 2, 3}, q)).R, R), 1e-14);
  }
  EXPECT_THROW(LinkPose::from_quaternion({}, {0, 0, 0, 0}), Error);
}

TEST(Kinematics, WrongSizesAreRefused) {
  const Robot robot = Robot::load("puma560");
  Kinematics k(robot);
  std::vector<double> five(5), J(36);
  EXPECT_THROW(k.set(five), std::invalid_argument);
  EXPECT_THROW(k.jacobian(1, five), std::invalid_argument);
  EXPECT_THROW(k.jacobian(99, J), std::invalid_argument);
  EXPECT_THROW(link_pose(robot, robot.neutral(), "hand"), Error);
}

// Fixed and mimic joints have no position to set.
TEST(Robot, NeutralPositionsPassOverFixedJoints) {
  Rng rng(31);
  Description d = random_base(rng, "arm");
  for (JointType type : {JointType::fixed, JointType::revolute, JointType::fixed})
    add_random_link(rng, d, d.links.back().name, type, {});
  EXPECT_EQ(Robot(d).neutral(), std::vector<double>{0});
}
