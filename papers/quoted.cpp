#include "papers/quoted.hpp"

#include <algorithm>
#include <numbers>

#include "control/stability/stability.hpp"
#include "papers/layer.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/decompositions.hpp"

namespace parid::papers {

double lowest_stable_rate(double hertz) {
  const Robot rods = Robot::load("planar3");
  const double kd = 2 * (2 * std::numbers::pi * hertz);  // s² + kd s + kd²/4: both poles at kd/2
  const std::vector<double> q = rods.neutral();
  const LawDesign law = design(rods, "computed_torque", {{}, {kd}}, policy("exact"), q);
  return 1 / largest_safe_period(LinearLoop(rods, law, q), {1e-5, 1}, 1e-6);
}

SixProcessors stanford_on_six() {
  const TaskGraph tasks = coarse(Robot::load("stanford")).tasks;
  const double one = static_cast<double>(total(tasks));
  auto on_six = [&](const char* id) {
    return one / static_cast<double>(makespan(run(scheduler(id), tasks, {6}).schedule));
  };
  return {on_six("joint_levels"), on_six("luh_lin"), on_six("hlf")};
}

CoarseTasks stanford_tasks() {
  const TaskedGraph g = coarse(Robot::load("stanford"));
  CoarseTasks c{1 << 30, 0, 0};
  for (int t = 0; t < g.tasks.size(); ++t) {
    const int operations = operation_count(g, t);
    c.least = std::min(c.least, operations);
    c.most = std::max(c.most, operations);
    c.per_link += g.tasks[t].joint == 1;
  }
  return c;
}

}  // namespace parid::papers
