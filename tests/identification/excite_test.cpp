// Excitation motions keep the limits that they claim, at instants that the search did not see.

#include "identification/excite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "model/canonical_model.hpp"
#include "model/format/load.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "parid/inverse_dynamics.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

ExcitationOptions few_trials() {
  ExcitationOptions o;
  o.trials = 8;
  o.samples = 7919;  // prime: no instant of the search's grids but the ends
  return o;
}

// Compares each joint, mimic joints too, with the description's limits; efforts with Newton-Euler
// and friction. Returns whether every effort limit was kept.
void expect_within(const Description& d, const ExcitationMotion& e, const ExcitationOptions& o) {
  const Robot robot{d};
  const SampledTrajectory& m = e.motion;
  const std::size_t nq = robot.nq(), nv = robot.nv();
  const std::vector<MimicChain> chains = mimic_chains(d);
  std::vector<int> position, velocity;
  int p = 0, l = 0;
  for (const JointDescription& j : d.joints) {
    position.push_back(p);
    velocity.push_back(l);
    p += position_count(j);
    l += velocity_count(j);
  }
  const bool effort_holds = !(e.effort_use > o.share * (1 + 1e-6));
  Workspace workspace(robot);
  std::vector<double> tau(nv);
  double hardest = 0;
  for (std::size_t r = 0; r < m.rows; ++r) {
    inverse_dynamics_with_friction(robot, workspace, {&m.q[r * nq], nq}, {&m.v[r * nv], nv},
                                   {&m.a[r * nv], nv}, tau);
    for (std::size_t k = 0; k < d.joints.size(); ++k) {
      const JointDescription& j = d.joints[k];
      if (velocity_count(j.type) != 1 || chains[k].coupling) continue;
      const int leader = chains[k].leader;
      const double q = chains[k].scale * m.q[r * nq + position[leader]] + chains[k].offset,
                   v = chains[k].scale * m.v[r * nv + velocity[leader]];
      const double middle = (j.limits.lower + j.limits.upper) / 2,
                   half = (j.limits.upper - j.limits.lower) / 2;
      if (std::isfinite(half) && half > 0) {
        ASSERT_LE(std::abs(q - middle), o.share * half + 1e-12) << d.name << " " << j.name;
      }
      ASSERT_LE(std::abs(v), o.share * j.limits.velocity * (1 + 1e-9)) << d.name << " " << j.name;
      if (j.mimic) continue;
      ASSERT_LE(std::abs(m.a[r * nv + velocity[k]]), o.acceleration) << d.name << " " << j.name;
      hardest = std::max(hardest, std::abs(m.a[r * nv + velocity[k]]));
      if (effort_holds && o.effort) {
        ASSERT_LE(std::abs(tau[velocity[k]]), o.share * j.limits.effort * 1.002)
            << d.name << " " << j.name;
      }
    }
  }
  EXPECT_NEAR(hardest, e.acceleration, 1e-2 * e.acceleration + 1e-12) << d.name;
  for (std::size_t k = 0; k < nv; ++k) {  // starts and ends at rest
    EXPECT_NEAR(m.v[k], 0, 1e-9) << d.name;
    EXPECT_NEAR(m.v[(m.rows - 1) * nv + k], 0, 1e-9) << d.name;
  }
}

TEST(Excite, BuiltInRobotsStayWithinTheirLimits) {
  for (const char* name : {"panda", "ur5", "puma560", "scara", "planar2"}) {
    const Description d = load_description(name);
    const ExcitationOptions o = few_trials();
    const ExcitationMotion e = excitation_motion(Robot(d), o);
    expect_within(d, e, o);
    EXPECT_FALSE(e.effort_use > o.share) << name;
    EXPECT_FALSE(e.position_use > o.share) << name;
    EXPECT_FALSE(e.velocity_use > o.share) << name;
  }
}

TEST(Excite, TightAndAsymmetricLimits) {
  Description d = load_description("ur5");
  d.joints[0].limits = {0.3, 0.5, 1.0, 150};   // does not contain zero
  d.joints[1].limits = {-2.6, -0.6, 2.0, 30};  // weak against gravity
  d.joints[2].limits = {-1.2, 1.4, 0.05, 40};
  d.joints[3].limits = {-3, 0.01, 3.0, 4};
  d.joints[4].limits.velocity = 1e-3;
  ExcitationOptions o = few_trials();
  const ExcitationMotion e = excitation_motion(Robot(d), o);
  expect_within(d, e, o);
  EXPECT_LE(e.effort_use, 0.8 * (1 + 1e-9));
  EXPECT_GT(e.effort_use, 0.4);
  o.effort = false;
  const ExcitationMotion free = excitation_motion(Robot(d), o);
  expect_within(d, free, o);
  EXPECT_GT(free.effort_use, 0.8);  // the limit matters
  o.effort = true;
  o.share = 1;
  o.acceleration = 0.5;
  o.harmonics = 30;
  expect_within(d, excitation_motion(Robot(d), o), o);
}

TEST(Excite, MimicJointsCountToo) {
  Rng rng(3);
  Description d = random_chain(rng, 4);
  for (JointDescription& j : d.joints) j.limits = {-2, 2, 3, Limits::none};
  d.joints[2].mimic = Mimic{"joint2", -3, 0.4};
  d.joints[2].limits = {-1.2, 2.1, 2.5, Limits::none};
  const ExcitationOptions o = few_trials();
  const ExcitationMotion e = excitation_motion(Robot(d), o);
  expect_within(d, e, o);
  EXPECT_GT(e.position_use, 0.1);
}

// Standing takes 85 % of the effort: the motion keeps the limit itself.
TEST(Excite, LimitsThatStandingNearlyTakesAreKept) {
  Description d = load_description("planar2");
  d.joints.resize(1);
  d.links.resize(2);
  JointDescription& lift = d.joints[0];
  lift.type = JointType::prismatic;
  lift.origin = {};
  lift.axis = {0, 0, 1};
  lift.limits = {-0.5, 0.5, 2, 115};
  d.gravity = {0, 0, -9.81};
  d.links[1].inertia->mass = 10;
  ExcitationOptions o = few_trials();
  o.seconds = 2;
  const ExcitationMotion e = excitation_motion(Robot(d), o);
  EXPECT_GT(e.effort_use, 0.85);
  EXPECT_LE(e.effort_use, 1 + 1e-9);
}

// A robot that cannot stand in the middle of its ranges: the use of effort says so.
TEST(Excite, HopelessEffortLimitsAreReported) {
  Description d = load_description("ur5");
  d.joints[1].limits = {-0.5, 0.3, 2, 1};
  const ExcitationOptions o = few_trials();
  const ExcitationMotion e = excitation_motion(Robot(d), o);
  EXPECT_GT(e.effort_use, 1);
  expect_within(d, e, o);
}

TEST(Excite, RobotsOfOthersStayWithinTheirLimits) {
  const char* data = std::getenv("PARID_EXTRA_DATA");
  const fs::path zoo = data ? fs::path(data) / "zoo" / "urdf" : fs::path();
  if (!data || !fs::is_directory(zoo)) GTEST_SKIP() << "PARID_EXTRA_DATA/zoo/urdf is not there";
  int tried = 0;
  std::vector<fs::path> files;
  for (const auto& each : fs::recursive_directory_iterator(zoo))
    if (each.path().extension() == ".urdf") files.push_back(each.path());
  std::sort(files.begin(), files.end());
  for (std::size_t k = 0; k < files.size(); k += 7) {
    try {
      const Description d = load_description(files[k].string());
      const Robot robot{d};
      if (robot.nv() < 2 || robot.nv() > 9) continue;
      ExcitationOptions o = few_trials();
      o.trials = 3;
      o.samples = 1511;
      const ExcitationMotion e = excitation_motion(robot, o);
      SCOPED_TRACE(files[k].string());
      expect_within(d, e, o);
      ++tried;
    } catch (const Error&) {
      continue;  // other tests examine which files are refused
    }
  }
  EXPECT_GE(tried, 5);
}

}  // namespace
}  // namespace parid::test
