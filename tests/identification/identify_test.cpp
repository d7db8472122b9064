// Known parameters of robots, identified from simulated measurements.

#include "identification/identify.hpp"

#include <gtest/gtest.h>

#include <map>

#include "dynamics/base_parameters.hpp"
#include "identification/prior.hpp"
#include "model/format/load.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/lint/check.hpp"
#include "parid/dynamics.hpp"
#include "tests/identification/simulated_log.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/model/every_friction_key.hpp"

namespace parid::test {
namespace {

std::vector<Description> robots() {
  std::vector<Description> all;
  for (const char* name : {"puma560", "scara"}) all.push_back(load_description(name));
  if (!instrumented)
    for (const char* name : {"panda", "ur5", "quadruped"}) all.push_back(load_description(name));
  Rng rng(5);
  RandomRobot options;
  options.prismatic = 0.4;
  options.spherical = 0.2;
  options.planar = 0.2;
  options.fixed = 0.3;
  options.tips = true;
  all.push_back(random_tree(rng, 9, options));
  return all;
}

// Base parameters of a robot, in the sums another of the same kinematics uses.
std::vector<double> base_values(const BaseColumns& base, const Robot& robot) {
  const std::vector<double> standard = regressor_parameters(robot);
  std::vector<double> values;
  for (std::size_t k = 0; k < base.kept.size(); ++k) {
    double sum = 0;
    for (std::size_t s = 0; s < standard.size(); ++s) sum += base.share(k, s) * standard[s];
    values.push_back(sum);
  }
  return values;
}

double greatest(const std::vector<double>& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

double worst_torque_error(const Robot& a, const Robot& b, std::uint64_t seed) {
  Rng rng(seed);
  const SampledTrajectory log = simulated_log(rng, a, 50);
  Workspace workspace(b);
  const std::size_t nv = a.nv(), nq = a.nq();
  std::vector<double> tau(nv);
  double worst = 0;
  for (std::size_t r = 0; r < log.rows; ++r) {
    inverse_dynamics(b, workspace, {&log.q[r * nq], nq}, {&log.v[r * nv], nv}, {&log.a[r * nv], nv},
                     tau);
    for (std::size_t k = 0; k < nv; ++k)
      worst = std::max(worst, std::abs(tau[k] - log.tau[r * nv + k]) / greatest(log.tau));
  }
  return worst;
}

bool possible(const Description& d) {
  for (const Finding& f : check(d))
    if (f.severity == Finding::Severity::error || f.code == "triangle-rounding") {
      ADD_FAILURE() << f.text();
      return false;
    }
  return true;
}

TEST(BaseColumns, AreAsManyAsTheMechanismHas) {
  for (const Description& d : robots()) {
    // A planar joint's slides have no bodies of their own, but the mechanism counts them as if.
    if (d.name == "tree") continue;
    const Robot robot{d};
    EXPECT_EQ(static_cast<int>(base_columns(robot).kept.size()),
              base_parameters(robot.canonical()).count())
        << d.name;
  }
}

TEST(BaseColumns, StandOnlyForWhatTheyNeed) {
  const BaseColumns b = base_columns(Robot::load("planar2"));
  // Joint 2 turns about its z: of its link, the second moments about that axis count, and its
  // centre.
  std::map<std::string, std::string> meaning;
  for (std::size_t k = 0; k < b.kept.size(); ++k) meaning[b.standard[b.kept[k]]] = b.meaning(k);
  EXPECT_EQ(meaning.at("link2.xx"), "link2.xx + link2.yy");
  EXPECT_EQ(meaning.at("link1.xx"), "link1.xx + link1.yy + link2.m");  // a metre away
}

TEST(Identify, NoiseFreeLogsGiveTheRobotBack) {
  Rng rng(1);
  for (const Description& truth : robots()) {
    const Robot robot{truth};
    const std::size_t rows = 40 + 20 * robot.description().links.size();
    const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, rows)};
    TorqueModel model(Robot(guessed(truth, rng)));
    const Identification found = identify(model, logs);
    const std::vector<double> right = base_values(model.base(), robot);
    for (std::size_t k = 0; k < found.estimates.size(); ++k) {
      const double want = k < right.size() ? right[k] : 0;  // no friction
      EXPECT_TRUE(found.estimates[k].found) << truth.name << found.estimates[k].parameter.name;
      EXPECT_NEAR(found.estimates[k].value, want, 1e-8 * std::max(1.0, greatest(right)))
          << truth.name << " " << found.estimates[k].parameter.name;
    }
    EXPECT_LT(relative_residual(found.fits, Whose::found), 1e-11) << truth.name;
    EXPECT_GT(relative_residual(found.fits, Whose::given), 1e-2) << truth.name;
    // And as a robot of possible bodies.
    const Description written = identified_robot(model, found);
    EXPECT_TRUE(possible(written)) << truth.name;
    EXPECT_LT(worst_torque_error(robot, Robot(written), 9), 1e-6) << truth.name;
  }
}

TEST(Identify, FollowersAreFeltAtTheirLeader) {
  Rng rng(2);
  Description d = random_chain(rng, 4);
  d.joints[2].mimic = Mimic{"joint2", -0.7, 0.1};
  const Robot robot{d};
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 200)};
  TorqueModel model(Robot(guessed(d, rng)));
  const Identification found = identify(model, logs);
  EXPECT_LT(worst_torque_error(robot, Robot(identified_robot(model, found)), 3), 1e-6);
}

// Errors must be as large as is claimed, no more and no less.
TEST(Identify, StandardErrorsAreHonest) {
  Rng rng(3);
  for (const char* name : {"puma560", "scara", "panda"}) {
    const Robot robot = Robot::load(name);
    const std::size_t nv = robot.nv();
    Truth truth;
    for (std::size_t k = 0; k < nv; ++k) {
      truth.noise.push_back(0.3 / static_cast<double>(1 + 3 * k));
      truth.viscous.push_back(uniform(rng, 0.1, 3));
      truth.coulomb.push_back(uniform(rng, 0.5, 5));
    }
    const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 600, truth),
                                              simulated_log(rng, robot, 400, truth)};
    TorqueModel model(Robot(guessed(robot.description(), rng)));
    const Identification found = identify(model, logs);
    EXPECT_EQ(found.samples, 1000u);
    std::vector<double> right = base_values(model.base(), robot);
    right.insert(right.end(), truth.viscous.begin(), truth.viscous.end());
    right.insert(right.end(), truth.coulomb.begin(), truth.coulomb.end());
    ASSERT_EQ(right.size(), found.estimates.size());
    double squares = 0;
    for (std::size_t k = 0; k < right.size(); ++k) {
      const Estimate& e = found.estimates[k];
      const double off = (e.value - right[k]) / e.standard_error;
      EXPECT_LT(std::abs(off), 4) << name << " " << e.parameter.name;
      squares += off * off;
    }
    const double n = static_cast<double>(right.size());
    EXPECT_GT(squares, n - 4 * std::sqrt(2 * n)) << name;
    EXPECT_LT(squares, n + 6 * std::sqrt(2 * n)) << name;  // they are correlated
    for (std::size_t k = 0; k < nv; ++k)
      EXPECT_NEAR(found.fits[k].noise / truth.noise[k], 1, 0.12) << name << k;

    const Description written = identified_robot(model, found);
    EXPECT_TRUE(possible(written));
    for (std::size_t k = 0; k < nv; ++k) {
      EXPECT_LT(found.fits[k].physical, 1.03 * found.fits[k].found) << name << k;
      EXPECT_NEAR(written.joints[k].friction, truth.coulomb[k], 0.1) << name << k;
    }
    // Unseen, the bodies explain what can be: the noise.
    const std::vector<SampledTrajectory> others{simulated_log(rng, robot, 300, truth)};
    const std::vector<TorqueFit> unseen = torque_fits(model, others, found);
    for (std::size_t k = 0; k < nv; ++k)
      EXPECT_NEAR(unseen[k].physical / truth.noise[k], 1, 0.2) << name << k;
  }
}

TEST(Identify, WeightsFollowEachJointsNoise) {
  Rng rng(4);
  const Robot robot = Robot::load("puma560");
  Truth truth;
  truth.noise = {5, 5, 5, 0.01, 0.01, 0.01};
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 800, truth)};
  TorqueModel model(robot, {.friction = FrictionModel::none});
  const Identification found = identify(model, logs);
  // Parameters that only the wrist determines must not suffer from the noise of the arm.
  const std::vector<double> right = base_values(model.base(), robot);
  for (std::size_t k = 0; k < right.size(); ++k)
    if (found.estimates[k].parameter.name == "link6.mx" ||
        found.estimates[k].parameter.name == "link5.mx") {
      EXPECT_NEAR(found.estimates[k].value, right[k], 1e-3);
      EXPECT_LT(found.estimates[k].standard_error, 3e-4);
    }
}

TEST(Identify, DrivesThatLoseAShareOfTheirTorque) {
  Rng rng(6);
  const Robot robot = Robot::load("ur5");
  Truth truth;
  truth.efficiency = {0.8, 0.7, 0.9, 0.95, 0.85, 0.75};
  truth.viscous.assign(6, 0.8);
  truth.coulomb.assign(6, 1.5);
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 500, truth)};
  TorqueModel model(Robot(guessed(robot.description(), rng)), {.drives = true});
  const Identification found = identify(model, logs);
  EXPECT_LT(relative_residual(found.fits, Whose::found), 1e-9);
  for (const Estimate& e : found.estimates) {
    const int k = e.parameter.place;
    if (e.parameter.kind == ParameterKind::loss) {
      EXPECT_NEAR(e.value, 1 - truth.efficiency[k], 1e-8);
    } else if (e.parameter.kind == ParameterKind::coulomb) {
      EXPECT_NEAR(e.value, 1.5, 1e-7);
    }
  }
}

// The largest difference from a log's torques, over the largest of them, friction included.
double worst_error_with_friction(const Robot& robot, const SampledTrajectory& log) {
  Workspace workspace(robot);
  const std::size_t nv = robot.nv(), nq = robot.nq();
  std::vector<double> tau(nv);
  double worst = 0;
  for (std::size_t r = 0; r < log.rows; ++r) {
    inverse_dynamics_with_friction(robot, workspace, {&log.q[r * nq], nq}, {&log.v[r * nv], nv},
                                   {&log.a[r * nv], nv}, tau);
    for (std::size_t k = 0; k < nv; ++k)
      worst = std::max(worst, std::abs(tau[k] - log.tau[r * nv + k]) / greatest(log.tau));
  }
  return worst;
}

// The losses of the log are computed separately (simulated_log.hpp), those of the written robot by
// its file.
TEST(Identify, LossesAreWrittenAsDrives) {
  Rng rng(6);
  // A tool off its axis loads the wrist, whose losses would hardly be seen otherwise.
  const Robot bare = Robot::load("ur5"),
              robot = bare.with_payload(bare.tip(), 2, {0.05, 0.02, 0.1});
  Truth truth;
  truth.efficiency = {0.8, 0.7, 0.9, 0.95, 0.85, 0.75};
  truth.viscous.assign(6, 0.8);
  truth.coulomb.assign(6, 1.5);
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 500, truth)};
  TorqueModel model(Robot(guessed(robot.description(), rng)), {.drives = true});
  const Description found = identified_robot(model, identify(model, logs));
  const Description written = parse_toml(to_toml(found), "found.toml");
  EXPECT_TRUE(possible(written));
  for (std::size_t k = 0; k < 6; ++k) {
    ASSERT_TRUE(written.joints[k].drive) << k;
    EXPECT_EQ(written.joints[k].drive->breakaway, 0);
    EXPECT_NEAR(efficiency(*written.joints[k].drive, 0.5), truth.efficiency[k], 1e-6);
  }
  EXPECT_LT(worst_error_with_friction(Robot(written), simulated_log(rng, robot, 100, truth)), 1e-6);
}

// Known friction of the file plus identified friction is the robot.
TEST(TorqueModel, WithTheFilesFiguresIsTheRobot) {
  std::vector<Description> all{parse_toml(every_friction_key, "all.toml"),
                               load_description("puma560-positioning"), load_description("panda")};
  Rng rng(15);
  for (const Description& d : all) {
    const Robot robot{d};
    Truth truth;
    truth.of_file = true;
    const SampledTrajectory log = simulated_log(rng, robot, 50, truth);
    TorqueModel model(robot, {.rotors = true});
    const std::size_t nv = robot.nv(), nq = robot.nq(), width = model.parameters().size();
    std::vector<double> tau(nv), by(nv * width), above(nv), below(nv), none(nv * width);
    for (std::size_t r = 0; r < log.rows; ++r) {
      const std::span<const double> q(&log.q[r * nq], nq), v(&log.v[r * nv], nv),
          a(&log.a[r * nv], nv);
      const std::vector<double> x = model.given();
      model.torque(q, v, a, x, tau, by);
      for (std::size_t k = 0; k < nv; ++k)
        EXPECT_NEAR(tau[k], log.tau[r * nv + k], 1e-12 * greatest(log.tau)) << d.name;
      for (std::size_t p = 0; p < width && r < 5; ++p) {
        std::vector<double> y = x;
        const double h = 1e-6;
        y[p] = x[p] + h;
        model.torque(q, v, a, y, above, none);
        y[p] = x[p] - h;
        model.torque(q, v, a, y, below, none);
        for (std::size_t k = 0; k < nv; ++k)
          EXPECT_NEAR(by[k * width + p], (above[k] - below[k]) / (2 * h),
                      1e-6 * std::max(1.0, std::abs(by[k * width + p])))
              << d.name << " " << model.parameters()[p].name;
      }
    }
  }
}

// Reactions depend on more parameters than torques do, so bearing friction is as accurate as the
// bodies: exact for correct bodies, approximate for wrong ones, and far better than without it.
TEST(Identify, BearingsAndDrivesOfTheFileAreKnown) {
  Rng rng(16);
  const Description d = load_description("puma560-positioning");
  const Robot robot{d};
  Truth truth;
  truth.of_file = true;
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 600, truth)};
  const SampledTrajectory unseen = simulated_log(rng, robot, 100, truth);
  TorqueModel right(robot);
  const Identification same = identify(right, logs);
  EXPECT_LT(relative_residual(same.fits, Whose::found), 1e-10);
  for (const Estimate& e : same.estimates)
    EXPECT_NEAR(e.value, e.parameter.given, 1e-8) << e.parameter.name;
  EXPECT_LT(worst_error_with_friction(Robot(identified_robot(right, same)), unseen), 1e-6);
  ASSERT_GE(same.notes.size(), 2u);
  EXPECT_TRUE(same.notes[0].starts_with("the bearings of 'joint1'"));
  EXPECT_TRUE(
      same.notes[1].starts_with("the drives of 'joint1', 'joint2', 'joint3' keep the file"));

  Description wrong = guessed(d, rng);
  TorqueModel model{Robot(wrong)};
  const Identification found = identify(model, logs);
  const Description written = identified_robot(model, found);
  EXPECT_TRUE(possible(written));
  EXPECT_TRUE(written.joints[0].journal && written.joints[0].thrust && written.joints[2].drive);
  const double sighted = worst_error_with_friction(Robot(written), unseen);
  EXPECT_LT(sighted, 0.02);
  EXPECT_GT(relative_residual(found.fits, Whose::given),
            10 * relative_residual(found.fits, Whose::physical));

  for (JointDescription& j : wrong.joints) {
    j.journal.reset();
    j.thrust.reset();
    j.drive.reset();
  }
  TorqueModel blind{Robot(wrong)};
  const Identification missed = identify(blind, logs);
  EXPECT_GT(relative_residual(missed.fits, Whose::physical),
            10 * relative_residual(found.fits, Whose::physical));
  EXPECT_GT(worst_error_with_friction(Robot(identified_robot(blind, missed)), unseen), 5 * sighted);
}

TEST(Identify, RotorsAreFoundWhereTheyDifferFromTheLink) {
  Rng rng(7);
  Description d = load_description("ur5");
  for (JointDescription& j : d.joints) j.rotor_inertia = uniform(rng, 0.1, 1);
  const Robot robot{d};
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 300)};
  Description wrong = guessed(d, rng);
  for (JointDescription& j : wrong.joints) j.rotor_inertia = 0.2;
  TorqueModel model(Robot(wrong), {.rotors = true});
  const Identification found = identify(model, logs);
  int untold = 0;
  for (const Estimate& e : found.estimates) {
    if (e.parameter.kind != ParameterKind::rotor) continue;
    if (e.found) {
      EXPECT_NEAR(e.value, d.joints[e.parameter.place].rotor_inertia, 1e-8);
    } else {
      ++untold;
      EXPECT_EQ(e.value, 0.2);
      EXPECT_FALSE(e.confused_with.empty()) << e.parameter.name;
    }
  }
  // Link 1 only turns about its joint; and what link 2 has about its own is, seen from joint 1,
  // part of link 1.
  EXPECT_EQ(untold, 2);
  EXPECT_LT(worst_torque_error(robot, Robot(identified_robot(model, found)), 3), 1e-6);
}

TEST(Identify, ALogAtRestTellsLittleAndSaysSo) {
  Rng rng(8);
  const Robot robot = Robot::load("puma560");
  SampledTrajectory log = simulated_log(rng, robot, 1);
  Workspace workspace(robot);
  std::fill(log.v.begin(), log.v.end(), 0.0);
  std::fill(log.a.begin(), log.a.end(), 0.0);
  inverse_dynamics(robot, workspace, log.q, log.v, log.a, log.tau);
  for (const auto x : {&SampledTrajectory::q, &SampledTrajectory::v, &SampledTrajectory::a,
                       &SampledTrajectory::tau}) {
    const std::vector<double> one = log.*x;
    for (int k = 1; k < 60; ++k) (log.*x).insert((log.*x).end(), one.begin(), one.end());
  }
  log.rows = 60;
  TorqueModel model(robot);
  const Identification found = identify(model, {{log}});
  int told = 0;
  for (const Estimate& e : found.estimates) {
    told += e.found;
    if (e.found) continue;
    EXPECT_EQ(e.value, e.parameter.given);
    EXPECT_TRUE(std::isinf(e.standard_error));
  }
  EXPECT_LE(told, 6);
  ASSERT_FALSE(found.notes.empty());
  EXPECT_NE(found.notes[0].find("do not identify"), std::string::npos);
  EXPECT_NE(found.notes[0].find("move all joints"), std::string::npos);
  // Parameters that are not identifiable keep their values.
  EXPECT_LT(worst_torque_error(robot, Robot(identified_robot(model, found)), 3), 1e-6);
}

TEST(Identify, PoorExcitationHasALargeConditionNumber) {
  Rng rng(8);
  const Robot robot = Robot::load("puma560");
  Truth truth;
  truth.noise.assign(6, 0.1);
  const std::vector<SampledTrajectory> good{simulated_log(rng, robot, 300, truth)};
  SampledTrajectory small = simulated_log(rng, robot, 300);
  Workspace workspace(robot);
  for (double& x : small.q) x *= 0.01;
  for (double& x : small.v) x *= 0.1;
  for (double& x : small.a) x *= 0.1;
  for (std::size_t r = 0; r < small.rows; ++r)
    inverse_dynamics(robot, workspace, {&small.q[6 * r], 6}, {&small.v[6 * r], 6},
                     {&small.a[6 * r], 6}, {&small.tau[6 * r], 6});
  for (double& x : small.tau) x += 0.1 * gaussian(rng);
  TorqueModel model(robot);
  const Identification well = identify(model, good), poor = identify(model, {{small}});
  EXPECT_LT(well.condition, 300);
  EXPECT_TRUE(well.notes.empty()) << well.notes[0];
  EXPECT_GT(poor.condition, 1000);
  ASSERT_FALSE(poor.notes.empty());
  EXPECT_NE(poor.notes[0].find("poor excitation"), std::string::npos);
  EXPECT_TRUE(possible(identified_robot(model, poor)));
}

TEST(Identify, OutliersCountLess) {
  Rng rng(10);
  const Robot robot = Robot::load("scara");
  Truth truth;
  truth.noise.assign(4, 0.05);
  std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 1000, truth)};
  for (std::size_t i = 0; i < logs[0].tau.size(); i += 23) logs[0].tau[i] += 40;
  TorqueModel model(robot, {.friction = FrictionModel::none});
  const std::vector<double> right = base_values(model.base(), robot);
  auto distance = [&](const Identification& found) {
    double sum = 0;
    for (std::size_t k = 0; k < right.size(); ++k)
      sum += std::pow(found.estimates[k].value - right[k], 2);
    return std::sqrt(sum);
  };
  const double plain = distance(identify(model, logs)),
               robust = distance(identify(model, logs, {.robust = true}));
  EXPECT_LT(robust, 0.15 * plain);
}

TEST(Physical, ImpossiblePriorsBecomePossible) {
  Rng rng(11);
  const Description truth = load_description("puma560");
  Description wrong = guessed(truth, rng);
  wrong.links[2].inertia->about_com = {0.01, 0.02, 0.5, 0.1, 0, 0};  // physically impossible
  wrong.links[3].inertia->mass *= -1;
  wrong.links[6].inertia.reset();  // and the last weighs nothing
  EXPECT_THROW(Robot(wrong, true), Error);
  std::vector<std::string> notes;
  const Robot start{usable_prior(wrong, notes)};
  EXPECT_EQ(notes.size(), 3u);
  TorqueModel model(start);
  const std::vector<SampledTrajectory> logs{simulated_log(rng, Robot(truth), 300)};
  const Description written = identified_robot(model, identify(model, logs));
  EXPECT_TRUE(possible(written));
  EXPECT_LT(worst_torque_error(Robot(truth), Robot(written), 3), 1e-6);
}

TEST(Physical, PointMassesHaveRoomToGrow) {
  Rng rng(12);
  const Robot robot = Robot::load("scara");
  Description points = robot.description();
  for (LinkDescription& l : points.links)
    if (l.inertia) l.inertia->about_com = {};
  TorqueModel model{Robot(points)};
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 200)};
  const Description written = identified_robot(model, identify(model, logs));
  EXPECT_TRUE(possible(written));
  EXPECT_LT(worst_torque_error(robot, Robot(written), 3), 1e-6);
}

// Torques that no bodies could make: the second joint's gravity has the wrong sign.
TEST(Physical, ImpossibleDataStillGivePossibleBodies) {
  Rng rng(13);
  const Robot robot = Robot::load("puma560");
  Truth truth;
  truth.noise.assign(6, 0.05);
  std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 400, truth)};
  for (std::size_t r = 0; r < 400; ++r) logs[0].tau[6 * r + 1] *= -1;
  TorqueModel model(robot);
  const Identification found = identify(model, logs);
  EXPECT_TRUE(possible(identified_robot(model, found)));
  bool said = false;
  for (const std::string& note : found.notes)
    said |=
        note.find("physically consistent parameters fit the torques worse") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Identify, TooFewSamplesAreRefused) {
  Rng rng(14);
  const Robot robot = Robot::load("puma560");
  TorqueModel model(robot);
  const std::vector<SampledTrajectory> logs{simulated_log(rng, robot, 5)};
  try {
    identify(model, logs);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("30 equations for 48 unknown"), std::string::npos)
        << e.what();
    EXPECT_NE(std::string(e.what()).find("longer logs"), std::string::npos);
  }
}

}  // namespace
}  // namespace parid::test
