#include "runtime/cost/formulation_graph.hpp"

#include <gtest/gtest.h>

#include "formulation/all.hpp"
#include "graph/depth.hpp"
#include "graph/evaluate.hpp"
#include "graph/passes.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/robot.hpp"
#include "scalar/counted.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

Graph traced(const Robot& robot, const TraceOptions& options = {}) {
  return trace<NewtonEulerLinkDense>(robot.canonical(), options);
}

std::vector<double> joined(const RandomState& s) {
  std::vector<double> x = s.q;
  x.insert(x.end(), s.v.begin(), s.v.end());
  x.insert(x.end(), s.a.begin(), s.a.end());
  return x;
}

double relative_error(const std::vector<double>& tau, const std::vector<double>& wanted) {
  double worst = 0, scale = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    worst = std::max(worst, std::abs(tau[k] - wanted[k]));
    scale = std::max(scale, std::abs(wanted[k]));
  }
  return worst / scale;
}

void expect_torques(const Robot& robot, std::uint64_t seed) {
  const Graph g = traced(robot), s = simplify(g);
  g.check();
  s.check();
  Workspace workspace(robot);
  Rng rng(seed);
  for (int sample = 0; sample < 10; ++sample) {
    const RandomState state = random_state(rng, robot.description());
    std::vector<double> tau(robot.nv());
    inverse_dynamics(robot, workspace, state.q, state.v, state.a, tau);
    EXPECT_LT(relative_error(evaluate<double>(g, joined(state)), tau), 1e-12) << robot.name();
    EXPECT_EQ(evaluate<double>(s, joined(state)), evaluate<double>(g, joined(state)))
        << robot.name();
  }
}

TEST(Trace, GivesTheTorquesOfTheLibrary) {
  for (const char* name : {"puma560", "chain:6", "chain:20"}) expect_torques(Robot::load(name), 1);
  expect_torques(Robot::load("puma560", {.floating = true}), 2);
}
TEST(Trace, OfTreesAndEveryJointToo) {
  Rng rng(3);
  for (int k = 0; k < 5; ++k) {
    RandomRobot some{.revolute = 2, .prismatic = 1, .fixed = 1, .planar = 1, .spherical = 1};
    some.floating_base = k % 2 == 1;
    expect_torques(Robot(random_tree(rng, 8, some)), 4 + k);
  }
}

TEST(Trace, DoesWhatItCounts) {
  const Robot robot = Robot::load("puma560");
  for (const Graph& g : {traced(robot), simplify(traced(robot))}) {
    const Counts n = counts(g);
    Counted::reset();
    evaluate<Counted>(g, std::vector<Counted>(g.inputs().size()));
    EXPECT_EQ(Counted::count().multiplications, n.multiplications);
    EXPECT_EQ(Counted::count().additions, n.additions);
    EXPECT_EQ(Counted::count().sin_cos, n.sin_cos);
  }
}

TEST(Trace, NamesItsInputsAndOutputs) {
  const Graph g = traced(Robot::load("chain:2"));
  std::string names;
  for (const Named& i : g.inputs()) names += i.name + ' ';
  for (const Named& o : g.outputs()) names += o.name + ' ';
  EXPECT_EQ(names, "q1 q2 v1 v2 a1 a2 tau1 tau2 ");
}

TEST(Trace, TakesPlacementsInsteadOfPositions) {
  Rng rng(5);
  const Robot robot(random_chain(rng, 6, {.revolute = 2, .prismatic = 1}));
  const CanonicalModel& c = robot.canonical();
  const Graph g = traced(robot, {.placements_given = true}), s = simplify(g);
  s.check();
  EXPECT_EQ(counts(s).sin_cos, 0);

  const RandomState state = random_state(rng, robot.description());
  State<double> motion(c.mechanism);
  auto of = [](const std::vector<double>& x) { return [&x](int k) { return x[k]; }; };
  load_state(c, motion, of(state.q), of(state.v), of(state.a));
  motion.place(c.mechanism);
  std::vector<double> x;
  for (int i = 1; i <= c.topology.n; ++i) {
    const Mat3<double> R = motion.R(i);
    for (const Vec3<double>& r : {R.r0, R.r1, R.r2}) x.insert(x.end(), {r.x, r.y, r.z});
    const Vec3<double> p = motion.p(i);
    if (c.topology.kind[i] == JointKind::prismatic) x.insert(x.end(), {p.x, p.y, p.z});
  }
  x.insert(x.end(), state.v.begin(), state.v.end());
  x.insert(x.end(), state.a.begin(), state.a.end());

  Workspace workspace(robot);
  std::vector<double> tau(robot.nv());
  inverse_dynamics(robot, workspace, state.q, state.v, state.a, tau);
  EXPECT_LT(relative_error(evaluate<double>(g, x), tau), 1e-12);
  EXPECT_LT(relative_error(evaluate<double>(s, x), tau), 1e-12);
}

// Rotations from q, and given; rotors aside, which papers leave out.
TEST(Trace, CountsAndDepths) {
  auto row = [](const char* name, bool given) {
    const Graph s =
        simplify(traced(Robot::load(name), {.placements_given = given, .rotors = false}));
    const Counts n = counts(s);
    const Depth d = depth(s);
    return std::vector<long>{n.multiplications, n.additions, n.sin_cos, d.multiplications,
                             d.additions};
  };
  EXPECT_EQ(row("puma560", false), (std::vector<long>{233, 204, 5, 14, 23}));
  EXPECT_EQ(row("puma560", true), (std::vector<long>{351, 298, 0, 14, 32}));
  EXPECT_EQ(row("chain:6", false), (std::vector<long>{465, 405, 5, 13, 39}));
  EXPECT_EQ(row("chain:6", true), (std::vector<long>{473, 431, 0, 14, 37}));
}

TEST(Trace, BeyondTheLimitSaysSo) {
  EXPECT_THROW(traced(Robot::load("chain:6"), {.limit = 1000}), GraphTooLarge);
}

}  // namespace
}  // namespace parid::test
