// What Hamilton, Walker and Bennett cite besides: flow diagrams, the non-strict mass matrix,
// joint-by-joint inverse kinematics; and faults that the momentum observer finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/open_loop.hpp"
#include "control/step_cost.hpp"
#include "control/study/fault.hpp"
#include "control/study/parallel_ik.hpp"
#include "control/study/stale_mass.hpp"
#include "control/table/flow_diagram.hpp"
#include "motion/sine.hpp"
#include "parid/control.hpp"
#include "parid/dynamics.hpp"
#include "parid/inverse_kinematics.hpp"
#include "tests/control/arms.hpp"
#include "tests/kinematics/disguised_arm.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

TEST(FlowDiagram, BlocksHaveAsManyStepsAsTheTracedRecursion) {
  Rng rng(3);
  for (const Robot& robot : {Robot::load("planar3"), Robot::load("puma560"),
                             Robot(random_tree(rng, 7, {.prismatic = 0.4}))})
    for (const PolicyEntry& e : policies()) {
      const FlowDiagram d = flow_diagram(robot, policy(e.id));
      EXPECT_EQ(d.steps, step_cost(robot, policy(e.id)).steps) << robot.name() << " " << e.id;
    }
}

TEST(FlowDiagram, IsThatOfThePaper) {
  const Robot robot = Robot::load("planar3");
  auto at_step = [](const FlowDiagram& d, int step) {
    std::vector<std::string> names;
    for (const FlowNode& n : d.nodes)
      if (n.step == step) names.push_back(n.name);
    std::sort(names.begin(), names.end());
    return names;
  };
  using Names = std::vector<std::string>;
  // Fig. 1: one after another; nothing of an earlier period.
  const FlowDiagram serial = flow_diagram(robot, policy("exact"));
  EXPECT_EQ(serial.steps, 6);
  EXPECT_EQ(at_step(serial, 1), Names{"F1"});
  EXPECT_EQ(at_step(serial, 4), Names{"B3"});
  EXPECT_EQ(at_step(serial, 0), Names{});
  // Fig. 2: all F, then all B.
  const FlowDiagram zero_order = flow_diagram(robot, policy("binder_herzog"));
  EXPECT_EQ(at_step(zero_order, 1), (Names{"F1", "F2", "F3"}));
  EXPECT_EQ(at_step(zero_order, 2), (Names{"B1", "B2", "B3"}));
  EXPECT_EQ(at_step(zero_order, 0), (Names{"B2, k-1", "B3, k-1", "F1, k-1", "F2, k-1"}));
  // Fig. 3: all at once.
  EXPECT_EQ(at_step(flow_diagram(robot, policy("hamilton")), 1).size(), 6u);
  // Figs. 4 and 5: the forward equations of one link.
  const FlowDiagram fig4 = flow_diagram(robot, policy("binder_herzog"), FlowDetail::forward, 2);
  EXPECT_EQ(at_step(fig4, 1), (Names{"w 2", "wd 2"}));
  EXPECT_EQ(at_step(fig4, 2), (Names{"ac 2", "alpha 2", "e 2"}));
  const FlowDiagram fig5 = flow_diagram(robot, policy("hamilton"), FlowDetail::forward, 2);
  EXPECT_EQ(fig5.steps, 1);
  EXPECT_EQ(at_step(fig5, 1).size(), 5u);
  EXPECT_EQ(flow_diagram(robot, policy("hamilton"), FlowDetail::both).steps, 1);
  EXPECT_EQ(flow_diagram(robot, policy("binder_herzog"), FlowDetail::backward, 2).steps, 2);
  // Every edge leads forwards, and every computed node is drawn once.
  for (const FlowDetailEntry& e : flow_details()) {
    const FlowDiagram d = flow_diagram(robot, policy("binder_herzog_first"), e.detail);
    for (const FlowEdge& edge : d.edges) EXPECT_LT(d.nodes[edge.from].step, d.nodes[edge.to].step);
    const std::string svg = flow_svg(d), dot = flow_dot(d);
    std::size_t boxes = 0;
    for (std::size_t at = 0; (at = svg.find("<rect x=", at)) != svg.npos; ++at) ++boxes;
    EXPECT_EQ(boxes, d.nodes.size());
    EXPECT_EQ(static_cast<std::size_t>(std::count(dot.begin(), dot.end(), '>')), d.edges.size());
  }
  EXPECT_THROW(flow_diagram(robot, policy("exact"), FlowDetail::blocks, 4), Error);
  EXPECT_THROW(flow_detail("block"), Error);
}

TEST(StaleMassMatrix, NothingOldIsTheMassMatrix) {
  Rng rng(6);
  std::vector<Robot> robots{Robot::load("puma560"), Robot::load("panda"), Robot::load("humanoid")};
  for (int k = 0; k < 6; ++k)
    robots.emplace_back(random_tree(rng, 8, {.prismatic = 0.4, .spherical = 0.3}));
  for (const Robot& robot : robots) {
    const auto n = static_cast<std::size_t>(robot.nv());
    Workspace workspace(robot);
    std::vector<double> M(n * n), right(n * n);
    StaleMassMatrix<double> exact(robot.canonical(), {}), old(robot.canonical(), {2, {}}),
        line(robot.canonical(), {1, Prediction::linear});
    const std::vector<double> q = random_state(rng, robot.description()).q;
    mass_matrix(robot, workspace, q, right);
    const double scale = std::abs(*std::max_element(
        right.begin(), right.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }));
    auto near = [&](const char* what) {
      for (std::size_t k = 0; k < M.size(); ++k)
        EXPECT_NEAR(M[k], right[k], 1e-12 * scale) << robot.name() << what;
    };
    exact(q.data(), M.data());
    near("exact");
    // A robot that stands has nothing old.
    old.start(q.data(), M.data());
    for (int k = 0; k < 3; ++k) old(q.data(), M.data());
    near("old");
    line.start(q.data(), M.data());
    for (int k = 0; k < 3; ++k) line(q.data(), M.data());
    near("line");
  }
}

// Entries of old values: two rods, by hand. Link 1's body needs link 2's of the period before.
TEST(StaleMassMatrix, EntriesAreAsLateAsTheirHops) {
  const Robot robot = Robot::load("planar2");
  StaleMassMatrix<double> stale(robot.canonical(), {1, Prediction::hold});
  Workspace workspace(robot);
  const std::vector<double> before{0.2, 0.4}, now{0.2, 1.1};
  std::vector<double> M(4), old(4), right(4);
  stale.start(before.data(), M.data());
  stale(now.data(), M.data());
  mass_matrix(robot, workspace, before, old);
  mass_matrix(robot, workspace, now, right);
  EXPECT_NEAR(M[3], right[3], 1e-14);
  // Link 2's composite body does not depend on q2, so link 1's sum is right already.
  EXPECT_NEAR(M[0], right[0], 1e-14);
  EXPECT_EQ(M[1], M[2]);
}

TEST(StaleMassMatrix, ErrorsAreOfFirstOrderHeldAndOfSecondInALine) {
  for (const char* name : {"puma560", "panda"}) {
    const Robot robot = Robot::load(name);
    const auto n = static_cast<std::size_t>(robot.nv());
    const TrajectoryPointer swing =
        sine(std::vector<double>(n, 0.3), std::vector<double>(n, 0.4), 1.3, 1);
    auto order = [&](const char* id) {
      auto worst = [&](double T) {
        const TorqueErrors e = mass_matrix_errors(robot, policy(id), *swing, T);
        return *std::max_element(e.largest.begin(), e.largest.end());
      };
      return std::log2(worst(2e-3) / worst(1e-3));
    };
    EXPECT_NEAR(order("binder_herzog"), 1, 0.1) << name;
    EXPECT_NEAR(order("binder_herzog_first"), 2, 0.2) << name;
  }
}

// PUMAs and Stanford arms in any frames; nothing old is the serial closed form.
TEST(ParallelIk, NothingOldIsTheClosedForm) {
  Rng rng(12);
  const std::vector<DenavitHartenberg> puma = {
      {0, -quarter_turn, 0, 0},    {0.43, 0, 0.15, 0},      {-0.02, quarter_turn, 0, 0},
      {0, -quarter_turn, 0.43, 0}, {0, quarter_turn, 0, 0}, {0, 0, 0.06, 0}};
  std::vector<Robot> robots{Robot::load("puma560"), Robot::load("stanford")};
  for (int k = 0; k < 4; ++k) robots.emplace_back(disguised(rng, puma, -1, LinkFrames::any));
  for (const Robot& robot : robots) {
    ParallelIk ik(robot, robot.tip(), {});
    ParallelIk line(robot, robot.tip(), {1, Prediction::linear});
    std::vector<double> q = random_state(rng, robot.description()).q;
    ik.start(q);
    line.start(q);
    for (int k = 0; k < 5; ++k) {
      for (double& x : q) x += 0.01;
      const LinkPose pose = link_pose(robot, q, robot.tip());
      const std::span<const double> found = ik.step(pose);
      for (std::size_t x = 0; x < q.size(); ++x) EXPECT_NEAR(found[x], q[x], 1e-10) << robot.name();
      line.step(pose);
    }
    // Standing, extrapolation has nothing to add.
    const LinkPose pose = link_pose(robot, q, robot.tip());
    for (int k = 0; k < 20; ++k) line.step(pose);
    const std::span<const double> found = line.step(pose);
    for (std::size_t x = 0; x < q.size(); ++x) EXPECT_NEAR(found[x], q[x], 1e-9) << robot.name();
  }
  EXPECT_THROW(ParallelIk(Robot::load("panda"), "link7", {}), Error);
}

TEST(ParallelIk, ExtrapolationThroughTheGradientIsOfSecondOrder) {
  const std::vector<double> pose{0.1, -0.7, 1.2, 0.3, 0.8, 0.5};
  const Robot robot = Robot::load("puma560");
  const TrajectoryPointer swing = sine(pose, std::vector<double>(6, 0.2), 1.3, 1);
  auto order = [&](const char* id) {
    const IkErrors coarse = inverse_kinematics_errors(robot, policy(id), *swing, 2e-3),
                   fine = inverse_kinematics_errors(robot, policy(id), *swing, 1e-3);
    EXPECT_EQ(coarse.positions.largest[0] < 1e-9, true);  // joint 1 needs no other
    return std::log2(coarse.tip / fine.tip);
  };
  EXPECT_NEAR(order("binder_herzog"), 1, 0.1);
  EXPECT_NEAR(order("binder_herzog_first"), 2, 0.2);
  EXPECT_LT(inverse_kinematics_errors(robot, policy("exact"), *swing, 1e-3).tip, 1e-9);
}

// ---- faults

ObserverDesign observer(double gain, std::vector<double> threshold = {}, double margin = 1.5) {
  return {gain, std::move(threshold), margin};
}

struct FaultCase {
  Robot robot = Robot::load("puma560");
  TrajectoryPointer motion =
      sine({0.1, -0.7, 1.2, 0.3, 0.8, 0.5}, std::vector<double>(6, 0.2), 2, 1);
  ControlOptions options() const {
    ControlOptions o;
    o.rate = 250;
    o.tolerance = 1e-7;
    return o;
  }
  FaultDetection run(const std::string& text, const ObserverDesign& by = {}) const {
    return run(text, options(), by);
  }
  FaultDetection run(const std::string& text, const ControlOptions& o,
                     const ObserverDesign& by = {}) const {
    std::optional<Fault> fault;
    if (!text.empty()) fault = parse_fault(robot, text);
    return detect_fault(robot, computed_torque(robot, "exact", 20), motion, o, fault, by);
  }
};

TEST(Faults, AreDetectedAndNotBeforeTheyHappen) {
  const FaultCase c;
  for (const char* text : {"loss:joint2=0.3@0.4", "payload:link6=3@0.4",
                           "collision:link6=0,0,-20@0.4+0.2", "loss:joint2=1@0.4+0.1"}) {
    const FaultDetection d = c.run(text);
    ASSERT_TRUE(d.detected_at) << text;
    EXPECT_GT(*d.delay, 0) << text;
    EXPECT_LT(*d.delay, 0.1) << text;
    EXPECT_EQ(d.false_alarms, 0) << text;
    EXPECT_NEAR(*d.detected_at, 0.4 + *d.delay, 1e-12);
    EXPECT_EQ(d.t.size(), d.residual.size() / 6);
  }
  const FaultDetection none = c.run("");
  EXPECT_FALSE(none.detected_at);
  EXPECT_EQ(none.false_alarms, 0);
}

// The residual of a lasting collision is the torque that it exerts: Jᵀ F, and none beyond the link.
TEST(Faults, ResidualsAreTheTorquesOfTheFault) {
  FaultCase c;
  c.motion = standing({0.1, -0.7, 1.2, 0.3, 0.8, 0.5}, 1);
  const FaultDetection d = c.run("collision:link3=0,5,-20,0.1,0,0@0.2", observer(100, {0.2}));
  EXPECT_EQ(d.outermost, 2);
  const std::size_t last = d.t.size() - 1;
  // Where the arm stands then: pushed aside a little.
  const SampledTrajectory& m = d.control.simulation.motion;
  const std::span<const double> q(&m.q[(m.rows - 1) * 6], 6);
  Kinematics k(c.robot);
  k.set(q);
  std::vector<double> J(36);
  k.jacobian(c.robot.find_link("link3"), J, {0.1, 0, 0});
  for (std::size_t x = 0; x < 6; ++x) {
    const double expected = J[6 + x] * 5 - J[12 + x] * 20;
    EXPECT_NEAR(d.residual[last * 6 + x], expected, 0.02 * 20) << x;
  }
  // Half the torque of a joint at rest: the residual is minus what is lost.
  const FaultDetection loss = c.run("loss:joint2=0.5@0.2", observer(100));
  EXPECT_EQ(loss.coordinate, 1);
  std::vector<double> g(6);
  Workspace workspace(c.robot);
  gravity(c.robot, workspace, std::span(&loss.control.simulation.motion.q[0], 6), g);
  EXPECT_LT(loss.residual[(loss.t.size() - 1) * 6 + 1] * g[1], 0);
}

// A payload by equivalent torques is the payload: the robot moves as one that has it from the
// start.
TEST(Faults, APayloadIsThatOfTheRobotWithIt) {
  FaultCase c;
  ControlOptions o = c.options();
  o.tolerance = 1e-10;
  const FaultDetection d = c.run("payload:link6=2,0.05,0,0.1@0", o);
  const Robot loaded = c.robot.with_payload("link6", 2, {0.05, 0, 0.1});
  const ControlResult r =
      ControlLoop(loaded, computed_torque(c.robot, "exact", 20), c.motion, o).run();
  EXPECT_NEAR(d.control.max_error, r.max_error, 1e-6);
  for (std::size_t k = 0; k < r.simulation.motion.q.size(); ++k)
    EXPECT_NEAR(d.control.simulation.motion.q[k], r.simulation.motion.q[k], 1e-6);
}

TEST(Faults, NoiseRaisesThresholdsAndSmallFaultsAreMissed) {
  const FaultCase c;
  ControlOptions noisy = c.options();
  noisy.position_noise = 1e-5;
  noisy.velocity_noise = 2e-3;
  const FaultDetection loud = c.run("loss:joint2=0.3@0.4", noisy),
                       quiet = c.run("loss:joint2=0.3@0.4");
  for (std::size_t k = 0; k < 6; ++k) EXPECT_GT(loud.threshold[k], quiet.threshold[k]);
  EXPECT_TRUE(loud.detected_at);
  EXPECT_FALSE(c.run("loss:joint2=0.3@0.4", noisy, observer(50, {1e4})).detected_at);
  // Old data in the controller are no fault of the robot.
  const FaultDetection stale =
      detect_fault(c.robot, computed_torque(c.robot, "hamilton", 20), c.motion, c.options(),
                   parse_fault(c.robot, "loss:joint2=0.3@0.4"));
  EXPECT_TRUE(stale.detected_at);
  EXPECT_EQ(stale.false_alarms, 0);
}

TEST(Faults, MistakesAreNamed) {
  const FaultCase c;
  for (const auto& [text, said] : std::vector<std::pair<const char*, const char*>>{
           {"los:joint2=0.3@1", "did you mean 'loss'"},
           {"loss:joint2=0.3", "such as loss:joint1=0.5@1"},
           {"loss:knee=0.3@1", "there is no joint 'knee'"},
           {"loss:joint2=1.5@1", "at most 1"},
           {"loss:joint2=x@1", "'x' is not a number"},
           {"loss:joint2=0.3@-1", "starts before 0"},
           {"loss:joint2=0.3@1+0", "duration"},
           {"payload:link6=-1@1", "mass is not above zero"},
           {"payload:link9=1@1", "link9"},
           {"payload:link6=1,2@1", "2 numbers instead of 1 or 4"},
           {"collision:link6=1,2@1", "instead of 3 or 6"},
           {"collision:link6=0,0,0@1", "its force is zero"}}) {
    try {
      parse_fault(c.robot, text);
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(said), std::string::npos) << e.what();
    }
  }
  ControlOptions o = c.options();
  o.friction = true;
  EXPECT_THROW(c.run("payload:link6=1@0.1", o), Error);
  EXPECT_THROW(c.run("loss:joint2=0.3@1", observer(50, {1, 2})), Error);
  EXPECT_THROW(c.run("loss:joint2=0.3@1", observer(50, {}, 0.5)), Error);
  EXPECT_THROW(c.run("loss:joint2=0.3@1", observer(-1)), Error);
}

// ---- the public API

TEST(StaleApi, PublicFunctionsAreTheSame) {
  const Robot robot = Robot::load("puma560");
  EXPECT_EQ(stale_policy_table(stale_policy_table("hamilton")), stale_policy_table("hamilton"));
  EXPECT_EQ(stale_flow_diagram(robot, "hamilton", "forward", 2, true),
            flow_dot(flow_diagram(robot, policy("hamilton"), FlowDetail::forward, 2)));
  EXPECT_THROW(stale_policy_table("hamiltom"), Error);
}

}  // namespace
}  // namespace parid::test
