// Words beyond torques: frames and Jacobians of links, vector-Jacobian products, whole loops.

#include <gtest/gtest.h>

#include "parid/controllers.hpp"
#include "parid/dynamics.hpp"
#include "parid/kinematics.hpp"
#include "parid/simulation.hpp"
#include "tests/codegen/trace/compiled.hpp"
#include "tests/kinematics/disguised_arm.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

constexpr double exact = 1e-12;

std::vector<Robot> some_robots() {
  Rng rng(51);
  return {Robot::load("stanford"), Robot::load("scara"),
          Robot(random_tree(rng, 4, {.prismatic = 0.5, .fixed = 0.5, .planar = 0.5})),
          Robot(random_chain(rng, 3, {.spherical = 0.5, .floating_base = true, .tips = true}))};
}

TEST(GeneratedWords, KinematicsAndJacobian) {
  Rng rng(52);
  for (const Robot& robot : some_robots()) {
    const std::string middle = robot.link_names()[robot.link_names().size() / 2];
    const Compiled tip(generate(robot, Quantity::kinematics).program),
        all(generate(robot, Quantity::kinematics, {.link = "all"}).program),
        jacobian(generate(robot, Quantity::jacobian).program),
        of_point(generate(robot, Quantity::jacobian, {.link = middle, .point = {0.1, -0.2, 0.3}})
                     .program);
    Kinematics kinematics(robot);
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, robot.description());
      kinematics.set(s.q);
      auto frames = [&](const std::vector<int>& links) {
        Numbers R, p;
        for (const int l : links) {
          const LinkPose at = kinematics.pose(l);
          R.insert(R.end(), at.rotation.begin(), at.rotation.end());
          p.insert(p.end(), at.position.begin(), at.position.end());
        }
        R.insert(R.end(), p.begin(), p.end());
        return R;
      };
      std::vector<int> every;
      for (std::size_t l = 0; l < robot.link_names().size(); ++l)
        every.push_back(static_cast<int>(l));
      EXPECT_LT(apart(tip({s.q}), frames({robot.find_link(robot.tip())})), exact);
      EXPECT_LT(apart(all({s.q}), frames(every)), exact);
      Numbers J(6 * robot.nv());
      kinematics.jacobian(robot.find_link(robot.tip()), J);
      EXPECT_LT(apart(jacobian({s.q}), J), exact);
      kinematics.jacobian(robot.find_link(middle), J, {0.1, -0.2, 0.3});
      EXPECT_LT(apart(of_point({s.q}), J), exact);
    }
  }
}

Numbers rotation_of_link(const LinkPose& at) { return {at.rotation.begin(), at.rotation.end()}; }
Numbers position_of_link(const LinkPose& at) { return {at.position.begin(), at.position.end()}; }

TEST(GeneratedWords, InverseKinematicsInClosedForm) {
  Rng rng(58);
  for (const char* name : {"puma560", "stanford"}) {
    const Robot robot = Robot::load(name);
    const Compiled ik(generate(robot, Quantity::inverse_kinematics).program);
    Kinematics kinematics(robot);
    const int tip = robot.find_link(robot.tip());
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, robot.description());
      kinematics.set(s.q);
      const LinkPose pose = kinematics.pose(tip);
      for (int which = 0; which < 8; ++which) {
        auto sign = [which](int bit) { return which >> bit & 1 ? -1.0 : 1.0; };
        Numbers q =
            ik({rotation_of_link(pose), position_of_link(pose), {sign(0), sign(1), sign(2)}});
        EXPECT_GE(q.back(), 0) << name;  // reach
        q.pop_back();
        kinematics.set(q);
        const LinkPose found = kinematics.pose(tip);
        EXPECT_LT(apart(rotation_of_link(found), rotation_of_link(pose)), 1e-9) << name;
        EXPECT_LT(apart(position_of_link(found), position_of_link(pose)), 1e-9) << name;
      }
    }
    if (std::string(name) == "puma560") {  // the Stanford arm's slide goes everywhere
      EXPECT_LT(ik({{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 30, 0}, {1, 1, 1}}).back(), 0.0);
    }
  }
  EXPECT_NE(complaint([] {
              Rng any(60);
              generate(Robot(random_chain(any, 6)), Quantity::inverse_kinematics);
            }).find("ik_step"),
            std::string::npos);
}

// All branches in one call and one branch per call, in the frames of files nobody chose for it;
// with right angles of five digits, too, after which Newton steps follow.
TEST(GeneratedWords, InverseKinematicsOfSerialArms) {
  constexpr double right = std::numbers::pi / 2, rounded = 1.5708;
  Rng rng(61);
  auto disguised_arm = [&](const std::vector<DenavitHartenberg>& rows) {
    return Robot(disguised(rng, rows, -1, LinkFrames::any));
  };
  struct Arm {
    Robot robot;
    int branches;
    bool redundant;
  };
  auto kuka = [](double quarter) {
    return std::vector<DenavitHartenberg>{{0.025, -quarter, 0.4, 0}, {0.455, 0, 0, 0},
                                          {0.035, -quarter, 0, 0},   {0, quarter, 0.42, 0},
                                          {0, -quarter, 0, 0},       {0, 0, 0.08, 0}};
  };
  const Arm arms[] = {{Robot::load("ur5"), 8, false},
                      {Robot::load("scara"), 2, false},
                      {Robot::load("panda"), 8, true},
                      {disguised_arm(kuka(right)), 8, false},
                      {disguised_arm(kuka(rounded)), 8, false},
                      {disguised_arm({{0, -right, 0.36, 0},
                                      {0, right, 0, 0},
                                      {0, right, 0.42, 0},
                                      {0, -right, 0, 0},
                                      {0, -right, 0.4, 0},
                                      {0, right, 0, 0},
                                      {0, 0, 0.126, 0}}),
                       8, true}};
  for (const Arm& arm : arms) {
    SCOPED_TRACE(arm.robot.name());
    const Compiled one(generate(arm.robot, Quantity::inverse_kinematics).program),
        all(generate(arm.robot, Quantity::inverse_kinematics, {.all_branches = true}).program);
    Kinematics kinematics(arm.robot);
    const int tip = arm.robot.find_link(arm.robot.tip());
    const auto n = static_cast<std::size_t>(arm.robot.nq());
    int reached = 0;
    for (int trial = 0; trial < 20; ++trial) {
      Numbers q(n);
      for (double& x : q) x = uniform(rng, -2.5, 2.5);
      kinematics.set(q);
      const LinkPose pose = kinematics.pose(tip);
      const Numbers R = rotation_of_link(pose), p = position_of_link(pose), given{q.back()};
      const Numbers found = arm.redundant ? all({R, p, given}) : all({R, p});
      ASSERT_EQ(found.size(), static_cast<std::size_t>(arm.branches) * (n + 1));
      for (int b = 0; b < arm.branches; ++b) {
        const auto from = found.begin() + b * static_cast<std::ptrdiff_t>(n);
        const Numbers here(from, from + static_cast<std::ptrdiff_t>(n));
        for (const double x : here) ASSERT_TRUE(std::isfinite(x));
        Numbers signs;
        for (int bit = 0; 1 << bit < arm.branches; ++bit)
          signs.push_back((b >> bit & 1) != 0 ? -1.0 : 1.0);
        const Numbers alone = arm.redundant ? one({R, p, signs, given}) : one({R, p, signs});
        const double reach =
            found[static_cast<std::size_t>(arm.branches) * n + static_cast<std::size_t>(b)];
        EXPECT_EQ(reach < 0, alone.back() < 0);
        if (reach < 1e-3) continue;
        ++reached;
        kinematics.set(here);
        const LinkPose at = kinematics.pose(tip);
        EXPECT_LT(apart(rotation_of_link(at), R), 1e-10);
        EXPECT_LT(apart(position_of_link(at), p), 1e-10);
        for (std::size_t k = 0; k < n; ++k)
          EXPECT_NEAR(std::remainder(alone[k] - here[k], 2 * std::numbers::pi), 0, 1e-9);
      }
    }
    EXPECT_GT(reached, 20);
  }
}

TEST(GeneratedWords, StepsOfInverseKinematicsArrive) {
  Rng rng(59);
  std::vector<Robot> robots = some_robots();
  for (const Robot& robot : {robots[3], Robot::load("panda"), Robot::load("ur5")}) {
    const Compiled step(generate(robot, Quantity::inverse_kinematics_step).program);
    Kinematics kinematics(robot);
    const int tip = robot.find_link(robot.tip());
    const RandomState s = random_state(rng, robot.description());
    kinematics.set(s.q);
    const LinkPose pose = kinematics.pose(tip);
    Numbers u(robot.nv()), q(robot.nq());
    for (double& x : u) x = uniform(rng, -0.2, 0.2);
    integrate(robot, s.q, u, q);
    double before = 0;
    for (int turn = 0; turn < 40; ++turn) {
      const Numbers next = step({q, rotation_of_link(pose), position_of_link(pose)});
      if (turn == 0) before = next[robot.nq()] + next[robot.nq() + 1];
      q.assign(next.begin(), next.begin() + robot.nq());
    }
    EXPECT_GT(before, 1e-4) << robot.name();
    kinematics.set(q);
    EXPECT_LT(apart(rotation_of_link(kinematics.pose(tip)), rotation_of_link(pose)), 1e-9)
        << robot.name();
    EXPECT_LT(apart(position_of_link(kinematics.pose(tip)), position_of_link(pose)), 1e-9)
        << robot.name();
  }
}

TEST(GeneratedWords, VectorJacobianProducts) {
  Rng rng(53);
  for (const Robot& robot : some_robots()) {
    const Compiled inverse(generate(robot, Quantity::inverse_vector_product).program),
        forward(generate(robot, Quantity::forward_vector_product).program);
    Workspace workspace(robot);
    const std::size_t n = robot.nv();
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, robot.description());
      Numbers w(n), g(3 * n);
      for (double& x : w) x = uniform(rng, -1, 1);
      const std::span<double> gq(g.data(), n), gv(g.data() + n, n), gx(g.data() + 2 * n, n);
      inverse_vector_product(robot, workspace, s.q, s.v, s.a, w, gq, gv, gx);
      EXPECT_LT(apart(inverse({s.q, s.v, s.a, w}), g), exact) << robot.name();
      forward_vector_product(robot, workspace, s.q, s.v, s.a, w, gq, gv, gx);
      EXPECT_LT(apart(forward({s.q, s.v, s.a, w}), g), 1e-9) << robot.name();
    }
  }
}

TEST(GeneratedWords, ComputedTorqueIsTheController) {
  Rng rng(54);
  for (const Robot& robot : some_robots()) {
    const Compiled step(generate(robot, Quantity::computed_torque).program);
    const std::size_t n = robot.nv();
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState now = random_state(rng, robot.description()),
                        wanted = random_state(rng, robot.description());
      Gains gains;
      for (std::size_t k = 0; k < n; ++k) {
        gains.kp.push_back(uniform(rng, 10, 100));
        gains.kd.push_back(uniform(rng, 1, 10));
      }
      // A motion of one instant, which is where the controller reads it.
      SampledTrajectory motion;
      motion.rows = 1;
      motion.t = {0};
      motion.q = wanted.q;
      motion.v = wanted.v;
      motion.a = wanted.a;
      Numbers tau(n);
      controller("computed_torque", robot, motion, gains)(0, now.q, now.v, tau);
      EXPECT_LT(apart(step({now.q, now.v, wanted.q, wanted.v, wanted.a, gains.kp, gains.kd}), tau),
                1e-11)
          << robot.name();
    }
  }
}

struct Rolled {
  Numbers q, v;  // after every step
};
Rolled by_simulation(const Robot& robot, const RandomState& s, const Numbers& tau, int steps,
                     double dt) {
  SimulationOptions how;
  how.integrator = "rk4";
  how.step = dt;
  how.time = steps * dt;
  how.rate = 1 / dt;
  how.stop_at = StopAt::nothing;
  Simulation simulation(robot, how);
  simulation.set_state(s.q, s.v);
  TorqueSamples samples;
  for (int k = 0; k < steps; ++k) samples.t.push_back(k * dt);
  samples.tau = tau;
  const SimulationResult ran = simulation.run(*open_loop(samples, Hold::zero_order));
  const auto &q = ran.motion.q, &v = ran.motion.v;
  return {{q.begin() + robot.nq(), q.end()}, {v.begin() + robot.nv(), v.end()}};
}
Rolled by_euler(const Robot& robot, const RandomState& s, const Numbers& tau, int steps,
                double dt) {
  Workspace workspace(robot);
  const std::size_t n = robot.nv();
  Numbers q = s.q, v = s.v, a(n), u(n);
  Rolled all;
  for (int k = 0; k < steps; ++k) {
    forward_dynamics(robot, workspace, q, v, std::span(tau).subspan(k * n, n), a);
    for (std::size_t i = 0; i < n; ++i) {
      v[i] += dt * a[i];
      u[i] = dt * v[i];
    }
    integrate(robot, q, u, q);
    all.q.insert(all.q.end(), q.begin(), q.end());
    all.v.insert(all.v.end(), v.begin(), v.end());
  }
  return all;
}

// Every step's end, with dt in the program; or the last, with dt as an argument.
void expect_rolled(const Robot& robot, bool fourth_order, bool path, Rng& rng) {
  const int steps = 2;
  const double dt = 0.01;
  GenerateOptions how;
  how.steps = steps;
  how.integrator = fourth_order ? "rk4" : "euler";
  how.path = path;
  how.step = !path;
  if (path) how.dt = dt;
  const Compiled rollout(generate(robot, Quantity::rollout, how).program);
  const RandomState s = random_state(rng, robot.description());
  const std::size_t nq = robot.nq(), nv = robot.nv();
  Numbers tau(steps * nv);
  for (double& x : tau) x = uniform(rng, -5, 5);
  const Rolled r =
      fourth_order ? by_simulation(robot, s, tau, steps, dt) : by_euler(robot, s, tau, steps, dt);
  ASSERT_EQ(r.q.size(), steps * nq);
  Numbers end(path ? r.q.begin() : r.q.end() - nq, r.q.end());
  end.insert(end.end(), path ? r.v.begin() : r.v.end() - nv, r.v.end());
  EXPECT_LT(apart(rollout({s.q, s.v, tau, path ? Numbers{} : Numbers{dt}}), end), 1e-9)
      << robot.name() << " " << how.integrator;
}

TEST(GeneratedWords, RolloutIsTheSimulation) {
  Rng rng(55);
  for (const bool fourth_order : {false, true})
    for (const bool path : {false, true})
      expect_rolled(Robot::load("scara"), fourth_order, path, rng);
  const Robot floating(
      random_chain(rng, 2, {.spherical = 0.5, .floating_base = true, .tips = true}));
  expect_rolled(floating, false, true, rng);
  expect_rolled(floating, true, true, rng);
  expect_rolled(Robot::load("stanford"), true, false, rng);
}

// The figures of docs/generated-programs.md for puma560: no change may make them larger.
TEST(GeneratedWords, Counts) {
  const Robot robot = Robot::load("puma560");
  auto expect = [&](const char* what, const GenerateOptions& how, long multiplications,
                    long additions) {
    const Counts n = counts(generate(robot, quantity(what), how).program.graph);
    EXPECT_LE(n.multiplications, multiplications) << what;
    EXPECT_LE(n.additions, additions) << what;
  };
  expect("inverse", {.friction = true}, 191, 163);
  expect("inverse", {.parameters = true}, 308, 299);
  expect("regressor", {}, 500, 352);
  expect("jacobian", {}, 41, 22);
  expect("inverse_vjp", {}, 433, 363);
  expect("forward_vjp", {}, 754, 616);
  expect("forward_gradient", {}, 1516, 1184);
  expect("computed_torque", {}, 190, 175);
}

TEST(GeneratedWords, RolloutsThatCannotBe) {
  const Robot robot = Robot::load("scara");
  auto says = [&](auto change) {
    GenerateOptions how;
    change(how);
    return complaint([&] { generate(robot, Quantity::rollout, how); });
  };
  EXPECT_NE(says([](auto& h) { h.steps = 0; }).find("`steps`"), std::string::npos);
  EXPECT_NE(says([](auto& h) { h.steps = 1000000000; }).find("`steps`"), std::string::npos);
  EXPECT_NE(says([](auto& h) { h.dt = 0; }).find("`dt`"), std::string::npos);
  EXPECT_NE(says([](auto& h) { h.integrator = "rk5"; }).find("euler, rk4"), std::string::npos);
}

}  // namespace
}  // namespace parid::test
