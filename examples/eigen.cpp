// Computed torque control with Eigen: a PUMA-560 moves back to its neutral pose.

#include <cstdio>

#include "parid/eigen.hpp"

int main() {
  namespace dynamics = parid::eigen;
  const parid::Robot robot = parid::Robot::load("puma560");
  parid::Workspace workspace(robot);
  const Eigen::VectorXd goal = dynamics::neutral(robot);
  Eigen::VectorXd q = goal + Eigen::VectorXd::Constant(robot.nq(), 0.2);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(robot.nv());
  Eigen::VectorXd tau(robot.nv());
  const double dt = 1e-3, kp = 100, kd = 20;
  for (int step = 0; step < 1000; ++step) {
    const Eigen::VectorXd wanted = kp * (goal - q) - kd * v;
    dynamics::inverse_dynamics(robot, workspace, q, v, wanted, tau);
    v += dt * dynamics::forward_dynamics(robot, workspace, q, v, tau);
    q = dynamics::integrate(robot, q, dt * v);
  }
  std::printf("distance from the goal %.1e rad, torques", (q - goal).norm());
  for (const double each : tau) std::printf(" %.3f", each);
  std::printf(" N m\n");
  return (q - goal).norm() < 1e-2 ? 0 : 1;
}
