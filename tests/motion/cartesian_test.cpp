#include "motion/path/cartesian.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "parid/kinematics.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "tests/layer.hpp"
#include "tests/motion/course_check.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

Pose<double> stands(const Robot& robot, const std::vector<double>& q,
                    const Vec3<double>& point = {}) {
  const Pose<double> tip = pose_of(link_pose(robot, q, robot.tip()));
  return {tip.R, tip * point};
}
std::string refusal(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(PosePath, TurnsBetweenRotations) {
  for (const Vec3<double> turn : {Vec3<double>{0.3, -0.2, 0.1},
                                  {0, 0, 0},
                                  {0, 3.1, 0},
                                  {1.8137993642342178, 1.8137993642342178, 1.8137993642342178},
                                  {1e-9, 0, 0},
                                  {-2.2, 1.3, 1.8}}) {
    const Mat3<double> from = rotation_about({0.4, 0.5, -1}), to = rotation_about(turn) * from;
    const Vec3<double> found = turn_between(from, to);
    const Mat3<double> back = rotation_about(found) * from, off = back - to;
    EXPECT_LT(norm(off.r0) + norm(off.r1) + norm(off.r2), 1e-13);
    EXPECT_NEAR(norm(found), norm(turn), 1e-12);
  }
}

TEST(PosePath, AnArcPassesThroughItsThreePoints) {
  const Pose<double> from{{}, {0.4, 0.1, 0.2}};
  Pose<double> to = from, start = from;
  start.R = to.R = Mat3<double>::identity();
  to.p = {0.1, 0.5, 0.3};
  for (const Vec3<double> via :
       {Vec3<double>{0.3, 0.35, 0.3}, {0.9, 1.0, 0.1}, {-0.5, -0.3, 0.2}}) {
    const PosePath arc = PosePath::through(start, via, to);
    EXPECT_LT(norm(arc.at(0).pose.p - start.p), 1e-15);
    EXPECT_LT(norm(arc.at(1).pose.p - to.p), 1e-14);
    double nearest = 1, length = 0;
    Vec3<double> last = start.p;
    for (int k = 0; k <= 100000; ++k) {
      const Vec3<double> p = arc.at(k / 100000.0).pose.p;
      nearest = std::min(nearest, norm(p - via));
      length += norm(p - last);
      last = p;
      EXPECT_NEAR(norm(p - arc.centre), norm(arc.radius), 1e-14);
    }
    EXPECT_LT(nearest, 1e-4);
    EXPECT_NEAR(length, arc.length(), 1e-8);
  }
  EXPECT_NE(
      refusal([&] { PosePath::through(start, 0.5 * (start.p + to.p), to); }).find("are collinear"),
      std::string::npos);
}

struct Case {
  const char* name;
  bool orientation;
  std::vector<double> q;
  Vec3<double> by, point;
};
const Case cases[] = {
    {"puma560", true, {0.2, -0.8, 0.5, 0.3, 0.9, -0.2}, {-0.05, 0.1, 0.08}, {}},
    {"puma560", false, {0.2, -0.8, 0.5, 0.3, 0.9, -0.2}, {-0.05, 0.1, 0.08}, {}},
    {"panda", true, {0.1, -0.4, 0.2, -1.9, 0.1, 1.6, 0.4}, {0.1, -0.2, 0.1}, {0, 0, 0.1}},
    {"panda", false, {0.1, -0.4, 0.2, -1.9, 0.1, 1.6, 0.4}, {0.1, -0.2, 0.1}, {0, 0, 0.1}},
    {"planar2", false, {0.3, 1.2}, {-0.3, 0, 0.2}, {1, 0, 0}},
    {"puma560-positioning", false, {0.2, -0.8, 0.5}, {0.02, 0.06, 0.05}, {0, -0.4318, 0}},
};

TEST(Cartesian, LinesAreStraightAndDerivativesExact) {
  for (const auto& [name, orientation, q, by, point] : cases) {
    const Robot robot = Robot::load(name);
    const Pose<double> from = stands(robot, q, point);
    Pose<double> to{from.R, from.p + by};
    if (orientation) to.R = rotation_about({0.2, -0.3, 0.1}) * from.R;
    const PosePath path = PosePath::line(from, to);
    const TrajectoryPointer trajectory =
        cartesian(robot, robot.tip(), path, q, Profile::minimum_jerk(1.5),
                  {.point = point, .orientation = orientation});
    EXPECT_EQ(moment(robot, *trajectory, 0).q, q);
    for (int k = 0; k <= 60; ++k) {
      const Moment m = moment(robot, *trajectory, 1.5 * k / 60);
      const Pose<double> now = stands(robot, m.q, point);
      const Vec3<double> off = now.p - from.p;
      EXPECT_LT(norm(cross(off, (1 / norm(by)) * by)), 1e-12) << name << k;
      const Vec3<double> turn = turn_between(from.R, now.R);
      EXPECT_LT(orientation ? norm(cross(turn, Vec3<double>{0.2, -0.3, 0.1})) : 0, 1e-11);
      // The link's velocity and acceleration are those of the profile.
      Kinematics kinematics(robot);
      kinematics.set(m.q, m.v, m.a);
      const int tip = robot.find_link(robot.tip());
      const Stage<double> s = Profile::minimum_jerk(1.5).at(1.5 * k / 60);
      EXPECT_LT(norm(vector(kinematics.velocity(tip, array(point)).linear) - s.v * by), 1e-12);
      EXPECT_LT(norm(vector(kinematics.acceleration(tip, array(point)).linear) - s.a * by), 1e-10);
    }
    for (const double t : {0.21, 0.5, 0.77, 1.3})
      expect_derivatives(robot, *trajectory, t, 1e-6, 1e-3);
    const Pose<double> end = stands(robot, moment(robot, *trajectory, 1.5).q, point);
    EXPECT_LT(norm(end.p - to.p), 1e-12);
    EXPECT_LT(orientation ? norm(turn_between(end.R, to.R)) : 0, 1e-11);
  }
}

TEST(Cartesian, ArcsKeepTheirRadius) {
  const Robot robot = Robot::load("ur5");
  const std::vector<double> q{0.1, -1.2, 1.4, -0.6, 1.2, 0.3};
  const Pose<double> from = stands(robot, q);
  const Pose<double> to{from.R, from.p + Vec3<double>{0, 0.2, 0}};
  const PosePath arc = PosePath::through(from, from.p + Vec3<double>{-0.05, 0.1, 0.05}, to);
  const TrajectoryPointer trajectory =
      cartesian(robot, robot.tip(), arc, q, Profile::trapezoid(2, 0.5));
  for (int k = 0; k <= 40; ++k) {
    const Pose<double> now = stands(robot, moment(robot, *trajectory, 0.05 * k).q);
    EXPECT_NEAR(norm(now.p - arc.centre), norm(arc.radius), 1e-12);
    EXPECT_NEAR(dot(now.p - arc.centre, arc.axis), 0, 1e-12);
    EXPECT_LT(norm(turn_between(now.R, from.R)), 1e-11);
  }
  for (const double t : {0.3, 1.0, 1.7}) expect_derivatives(robot, *trajectory, t, 1e-6, 1e-3);
}

TEST(Cartesian, SaysWhenAndWhyItCannotGoOn) {
  const Robot planar = Robot::load("planar2");
  const std::vector<double> q{0.3, 1.2};
  auto line = [&](const Robot& robot, const std::vector<double>& start, const Vec3<double>& by,
                  bool orientation, const Vec3<double>& point) {
    const Pose<double> at = stands(robot, start, point);
    return refusal([&] {
      cartesian(robot, robot.tip(), PosePath::line(at, {at.R, at.p + by}), start,
                Profile::constant(2),
                {.point = point, .orientation = orientation, .starts_at = 10});
    });
  };
  const std::string out = line(planar, q, {5, 0, 0}, false, {1, 0, 0});
  EXPECT_NE(out.find("the path leaves the workspace"), std::string::npos) << out;
  EXPECT_EQ(out.find("at t = 1"), 0u) << out;  // 10 to 12 s
  EXPECT_NE(line(planar, q, {0, 0.1, 0}, false, {1, 0, 0}).find("cannot move link"),
            std::string::npos);
  EXPECT_NE(line(planar, q, {-0.1, 0, 0.1}, true, {1, 0, 0}).find("orientation = \"free\""),
            std::string::npos);
  const Robot puma = Robot::load("puma560-positioning");
  const std::string limit = line(puma, {2.7, -0.8, 0.5}, {0.0, -0.4, 0.0}, false, {0, -0.4318, 0});
  EXPECT_NE(limit.find("beyond its limit"), std::string::npos) << limit;
}

// A joint that does not move is between those that do; the elbow opens to its limit.
TEST(Cartesian, NamesTheJointAtItsLimit) {
  const Robot robot = robot_of(
      "[[joint]]\nname = 'shoulder'\nlink = 'arm'\naxis = [0, 1, 0]\nlower = -3\nupper = 3\n" +
      body_text +
      "[[joint]]\nname = 'flange'\ntype = 'fixed'\nlink = 'flange'\nxyz = [1, 0, 0]\n"
      "[[joint]]\nname = 'elbow'\nlink = 'hand'\naxis = [0, 1, 0]\nlower = 0.8\nupper = 2\n" +
      body_text);
  const std::vector<double> q{0.3, 1.2};
  const Vec3<double> hand{1, 0, 0};
  const Pose<double> at = stands(robot, q, hand);
  const Pose<double> out{at.R, 1.15 * at.p};  // 1.90 m away; with the elbow at 0.8 it is 1.84 m
  const std::string why = refusal([&] {
    cartesian(robot, robot.tip(), PosePath::line(at, out), q, Profile::constant(1),
              {.point = hand, .orientation = false});
  });
  EXPECT_NE(why.find("joint 'elbow'"), std::string::npos) << why;
  EXPECT_NE(why.find("beyond its limit 0.8;"), std::string::npos) << why;
}

}  // namespace
}  // namespace parid::test
