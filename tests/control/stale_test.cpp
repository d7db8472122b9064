// Torques from stale data: right where nothing is old, late by the periods that the policy says, and
// tending to what is right as periods shorten.

#include "parid/control/law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "parid/control/open_loop.hpp"
#include "parid/control/response.hpp"
#include "parid/motion/sine.hpp"
#include "parid/run/answers.hpp"
#include "tests/control/arms.hpp"

namespace parid {
namespace {

std::vector<std::string> arms() {
  return {"planar2", "planar3", "puma560", "stanford", "panda", "scara", "chain:9"};
}

TEST(Stale, NothingOldIsInverseDynamics) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> some(-1, 1);
  for (const std::string& name : arms()) {
    const Robot robot = Robot::load(name);
    const auto n = static_cast<std::size_t>(robot.nv());
    Workspace workspace(robot);
    StaleLaw<double> law(robot.canonical(), LawKind::computed_torque,
                         {std::vector<double>(n), std::vector<double>(n)});
    law.set_policy(policy("exact"));
    for (int sample = 0; sample < 5; ++sample) {
      Desired d{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
      for (auto* x : {&d.q, &d.v, &d.a})
        for (double& y : *x) y = 2 * some(random);
      std::vector<double> tau(n), right(n);
      law.step(d, d, d.q.data(), d.v.data(), tau.data());
      inverse_dynamics(robot, workspace, d.q, d.v, d.a, right);
      double scale = 0;
      for (const double x : right) scale = std::max(scale, std::abs(x));
      for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(tau[k], right[k], 1e-12 * scale) << name;
    }
  }
}

// G with kp = 1, kd = 0 on an arm without gravity at rest: how late each part of the mass matrix acts.
std::vector<std::vector<double>> late_masses(const Robot& robot, const std::string& id,
                                             const std::vector<double>& q) {
  const auto n = static_cast<std::size_t>(robot.nv());
  const Response r = response({robot,
                               "computed_torque",
                               {std::vector<double>(n, 1.0), std::vector<double>(n, 0.0)},
                               policy(id)},
                              q);
  std::vector<std::vector<double>> all;
  for (int m = 0; m < r.lags; ++m) {
    all.emplace_back();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) all.back().push_back(-r.at(0, m)[i * 2 * n + k]);
  }
  return all;
}

// Two uniform rods, by hand. B: link 2 on joint 1 by its far end.
TEST(Stale, TwoRodsAreLateAsWorkedOutByHand) {
  const Robot robot = without_gravity(Robot::load("planar2"));
  const std::vector<double> q{0.4, 0.9};
  std::vector<double> M(4);
  Workspace workspace(robot);
  mass_matrix(robot, workspace, q, M);
  const double own = 1. / 12 + 1. / 4;  // of a rod about its end
  auto expect = [](const std::vector<double>& H, std::array<double, 4> expected, const char* what) {
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(H[k], expected[k], 1e-14) << what << k;
  };
  // Neighbours one period old: each hop is a period.
  auto H = late_masses(robot, "binder_herzog", q);
  ASSERT_EQ(H.size(), 3u);
  expect(H[0], {own, 0, 0, M[3]}, "now");
  expect(H[1], {0, M[1], M[2], 0}, "one old");
  expect(H[2], {M[0] - own, 0, 0, 0}, "two old");
  // The whole law two periods old.
  H = late_masses(robot, "delayed:2", q);
  ASSERT_EQ(H.size(), 3u);
  expect(H[0], {0, 0, 0, 0}, "now");
  expect(H[2], {M[0], M[1], M[2], M[3]}, "two old");
  // All old: ω̇ → Euler one, ω̇ → a_c → force → moment three; from link 1 one more, and e two more.
  H = late_masses(robot, "hamilton", q);
  const double turn = 1. / 12, lever = 1. / 4, by_end = std::cos(q[1]) / 2;
  ASSERT_GE(H.size(), 5u);
  EXPECT_NEAR(H[1][3], turn, 1e-14);
  EXPECT_NEAR(H[3][3], lever, 1e-14);
  EXPECT_NEAR(H[2][2], turn, 1e-14);
  EXPECT_NEAR(H[4][2], lever + by_end, 1e-14);
  EXPECT_EQ(H[0][3], 0);
}

// Once everything has arrived it is the whole mass matrix, whatever the policy.
TEST(Stale, LatePartsAddUpToTheMassMatrix) {
  for (const char* name : {"planar3", "puma560", "stanford"}) {
    const Robot robot = without_gravity(Robot::load(name));
    const std::vector<double> q(static_cast<std::size_t>(robot.nq()), 0.6);
    std::vector<double> M(static_cast<std::size_t>(robot.nv() * robot.nv()));
    Workspace workspace(robot);
    mass_matrix(robot, workspace, q, M);
    for (const PolicyEntry& entry : policies()) {
      const auto H = late_masses(robot, entry.id, q);
      if (policy(entry.id).by_chance) continue;  // each period's parts belong to many
      double scale = 0;
      for (const auto& h : H)
        for (const double x : h) scale = std::max(scale, std::abs(x));
      for (std::size_t k = 0; k < M.size(); ++k) {
        double sum = 0;
        for (const auto& h : H) sum += h[k];
        EXPECT_NEAR(sum, M[k], 1e-13 * scale * static_cast<double>(H.size())) << name << entry.id;
      }
    }
  }
}

// The papers' count for n links: lags of n − 1 hops each way, and the readings of one's own.
TEST(Stale, MemoryIsAsLongAsTheChain) {
  const Robot robot = without_gravity(Robot::load("planar3"));
  const std::vector<double> q{0.5, 0.8, -0.6};
  auto terms = [&](const char* id) { return late_masses(robot, id, q).size(); };
  EXPECT_EQ(terms("exact"), 1u);
  EXPECT_EQ(terms("binder_herzog"), 5u);
  EXPECT_EQ(terms("yamakita"), 6u);
  EXPECT_EQ(terms("hamilton_boxes"), 7u);
  EXPECT_EQ(terms("hamilton"), 8u);
  EXPECT_EQ(terms("delayed:4"), 5u);
}

// Along a prescribed motion: the largest torque error at a period.
double open_loop_error(const Robot& robot, const std::string& id, double period) {
  const auto n = static_cast<std::size_t>(robot.nv());
  const CoursePointer swing =
      sine(std::vector<double>(n, 0.3), std::vector<double>(n, 0.5), 1.3, 2);
  const TorqueErrors e = open_loop_errors(robot, policy(id), *swing, period);
  return *std::max_element(e.largest.begin(), e.largest.end());
}

TEST(Stale, TorquesTendToExactOnesFirstOrderForHoldSecondForLinear) {
  for (const char* name : {"planar3", "puma560", "stanford"}) {
    const Robot robot = Robot::load(name);
    for (const PolicyEntry& entry : policies()) {
      const double coarse = open_loop_error(robot, entry.id, 1e-3),
                   fine = open_loop_error(robot, entry.id, 0.5e-3);
      const std::string where = std::string(name) + " " + entry.id;
      if (std::string(entry.id) == "exact") {
        EXPECT_LT(fine, 1e-10) << where;
        continue;
      }
      const bool linear = policy(entry.id)[Stale::w].prediction == Prediction::linear;
      EXPECT_NEAR(std::log2(coarse / fine), linear ? 2 : 1, 0.1) << where << " " << fine;
    }
  }
}

TEST(Stale, PoliciesAreFoundByNameOrNotAtAll) {
  EXPECT_EQ(policy("hamilton_all").reads, policy("hamilton").reads);
  EXPECT_EQ(policy("binder_herzog_mixed:wd,e").reads, policy("binder_herzog_mixed").reads);
  EXPECT_EQ(policy("binder_herzog_mixed:w,wd,e,f,n").reads, policy("exact").reads);
  EXPECT_EQ(policy("delayed:3").delay, 3);
  for (const char* wrong : {"hamiltom", "delayed:x", "delayed:-1", "delayed:", "exact:1",
                            "binder_herzog_mixed:", "binder_herzog_mixed:w,x"})
    EXPECT_THROW(policy(wrong), Error) << wrong;
  EXPECT_THROW(demand_single_freedoms(Robot::load("humanoid")), Error);
}

TEST(Policies, DepthIsTheOldestThatIsRead) {
  auto depth = [](const char* id) { return policy(id).depth(); };
  EXPECT_EQ(depth("exact"), 0);
  EXPECT_EQ(depth("delayed:3"), 0);  // torques wait, the recursion reads nothing old
  EXPECT_EQ(depth("binder_herzog"), 1);
  EXPECT_EQ(depth("binder_herzog_first"), 2);  // a line needs two points
  EXPECT_EQ(depth("hamilton"), 1);
}

// SplitMix's bits: as many old as new, no two places alike, round after round, and the same everywhere.
TEST(Policies, ChanceIsEvenAndSeeded) {
  Policy p = policy("vuskovic");
  for (const PolicyEntry& entry : policies())
    if (policy(entry.id).by_chance) p = policy(entry.id);
  ASSERT_TRUE(p.by_chance);
  std::map<std::uint32_t, int> patterns;
  int old = 0, places = 0;
  for (int s = 0; s < static_cast<int>(stale_variables); ++s) {
    p.reads[s].neighbour = 1;
    for (int link = 1; link <= 6; ++link, ++places) {
      std::uint32_t pattern = 0;
      for (long period = 0; period < Policy::round; ++period) {
        const int age = p.neighbour_age(static_cast<Stale>(s), link, period);
        pattern |= static_cast<std::uint32_t>(age) << period, old += age;
        EXPECT_EQ(age, p.neighbour_age(static_cast<Stale>(s), link, period + 5 * Policy::round));
      }
      ++patterns[pattern];
    }
  }
  EXPECT_TRUE(patterns.contains(2880182299));  // of the first variable of link 1, seed 1
  EXPECT_EQ(patterns.size(), static_cast<std::size_t>(places));
  EXPECT_NEAR(old, places * Policy::round / 2, places * 3);
}

}  // namespace
}  // namespace parid
