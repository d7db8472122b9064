// Sampled control of robots with elastic joints: eigenvalues against formulas and against
// simulations of the full mechanism.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include "control/loop.hpp"
#include "control/stability/linear_plant.hpp"
#include "control/stability/random_ages.hpp"
#include "control/stability/stability.hpp"
#include "math/dense.hpp"
#include "motion/trajectory.hpp"
#include "parid/control.hpp"
#include "tests/elastic/elastic_robots.hpp"

namespace parid::test {
namespace {

LawDesign elastic_design(const Robot& robot, const char* law, const char* policy_id, double kp,
                         double kd, std::span<const double> q) {
  LawDesign d = design(robot, law, {{kp}, {kd}}, policy(policy_id), q);
  d.elastic = true;
  return d;
}

Robot elastic_planar(double stiffness, double damping, bool weight) {
  Robot robot = Robot::load("planar3");
  Description d = robot.description();
  if (!weight) d.gravity = {0, 0, 0};
  for (JointDescription& j : d.joints) j.rotor_inertia = 0.3;
  d.joints[0].elastic = Elasticity{stiffness, damping};
  d.joints[2].elastic = Elasticity{stiffness / 2, damping};
  return Robot(d);
}

// The eigenvalues of the undriven plant are 0, 0 and ±i √(K (1/J + 1/B)).
TEST(ElasticControl, LinearPlantHasTheFrequencyOfTheFormula) {
  const double J = 0.7, B = 0.3, K = 900;
  const Robot robot(one_link(J, B, K, 0));
  const std::vector<double> q{0.2}, none{0};
  const LinearPlant p =
      linear_plant(robot, elastic_design(robot, "pd", "exact", 1, 1, q), q, none, none);
  ASSERT_EQ(p.A.size(), 16u);
  ASSERT_EQ(p.B.size(), 4u);
  ASSERT_EQ(p.C.size(), 8u);
  Eigen::Matrix<double, 4, 4, Eigen::RowMajor> A(p.A.data());
  const double w = std::sqrt(K * (1 / J + 1 / B));
  // A (A² + w²) A = 0 is its characteristic equation.
  const Eigen::Matrix4d zero = A * (A * A + w * w * Eigen::Matrix4d::Identity()) * A;
  EXPECT_LT(zero.cwiseAbs().maxCoeff(), 1e-8 * w * w * w * w);
  EXPECT_GT((A * A).cwiseAbs().maxCoeff(), 1);
}

TEST(ElasticControl, SpectralRadiusIsTheGrowthOfDisturbances) {
  for (const bool weight : {false, true}) {
    const Robot robot = elastic_planar(300, 1, weight);
    const std::vector<double> q{0.5, 0.8, -0.6};
    for (const char* policy_id : {"exact", "hamilton"}) {
      const LawDesign d = elastic_design(robot, "computed_torque", policy_id, 100, 20, q);
      const LinearLoop loop(robot, d, q);
      const double safe = largest_safe_period(loop, {1e-4, 0.1}, 1e-4);
      ASSERT_GT(safe, 1e-4);
      ASSERT_LT(safe, 0.1);
      for (const double share : {0.7, 1.15}) {
        const double T = share * safe, radius = loop.spectral_radius(T);
        EXPECT_NEAR(simulated_growth(robot, d, q, T), radius, 3e-3) << policy_id << " " << share;
        EXPECT_EQ(radius < 1, share < 1);
      }
      // Elastic joints lower the largest period, and stiff ones do not.
      LawDesign rigid = d;
      rigid.elastic = false;
      EXPECT_LT(safe, 0.95 * largest_safe_period(LinearLoop(robot, rigid, q), {1e-4, 0.5}, 1e-4));
    }
  }
}

TEST(ElasticControl, StiffJointsHaveTheRadiusOfRigidOnes) {
  const Robot robot = elastic_planar(1e7, 300, false);
  const std::vector<double> q{0.5, 0.8, -0.6};
  LawDesign d = elastic_design(robot, "computed_torque", "exact", 100, 20, q);
  const double elastic = LinearLoop(robot, d, q).spectral_radius(5e-3);
  d.elastic = false;
  EXPECT_NEAR(elastic, LinearLoop(robot, d, q).spectral_radius(5e-3), 1e-4);
}

// A pd law with motor measurements is passive; with link measurements it drives the spring's mode.
TEST(ElasticControl, MeasurementsOfLinksDestabiliseThatOfMotorsDoNot) {
  const Robot robot(one_link(0.7, 0.3, 900, 0.1));
  const std::vector<double> q{0};
  LawDesign d = elastic_design(robot, "pd", "exact", 50, 10, q);
  EXPECT_LT(LinearLoop(robot, d, q).spectral_radius(1e-3), 1);
  d.measure_links = true;
  const double radius = LinearLoop(robot, d, q).spectral_radius(1e-3);
  EXPECT_GT(radius, 1);
  EXPECT_NEAR(simulated_growth(robot, d, q, 1e-3, {.size = 1e-7, .periods = 3000}), radius, 1e-3);
}

// A random policy whose readings are all of this period is the exact law.
TEST(ElasticControl, RandomAgesHaveTheExactLawAsOneRealisation) {
  const Robot robot = elastic_planar(2000, 1, true);
  const std::vector<double> q{0.5, 0.8, -0.6};
  const LawDesign d = elastic_design(robot, "computed_torque", "vuskovic", 100, 20, q),
                  exact = elastic_design(robot, "computed_torque", "exact", 100, 20, q);
  const RandomAges ages(robot, d, q);
  const double T = 1e-3;
  const std::vector<double> step =
      ages.step(T, std::vector<bool>(static_cast<std::size_t>(ages.readings()), true));
  const int N = ages.states();
  const Eigen::Map<const Eigen::MatrixXd> A(step.data(), N, N);
  double radius = 0;
  for (const std::complex<double>& x : Eigen::MatrixXd(A).eigenvalues())
    radius = std::max(radius, std::abs(x));
  EXPECT_NEAR(radius, LinearLoop(robot, exact, q).spectral_radius(T), 1e-9);
  EXPECT_GT(ages.found_radius(T), radius);  // with old readings
}

// Held at a pose, the links rest where the springs' load puts them: g/K below the motors.
TEST(ElasticControl, LoopsReportTheErrorOfTheLinks) {
  const Robot robot = elastic_planar(2000, 5, true);
  const std::vector<double> q{0.5, 0.8, -0.6};
  const LawDesign law = elastic_design(robot, "pd+gravity", "exact", 3000, 300, q);
  ControlOptions o;
  o.rate = 1000;
  o.time = 3;
  const ControlResult r = ControlLoop(robot, law, standing(q, 3), o).run();
  ASSERT_FALSE(r.diverged_at);
  ASSERT_EQ(r.simulation.theta.size(), 2 * r.simulation.motion.rows);
  const std::size_t last = r.simulation.motion.rows - 1;
  const double link = r.simulation.motion.q[last * 3], motor = r.simulation.theta[last * 2];
  EXPECT_NEAR(r.final_error, std::abs(q[0] - link), 1e-4);
  EXPECT_GT(motor - link, 1e-3);
  EXPECT_NEAR(r.simulation.tau[last * 3], 2000 * (motor - link), 1e-2);
}

TEST(ElasticControl, PublicFunctionsTakeTheSameOptions) {
  const Robot robot = elastic_planar(300, 1, false);
  const std::vector<double> q{0.5, 0.8, -0.6};
  SampledController c;
  c.gains = {{100}, {20}};
  const double rigid = longest_stable_period(robot, robot, q, c);
  c.elastic = true;
  const double elastic = longest_stable_period(robot, robot, q, c);
  EXPECT_LT(elastic, rigid);
  EXPECT_NEAR(elastic,
              largest_safe_period(LinearLoop(
                  robot, elastic_design(robot, "computed_torque", "exact", 100, 20, q), q)),
              1e-9);
}

}  // namespace
}  // namespace parid::test
