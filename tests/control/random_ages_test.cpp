// Random ages: bounds for every realisation, in the mean square, and for one.

#include "control/stability/random_ages.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "control/stability/random_certificate.hpp"
#include "control/stability/stability.hpp"
#include "tests/control/arms.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Eigen::MatrixXd;

// Not built in: frames and axes askew, slides, and a link that carries two others.
Robot branched() {
  Rng rng(5);
  Description d = random_base(rng, "branched");
  for (const auto& [parent, type] :
       {std::pair{"link0", JointType::revolute}, std::pair{"link1", JointType::prismatic},
        std::pair{"link1", JointType::revolute}})
    add_random_link(rng, d, parent, type, {});
  return Robot(std::move(d));
}

struct Case {
  Robot robot;
  std::vector<double> q;
};
std::vector<Case> cases() {
  return {{Robot::load("planar3"), {0.5, 0.8, -0.6}},
          {Robot::load("docs/speculative/tapered.toml"), {0.2, 1.2, 1.4}},
          {Robot::load("stanford-3"), {0.4, -0.5, 0.4}},
          {branched(), {0.1, 0.7, -0.4}}};
}

double radius(const MatrixXd& A) { return A.eigenvalues().cwiseAbs().maxCoeff(); }

MatrixXd matrix(const RandomAges& loop, double period, const std::vector<bool>& now) {
  const std::vector<double> A = loop.step(period, now);
  return Eigen::Map<const MatrixXd>(A.data(), loop.states(), loop.states());
}
std::vector<bool> pattern(unsigned bits, int count) {
  std::vector<bool> now;
  for (int k = 0; k < count; ++k) now.push_back((bits >> k & 1) != 0);
  return now;
}

// The same realisation by the recursion itself, in dual numbers over its periods.
TEST(RandomAges, OneRealisationIsThatOfTheRecursion) {
  for (const Case& c : cases())
    for (const char* id : {"vuskovic", "vuskovic_output"}) {
      LawDesign law = computed_torque(c.robot, id, 20);
      const RandomAges loop(c.robot, law, c.q);
      double before = 0;
      for (const std::uint64_t seed : {1, 2, 7}) {
        law.policy.seed = seed;
        for (const double period : {2e-3, 2e-2}) {
          const double expected = LinearLoop(c.robot, law, c.q).spectral_radius(period),
                       found = loop.realisation_radius(period, seed);
          EXPECT_NEAR(found, expected, 1e-6 * expected) << c.robot.name() << " " << id;
          if (period == 2e-2) {
            EXPECT_NE(found, before) << "a seed is a realisation";
          }
          before = period == 2e-2 ? found : before;
        }
      }
    }
}

TEST(RandomAges, EverythingOldIsBinderAndHerzog) {
  for (const Case& c : cases()) {
    const RandomAges loop(c.robot, computed_torque(c.robot, "vuskovic", 20), c.q);
    const LinearLoop old(c.robot, computed_torque(c.robot, "binder_herzog", 20), c.q),
        now(c.robot, computed_torque(c.robot, "exact", 20), c.q);
    for (const double period : {1e-3, 1e-2}) {
      const auto all = [&](bool x) {
        return radius(
            matrix(loop, period, std::vector<bool>(static_cast<std::size_t>(loop.readings()), x)));
      };
      EXPECT_NEAR(all(false), old.spectral_radius(period), 1e-6) << c.robot.name();
      EXPECT_NEAR(all(true), now.spectral_radius(period), 1e-6) << c.robot.name();
    }
  }
}

// Every pattern and many products of them, against the period that is proven.
TEST(RandomAges, WhatIsProvenHoldsForEveryRealisationTried) {
  for (const Case& c : cases()) {
    const LawDesign law = computed_torque(c.robot, "vuskovic", 20);
    const RandomAges loop(c.robot, law, c.q);
    const RandomPeriods p = random_periods(loop, {1e-5, 0.2});
    ASSERT_GT(p.safe, 0) << c.robot.name();
    EXPECT_LE(p.safe, p.unsafe) << c.robot.name();
    EXPECT_GT(p.safe, 0.2 * p.unsafe) << c.robot.name();  // the bounds are of use: 0.25 to 0.98
    EXPECT_GT(loop.found_radius(1.01 * p.unsafe), 1) << c.robot.name();
    std::vector<MatrixXd> all;
    const int count = std::min(loop.readings(), 8);
    for (unsigned bits = 0; bits < 1u << count; ++bits) {
      // Readings beyond the eighth go with the first ones.
      std::vector<bool> now = pattern(bits, count);
      while (static_cast<int>(now.size()) < loop.readings()) now.push_back(now[now.size() - 8]);
      all.push_back(matrix(loop, p.safe, now));
      EXPECT_LT(radius(all.back()), 1) << c.robot.name() << " " << bits;
    }
    std::uint64_t state = 12345;
    for (int round = 0; round < 200; ++round) {
      MatrixXd product = MatrixXd::Identity(loop.states(), loop.states());
      for (int k = 0; k < 2 + round % 5; ++k) {
        state = state * 6364136223846793005 + 1442695040888963407;
        product = all[static_cast<std::size_t>(state >> 40) % all.size()] * product;
      }
      EXPECT_LT(radius(product), 1) << c.robot.name() << " " << round;
    }
    EXPECT_LT(loop.proven_radius(0.9 * p.safe), 1) << c.robot.name();
    EXPECT_GE(loop.proven_radius(0.9 * p.safe), loop.found_radius(0.9 * p.safe));
  }
}

// Periods that are refused without a search are those at which the search finds no scale.
TEST(RandomAges, NoScaleIsFoundForWhatIsRefusedAtOnce) {
  int refused = 0, proven = 0;
  for (const Case& c : cases())
    for (const char* id : {"vuskovic", "vuskovic_output"}) {
      const LawDesign law = computed_torque(c.robot, id, 20);
      const std::vector<double> none(c.q.size());
      RandomLoop loop;
      linearise(c.robot, c.q, none, none, loop.A, loop.B);
      loop.policy = law.policy;
      loop.law = law_parts(law, {c.q, none, none});
      loop.late = law.policy.delay + (law.policy.predict_torque ? 1 : 0);
      const RandomAges whole(c.robot, law, c.q);
      double angle = 0;
      for (double period = 1e-5; period < 0.1; period *= 1.7) {
        if (!beyond_every_scale(loop, loop.held(period), 1, angle)) {
          proven += whole.every_realisation_dies(period) ? 1 : 0;
          continue;
        }
        ++refused;
        Eigen::VectorXd scale = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(loop.count()));
        // The frequency that shows it need not be on the grid of the search.
        EXPECT_GT(improve_scale(loop, loop.held(period), 1, 1e-2, scale, 0.5), 0.98)
            << c.robot.name() << ' ' << id << ' ' << period;
      }
    }
  EXPECT_GT(refused, 20);
  EXPECT_GT(proven, 20);
}

// Where everything is stretched out the worst run is Binder and Herzog's; folded, there are worse
// ones.
TEST(RandomAges, ConstantsOfUniformRods) {
  const Robot robot = without_gravity(Robot::load("planar3"));
  const LawDesign law = computed_torque(robot, "vuskovic", 20);
  auto periods = [&](const std::vector<double>& q) {
    return random_periods(RandomAges(robot, law, q), {1e-5, 0.2});
  };
  const RandomPeriods straight = periods({0, 0, 0});
  EXPECT_NEAR(20 * straight.unsafe, 0.0188, 0.0002);
  EXPECT_GT(20 * straight.safe, 0.017);
  const RandomPeriods folded = periods({0, quarter_turn, quarter_turn});
  EXPECT_LT(20 * folded.unsafe, 0.1667);  // 0.2829 of Binder and Herzog's
  EXPECT_GT(folded.safe, 0);
}

TEST(RandomAges, MeanSquareIsTheRadiusOfTheKroneckerProducts) {
  const Robot robot = without_gravity(Robot::load("planar2"));
  for (const char* id : {"vuskovic", "vuskovic_output"}) {
    const RandomAges loop(robot, computed_torque(robot, id, 20), std::vector{0.4, 0.9});
    ASSERT_EQ(loop.readings(), 4);  // at rest, ω̇, a_e, f and n; ω does not matter
    const Eigen::Index N = loop.states();
    for (const double period : {5e-3, 3e-2}) {
      MatrixXd mean = MatrixXd::Zero(N * N, N * N);
      for (unsigned bits = 0; bits < 16; ++bits) {
        const MatrixXd A = matrix(loop, period, pattern(bits, 4));
        for (Eigen::Index i = 0; i < N; ++i)
          for (Eigen::Index k = 0; k < N; ++k) mean.block(i * N, k * N, N, N) += A(i, k) * A / 16;
      }
      const double expected = std::sqrt(radius(mean));
      EXPECT_NEAR(loop.mean_square_radius(period), expected, 1e-5 * expected) << id;
    }
  }
}

TEST(RandomAges, MeanSquareAndSamplesLieAboveWhatIsProven) {
  const Robot robot = without_gravity(Robot::load("planar3"));
  const RandomAges loop(robot, computed_torque(robot, "vuskovic", 20), std::vector{0., 0., 0.});
  const PeriodRange range{1e-5, 0.2};
  const RandomPeriods p = random_periods(loop, range);
  const double square = mean_square_period(loop, range, p.unsafe);
  EXPECT_GT(square, p.safe);
  const std::vector<double> some = realisation_periods(loop, range, square, 6),
                            others = realisation_periods(loop, range, square, 6, 100);
  EXPECT_NE(some, others);
  EXPECT_GT(some.front(), p.safe);
  EXPECT_GT(some.back(), 1.1 * some.front());  // there is no single one
}

TEST(RandomAges, OtherPoliciesAreRefused) {
  const Robot robot = Robot::load("planar2");
  const std::vector<double> q{0.4, 0.9};
  EXPECT_THROW(RandomAges(robot, computed_torque(robot, "binder_herzog", 20), q), Error);
  LawDesign law = computed_torque(robot, "vuskovic", 20);
  law.policy[Stale::f].neighbour = 2;
  EXPECT_THROW(RandomAges(robot, law, q), Error);
}

}  // namespace
}  // namespace parid::test
