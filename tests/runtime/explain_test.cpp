#include "runtime/method/explain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/format/builtin.hpp"
#include "parid/engine.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

void near(const Vec3<double>& got, const Vec3<double>& want, double tolerance = 1e-12) {
  EXPECT_NEAR(got.x, want.x, tolerance);
  EXPECT_NEAR(got.y, want.y, tolerance);
  EXPECT_NEAR(got.z, want.z, tolerance);
}

// Two rods of length 1 and mass 1, centres in their middles, I = 1/12 about them, in a vertical
// plane; Craig's two-link arm (Introduction to Robotics, 6.7), with rods for point masses.
TEST(Explain, TwoLinksByHand) {
  const double q1 = 0.3, q2 = -0.7, w1 = 1.1, w2 = 0.4, a1 = -2, a2 = 3, g = 9.81, I = 1.0 / 12;
  const double q[] = {q1, q2}, v[] = {w1, w2}, a[] = {a1, a2};
  const auto links = explain(Robot::load("planar2"), {}, q, v, a);
  ASSERT_EQ(links.size(), 2u);
  const double s1 = std::sin(q1), c1 = std::cos(q1), s2 = std::sin(q2), c2 = std::cos(q2);

  const LinkExplanation& one = links[0];
  EXPECT_EQ(one.link, "link1");
  EXPECT_EQ(one.joint, "joint1");
  EXPECT_EQ(one.parent, "base");
  near(one.angular_velocity, {0, 0, w1});
  near(one.angular_acceleration, {0, 0, a1});
  near(one.acceleration, {g * s1, g * c1, 0});
  near(one.centre, {0.5, 0, 0});
  const Vec3<double> vc1{g * s1 - 0.5 * w1 * w1, g * c1 + 0.5 * a1, 0};
  near(one.centre_acceleration, vc1);
  near(one.inertia_force, vc1);
  near(one.inertia_moment, {0, 0, I * a1});

  const LinkExplanation& two = links[1];
  const double w = w1 + w2, wd = a1 + a2;
  near(two.angular_velocity, {0, 0, w});
  near(two.angular_acceleration, {0, 0, wd});
  const Vec3<double> end{g * s1 - w1 * w1, g * c1 + a1, 0};  // link 1's far end, in link 1
  const Vec3<double> v2{c2 * end.x + s2 * end.y, -s2 * end.x + c2 * end.y, 0};
  near(two.acceleration, v2);
  const Vec3<double> vc2{v2.x - 0.5 * w * w, v2.y + 0.5 * wd, 0};
  near(two.centre_acceleration, vc2);
  near(two.force, vc2);
  near(two.moment, {0, 0, I * wd + 0.5 * vc2.y});
  ASSERT_EQ(two.torque.size(), 1u);
  EXPECT_NEAR(two.torque[0], two.moment.z, 1e-12);

  const Vec3<double> f2{c2 * vc2.x - s2 * vc2.y, s2 * vc2.x + c2 * vc2.y, 0};  // in link 1
  near(one.force, vc1 + f2);
  near(one.moment, {0, 0, I * a1 + 0.5 * vc1.y + two.moment.z + f2.y});

  // The same from Lagrange: M q̈ + h + G with M11 = 5/3 + c2, M12 = 1/3 + c2/2, M22 = 1/3.
  const double h = 0.5 * s2;
  const double G2 = 0.5 * g * std::cos(q1 + q2), G1 = 1.5 * g * c1 + G2;
  EXPECT_NEAR(one.torque[0],
              (5.0 / 3 + c2) * a1 + (1.0 / 3 + c2 / 2) * a2 - h * (2 * w1 * w2 + w2 * w2) + G1,
              1e-12);
  EXPECT_NEAR(two.torque[0], (1.0 / 3 + c2 / 2) * a1 + a2 / 3 + h * w1 * w1 + G2, 1e-12);
}

TEST(Explain, AtRestForcesAreWeights) {
  for (const char* name : {"puma560", "panda", "stanford"}) {
    const Robot robot = Robot::load(name);
    const std::vector<double> q = robot.neutral(), zero(robot.nv());
    const auto links = explain(robot, {}, q.data(), zero.data(), zero.data());
    double above = 0;  // mass carried
    for (auto e = links.rbegin(); e != links.rend(); ++e) {
      above += e->mass;
      EXPECT_NEAR(norm(e->force), 9.81 * above, 1e-10) << name << " " << e->link;
      EXPECT_NEAR(norm(e->acceleration), 9.81, 1e-12) << name << " " << e->link;
      EXPECT_EQ(norm(e->angular_velocity), 0) << name << " " << e->link;
    }
  }
}

// A link's own terms plus its children's forces, in its own frame.
TEST(Explain, TorquesAreTheEngines) {
  std::vector<Robot> robots{everything(), Robot::load("quadruped"), Robot::load("humanoid"),
                            Robot::load("puma560", {.floating = true})};
  for (const char* name : {"puma560", "stanford", "scara", "panda", "chain:9"})
    robots.push_back(Robot::load(name));
  Rng rng(3);
  for (int k = 0; k < 20; ++k) {
    const RandomRobot options{.revolute = 1,
                              .prismatic = 1,
                              .fixed = 0.5,
                              .planar = 0.5,
                              .spherical = 0.5,
                              .floating_base = k % 2 == 0,
                              .tips = k % 3 == 0};
    robots.push_back(Robot(random_tree(rng, 8, options)));
  }
  for (const Robot& robot : robots) {
    const auto [q, v, a] = random_state(rng, robot.description());
    ExternalLoads around;
    around.set_base_motion(robot, {0.3, -0.2, 0.5}, {1, 2, -1}, {0.5, 0.1, -3});
    around.add_wrench(robot, robot.tip(), {1, 2, 3}, {0.1, -0.2, 0.3});
    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
    engine.set_external_loads(around);
    std::vector<double> tau(robot.nv()), folded(robot.nv());
    engine.inverse_dynamics(1, q, v, a, tau);

    std::map<std::string, int> at;  // of a joint's first coordinate
    for (int k = robot.nv() - 1; k >= 0; --k) {
      const std::string& n = robot.velocity_names()[k];
      at[n.substr(0, n.find('.'))] = k;
    }
    for (const LinkExplanation& e : explain(robot, around, q.data(), v.data(), a.data()))
      for (std::size_t k = 0; k < e.torque.size(); ++k)
        folded[at.at(e.leader.empty() ? e.joint : e.leader) + k] += e.scale * e.torque[k];
    double size = 0;
    for (const double t : tau) size = std::max(size, std::abs(t));
    for (int k = 0; k < robot.nv(); ++k)
      EXPECT_NEAR(folded[k], tau[k], 1e-12 * size)
          << robot.name() << " " << robot.velocity_names()[k];
  }
}

TEST(Explain, AFollowerMovesAsItsLeaderSays) {
  const Robot robot = everything();
  Rng rng(1);
  const auto [q, v, a] = random_state(rng, robot.description());
  const auto links = explain(robot, {}, q.data(), v.data(), a.data());
  ASSERT_EQ(links.size(), 5u);
  const LinkExplanation &tray = links[2], &finger = links[3], &thumb = links[4];
  EXPECT_EQ(thumb.leader, "finger");
  EXPECT_EQ(thumb.scale, -2);
  EXPECT_DOUBLE_EQ(thumb.q[0], 0.1 - 2 * q.back());
  EXPECT_DOUBLE_EQ(thumb.v[0], -2 * v.back());
  EXPECT_DOUBLE_EQ(thumb.a[0], -2 * a.back());
  EXPECT_EQ(finger.q, std::vector<double>{q.back()});
  EXPECT_EQ(tray.q.size(), 3u);
  EXPECT_EQ(tray.torque.size(), 3u);
  // Both turn about the tray's z, the thumb at -2 times the finger's rate; rotors ride on their
  // joints.
  EXPECT_NEAR(finger.angular_velocity.z - tray.angular_velocity.z, v.back(), 1e-12);
  EXPECT_NEAR(thumb.angular_velocity.z - tray.angular_velocity.z, -2 * v.back(), 1e-12);
  EXPECT_NEAR(finger.torque[0], finger.moment.z + 1e-4 * 900 * a.back(),
              1e-12 * std::abs(finger.torque[0]));
  EXPECT_NEAR(thumb.torque[0], thumb.moment.z + 2e-4 * 400 * -2 * a.back(),
              1e-12 * std::abs(thumb.torque[0]));
}

// F and N at the centre, with nothing hanging on it, are f and n at the origin: n = N + c × F.
TEST(Explain, TheLastLinksForceIsItsOwn) {
  Rng rng(5);
  for (int k = 0; k < 10; ++k) {
    const Robot robot(
        random_chain(rng, 5, {.revolute = 1, .prismatic = 1, .spherical = 1, .tips = k % 2 == 0}));
    const auto [q, v, a] = random_state(rng, robot.description());
    const auto links = explain(robot, {}, q.data(), v.data(), a.data());
    const LinkExplanation& last = links.back();
    near(last.force, last.inertia_force, 1e-10);
    near(last.moment, last.inertia_moment + cross(last.centre, last.inertia_force), 1e-10);
    const Inertia& own = *robot.description().links.back().inertia;
    EXPECT_NEAR(last.mass, own.mass, 1e-13);
    near(last.centre, own.com);
    near(last.inertia_moment,
         full(own.about_com) * last.angular_acceleration +
             cross(last.angular_velocity, full(own.about_com) * last.angular_velocity),
         1e-10);
  }
}

}  // namespace
}  // namespace parid::test
