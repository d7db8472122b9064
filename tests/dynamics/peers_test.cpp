// Forward dynamics and mass matrix, against KDL, MuJoCo and DART.

#include <gtest/gtest.h>

#include "parid/dynamics.hpp"
#include "peers/peer.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

double relative(const std::vector<double>& x, const std::vector<double>& y) {
  double off = 0, scale = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return off / scale;
}

// How many peers took the robot.
int compare(const Robot& r, Rng& rng, int states) {
  int taken = 0;
  Workspace workspace(r);
  const std::size_t n = static_cast<std::size_t>(r.nv());
  for (const peers::Maker& maker : peers::makers) {
    std::unique_ptr<peers::Peer> peer;
    try {
      peer = maker.make(r.description());
    } catch (const std::runtime_error&) {
      continue;  // outside its scope, or not installed
    }
    ++taken;
    for (int k = 0; k < states; ++k) {
      const RandomState s = random_state(rng, r.description());
      std::vector<double> M(n * n), theirs(n * n), a(n), their_a(n);
      mass_matrix(r, workspace, s.q, M);
      peer->mass_matrix(s.q.data(), theirs.data());
      EXPECT_LT(relative(M, theirs), 1e-9) << r.name() << ": mass matrix of " << maker.name;
      forward_dynamics(r, workspace, s.q, s.v, s.a, a);  // s.a serves as torques
      try {
        peer->forward_dynamics(s.q.data(), s.v.data(), s.a.data(), their_a.data());
      } catch (const std::runtime_error&) {
        continue;
      }
      EXPECT_LT(relative(a, their_a), 1e-9) << r.name() << ": forward dynamics of " << maker.name;
    }
  }
  return taken;
}

TEST(ForwardPeers, AgreeOnBuiltInRobots) {
  Rng rng(3);
  int taken = 0;
  for (const char* name : {"puma560", "stanford", "panda", "ur5", "scara", "quadruped", "humanoid"})
    taken += compare(Robot::load(name), rng, 20);
  if (taken == 0) GTEST_SKIP() << "no peer is installed";
}

TEST(ForwardPeers, AgreeOnRandomTrees) {
  Rng rng(4);
  int taken = 0;
  RandomRobot kinds{
      .revolute = 2, .prismatic = 1, .planar = 0.5, .spherical = 0.5, .rotors = false};
  for (int k = 0; k < 20; ++k) {
    kinds.floating_base = k % 2;
    taken += compare(Robot(random_tree(rng, 2 + k % 6, kinds)), rng, 3);
  }
  if (taken == 0) GTEST_SKIP() << "no peer is installed";
}

}  // namespace
}  // namespace parid::test
