// Quantities that other libraries compute too: Jacobians and their rates, centre of mass, momenta,
// centroidal momentum, operational space. On built-in robots and on random trees; 200 of these in a
// full run.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <stdexcept>

#include "dynamics/array_size.hpp"
#include "parid/derivatives.hpp"
#include "parid/parid.hpp"
#include "peers/peer.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix(const Numbers& x, int rows) {
  return Eigen::Map<const Matrix>(x.data(), rows, static_cast<int>(x.size()) / rows);
}
Matrix column(const Vec3<double>& v) {
  Matrix m(3, 1);
  m << v.x, v.y, v.z;
  return m;
}
void expect_same(const Matrix& ours, const Matrix& theirs, const char* what) {
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  const double size = std::max(1.0, theirs.cwiseAbs().maxCoeff());
  EXPECT_LT((ours - theirs).cwiseAbs().maxCoeff() / size, 1e-9) << what;
}

Numbers one(const Robot& robot, Workspace& w, Quantity what, const RandomState& s,
            std::size_t which, int link = 0) {
  std::vector<std::span<const double>> in{s.q};
  if (info(what).inputs.size() > 1) in.emplace_back(s.v);
  std::vector<Numbers> out;
  std::vector<std::span<double>> to;
  for (const ArrayInfo& a : info(what).outputs) out.emplace_back(dynamics::count(robot, a.shape));
  for (Numbers& x : out) to.emplace_back(x);
  evaluate(robot, w, what, in, to, link);
  return out[which];
}

void compare(const Description& d, peers::Peer& peer, Rng& rng, int& compared) {
  SCOPED_TRACE(peer.name() + ", " + d.name);
  const Robot robot(d);
  Workspace w(robot);
  const RandomState s = random_state(rng, d);
  const int n = robot.nv();
  if (peer.name() != "KDL") {
    const peers::CentreKinematics theirs = peer.centre_kinematics(s.q.data(), s.v.data());
    expect_same(matrix(one(robot, w, Quantity::centre_of_mass, s, 0), 3), column(theirs.position),
                "centre of mass");
    expect_same(matrix(one(robot, w, Quantity::centre_of_mass, s, 1), 3),
                matrix(theirs.jacobian, 3), "Jacobian of the centre");
    Matrix momentum(6, 1);
    momentum << column(theirs.linear_momentum), column(theirs.angular_momentum);
    const Matrix A = matrix(one(robot, w, Quantity::centroidal_momentum_matrix, s, 0), 6);
    expect_same(A * matrix(s.v, n), momentum, "momentum");
    ++compared;
  }
  if (peer.name() == "MuJoCo") return;
  Numbers M(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  peer.mass_matrix(s.q.data(), M.data());
  for (const JointDescription& j : d.joints) {
    if (j.type == JointType::fixed || (peer.name() == "KDL" && j.type == JointType::planar))
      continue;
    const peers::LinkKinematics theirs = peer.link_kinematics(j.name, s.q.data(), s.v.data());
    const int link = robot.find_link(j.child);
    const Matrix J = matrix(theirs.jacobian, 6);
    Matrix R(3, 3);
    R << theirs.pose.R.r0.x, theirs.pose.R.r0.y, theirs.pose.R.r0.z, theirs.pose.R.r1.x,
        theirs.pose.R.r1.y, theirs.pose.R.r1.z, theirs.pose.R.r2.x, theirs.pose.R.r2.y,
        theirs.pose.R.r2.z;
    Matrix local(6, n), world = J;
    local << R.transpose() * J.topRows(3), R.transpose() * J.bottomRows(3);
    const Eigen::Vector3d p(theirs.pose.p.x, theirs.pose.p.y, theirs.pose.p.z);
    for (int k = 0; k < n; ++k) {
      const Eigen::Vector3d angular = J.block<3, 1>(3, k);
      world.block<3, 1>(0, k) += p.cross(angular);
    }
    expect_same(matrix(one(robot, w, Quantity::jacobian_local, s, 0, link), 6), local, "local J");
    expect_same(matrix(one(robot, w, Quantity::jacobian_world, s, 0, link), 6), world, "spatial J");
    expect_same(matrix(one(robot, w, Quantity::jacobian_rate_product, s, 0, link), 6),
                matrix(theirs.jacobian_rate, 6) * matrix(s.v, n), "rate of J times v");
    const Matrix solved = matrix(M, n).ldlt().solve(Matrix(J.transpose()));
    const Matrix inverse_inertia = J * solved;
    expect_same(matrix(one(robot, w, Quantity::operational_space, s, 0, link), 6), inverse_inertia,
                "operational space");
    ++compared;
  }
}

int compare_with_all(const Description& d, Rng& rng) {
  int compared = 0;
  for (const peers::Maker& maker : peers::makers) {
    std::unique_ptr<peers::Peer> peer;
    try {
      peer = maker.make(d);
    } catch (const std::runtime_error&) {
      continue;  // outside its scope, or not installed
    }
    compare(d, *peer, rng, compared);
  }
  return compared;
}

TEST(PeerQuantities, OnBuiltInRobots) {
  Rng rng(1);
  for (const char* name : {"puma560", "stanford", "scara", "ur5", "panda", "quadruped"}) {
    const Robot robot = Robot::load(name);
    if (compare_with_all(robot.description(), rng) == 0) GTEST_SKIP() << "no peer is installed";
  }
}

TEST(PeerQuantities, OnRandomTrees) {
  Rng rng(2);
  for (int seed = 0; seed < cases(20, 200); ++seed) {
    const Description d = random_tree(rng, 1 + seed % 9,
                                      {.prismatic = 0.3,
                                       .fixed = 0.2,
                                       .spherical = seed % 4 == 1 ? 0.4 : 0.0,
                                       .floating_base = seed % 4 == 2,
                                       .tips = seed % 2 == 0});
    if (Robot(d).nv() > 0 && compare_with_all(d, rng) == 0) GTEST_SKIP() << "no peer is installed";
  }
}

}  // namespace
}  // namespace parid::test
