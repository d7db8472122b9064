// The inverse dynamics of an arm as tasks on processors: how long, how close to the optimum, how
// often a controller can sample, and a C file for each processor.

#include <cstdio>

#include "parid/schedule.hpp"

int main() {
  const parid::Robot robot = parid::Robot::load("stanford");
  const parid::TaskSet tasks(robot, parid::Quantity::inverse_dynamics);
  std::printf("%d tasks, total %lld, critical path %lld %s\n", tasks.size(),
              static_cast<long long>(tasks.total()), static_cast<long long>(tasks.critical_path()),
              tasks.unit().c_str());
  for (const parid::SchedulingMethod method :
       {parid::SchedulingMethod::dhanaraj, parid::SchedulingMethod::exact}) {
    const parid::TaskSchedule s = parid::schedule_tasks(tasks, {.processors = 4}, method);
    std::printf("%-9s makespan %lld, bound %lld%s, speed-up %.2f\n", name(s.method),
                static_cast<long long>(s.makespan), static_cast<long long>(s.lower_bound),
                s.optimal ? " (optimal)" : "", s.speedup);
  }
  const parid::TaskSchedule s = parid::schedule_tasks(tasks, {.processors = 4});
  const parid::SchedulePeriod p = parid::schedule_period(tasks, s, 45e-6);
  std::printf("torques in N m every %.2f ms: enough for arms of up to %.1f Hz\n", 1e3 * p.period,
              p.natural_frequency);
  for (const parid::CodeFile& file : parid::processor_code(tasks, s))
    std::printf("%s: %zu bytes\n", file.name.c_str(), file.text.size());

  // A whole control step: ten tasks, one of them the inverse dynamics.
  const parid::TaskSet step(robot, parid::ControlStep::orin);
  std::printf("control step: %d tasks, makespan %lld of %lld operations on 3 processors\n",
              step.size(),
              static_cast<long long>(parid::schedule_tasks(step, {.processors = 3}).makespan),
              static_cast<long long>(step.total()));
}
