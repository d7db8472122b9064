// Schedules on threads: the same numbers as in order, and waits only where a number crosses.

#include "schedule/executor.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "base/threads/thread_pool.hpp"
#include "parid/error.hpp"
#include "schedule/gantt.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/decompositions.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

std::vector<double> random_inputs(const TaskedGraph& g, unsigned seed) {
  Rng rng(seed);
  std::vector<double> x(g.graph.inputs().size());
  for (double& y : x) y = uniform(rng, -2, 2);
  return x;
}

void expect_the_same(const TaskedGraph& g, int processors) {
  const Schedule s = run(scheduler("cp_misf"), g.tasks, {processors}).schedule;
  Executor executor(g, s);
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::vector<double> x = random_inputs(g, seed), wanted = evaluate(g, s, x);
    std::vector<double> out(wanted.size());
    executor.evaluate(x, out);
    for (std::size_t k = 0; k < out.size(); ++k)
      ASSERT_NEAR(out[k], wanted[k], 1e-11 * std::max(1.0, std::abs(wanted[k]))) << k;
  }
}

TEST(Executor, GivesTheSameOnThreads) {
  const int most = std::min(2, available_cores());
  for (int p = 1; p <= most; ++p) {
    expect_the_same(streamlined(Robot::load("stanford")), p);
    expect_the_same(coarse(Robot::load("panda")), p);
    expect_the_same(streamlined(Robot::load("puma560"), Streamline::rules, true), p);
  }
}

TEST(Executor, InterpretsWithoutACompiler) {
  setenv("PARID_CC", "/nonexistent/cc", 1);
  setenv("PARID_CACHE", "/nonexistent/cache", 1);
  const TaskedGraph g = streamlined(Robot::load("scara"));
  const Schedule s = run(scheduler("hlf"), g.tasks, {1}).schedule;
  EXPECT_FALSE(Executor(g, s).compiled());
  expect_the_same(g, std::min(2, available_cores()));
  unsetenv("PARID_CC");
  unsetenv("PARID_CACHE");
}

TEST(Executor, MoreProcessorsThanCores) {
  const TaskedGraph g = streamlined(Robot::load("scara"));
  const int p = available_cores() + 1;
  EXPECT_THROW(Executor(g, run(scheduler("hlf"), g.tasks, {p}).schedule), Error);
}

TEST(ThreadedProgram, WaitsCoverEveryCrossing) {
  const TaskedGraph g = streamlined(Robot::load("puma560"));
  for (const int p : {2, 4, 7}) {
    const Schedule s = run(scheduler("hlf"), g.tasks, {p}).schedule;
    const ThreadedProgram program = threaded_program(g, s);
    EXPECT_LT(program.waits, program.crossings);
    EXPECT_GT(program.waits, 0);
    // Every edge with data to another processor: somewhere before the task, or at it, its count is
    // awaited.
    std::vector<std::pair<int, int>> place(g.tasks.size());
    for (int q = 0; q < p; ++q)
      for (std::size_t k = 0; k < program.steps[q].size(); ++k)
        place[program.steps[q][k].task] = {q, static_cast<int>(k)};
    for (int t = 0; t < g.tasks.size(); ++t)
      for (const Link& l : g.tasks.before(t)) {
        const auto [own, k] = place[t];
        const auto [other, at] = place[l.task];
        if (own == other) {
          EXPECT_LT(at, k);
          continue;
        }
        if (l.words == 0) continue;
        bool covered = false;
        for (int e = 0; e <= k; ++e)
          for (const Wait& w : program.steps[own][e].waits)
            if (w.processor == other && w.count > at) {
              covered = true;
              EXPECT_EQ(program.steps[other][w.count - 1].show, w.count);
            }
        EXPECT_TRUE(covered) << g.tasks[t].name << " after " << g.tasks[l.task].name;
      }
  }
  const Schedule in_order = one_after_another(g.tasks);
  EXPECT_TRUE(check(g.tasks, {1}, in_order).empty());
  EXPECT_EQ(makespan(in_order), total(g.tasks));
  const ThreadedProgram alone = threaded_program(g, in_order);
  EXPECT_EQ(alone.crossings, 0);
}

TaskGraph three_tasks() {
  TaskGraph g;
  g.add({"a", 1, 1, -1});
  g.add({"a long name, which is not short", 2, 3, -1});
  g.add({"also a name", 5, 9, -1});
  return g;
}

TEST(Schedule, OneAfterAnother) {
  const Schedule s = one_after_another(three_tasks());
  const Time starts[] = {0, 1, 3}, ends[] = {1, 3, 8};
  for (int t = 0; t < 3; ++t) {
    EXPECT_EQ(s.placement[t].start, starts[t]);
    EXPECT_EQ(s.placement[t].end, ends[t]);
  }
}

TEST(Gantt, NamesWhereTheyFitAndColoursByJoint) {
  const TaskGraph g = three_tasks();
  std::string svg = gantt_svg(g, one_after_another(g), "");
  auto times = [&](const std::string& part) {
    int n = 0;
    for (std::size_t at = 0; (at = svg.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(times(">a<"), 1);
  EXPECT_EQ(times(">also a name<"), 1);
  // Joints 1 and 9, of eight colours; each in its box and in the legend.
  EXPECT_EQ(times("fill=\"#8EC1E5\""), 4);
  EXPECT_EQ(times("fill=\"#7FCFB0\""), 2);
  EXPECT_EQ(times(">joint 9<"), 1);
  Schedule wide = one_after_another(g);
  wide.placement[2].end = 40;  // and the others narrow
  EXPECT_EQ(times(">time; a row is a processor, a box a task<"), 1);
  svg = gantt_svg(g, wide, "", "ms & more");
  EXPECT_EQ(times(">time in ms &amp; more; a row"), 1);
  EXPECT_EQ(times(">a<"), 1);
  EXPECT_EQ(times(">a long name, which is not short<"), 0);
}

TEST(Gantt, HasABoxForEveryTask) {
  const TaskedGraph g = streamlined(Robot::load("scara"));
  const std::string svg = gantt_svg(g.tasks, run(scheduler("hlf"), g.tasks, {3}).schedule, "a < b");
  std::size_t boxes = 0;
  for (std::size_t at = 0; (at = svg.find("<title>", at)) != std::string::npos; ++at) ++boxes;
  EXPECT_EQ(boxes, static_cast<std::size_t>(g.tasks.size()));
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  // Each as wide as it is long, and where it begins.
  const std::regex box(
      ": (\\d+) to (\\d+) on P(\\d)</title><rect x=\"([\\d.]+)\" y=\"(\\d+)\" width=\"([\\d.]+)\"");
  double unit = 0, left = 0;
  for (std::sregex_iterator b(svg.begin(), svg.end(), box), end; b != end; ++b) {
    auto number = [&](int k) { return std::stod((*b)[k]); };
    const double length = number(2) - number(1);
    ASSERT_GT(length, 0);
    if (unit == 0) {
      unit = number(6) / length;
      left = number(4) - unit * number(1);
    }
    EXPECT_NEAR(number(6), unit * length, 0.011 * (1 + length));
    EXPECT_NEAR(number(4), left + unit * number(1), 0.011 * (1 + number(1)));
  }
  EXPECT_GT(unit, 1);
}

}  // namespace
}  // namespace parid::test
