// Controller cores: schedule, bit-true model against the law in double, status, prediction of the
// tracking against simulation. tests/hardware/controller_rtl_test.cpp has the Verilog.

#include "hardware/controller/controller_core.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "hardware/controller/core_tracking.hpp"
#include "motion/planned_trajectory.hpp"
#include "parid/error.hpp"
#include "parid/trajectory.hpp"
#include "tests/full.hpp"
#include "tests/hardware/robot_ik.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

constexpr const char* all_laws[] = {"computed_torque", "pd+gravity", "pd", "pd+feedforward"};

// A chain or a tree whose frames, axes, tips, gravity and limits are like nobody's, with rotors and
// slides.
Robot odd_arm(unsigned seed, int joints) {
  Rng rng(seed);
  RandomRobot kinds;
  kinds.prismatic = 0.3;
  kinds.tips = true;
  Description d = seed % 2 ? random_chain(rng, joints, kinds) : random_tree(rng, joints, kinds);
  d.name = "odd arm";
  for (JointDescription& j : d.joints) {
    const bool slides = j.type == JointType::prismatic;
    j.has_limits = true;
    j.limits.lower = slides ? -0.2 : uniform(rng, -2.5, -0.5);
    j.limits.upper = slides ? 0.3 : uniform(rng, 0.5, 2.8);
    j.limits.velocity = uniform(rng, 1, 4);
    j.limits.effort = 2000;
  }
  return Robot(d);
}

PlannedTrajectory gentle_line(const Robot& robot, const ControllerCore& core) {
  std::vector<double> from, to;
  double seconds = 0.3;
  for (std::size_t j = 0; j < core.n(); ++j) {
    const CoreJoint& joint = core.joints[j];
    const double width = joint.upper - joint.lower;
    from.push_back(joint.lower + 0.35 * width);
    to.push_back(joint.lower + (j % 2 ? 0.55 : 0.6) * width);
    seconds = std::max(seconds, 4 * width * 0.25 / joint.velocity);
  }
  return PlannedTrajectory::line(robot, from, to, seconds);
}

void set_branch(ControllerCore& core, const Trajectory& motion) {
  std::vector<double> q(core.n()), v(q), a(q);
  motion.at(0, q, v, a);
  core.program.branch = core.branch_of(q);
}

TEST(ControllerCore, HasTheIntervalThatIsAsked) {
  const Robot puma = Robot::load("puma560");
  for (const int interval : {1, 7, 24, 100}) {
    const ControllerCore core = controller_core(puma, {.interval = interval});
    EXPECT_EQ(core.timing.interval, interval);
    EXPECT_EQ(*core.options.setpoint, SetPoint::pose);
    for (int u = 0; u < core_units; ++u) {
      const int uses = core.program.count(static_cast<CoreUnit>(u));
      if (static_cast<CoreUnit>(u) < CoreUnit::history) {
        EXPECT_EQ(core.timing.built[static_cast<std::size_t>(u)], (uses + interval - 1) / interval);
      }
    }
  }
}

// Inverse kinematics precede the measurement, so that the loop's delay is that of the dynamics.
TEST(ControllerCore, ReadsTheMeasurementLate) {
  const Robot puma = Robot::load("puma560");
  for (const int interval : {1, 24}) {
    const ControllerCore core = controller_core(puma, {.interval = interval});
    EXPECT_GT(core.clocks(), 300);
    EXPECT_LT(core.feedback_clocks(), 120);
  }
}

TEST(ControllerCore, EqualsTheLawInDoubleWithinItsProvenBound) {
  std::vector<Robot> robots = {Robot::load("puma560"), Robot::load("stanford"),
                               Robot::load("ur5"),     odd_arm(1, 4),
                               odd_arm(2, 5),          disguised_arm(0).robot};
  for (const Robot& robot : robots)
    for (const char* law : all_laws) {
      const ControllerCore core = controller_core(robot, {.law = law});
      const CoreError e = core_error(core, 600);
      EXPECT_GT(e.samples, 100) << robot.name() << ' ' << law;
      EXPECT_GT(e.torque, 0) << robot.name() << ' ' << law;
      EXPECT_LE(e.over_bound, 1) << robot.name() << ' ' << law;
      EXPECT_GT(e.over_bound, 0.01) << robot.name() << ' ' << law;  // a useful bound
    }
}

TEST(ControllerCore, HasSmallerErrorsWithLongerWords) {
  const Robot robot = odd_arm(3, 4);
  double last = INFINITY;
  for (const int word : {16, 20, 24, 32, 40, 48, 64}) {
    const ControllerCore core = controller_core(robot, {.word = word, .window = 4});
    const CoreError e = core_error(core, 400);
    EXPECT_LE(e.over_bound, 1) << word;
    EXPECT_LT(e.share, last) << word;
    last = e.share;
  }
  EXPECT_LT(last, 1e-10);
}

TEST(ControllerCore, FindsTheJointsOfPosesInTheRobotsOwnCoordinates) {
  for (unsigned number = 0; number < static_cast<unsigned>(cases(6, 20)); ++number) {
    const DisguisedArm arm = disguised_arm(number);
    const ControllerCore core = controller_core(arm.robot, {.setpoint = SetPoint::pose});
    CoreModel model(core);
    Rng rng(number);
    int regular = 0;
    for (int k = 0; k < 40; ++k) {
      std::vector<double> q;
      for (const CoreJoint& j : core.joints) q.push_back(uniform(rng, j.lower, j.upper));
      model.reset();
      model.branch = core.branch_of(q);
      const CoreResult r = model.step(core.setpoint_words(q), core.measured_words(q));
      const std::vector<double> got = model.joint_setpoints();
      double off = 0;
      for (std::size_t j = 0; j < q.size(); ++j) off = std::max(off, std::abs(got[j] - q[j]));
      regular += off < 1e-5 && r.status == 0;
    }
    // Some random postures are singular, or lie on the other side of ±π.
    EXPECT_GT(regular, 24) << arm.robot.name() << ' ' << number;
  }
}

TEST(ControllerCore, SaysWhatItLimits) {
  const Robot puma = Robot::load("puma560");
  const ControllerCore core = controller_core(puma);
  const auto bit = [](CoreFlag f) { return 1U << static_cast<unsigned>(f); };
  const std::vector<double> home = {0.3, -0.8, 0.5, 0.4, 0.7, 0.2};
  CoreModel model(core);
  model.branch = core.branch_of(home);
  std::vector<Raw> pose = core.setpoint_words(home);
  const std::vector<Raw> measured = core.measured_words(home);
  EXPECT_EQ(model.step(pose, measured).status, 0U);
  EXPECT_EQ(model.step(pose, measured).status, 0U);

  // 5 m away: out of reach. The set points that result jump, so they are limited too.
  std::vector<Raw> far = pose;
  far[0] = core.setpoint_format[0].raw(5);
  EXPECT_TRUE(model.step(far, measured).status & bit(CoreFlag::unreachable));

  // A position error of half a radian is limited.
  model.reset();
  model.branch = core.branch_of(home);
  std::vector<double> off = home;
  off[1] += 0.5;
  EXPECT_EQ(model.step(pose, core.measured_words(off)).status & bit(CoreFlag::limited),
            bit(CoreFlag::limited));

  // A torque limit of nearly zero.
  model.reset();
  model.branch = core.branch_of(home);
  for (std::size_t k = 0; k < core.program.bank.size(); ++k)
    if (core.program.bank[k].name == "limit2") model.bank[k] = 5;
  const CoreResult limited = model.step(pose, measured);
  EXPECT_EQ(limited.status, bit(CoreFlag::saturated));
  EXPECT_EQ(std::abs(static_cast<long>(limited.torque[1])), 5);
}

// A gain written to a register acts as that gain of the law.
TEST(ControllerCore, ReadsGainsFromItsRegisters) {
  const Robot robot = odd_arm(5, 3);
  const ControllerCore core = controller_core(robot, {.gains = {{100}, {20}}});
  const ControllerCore other = controller_core(robot, {.gains = {{150}, {20}}});
  CoreModel model(core);
  for (std::size_t j = 0; j < core.n(); ++j) {
    const CoreRegister& r = core.program.bank[2 * j];
    ASSERT_EQ(r.name, "kp" + std::to_string(j + 1));
    model.bank[2 * j] = r.format.raw(150);
  }
  std::vector<double> q, m, tau(core.n());
  for (const CoreJoint& j : core.joints) {
    q.push_back((j.lower + j.upper) / 2);
    m.push_back(q.back() - 0.05);
  }
  const std::vector<Raw> words = core.measured_words(m);
  const CoreResult r = model.step(core.setpoint_words(q), words);
  for (std::size_t j = 0; j < core.n(); ++j) m[j] = core.program.measured[j].value(words[j]);
  CoreLaw<double> law(other);
  law.step(model.joint_setpoints(), m, tau);
  CoreLaw<double> before(core);
  std::vector<double> old(core.n());
  before.step(model.joint_setpoints(), m, old);
  for (std::size_t j = 0; j < core.n(); ++j) {
    EXPECT_NEAR(core.program.torque[j].format.value(r.torque[j]), tau[j], 1e-4);
    EXPECT_GT(std::abs(tau[j] - old[j]), 1e-3);
  }
}

// Predicted beforehand, then simulated with the bit-true model in the loop.
void expect_predicted(const Robot& robot, const CoreOptions& o,
                      const std::optional<PlannedTrajectory>& given = {}) {
  ControllerCore core = controller_core(robot, o);
  const PlannedTrajectory planned = given ? *given : gentle_line(robot, core);
  const Trajectory& motion = *planned.body().trajectory;
  set_branch(core, motion);
  const CorePrediction p = predict_core(core, motion);
  const CoreLoop loop = run_core_loop(core, motion);
  const std::string what = fmt::format("{} {} {} bits", robot.name(), o.law, o.word);
  EXPECT_EQ(loop.status, 0U) << what;
  EXPECT_GT(loop.tracking.degradation, 0) << what;
  EXPECT_NEAR(loop.tracking.degradation, p.tracking.degradation, 0.1 * p.tracking.degradation)
      << what;
  EXPECT_NEAR(loop.tracking.core, p.tracking.core, 0.1 * p.tracking.core) << what;
  EXPECT_NEAR(loop.tracking.ideal, p.tracking.ideal, 0.1 * p.tracking.ideal) << what;
}

TEST(ControllerCore, TracksPickAndPlaceAsPredicted) {
  for (const char* name : {"puma560", "ur5", "stanford"}) {
    const Robot robot = Robot::load(name);
    expect_predicted(robot, {}, PlannedTrajectory::named(robot, "pick-and-place"));
  }
}

// Where latency and rounding matter: a clock of 0.5 MHz, and words whose last bit is 6e-5 rad.
TEST(ControllerCore, TracksAsPredictedWithSlowClocksAndShortWords) {
  for (const char* name : {"puma560", "ur5", "stanford"}) {
    const Robot robot = Robot::load(name);
    const PlannedTrajectory motion = PlannedTrajectory::named(robot, "pick-and-place");
    const auto parts = [&](const CoreOptions& o) {
      ControllerCore core = controller_core(robot, o);
      set_branch(core, *motion.body().trajectory);
      return predict_core(core, *motion.body().trajectory);
    };
    const CoreOptions slow{.interval = 200, .clock = 0.5e6};
    EXPECT_GT(parts(slow).from_latency, 0.1 * parts(slow).tracking.degradation) << name;
    expect_predicted(robot, slow, motion);
    const CoreOptions coarse{
        .setpoint = SetPoint::joint, .word = 18, .window = 8, .acceleration = 800};
    EXPECT_GT(parts(coarse).from_rounding, 1000 * parts({.window = 8}).from_rounding) << name;
    expect_predicted(robot, coarse, motion);
  }
  // Here rounding is most of the degradation but for the filters.
  const Robot ur5 = Robot::load("ur5");
  expect_predicted(ur5, {.word = 16, .window = 16, .acceleration = 800},
                   PlannedTrajectory::named(ur5, "pick-and-place"));
}

TEST(ControllerCore, TracksAsPredictedOnArmsThatAreNotBuiltIn) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(cases(3, 12)); ++seed) {
    const Robot robot = odd_arm(seed, 3 + static_cast<int>(seed % 3));
    for (const char* law : all_laws) expect_predicted(robot, {.law = law, .acceleration = 400});
  }
}

// Arms that other people described, where their files are at hand.
TEST(ControllerCore, OfArmsOfTheZoo) {
  const char* extra = std::getenv("PARID_EXTRA_DATA");
  const std::string folder = extra ? std::string(extra) + "/zoo/urdf" : "";
  if (!extra || !std::filesystem::is_directory(folder))
    GTEST_SKIP() << "SKIPPED: PARID_EXTRA_DATA does not name a folder with zoo/urdf";
  int tried = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    if (tried == cases(8, 1000)) break;
    std::optional<Robot> robot;
    try {
      robot = Robot::load(path.string());
    } catch (const Error&) {
      continue;
    }
    if (robot->nq() != robot->nv() || robot->nv() < 5 || robot->nv() > 8) continue;
    const ControllerCore core = controller_core(*robot, {.window = 2, .acceleration = 400});
    const CoreError e = core_error(core, 300);
    EXPECT_LE(e.over_bound, 1) << path;
    EXPECT_GT(e.samples, 0) << path;
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

TEST(ControllerCore, RefusesWhatItCannotBe) {
  const Robot puma = Robot::load("puma560"), ur5 = Robot::load("ur5");
  EXPECT_THROW(controller_core(puma, {.law = "lqr"}), Error);
  EXPECT_THROW(controller_core(puma, {.word = 8}), Error);
  EXPECT_THROW(controller_core(puma, {.interval = 0}), Error);
  EXPECT_THROW(controller_core(puma, {.interval = 2000, .clock = 1e6}), Error);
  EXPECT_THROW(controller_core(puma, {.gains = {{1, 2}, {}}}), Error);
  EXPECT_THROW(controller_core(puma, {.gains = {{-1}, {1}}}), Error);
  EXPECT_THROW(controller_core(ur5, {.setpoint = SetPoint::pose}), Error);
  EXPECT_THROW(controller_core(puma, {.link = "nothing"}), Error);
  EXPECT_THROW(controller_core(Robot::load("quadruped"), {}), Error);
}

}  // namespace
}  // namespace parid::test
