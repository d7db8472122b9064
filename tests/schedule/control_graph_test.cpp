// Whole control steps: done in the order of a schedule they give what their parts give one after
// another, each computed by the library.

#include "schedule/tasks/control_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "codegen/trace/generate.hpp"
#include "graph/evaluate.hpp"
#include "model/joint/manifold.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "parid/inverse_dynamics.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/task_source.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

// The part of an input array or output array that belongs to a name.
struct Values {
  std::vector<Argument> arguments;
  Numbers all;

  Numbers operator()(const std::string& name) const {
    std::size_t at = 0;
    for (const Argument& a : arguments) {
      if (a.name == name)
        return {all.begin() + static_cast<long>(at), all.begin() + static_cast<long>(at) + a.count};
      at += static_cast<std::size_t>(a.count);
    }
    return {};
  }
  void set(const std::string& name, const Numbers& x) {
    std::size_t at = 0;
    for (const Argument& a : arguments) {
      if (a.name == name) std::copy(x.begin(), x.end(), all.begin() + static_cast<long>(at));
      at += static_cast<std::size_t>(a.count);
    }
  }
};

Values random_inputs(const TaskedGraph& g, const Description& d, Rng& rng) {
  Values x{arguments(g.graph.inputs()), Numbers(g.graph.inputs().size())};
  for (double& y : x.all) y = uniform(rng, 0.1, 0.9);
  for (const char* q : {"q", "q_last", "q_start", "q_guess"}) x.set(q, random_state(rng, d).q);
  const Mat3<double> R = random_rotation(rng);
  const Numbers rows = {R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z};
  x.set("R", rows);
  x.set("R_wanted", rows);
  return x;
}

Numbers joined(std::initializer_list<Numbers> parts) {
  Numbers all;
  for (const Numbers& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}
Numbers program(const Robot& robot, const char* what, const Numbers& x) {
  return evaluate(generate(robot, quantity(what)).program.graph, x);
}

void expect_close(const Numbers& got, const Numbers& want, double within, const std::string& who) {
  ASSERT_EQ(got.size(), want.size()) << who;
  double most = 1e-300;
  for (const double x : want) most = std::max(most, std::abs(x));
  for (std::size_t k = 0; k < want.size(); ++k)
    EXPECT_NEAR(got[k], want[k], within * most) << who << " " << k;
}

Numbers by_parts(const Robot& robot, const Values& x, bool friction) {
  const Description& d = robot.description();
  const int n = robot.nv();
  const bool closed = !x("branch").empty();
  Numbers goal = closed ? program(robot, "ik", joined({x("R"), x("p"), x("branch")}))
                        : program(robot, "ik_step", joined({x("q_guess"), x("R"), x("p")}));
  goal.resize(static_cast<std::size_t>(robot.nq()));
  const double s = x("s")[0], rate = x("s_rate")[0];
  const double at = ((6 * s - 15) * s + 10) * s * s * s,
               speed = 30 * s * s * (1 - s) * (1 - s) * rate,
               acceleration = (60 * s - 180 * s * s + 120 * s * s * s) * rate * rate;
  Numbers way(n), part(n), q(robot.nq()), v(n), a(n), tau(n), off(n);
  difference(d, x("q_start").data(), goal.data(), way.data());
  for (int k = 0; k < n; ++k) {
    part[k] = at * way[k];
    v[k] = speed * way[k];
    a[k] = acceleration * way[k];
  }
  integrate(d, x("q_start").data(), part.data(), q.data());
  Workspace workspace(robot);
  if (friction)
    inverse_dynamics_with_friction(robot, workspace, q, v, a, tau);
  else
    inverse_dynamics(robot, workspace, q, v, a, tau);
  difference(d, x("q").data(), q.data(), off.data());
  Numbers effort;  // by velocity
  for (const JointDescription& j : d.joints)
    if (!j.mimic)
      for (int k = 0; k < velocity_count(j.type); ++k)
        effort.push_back(velocity_count(j.type) == 1 ? j.limits.effort : INFINITY);
  for (int k = 0; k < n; ++k) {
    tau[k] += x("kp")[k] * off[k] + x("kd")[k] * (v[k] - x("v")[k]);
    if (std::isfinite(effort[k]) && effort[k] > 0)
      tau[k] = std::clamp(tau[k], -effort[k], effort[k]);
  }
  return joined({tau, goal});
}

TEST(ControlGraph, TheHierarchyOfAnyRobot) {
  Rng rng(3);
  std::vector<Robot> robots = {Robot::load("puma560"), Robot::load("panda"),
                               Robot::load("puma560-positioning"), Robot::load("humanoid")};
  robots.emplace_back(random_tree(rng, 5, {.revolute = 2, .prismatic = 1, .spherical = 1}));
  Description limited = random_chain(rng, 4, {.revolute = 2, .prismatic = 1, .tips = true});
  for (JointDescription& j : limited.joints) {
    j.limits.effort = 2;
    j.has_limits = true;
  }
  robots.emplace_back(limited);
  for (const Robot& robot : robots)
    for (const bool friction : {false, true}) {
      const TaskedGraph g = control_graph(robot, ControlStep::hierarchy, friction);
      check(g);
      const Values x = random_inputs(g, robot.description(), rng);
      const Numbers want = by_parts(robot, x, friction);
      for (const char* by : {"hlf", "heft"}) {
        const Outcome o = run(scheduler(by), g.tasks, {3});
        expect_close(evaluate(g, o.schedule, x.all), want, 1e-12, robot.name());
      }
    }
}

// Without damping the tip has the acceleration that the servo asks for. The accelerations that the
// torques cause come from forward dynamics, the Jacobian's rate from differences.
TEST(ControlGraph, TenTasksMoveTheTipAsWanted) {
  Rng rng(9);
  std::vector<Robot> robots = {Robot::load("puma560"), Robot::load("panda")};
  robots.emplace_back(random_chain(rng, 7, {.revolute = 3, .prismatic = 1, .tips = true}));
  for (const Robot& robot : robots) {
    const TaskedGraph g = control_graph(robot, ControlStep::orin);
    check(g);
    ASSERT_EQ(g.tasks.size(), 10);
    std::set<std::string> names;
    for (int t = 0; t < 10; ++t) names.insert(g.tasks[t].name);
    EXPECT_EQ(names.size(), 10u);
    EXPECT_EQ(g.tasks[9].name, "inverse_dynamics");
    Values x = random_inputs(g, robot.description(), rng);
    x.set("damping", {0});
    const Schedule s = run(scheduler("exact"), g.tasks, {3}).schedule;
    const Numbers tau = evaluate(g, s, x.all);
    const int n = robot.nv();
    Numbers v(n), a(n), q = x("q");
    difference(robot.description(), x("q_last").data(), q.data(), v.data());
    for (double& y : v) y *= x("rate")[0];
    Workspace workspace(robot);
    forward_dynamics(robot, workspace, q, v, tau, a);
    auto jacobian_at = [&](double h) {
      Numbers step(n), moved(robot.nq());
      for (int k = 0; k < n; ++k) step[k] = h * v[k];
      integrate(robot.description(), q.data(), step.data(), moved.data());
      return program(robot, "jacobian", moved);
    };
    const double h = 1e-5;
    const Numbers J = jacobian_at(0), plus = jacobian_at(h), minus = jacobian_at(-h),
                  pose = program(robot, "kinematics", q);
    const double s1 = x("s")[0], rate = x("s_rate")[0], kp = x("kp")[0], kd = x("kd")[0];
    const double at = ((6 * s1 - 15) * s1 + 10) * s1 * s1 * s1,
                 speed = 30 * s1 * s1 * (1 - s1) * (1 - s1) * rate,
                 acceleration = (60 * s1 - 180 * s1 * s1 + 120 * s1 * s1 * s1) * rate * rate;
    Numbers got(6), want(6);
    for (int r = 0; r < 6; ++r) {
      double velocity = 0;
      for (int k = 0; k < n; ++k) {
        velocity += J[r * n + k] * v[k];
        got[r] += J[r * n + k] * a[k] + (plus[r * n + k] - minus[r * n + k]) / (2 * h) * v[k];
      }
      if (r < 3) {
        const double way = x("p_goal")[r] - x("p_start")[r];
        want[r] = acceleration * way + kd * (speed * way - velocity) +
                  kp * (x("p_start")[r] + at * way - pose[9 + r]);
      } else {
        const int i = (r + 1) % 3, j = (r + 2) % 3;  // of the axial vector
        double turned = 0;
        for (int k = 0; k < 3; ++k)
          turned += pose[3 * i + k] * x("R_wanted")[3 * j + k] -
                    pose[3 * j + k] * x("R_wanted")[3 * i + k];
        want[r] = kp * 0.5 * turned - kd * velocity;
      }
    }
    expect_close(got, want, 1e-6, robot.name());
  }
}

TEST(ControlGraph, AsOperations) {
  const Robot robot = Robot::load("panda");
  Rng rng(4);
  for (const ControlStepInfo& i : control_steps()) {
    TaskSource source;
    choose_computation(source, i.id);
    const Tasks stages = tasks_of(robot, source);
    EXPECT_EQ(stages.decomposition, Decomposition::stages);
    source.grain = 12;
    const Tasks fine = tasks_of(robot, source);
    EXPECT_EQ(fine.decomposition, Decomposition::graph);
    EXPECT_LE(total(fine.graph.tasks), total(stages.graph.tasks));
    EXPECT_LT(critical_path(fine.graph.tasks), critical_path(stages.graph.tasks) / 3);
    check(fine.graph);
    const Values x = random_inputs(stages.graph, robot.description(), rng);
    // simplify may drop inputs that nothing reads
    Values y{arguments(fine.graph.graph.inputs()), Numbers(fine.graph.graph.inputs().size())};
    for (const Argument& a : y.arguments) y.set(a.name, x(a.name));
    const Schedule one = run(scheduler("hlf"), stages.graph.tasks, {2}).schedule,
                   two = run(scheduler("hlf"), fine.graph.tasks, {4}).schedule;
    expect_close(evaluate(fine.graph, two, y.all), evaluate(stages.graph, one, x.all), 1e-11, i.id);
  }
  TaskSource source;
  source.tasks = Decomposition::stages;
  EXPECT_THROW(tasks_of(robot, source), Error);
  source.control = ControlStep::orin;
  source.tasks = Decomposition::rules;
  EXPECT_THROW(tasks_of(robot, source), Error);
  EXPECT_THROW(choose_computation(source, "orinn"), Error);
}

}  // namespace
}  // namespace parid::test
