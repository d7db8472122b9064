// A log as a real arm gives it: encoders on the motor side of elastic joints, which quantise and
// have noise, and torques with noise that are recorded late. The arm follows an excitation motion.
//
//   motor position   q + τ / stiffness      (the spring's deflection; τ is the torque at the joint)
//   motor torque     τ + viscous v + coulomb sgn v, v of the joint
//
// Positions and torques are exact at each instant (inverse dynamics of an elastic joint without
// rotor); nothing is integrated.

#pragma once

#include <algorithm>
#include <cmath>

#include "parid/identification.hpp"
#include "parid/inverse_dynamics.hpp"
#include "tests/identification/simulated_log.hpp"

namespace parid::test {

struct Measurement {
  double encoder_noise = 1e-4;  // rad, standard deviation
  double resolution = 0;        // rad per count; 0: none
  double stiffness = 0;         // N m/rad; 0: rigid
  double torque_noise = 0.01;   // fraction of each torque's RMS
  double delay = 0;             // s, of torques
  double viscous = 0.5, coulomb = 1;
  double rise = 0, rise_velocity = 0.1;  // Stribeck
};

// `plan` is sampled at the log's instants, exactly.
inline SampledTrajectory measured_log(Rng& rng, const Robot& robot, const SampledTrajectory& plan,
                                      const Measurement& how) {
  SampledTrajectory log = plan;
  const std::size_t nv = robot.nv();
  Workspace workspace(robot);
  std::vector<double> joint(log.rows * nv), tau(nv);
  log.tau.assign(log.rows * nv, 0);
  for (std::size_t r = 0; r < log.rows; ++r) {
    inverse_dynamics(robot, workspace, {&plan.q[r * nv], nv}, {&plan.v[r * nv], nv},
                     {&plan.a[r * nv], nv}, tau);
    for (std::size_t k = 0; k < nv; ++k) {
      const double v = plan.v[r * nv + k], sign = v > 0 ? 1 : v < 0 ? -1 : 0;
      joint[r * nv + k] = tau[k];
      log.tau[r * nv + k] =
          tau[k] + how.viscous * v +
          sign * (how.coulomb + how.rise / (1 + std::pow(v / how.rise_velocity, 2)));
    }
  }
  if (how.delay > 0) {  // linear between samples
    const double step = plan.t[1] - plan.t[0], late = how.delay / step;
    const std::vector<double> now = log.tau;
    for (std::size_t r = 0; r < log.rows; ++r)
      for (std::size_t k = 0; k < nv; ++k) {
        const double at = std::max(0.0, static_cast<double>(r) - late);
        const auto low = static_cast<std::size_t>(at);
        const std::size_t high = std::min(low + 1, log.rows - 1);
        const double part = at - static_cast<double>(low);
        log.tau[r * nv + k] = (1 - part) * now[low * nv + k] + part * now[high * nv + k];
      }
  }
  for (std::size_t k = 0; k < nv; ++k) {
    double squares = 0;
    for (std::size_t r = 0; r < log.rows; ++r) squares += std::pow(joint[r * nv + k], 2);
    const double noise = how.torque_noise * std::sqrt(squares / static_cast<double>(log.rows));
    for (std::size_t r = 0; r < log.rows; ++r) {
      double& q = log.q[r * nv + k];
      if (how.stiffness > 0) q += joint[r * nv + k] / how.stiffness;
      q += how.encoder_noise * gaussian(rng);
      if (how.resolution > 0) q = how.resolution * std::round(q / how.resolution);
      log.tau[r * nv + k] += noise * gaussian(rng);
    }
  }
  log.v.assign(log.v.size(), std::nan(""));  // must not be used
  log.a.assign(log.a.size(), std::nan(""));
  return log;
}

}  // namespace parid::test
