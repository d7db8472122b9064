// Programs as tasks: totals and critical paths are those of the programs, and running the tasks in
// the order of a schedule gives the programs' results.

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "base/threads/thread_pool.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/depth.hpp"
#include "graph/evaluate.hpp"
#include "model/format/builtin.hpp"
#include "parid/error.hpp"
#include "parid/inverse_dynamics.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "schedule/bounds.hpp"
#include "schedule/executor.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/stg.hpp"
#include "schedule/tasks/decompositions.hpp"
#include "schedule/tasks/task_source.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

// A built-in arm on another base, with axes the other way round, zeros shifted, and a tool.
Description disguised(Rng& rng, const std::string& name) {
  Description d = builtin(name).value();
  d.name = "disguised " + name;
  for (JointDescription& j : d.joints) {
    if (rng() % 2) j.axis = -1.0 * j.axis;
    const double offset = uniform(rng, -1, 1), half = offset / 2, s = std::sin(half);
    const Vec3<double> u = (1 / norm(j.axis)) * j.axis;
    j.origin =
        j.origin * (j.type == JointType::prismatic
                        ? Pose<double>{Mat3<double>::identity(), offset * u}
                        : Pose<double>{rotation_of(s * u.x, s * u.y, s * u.z, std::cos(half)), {}});
    j.has_limits = false;
    j.limits = {};
  }
  d.joints.front().origin = random_pose(rng, 1) * d.joints.front().origin;
  d.joints.back().tip = d.joints.back().tip * random_pose(rng, 0.2);
  return d;
}

std::vector<Robot> random_robots() {
  Rng rng(2024);
  std::vector<Robot> all;
  all.emplace_back(random_chain(rng, 3));
  all.emplace_back(random_chain(rng, 4, {.prismatic = 1}));
  all.emplace_back(random_chain(rng, 3, {.tips = true, .rotors = false}));
  all.emplace_back(random_tree(rng, 5, {.prismatic = 0.5, .fixed = 0.5}));
  all.emplace_back(random_tree(rng, 3, {.floating_base = true}));
  all.emplace_back(random_chain(rng, 2, {.revolute = 0, .planar = 1}));
  all.emplace_back(random_chain(rng, 2, {.spherical = 1}));
  Description mimic = random_tree(rng, 4);
  mimic.joints[2].mimic = Mimic{mimic.joints[0].name, -1.5, 0.2};
  all.emplace_back(mimic);
  all.emplace_back(disguised(rng, "puma560"));
  all.emplace_back(disguised(rng, "stanford"));
  return all;
}

std::vector<Robot> robots() {
  std::vector<Robot> all = random_robots();
  for (const BuiltinRobot& r : builtin_robots())
    all.push_back(
        Robot::load(r.name.ends_with(":N") ? r.name.substr(0, r.name.size() - 1) + "4" : r.name));
  return all;
}

// Programs of many thousand operations, which only a full run tries.
bool large(const Robot& robot, const std::string& word) {
  static const std::map<std::string, int> most = {
      {"forward_gradient", 3}, {"rollout", 4},   {"inverse_gradient", 3}, {"forward_vjp", 3},
      {"inverse_vjp", 3},      {"forward", 6},   {"regressor", 6},        {"ik_step", 6},
      {"energy", 9},           {"jacobian", 18}, {"computed_torque", 9},  {"inverse", 18}};
  const auto at = most.find(word);
  return at != most.end() && robot.nv() > at->second;
}

// The longest path, computed independently.
Time longest(const Graph& g, const OperationWeights& w) {
  std::vector<Time> at(g.size(), 0);
  Time most = 0;
  for (Id id = 0; id < g.size(); ++id) {
    for (const Id in : g[id].operands()) at[id] = std::max(at[id], at[in]);
    switch (g[id].op) {
      case Op::mul: at[id] += w.multiply; break;
      case Op::add:
      case Op::sub: at[id] += w.add; break;
      case Op::div: at[id] += w.divide; break;
      case Op::sqrt: at[id] += w.root; break;
      case Op::sin:
      case Op::cos: at[id] += w.sine; break;
      case Op::atan2: at[id] += w.arctangent; break;
      default: break;
    }
    most = std::max(most, at[id]);
  }
  return most;
}

std::vector<double> random_inputs(const Graph& g, unsigned seed) {
  Rng rng(seed);
  std::vector<double> x(g.inputs().size());
  for (double& y : x) y = uniform(rng, -1, 1);
  return x;
}

std::vector<double> values(const Graph& g, const std::vector<double>& x) {
  std::vector<double> out(g.outputs().size()), scratch(g.size());
  evaluate<double>(g, x, out, scratch);
  return out;
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  int numbers = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k])) << k;
    numbers += a[k] == a[k];
  }
  EXPECT_GT(numbers, 0);
}

Counts sum(Counts a, const Counts& b) {
  a.multiplications += b.multiplications;
  a.additions += b.additions;
  a.divisions += b.divisions;
  a.square_roots += b.square_roots;
  a.atan2 += b.atan2;
  a.sin_cos += b.sin_cos;
  return a;
}
void expect_same_counts(Counts a, Counts b) {
  a.nodes = b.nodes = 0;
  EXPECT_EQ(a, b);
}

// By a list scheduler, without the bounds that run() computes.
Schedule listed(const TaskGraph& g, const Machine& m) { return hlf(g, m, {}).schedule; }

const OperationWeights uneven{3, 2, 7, 11, 13, 17};

void expect_the_program(const Graph& g) {
  const Counts n = counts(g);
  for (const OperationWeights& w : {OperationWeights{}, uneven, sines_prepared, arithmetic_alone}) {
    const TaskedGraph t = clustered(g, 1, w);
    ASSERT_NO_THROW(check(t));
    EXPECT_EQ(total(t.tasks), w.multiply * n.multiplications + w.add * n.additions +
                                  w.divide * n.divisions + w.root * n.square_roots +
                                  w.sine * n.sin_cos + w.arctangent * n.atan2);
    EXPECT_EQ(critical_path(t.tasks), longest(g, w));
    EXPECT_EQ(depth(g, w).time(w), longest(g, w));
    expect_same_counts(sum(scheduled_counts(t), prepared_counts(t)), n);
    EXPECT_EQ(total(prepared_counts(t), w), 0);
    const Machine m{3};
    const Schedule s = listed(t.tasks, m);
    EXPECT_TRUE(check(t.tasks, m, s).empty());
    const std::vector<double> x = random_inputs(g, 7);
    expect_same_bits(evaluate(t, s, x), values(g, x));
  }
  for (const int grain : {3, 40}) {
    const TaskedGraph t = clustered(g, grain);
    ASSERT_NO_THROW(check(t));
    EXPECT_EQ(total(t.tasks), total(n, OperationWeights{}));
    EXPECT_GE(critical_path(t.tasks), longest(g, {}));
    const Schedule s = listed(t.tasks, {2});
    const std::vector<double> x = random_inputs(g, 8);
    expect_same_bits(evaluate(t, s, x), values(g, x));
  }
}

// An ordinary run tries every other pair of a robot and a quantity, and all of `ik`.
TEST(ProgramSchedule, EveryQuantityOnEveryRobot) {
  std::map<Quantity, int> tried;
  int first = 0;
  for (const Robot& robot : robots()) {
    int pair = ++first;
    for (const Quantity which : generated_quantities()) {
      const bool in_turn = ++pair % 2 == 0 || which == Quantity::inverse_kinematics;
      if (!full_tests() && (!in_turn || large(robot, name(which)))) continue;
      SCOPED_TRACE(robot.name() + " " + name(which));
      Graph g;
      try {
        GenerateOptions how;
        if (which == Quantity::rollout) how.steps = cases(2, 10);
        g = generate(robot, which, how).program.graph;
      } catch (const Error&) {  // no closed form, or not for such joints
        continue;
      }
      ++tried[which];
      expect_the_program(g);
      if (HasFailure()) return;
    }
  }
  for (const Quantity which : generated_quantities()) EXPECT_GE(tried[which], 2) << name(which);
}

TEST(ProgramSchedule, TheClosedFormGivesThePose) {
  Rng rng(12);
  int poses = 0;
  for (const char* name : {"puma560", "stanford"}) {
    const Description d = disguised(rng, name);
    const Robot robot(d);
    const TaskedGraph t = clustered(generate(robot, Quantity::inverse_kinematics).program.graph, 1);
    const Schedule s = run(scheduler("exact"), t.tasks, {2}, {.seconds = 0.2}).schedule;
    const int tip = robot.find_link(robot.tip());
    for (int k = 0; k < 20; ++k) {
      std::vector<double> q(robot.nq());
      for (double& y : q) y = uniform(rng, 0.3, 1.2);
      const Pose<double> want = link_poses(d, q)[tip];
      for (const double branch : {1.0, -1.0}) {
        std::vector<double> x = {want.R.r0.x, want.R.r0.y, want.R.r0.z, want.R.r1.x,
                                 want.R.r1.y, want.R.r1.z, want.R.r2.x, want.R.r2.y,
                                 want.R.r2.z, want.p.x,    want.p.y,    want.p.z};
        x.insert(x.end(), 3, branch);
        ASSERT_EQ(x.size(), t.graph.inputs().size());
        std::vector<double> out = evaluate(t, s, x);
        if (out.back() < 0) continue;  // this branch does not reach it
        out.resize(robot.nq());
        const Pose<double> got = link_poses(d, out)[tip];
        EXPECT_LT(norm(got.p - want.p), 1e-9);
        EXPECT_LT(norm(got.R.r0 - want.R.r0) + norm(got.R.r1 - want.R.r1), 1e-9);
        ++poses;
      }
    }
  }
  EXPECT_GT(poses, 40);
}

// Every operation of these decompositions is in a task or is counted as prepared.
TEST(ProgramSchedule, PapersTasksAccountForEveryOperation) {
  for (const char* name : {"puma560", "stanford", "scara", "orthogonal:5"}) {
    const Robot robot = Robot::load(name);
    for (const TaskedGraph& t : {streamlined(robot), coarse(robot)}) {
      expect_same_counts(sum(scheduled_counts(t), prepared_counts(t)), counts(t.graph));
      EXPECT_EQ(prepared_counts(t).sin_cos, counts(t.graph).sin_cos);
    }
    const TaskedGraph plain = coarse(robot), heavy = coarse(robot, false, {5, 3, 1, 1, 0, 1});
    const Counts n = scheduled_counts(plain);
    EXPECT_EQ(total(plain.tasks), n.multiplications + n.additions);
    EXPECT_EQ(total(heavy.tasks), 5 * n.multiplications + 3 * n.additions);
  }
}

TEST(ProgramSchedule, OnThreads) {
  for (const auto& [name, word] : {std::pair("puma560", "ik"), {"planar2", "rollout"}}) {
    const TaskedGraph t = clustered(generate(Robot::load(name), quantity(word)).program.graph, 1);
    for (int p = 1; p <= std::min(2, available_cores()); ++p) {
      const Schedule s = run(scheduler("hlf"), t.tasks, {p}).schedule;
      Executor executor(t, s);
      for (unsigned seed = 0; seed < 20; ++seed) {
        const std::vector<double> x = random_inputs(t.graph, seed), want = evaluate(t, s, x);
        std::vector<double> out(want.size());
        executor.evaluate(x, out);
        for (std::size_t k = 0; k < out.size(); ++k)
          if (want[k] == want[k]) {
            ASSERT_NEAR(out[k], want[k], 1e-9 * std::max(1.0, std::abs(want[k]))) << name << k;
          } else {
            ASSERT_NE(out[k], out[k]) << name << k;
          }
      }
    }
  }
}

TEST(ProgramSchedule, FilesOfTasksKeepTotalsAndPaths) {
  for (const auto& [robot, word] :
       {std::pair("puma560", "ik"), {"planar2", "rollout"}, {"panda", "bias"}}) {
    const Graph g = generate(Robot::load(robot), quantity(word)).program.graph;
    const TaskGraph t = clustered(g, 1, uneven).tasks, back = parse_stg(stg_text(t), "t.stg");
    EXPECT_EQ(back.size(), t.size());
    EXPECT_EQ(total(back), total(counts(g), uneven));
    EXPECT_EQ(critical_path(back), longest(g, uneven));
  }
}

Tasks tasks(const std::string& robot, const std::string& what, int grain) {
  TaskSource s;
  s.from = robot;
  s.quantity = quantity(what);
  s.grain = grain;
  return tasks_of(s);
}

// "Optimal" is a claim about the program, not about tasks that it was gathered into.
TEST(ProgramSchedule, OptimalIsOfTheProgram) {
  int shortest_of_tasks_alone = 0, shortest = 0;
  for (const int grain : {1, 3, 10, 1000})
    for (const char* word : {"ik", "gravity", "mass"}) {
      const Tasks t = tasks("puma560", word, grain);
      const TaskGraph each = clustered(t.graph.graph, 1).tasks;
      EXPECT_EQ(program_critical_path(t), longest(t.graph.graph, {}));
      for (const int p : {1, 2, 5}) {
        const Machine m{p};
        const Outcome o = run(scheduler("exact"), t.graph.tasks, m, {.seconds = 0.3});
        const Time length = makespan(o.schedule), load = (total(each) + p - 1) / p;
        EXPECT_GE(length, std::max(load, critical_path(each)));
        if (optimal(t, m, o)) {
          ++shortest;
          // The bound is one of single operations, or a search through them has proved it.
          EXPECT_TRUE(length == lower_bounds(each, m).best() || (grain == 1 && o.proven));
        } else {
          shortest_of_tasks_alone += o.proven;
        }
      }
    }
  EXPECT_GT(shortest_of_tasks_alone, 3);
  EXPECT_GT(shortest, 9);
}

TEST(ProgramSchedule, WeightsAreRefusedWhereTheyMeanNothing) {
  auto refusal = [](const std::string& from, const std::string& way, const std::string& weights) {
    try {
      TaskSource s;
      s.from = from;
      if (!way.empty()) s.tasks = task_decomposition(way);
      s.weights = named_weights(weights);
      tasks_of(s);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("stanford", "graph", "multiply=2,sine=0"), "");
  EXPECT_EQ(refusal("stanford", "", "multiply=2"), "");
  EXPECT_EQ(refusal("stanford", "coarse", "multiply=2"), "");
  for (const auto& [way, weights, says] :
       {std::tuple("rules", "multiply=2", "levels"),
        {"lean", "add=2", "level"},
        {"printed", "add=1", "level"},
        {"coarse", "sine=2", "prepared"},
        {"graph", "mul=2", "multiply"},
        {"graph", "add", "add"},
        {"graph", "add=x", "add=x"},
        {"graph", "add=1.5", "add=1.5"},
        {"graph", "add=-1", "-1"},
        {"graph", "add=1000001", "1000001"},
        {"graph", "", "''"},
        {"graph", "add=1,add=2", "twice"},
        {"graph", "multiply=0,add=0,divide=0,root=0,sine=0,arctangent=0", "all weights are zero"}})
    EXPECT_NE(refusal("stanford", way, weights).find(std::string(says).substr(0, 5)),
              std::string::npos)
        << way << " " << weights << ": " << refusal("stanford", way, weights);
}

}  // namespace
}  // namespace parid::test
