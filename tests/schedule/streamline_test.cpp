// The thesis' decomposition: how many subtasks, how long the path, and that doing them gives the
// torques.

#include "schedule/tasks/decompositions.hpp"

#include <gtest/gtest.h>

#include <set>

#include "codegen/trace/generate.hpp"
#include "parid/error.hpp"
#include "parid/inverse_dynamics.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/subtasks.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

// The worst relative error of a schedule's torques over random motions.
double worst(const Robot& robot, const TaskedGraph& g, const Schedule& s, bool friction = false) {
  Rng rng(11);
  Workspace workspace(robot);
  double error = 0;
  for (int k = 0; k < 5; ++k) {
    std::vector<double> q(robot.nq()), v(robot.nv()), a(robot.nv()), tau(robot.nv()), x;
    for (auto* u : {&q, &v, &a})
      for (double& y : *u) y = uniform(rng, -2, 2);
    if (friction)
      inverse_dynamics_with_friction(robot, workspace, q, v, a, tau);
    else
      inverse_dynamics(robot, workspace, q, v, a, tau);
    for (const auto* u : {&q, &v, &a}) x.insert(x.end(), u->begin(), u->end());
    const std::vector<double> ours = evaluate(g, s, x);
    double most = 0, off = 0;
    for (int i = 0; i < robot.nv(); ++i) {
      most = std::max(most, std::abs(tau[i]));
      const double d = std::abs(ours[i] - tau[i]);
      off = std::max(off, d == d ? d : 1e9);
    }
    error = std::max(error, off / most);
  }
  return error;
}

TEST(Streamline, AsManySubtasksAndLayersAsTheThesisSays) {
  for (int n = 2; n <= 8; ++n) {
    const TaskedGraph g = streamlined(Robot::load("orthogonal:" + std::to_string(n)));
    EXPECT_EQ(g.tasks.size(), 43 * n - 27);
    EXPECT_EQ(total(g.tasks), 43 * n - 27);
    EXPECT_EQ(critical_path(g.tasks), 4 * n + 3);
    EXPECT_EQ(layer_count(g.tasks), 4 * n + 3);
    check(g);
    for (int t = 0; t < g.tasks.size(); ++t) EXPECT_LE(operation_count(g, t), 3) << g.tasks[t].name;
  }
  EXPECT_EQ(concurrency(streamlined(Robot::load("orthogonal:6")).tasks), 13);
}

TEST(Streamline, DoingTheSubtasksGivesTheTorques) {
  for (const char* name :
       {"orthogonal:2", "orthogonal:6", "orthogonal:9", "puma560", "stanford", "scara", "planar2",
        "planar3", "puma560-3", "stanford-3", "orthogonal:1"}) {
    const Robot robot = Robot::load(name);
    for (const Streamline how : {Streamline::rules, Streamline::lean}) {
      ASSERT_EQ(not_streamlined(robot), "") << name;
      const TaskedGraph g = streamlined(robot, how);
      check(g);
      for (const int p : {1, 3, 8}) {
        const Outcome o = run(scheduler("cp_misf"), g.tasks, {p});
        EXPECT_LT(worst(robot, g, o.schedule), 1e-12) << name << " p " << p;
      }
    }
  }
}

TEST(Streamline, OtherGravityAndPayload) {
  const Robot tilted = Robot::load("puma560").with_gravity({3, -4, 5});
  const TaskedGraph g = streamlined(tilted);
  check(g);
  EXPECT_LT(worst(tilted, g, run(scheduler("hlf"), g.tasks, {4}).schedule), 1e-12);
  EXPECT_EQ(g.tasks.size(), streamlined(Robot::load("puma560")).tasks.size() + 2);  // 118, 119
}

TEST(Streamline, GravityAlongEitherAxisOfTheFirstLink) {
  for (const std::array<double, 3> down :
       {std::array<double, 3>{0, 0, -9.81}, {9.81, 0, 0}, {0, 9.81, 0}})
    for (const char* name : {"puma560", "stanford"}) {
      const Robot hung = Robot::load(name).with_gravity(down);
      const TaskedGraph g = streamlined(hung, Streamline::lean);
      check(g);
      EXPECT_LT(worst(hung, g, run(scheduler("hlf"), g.tasks, {4}).schedule), 1e-12) << name;
    }
}

// Products of inertia, branches, axes in any direction, offset bases, shifted zeros, rotors.
TEST(Streamline, FullTensorsTreesAndAnyAxes) {
  Rng rng(27);
  std::vector<Robot> robots = {Robot::load("panda"), Robot::load("chain:4"), Robot::load("ur5")};
  for (int k = 0; k < 12; ++k)
    robots.emplace_back(random_tree(rng, 2 + k, {.revolute = 2, .prismatic = 1, .tips = true}));
  for (int k = 0; k < 6; ++k)
    robots.emplace_back(random_chain(rng, 1 + k, {.revolute = 2, .prismatic = 1, .fixed = 1}));
  for (const Robot& robot : robots)
    for (const Streamline how : {Streamline::rules, Streamline::lean}) {
      if (robot.nv() == 0) continue;
      const TaskedGraph g = streamlined(robot, how, true);
      check(g);
      for (int t = 0; t < g.tasks.size(); ++t)
        EXPECT_LE(operation_count(g, t), 4) << robot.name() << " " << g.tasks[t].name;
      const Outcome o = run(scheduler("hlf"), g.tasks, {3});
      EXPECT_LT(worst(robot, g, o.schedule, true), 1e-12) << robot.name() << " " << robot.nv();
    }
}

// Each product of inertia alone, two of them, all three: three, five and seven subtasks, and no
// longer a path.
TEST(Streamline, ProductsOfInertiaTakeNoLevel) {
  const Robot plain = Robot::load("orthogonal:5");
  const Time levels = critical_path(streamlined(plain).tasks);
  for (int set = 1; set < 8; ++set) {
    Description d = plain.description();
    for (std::size_t i = 1; i < d.links.size(); ++i) {
      Sym3<double>& I = d.links[i].inertia->about_com;
      if (set & 1) I.yz = 0.01 * I.xx;
      if (set & 2) I.xz = 0.02 * I.xx;
      if (set & 4) I.xy = 0.03 * I.xx;
    }
    const Robot full(d);
    const TaskedGraph g = streamlined(full);
    check(g);
    const int number = (set & 1) + (set >> 1 & 1) + (set >> 2);
    const int first = (set & 1) + (set >> 1 & 1);
    EXPECT_EQ(g.tasks.size(), 43 * 5 - 27 + 4 * (2 * number + 1) + first) << set;
    EXPECT_LE(critical_path(g.tasks), levels) << set;
    for (int t = 0; t < g.tasks.size(); ++t) EXPECT_LE(operation_count(g, t), 3) << g.tasks[t].name;
    EXPECT_LT(worst(full, g, run(scheduler("hlf"), g.tasks, {4}).schedule), 1e-12) << set;
  }
}

TEST(Streamline, OthersAreToldWhy) {
  for (const char* name : {"humanoid", "quadruped"}) {
    EXPECT_NE(not_streamlined(Robot::load(name)), "") << name;
    EXPECT_THROW(streamlined(Robot::load(name)), Error);
  }
}

TEST(Streamline, TheSixLinkArm) {
  const TaskedGraph g = streamlined(Robot::load("orthogonal:6"));
  const Time levels[] = {116, 77, 58, 47, 39, 34, 30, 28, 27};
  for (int p = 2; p <= 10; ++p) {
    const Outcome o = run(scheduler("exact"), g.tasks, {p});
    EXPECT_TRUE(check(g.tasks, {p}, o.schedule).empty());
    EXPECT_EQ(makespan(o.schedule), levels[p - 2]) << p;
    EXPECT_TRUE(o.proven) << p;
  }
}

TEST(Streamline, TheStanfordArm) {
  const TaskGraph printed = subtask_graph(6, printed_stanford_subtasks());
  const TaskedGraph rules = streamlined(Robot::load("stanford"));
  EXPECT_EQ(printed.size(), 156);
  EXPECT_EQ(layer_count(printed), 27);
  EXPECT_EQ(concurrency(printed), 9);
  EXPECT_EQ(critical_path(printed), 25);
  EXPECT_EQ(rules.tasks.size(), 154);
  const Time levels[] = {78, 52, 39, 32, 27, 25};
  for (int p = 2; p <= 7; ++p) {
    const Outcome o = run(scheduler("exact"), printed, {p}),
                  r = run(scheduler("exact"), rules.tasks, {p});
    EXPECT_EQ(makespan(o.schedule), levels[p - 2]) << p;
    EXPECT_TRUE(o.proven) << p;
    EXPECT_LE(makespan(r.schedule), levels[p - 2]) << p;
    EXPECT_TRUE(r.proven) << p;
    EXPECT_LT(worst(Robot::load("stanford"), rules, r.schedule), 1e-12);
  }
}

TEST(Streamline, FrictionAsFurtherTasks) {
  for (const char* name : {"puma560", "puma560-positioning"}) {
    const Robot robot = Robot::load(name);
    if (!not_streamlined(robot).empty()) continue;
    const TaskedGraph g = streamlined(robot, Streamline::rules, true);
    check(g);
    EXPECT_GT(g.tasks.size(), streamlined(robot).tasks.size());
    EXPECT_LT(worst(robot, g, run(scheduler("hlf"), g.tasks, {3}).schedule, true), 1e-12) << name;
    for (int t = 0; t < g.tasks.size(); ++t) EXPECT_LE(operation_count(g, t), 4) << g.tasks[t].name;
  }
}

TEST(Coarse, NineTasksPerLink) {
  for (const char* name : {"puma560", "stanford", "panda", "chain:5", "orthogonal:6", "scara"}) {
    const Robot robot = Robot::load(name);
    const TaskedGraph g = coarse(robot);
    check(g);
    EXPECT_EQ(g.tasks.size(), 9 * robot.nv());
    std::set<std::string> names;
    for (int t = 0; t < g.tasks.size(); ++t) {
      names.insert(g.tasks[t].name);
      EXPECT_TRUE(g.tasks[t].name.ends_with(std::to_string(g.tasks[t].joint))) << g.tasks[t].name;
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(g.tasks.size()));
    for (const int p : {1, 4}) {
      const Outcome o = run(scheduler("luh_lin"), g.tasks, {p});
      EXPECT_LT(worst(robot, g, o.schedule), 1e-12) << name;
    }
  }
  EXPECT_THROW(coarse(Robot::load("humanoid")), Error);
}

TEST(Coarse, Trees) {
  Rng rng(5);
  for (int k = 2; k < 9; ++k) {
    const Robot robot(random_tree(rng, k, {.revolute = 2, .prismatic = 1}));
    const TaskedGraph g = coarse(robot, true);
    check(g);
    EXPECT_LT(worst(robot, g, run(scheduler("heft"), g.tasks, {3}).schedule, true), 1e-12) << k;
  }
}

TEST(Cluster, AnyGraphInTasksOfAtMostKOperations) {
  for (const char* name : {"scara", "panda"}) {
    const Robot robot = Robot::load(name);
    const Graph g = generate(robot, Quantity::inverse_dynamics).program.graph;
    const Counts n = counts(g);
    int fewer = 1 << 30;
    for (const int grain : {1, 3, 10, 50, 1000}) {
      const TaskedGraph t = clustered(g, grain);
      check(t);
      EXPECT_LE(t.tasks.size(), fewer);
      fewer = t.tasks.size();
      long all = 0;
      for (int k = 0; k < t.tasks.size(); ++k) {
        EXPECT_LE(t.tasks[k].duration, grain);
        all += t.tasks[k].duration;
      }
      EXPECT_EQ(all, n.multiplications + n.additions + n.divisions + n.square_roots + n.sin_cos);
      EXPECT_LT(worst(robot, t, run(scheduler("heft"), t.tasks, {3, {}, 1, 1}).schedule), 1e-11)
          << name;
    }
  }
}

}  // namespace
}  // namespace parid::test
