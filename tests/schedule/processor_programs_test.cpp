// A C file for each processor, compiled and run as threads: the values of the tasks. And pictures
// of tasks.

#include "schedule/processor_programs.hpp"

#include <gtest/gtest.h>

#include "parid/error.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/task_drawing.hpp"
#include "schedule/tasks/control_graph.hpp"
#include "schedule/tasks/decompositions.hpp"
#include "schedule/tasks/subtasks.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

void compare(const TaskedGraph& g, int processors, const std::string& name) {
  const Schedule s = run(scheduler("heft"), g.tasks, {processors, {}, 1, 1}).schedule;
  Rng rng(2);
  std::vector<double> x(g.graph.inputs().size());
  for (double& y : x) y = uniform(rng, -1, 1);
  const std::vector<double> want = evaluate(g, s, x);

  Scratch scratch;
  for (const EmittedFile& f : processor_programs(g, s, name, {"a comment */ evil /* in it"}))
    scratch.file(f.name, f.text);
  std::string call, main = "#include <stdio.h>\n#include \"" + name + ".h\"\nint main(void) {\n";
  std::size_t at = 0;
  for (const Argument& a : arguments(g.graph.inputs())) {
    main += "  const double " + a.name + "[] = {";
    for (int k = 0; k < a.count; ++k) main += fmt::format("{}{:a}", k ? ", " : "", x[at++]);
    main += "};\n";
    call += (call.empty() ? "" : ", ") + a.name;
  }
  std::string prints;
  for (const Argument& a : arguments(g.graph.outputs())) {
    const std::string out = "out_" + a.name;
    main += fmt::format("  double {}[{}];\n", out, a.count);
    call += ", " + out;
    for (int k = 0; k < a.count; ++k)
      prints += fmt::format("  printf(\"%.17g\\n\", {}[{}]);\n", out, k);
  }
  main += fmt::format("  int k;\n  for (k = 0; k < 20; ++k) {}({});\n{}  return 0;\n}}\n", name,
                      call, prints);
  scratch.file("main.c", main);
  std::istringstream printed(said(fmt::format(
      "cd '{}' && cc -std=c11 -Wall -Wextra -Werror -O1 *.c -o run -lm -lpthread && ./run",
      scratch.path("."))));
  double most = 1e-300;
  for (const double y : want) most = std::max(most, std::abs(y));
  for (const double y : want) {
    double got = NAN;
    printed >> got;
    EXPECT_NEAR(got, y, 1e-13 * most) << name;
  }
  int crossing = 0;
  for (const Message& m : messages(g, s)) {
    EXPECT_NE(m.from, m.to);
    EXPECT_FALSE(m.words.empty());
    ++crossing;
  }
  EXPECT_EQ(crossing > 0, processors > 1);
}

TEST(ProcessorPrograms, GiveTheValuesOfTheTasks) {
  if (!there("cc")) GTEST_SKIP() << "there is no C compiler";
  Rng rng(8);
  compare(streamlined(Robot(random_tree(rng, 6, {.revolute = 2, .prismatic = 1})),
                      Streamline::rules, true),
          3, "tree");
  compare(control_graph(Robot::load("puma560"), ControlStep::hierarchy, true), 2, "hierarchy");
  compare(coarse(Robot::load("stanford")), 6, "stanford");
  compare(coarse(Robot::load("planar2")), 1, "alone");
}

TEST(TaskDrawing, ShowsTasksAndEdges) {
  const TaskGraph g = subtask_graph(6, printed_stanford_subtasks());
  for (const bool svg : {true, false}) {
    const std::string all =
        svg ? task_svg(g, "a <title> & \"more\"") : task_dot(g, "a \"title\" \\");
    auto times = [&](const std::string& what, const std::string& in) {
      int n = 0;
      for (std::size_t at = 0; (at = in.find(what, at)) != std::string::npos; ++at) ++n;
      return n;
    };
    EXPECT_EQ(times(svg ? "<rect x=" : "fillcolor", all), 156);
    EXPECT_EQ(times(svg ? "<path" : "->", all), g.edges());
    if (svg) {
      EXPECT_EQ(all.find("a <title>"), std::string::npos);
    }
    // Figure 4.6: the backward recursion of one link, and what it waits for.
    const std::string part = svg ? task_svg(g, "part", drawn_part("4.backward"))
                                 : task_dot(g, "part", drawn_part("4.backward"));
    int own = 0;
    long edges = 0;
    for (int t = 0; t < g.size(); ++t)
      if (g[t].joint == 4 && g[t].recursion == Task::Recursion::backward)
        ++own, edges += static_cast<long>(g.before(t).size());
    EXPECT_EQ(own, 14);
    EXPECT_EQ(times(svg ? "<path" : "->", part), edges);
    EXPECT_GT(times("dash", part), 0);
  }
  EXPECT_THROW(drawn_part("3.sideways"), Error);
  EXPECT_THROW(drawn_part("0"), Error);
  EXPECT_THROW(task_svg(g, "none", drawn_part("7")), Error);
  TaskGraph many;
  for (int k = 0; k < 3001; ++k) many.add({"t" + std::to_string(k), 1});
  EXPECT_THROW(task_svg(many, "many"), Error);
  EXPECT_NO_THROW(task_dot(many, "many"));
  if (!there("dot")) GTEST_SKIP() << "Graphviz is not installed: its file was not read";
  Scratch scratch;
  scratch.file("tasks.dot", task_dot(g, "a \"title\" \\"));
  EXPECT_NE(said("dot -Tsvg '" + scratch.path("tasks.dot") + "'").find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace parid::test
