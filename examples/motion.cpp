// A motion through three poses, as fast as the motors allow, and its torques.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "parid/parid.hpp"

int main() {
  const parid::Robot robot = parid::Robot::load("ur5");
  const std::vector<double> home{0, -1.5, 1.2, 0, 1, 0}, over{0.6, -1.2, 0.9, 0.2, 1, 0.3},
      there{1.0, -0.9, 1.1, 0, 0.8, 0};
  const auto trajectory = parid::PlannedTrajectory::spline(robot, {home, over, there}, {0, 1, 2});

  parid::Engine engine(robot);
  const auto torques = [&](const parid::SampledTrajectory& m) {
    std::vector<double> tau(m.v.size());
    engine.inverse_dynamics(m.rows, m.q, m.v, m.a, tau);
    return tau;
  };
  const parid::SampledTrajectory planned = trajectory.sampled(250);
  const parid::RetimedTrajectory fast = parid::retime(robot, planned, torques);
  const std::vector<double> tau = torques(fast.motion);
  std::printf("%.3f s instead of %.3f s\n", fast.motion.t.back(), planned.t.back());
  for (int k = 0; k < robot.nv(); ++k) {
    double most = 0;
    for (std::size_t r = 0; r < fast.motion.rows; ++r)
      most = std::max(most, std::abs(tau[r * robot.nv() + k]));
    std::printf("%s: at most %.2f of %.0f N m\n", robot.velocity_names()[k].c_str(), most,
                robot.limits()[k].effort);
  }
}
