// Torques from stale data: exact if nothing is old, delayed by the policy's ages, and converging to
// the exact ones as periods shorten.

#include "control/law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "control/open_loop.hpp"
#include "control/stability/response.hpp"
#include "motion/sine.hpp"
#include "parid/dynamics.hpp"
#include "tests/control/arms.hpp"
#include "tests/layer.hpp"

namespace parid::test {
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

// G with kp = 1, kd = 0 on an arm without gravity at rest: how late each part of the mass matrix
// acts.
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

// Once everything has arrived it is the whole mass matrix, for any policy.
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
  EXPECT_EQ(terms("buffered"), 6u);
  EXPECT_EQ(terms("yamakita"), 9u);  // hamilton's, and one more across the sweeps
  EXPECT_EQ(terms("hamilton_boxes"), 7u);
  EXPECT_EQ(terms("hamilton"), 8u);
  EXPECT_EQ(terms("delayed:4"), 5u);
}

// Along a prescribed motion: the largest torque error at a period.
double open_loop_error(const Robot& robot, const std::string& id, double period) {
  const auto n = static_cast<std::size_t>(robot.nv());
  const TrajectoryPointer swing =
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
  EXPECT_EQ(policy("binder_herzog_mixed:wd,alpha,e").reads, policy("binder_herzog_mixed").reads);
  EXPECT_EQ(policy("binder_herzog_mixed:w,wd,alpha,e,f,n").reads, policy("exact").reads);
  EXPECT_EQ(policy("delayed:3").delay, 3);
  for (const char* wrong :
       {"hamiltom", "delayed:x", "delayed:-1", "delayed:", "exact:1",
        "binder_herzog_mixed:", "binder_herzog_mixed:w,x",
        "binder_herzog_first:", "binder_herzog_first:ac", "yamakita:", "yamakita:x",
        "yamakita:ac.own", "yamakita:ac.across=", "yamakita:ac.across=-1",
        "yamakita:ac.across=1001", "yamakita:ac.across=2.5"})
    EXPECT_THROW(policy(wrong), Error) << wrong;
  EXPECT_EQ(policy("yamakita:ac.across,alpha.across").reads, policy("yamakita").reads);
  EXPECT_EQ(policy("yamakita:ac.across=1").reads, policy("hamilton").reads);
  EXPECT_TRUE(policy("yamakita_ahead:f").ahead);
  EXPECT_EQ(policy("yamakita:f")[Stale::f].own, 2);
  EXPECT_EQ(policy("yamakita:f")[Stale::f].neighbour, 2);
  EXPECT_EQ(policy("yamakita:f.own=7")[Stale::f].own, 7);
  EXPECT_THROW(demand_single_freedoms(Robot::load("humanoid")), Error);
}

// The paper of Hamilton, Walker and Bennett on Yamakita's: prior data for all variables (section
// 3.1), some of it two iterations old, and two terms that mix (section 4).
TEST(Policies, YamakitaReadsNothingOfThisPeriodAndTwoTermsTwoPeriodsOld) {
  const Policy p = policy("yamakita");
  EXPECT_EQ(p.depth(), 2);
  int two = 0;
  for (const Stale s : {Stale::w, Stale::wd, Stale::f}) EXPECT_EQ(p[s].own, 1) << name_of(s);
  for (const Stale s : {Stale::w, Stale::wd, Stale::alpha, Stale::e, Stale::f, Stale::n})
    EXPECT_EQ(p[s].neighbour, 1) << name_of(s);
  for (const Stale s : {Stale::w, Stale::alpha, Stale::ac}) {
    EXPECT_GE(p[s].across, 1) << name_of(s);
    two += p[s].across == 2;
  }
  EXPECT_EQ(two, 2);
}

// Binder and Herzog's third method with either prediction: chosen variables are exact, others not.
TEST(Policies, ChosenVariablesAreExactUnderFirstOrderPredictionToo) {
  const Policy p = policy("binder_herzog_first:wd,alpha,e");
  for (const Stale s : {Stale::wd, Stale::alpha, Stale::e}) EXPECT_EQ(p[s].neighbour, 0);
  for (const Stale s : {Stale::w, Stale::f, Stale::n}) {
    EXPECT_EQ(p[s].neighbour, 1);
    EXPECT_EQ(p[s].prediction, Prediction::linear);
  }
  const Robot robot = Robot::load("planar3");
  const std::vector<double> q{0.5, 0.8, -0.6};
  // Only the way inwards takes time: two hops, each of two periods that are drawn on.
  EXPECT_EQ(late_masses(without_gravity(robot), "binder_herzog_first", q).size(), 9u);
  EXPECT_EQ(late_masses(without_gravity(robot), "binder_herzog_first:wd,alpha,e", q).size(), 5u);
  EXPECT_LT(open_loop_error(robot, "binder_herzog_first:w,wd,alpha,e,f,n", 1e-3), 1e-10);
}

// Torques that read a force d periods old are those of d periods ago: ages do not wrap around.
TEST(Policies, AgesOfManyPeriodsAreThoseAges) {
  const Robot robot = without_gravity(Robot::load("planar2"));
  const std::vector<double> q{0.4, 0.9};
  std::vector<double> M(4);
  Workspace workspace(robot);
  mass_matrix(robot, workspace, q, M);
  for (const int age : {1, 2, 3, 4, 5, 8, 11, 40}) {
    Policy p;  // link 1 reads what link 2 exerts on it
    p[Stale::f].neighbour = p[Stale::n].neighbour = age;
    const Response r = response({robot, "computed_torque", {{1, 1}, {0, 0}}, p}, q);
    ASSERT_EQ(r.lags, age + 1);
    EXPECT_NEAR(-r.at(0, age)[1], M[1], 1e-14) << age;  // torque 1 for joint 2, as late as that
    EXPECT_NEAR(-r.at(0, 0)[4], M[2], 1e-14) << age;    // torque 2 for joint 1, now
    for (int lag = 1; lag < age; ++lag)
      for (int k = 0; k < 8; ++k) EXPECT_EQ(r.at(0, lag)[k], 0) << age << " " << lag;
    // The line through it and the value before it: torque 1 + age times the last, less age times
    // that.
    for (Read& read : p.reads) read.prediction = Prediction::linear;
    const Response line = response({robot, "computed_torque", {{1, 1}, {0, 0}}, p}, q);
    ASSERT_EQ(line.lags, age + 2);
    EXPECT_NEAR(-line.at(0, age)[1], (1 + age) * M[1], 1e-12) << age;
    EXPECT_NEAR(-line.at(0, age + 1)[1], -age * M[1], 1e-12) << age;
  }
}

// Table 1: ω̇ reads the neighbour's ω, α the link's own, and moments read only α.
TEST(Policies, AlphaIsApartFromTheAccelerationThatPointsRead) {
  for (const char* id : {"exact", "binder_herzog", "binder_herzog_first", "vuskovic", "delayed:2"})
    EXPECT_FALSE(policy(id).alpha_apart()) << id;
  for (const char* id : {"hamilton", "hamilton_boxes", "yamakita", "binder_herzog_mixed:wd"})
    EXPECT_TRUE(policy(id).alpha_apart()) << id;
  // Two rods: joint 1's acceleration reaches link 2's moment by α (I α, 1/12), its force by ω̇ and
  // a_e.
  const Robot robot = without_gravity(Robot::load("planar2"));
  const std::vector<double> q{0.4, 0.9};
  auto late = [&](Stale s) {
    Policy p;
    p[s].neighbour = 3;
    const Response r = response({robot, "computed_torque", {{1, 1}, {0, 0}}, p}, q);
    return r.lags < 4 ? 0 : -r.at(0, 3)[4];
  };
  EXPECT_NEAR(late(Stale::alpha), 1. / 12, 1e-14);
  EXPECT_NEAR(late(Stale::wd), 1. / 4, 1e-14);
  EXPECT_NEAR(late(Stale::e), std::cos(q[1]) / 2, 1e-14);
}

TEST(Policies, DepthIsTheOldestThatIsRead) {
  auto depth = [](const char* id) { return policy(id).depth(); };
  EXPECT_EQ(depth("exact"), 0);
  EXPECT_EQ(depth("delayed:3"), 0);  // torques wait, the recursion reads nothing old
  EXPECT_EQ(depth("binder_herzog"), 1);
  EXPECT_EQ(depth("binder_herzog_first"), 2);  // a line needs two points
  EXPECT_EQ(depth("hamilton"), 1);
  EXPECT_EQ(depth("yamakita:w.own=9"), 9);
}

// SplitMix's bits: as many old as new, no two places alike, round after round, and the same
// everywhere.
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
        pattern |= static_cast<std::uint32_t>(age) << period;
        old += age;
        EXPECT_EQ(age, p.neighbour_age(static_cast<Stale>(s), link, period + 5 * Policy::round));
      }
      ++patterns[pattern];
    }
  }
  EXPECT_TRUE(patterns.contains(2990826663));  // of the first variable of link 1, seed 1
  EXPECT_EQ(patterns.size(), static_cast<std::size_t>(places));
  EXPECT_NEAR(old, places * Policy::round / 2, places * 3);
}

}  // namespace
}  // namespace parid::test
