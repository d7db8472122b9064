// A minimal program: the torques that hold a PUMA-560 at rest.

#include <cstdio>
#include <vector>

#include "parid/parid.hpp"

int main() {
  const parid::Robot robot = parid::Robot::load("puma560");
  parid::Workspace workspace(robot);
  const std::vector<double> q = robot.neutral(), v(robot.nv()), a(robot.nv());
  std::vector<double> tau(robot.nv());
  parid::inverse_dynamics(robot, workspace, q, v, a, tau);
  for (int k = 0; k < robot.nv(); ++k)
    std::printf("%s %.6f N m\n", robot.velocity_names()[k].c_str(), tau[k]);
}
