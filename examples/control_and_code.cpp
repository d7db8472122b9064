// The longest stable control period, the accuracy that a longer one costs, and C code of the
// controller's dynamics.

#include <cstdio>

#include "parid/parid.hpp"

int main() {
  const parid::Robot robot = parid::Robot::load("planar2");
  const std::vector<double> from = robot.neutral(), to{0.8, -0.6};
  const auto trajectory = parid::PlannedTrajectory::line(robot, from, to, 1.0);

  parid::ControlLoopOptions options;
  options.controller.policy = "delayed:1";
  options.rate = 500;
  const double longest = parid::longest_stable_period(robot, robot, from, options.controller);
  const parid::ControlLoopResult run = parid::run_control_loop(robot, robot, trajectory, options);
  std::printf("stable up to %.1f ms; at %.1f ms the error is at most %.1e rad\n", 1e3 * longest,
              1e3 * run.period, run.max_error);

  const parid::GeneratedCode code = parid::generate_code(robot, parid::Quantity::inverse_dynamics);
  std::printf("%s: %ld multiplications, %ld additions for torques in N m\n",
              code.files.front().name.c_str(), code.multiplications, code.additions);
}
