// Quantities of chains in logarithmic depth against the serial ones, and the growth of their depth.

#include "dynamics/chain_scan.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "parid/kinematics.hpp"
#include "parid/parallel_evaluation.hpp"
#include "runtime/cost/chain_depth.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

std::vector<Robot> some_chains() {
  std::vector<Robot> all;
  for (const int n : {2, 3, 7, 16, 33, 64, 128})
    all.push_back(Robot::load("chain:" + std::to_string(n)));
  Rng rng(4);
  RandomRobot kind;
  kind.prismatic = 0.3;
  kind.fixed = 0.2;
  kind.tips = true;
  for (const int n : {1, 2, 5, 12, 40, 100}) all.push_back(Robot(random_chain(rng, n, kind)));
  kind.rotors = false;
  for (const int n : {4, 25}) all.push_back(Robot(random_chain(rng, n, kind)));
  std::erase_if(all, [](const Robot& r) { return r.nv() == 0; });
  return all;
}

double largest(std::span<const double> x) {
  double most = 0;
  for (const double y : x) most = std::max(most, std::abs(y));
  return most;
}
double apart(std::span<const double> x, std::span<const double> y) {
  EXPECT_EQ(x.size(), y.size());
  double most = 0;
  for (std::size_t k = 0; k < x.size(); ++k) most = std::max(most, std::abs(x[k] - y[k]));
  return most;
}

TEST(ChainScan, AgreesWithTheSerialQuantities) {
  Rng rng(9);
  for (const Robot& robot : some_chains()) {
    ASSERT_TRUE(LongChain::covers(robot)) << robot.name();
    LongChain chain(robot);
    Workspace workspace(robot);
    Kinematics kinematics(robot);
    const std::size_t n = robot.nv();
    const int tip = robot.find_link(robot.tip()), middle = tip / 2;
    for (int sample = 0; sample < 2; ++sample) {
      const RandomState s = random_state(rng, robot.description());
      kinematics.set(s.q);
      for (const int link : {tip, middle}) {
        std::vector<double> R(9), p(3), J(6 * n), right(6 * n);
        chain.pose(s.q, link, R, p);
        const LinkPose pose = kinematics.pose(link);
        EXPECT_LT(apart(R, pose.rotation), 1e-12);
        EXPECT_LT(apart(p, pose.position), 1e-12 * (1 + largest(p)));
        chain.jacobian(s.q, link, J);
        kinematics.jacobian(link, right);
        EXPECT_LT(apart(J, right), 1e-12 * (1 + largest(right))) << robot.name();
      }
      std::vector<double> M(n * n), right(n * n), a(n), b(n);
      chain.mass_matrix(s.q, M);
      mass_matrix(robot, workspace, s.q, right);
      EXPECT_LT(apart(M, right), 1e-12 * largest(right)) << robot.name() << " " << n;
      chain.forward_dynamics(s.q, s.v, s.a, a);
      forward_dynamics(robot, workspace, s.q, s.v, s.a, b);
      const Eigen::Map<const Eigen::MatrixXd> matrix(right.data(), static_cast<Eigen::Index>(n),
                                                     static_cast<Eigen::Index>(n));
      const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
      const double condition = values[0] / values[values.size() - 1];
      EXPECT_LT(apart(a, b), 1e-12 * condition * largest(b)) << robot.name() << " " << n;
      EXPECT_GT(largest(b), 0);
    }
  }
}

TEST(ChainScan, BaseMotionAndWrenchesAct) {
  Rng rng(21);
  const Robot robot(random_chain(rng, 9));
  ChainForward<double> chain(robot.canonical());
  ArticulatedBody<double> serial(robot.canonical());
  std::vector<Wrench<double>> wrenches(10);
  for (Wrench<double>& w : wrenches) w = {uniform_vector(rng, 5), uniform_vector(rng, 5)};
  const BaseMotion<double> base{uniform_vector(rng, 2), uniform_vector(rng, 2),
                                uniform_vector(rng, 2)};
  for (ModelState<double>* at : {&chain.at, &serial.at}) {
    at->motion.set_base(at->mechanism, base);
    at->motion.external = wrenches.data();
  }
  const RandomState s = random_state(rng, robot.description());
  std::vector<double> a(9), b(9);
  chain.acceleration(s.q.data(), s.v.data(), s.a.data(), a.data());
  serial.acceleration(s.q.data(), s.v.data(), s.a.data(), b.data());
  EXPECT_LT(apart(a, b), 1e-9 * largest(b));
}

TEST(ChainScan, RobotsThatAreNoChainsAreRefused) {
  Rng rng(1);
  Description tree = random_chain(rng, 3);
  tree.joints[2].parent = "link1";
  EXPECT_FALSE(LongChain::covers(Robot(tree)));
  EXPECT_THROW(LongChain{Robot(tree)}, Error);
  Description thin = random_chain(rng, 3);
  thin.links[2].inertia->about_com = {0, 0.1, 0.1};
  EXPECT_FALSE(LongChain::covers(Robot(thin)));
  EXPECT_THROW(chain_depths(Robot(thin)), Error);
}

// Every doubling of the links adds the same few operations, while the serial depth doubles.
TEST(ChainScan, DepthGrowsByAConstantForEachDoubling) {
  std::vector<std::vector<ChainDepth>> rows;
  for (const int n : {8, 16, 32, 64})
    rows.push_back(chain_depths(Robot::load("chain:" + std::to_string(n))));
  for (std::size_t k = 0; k < rows[0].size(); ++k) {
    std::vector<int> parallel, serial;
    for (const auto& row : rows) {
      ASSERT_TRUE(row[k].parallel && row[k].serial);
      parallel.push_back(row[k].parallel->depth.total());
      serial.push_back(row[k].serial->depth.total());
    }
    const int step = parallel[3] - parallel[2];
    EXPECT_NEAR(parallel[2] - parallel[1], step, 1) << rows[0][k].quantity;
    EXPECT_LE(step, k == 3 ? 51 : 5) << rows[0][k].quantity;
    EXPECT_GT(serial[3] - serial[2], 1.9 * (serial[2] - serial[1])) << rows[0][k].quantity;
    EXPECT_LT(parallel[3], serial[3]) << rows[0][k].quantity;
  }
}

}  // namespace
}  // namespace parid::test
