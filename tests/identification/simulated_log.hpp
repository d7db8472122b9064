// Simulated measurements of a known robot: random states, torques of inverse dynamics (not of the
// regressor that identification uses), friction computed separately, and noise.

#pragma once

#include <cmath>
#include <numbers>

#include "model/canonical_model.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/sampled_trajectory.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

inline double gaussian(Rng& rng) {  // Box and Muller
  return std::sqrt(-2 * std::log(uniform(rng, 1e-300, 1))) *
         std::cos(2 * std::numbers::pi * uniform(rng, 0, 1));
}

struct Truth {
  std::vector<double> viscous, coulomb;  // empty: none
  std::vector<double> efficiency;        // of drives; empty: 1
  std::vector<double> noise;             // standard deviations; empty: none
  bool of_file = false;                  // and what the robot's own description says of friction
};

inline SampledTrajectory simulated_log(Rng& rng, const Robot& robot, std::size_t rows,
                                       const Truth& truth = {}) {
  SampledTrajectory log;
  log.rows = rows;
  Workspace workspace(robot);
  const std::size_t nv = robot.nv();
  std::vector<double> tau(nv), rotors(nv);
  for (const Freedom& f : robot.canonical().freedom)
    rotors[f.column] += f.scale * f.scale * f.rotor_inertia;
  for (std::size_t r = 0; r < rows; ++r) {
    const RandomState s = random_state(rng, robot.description());
    if (truth.of_file)
      inverse_dynamics_with_friction(robot, workspace, s.q, s.v, s.a, tau);
    else
      inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
    for (std::size_t k = 0; k < nv; ++k) {
      const double way = s.v[k] > 0 ? 1 : -1;
      if (!truth.viscous.empty()) tau[k] += truth.viscous[k] * s.v[k] + truth.coulomb[k] * way;
      if (!truth.efficiency.empty()) {
        const double before_gears = rotors[k] * s.a[k], output = tau[k] - before_gears;
        tau[k] = before_gears +
                 output * (output * way > 0 ? 1 / truth.efficiency[k] : truth.efficiency[k]);
      }
      if (!truth.noise.empty()) tau[k] += truth.noise[k] * gaussian(rng);
    }
    log.q.insert(log.q.end(), s.q.begin(), s.q.end());
    log.v.insert(log.v.end(), s.v.begin(), s.v.end());
    log.a.insert(log.a.end(), s.a.begin(), s.a.end());
    log.tau.insert(log.tau.end(), tau.begin(), tau.end());
  }
  return log;
}

// The same robot with inertias and friction that are wrong, as a user's file might have them.
inline Description guessed(Description d, Rng& rng) {
  for (LinkDescription& l : d.links) {
    if (!l.inertia || l.inertia->mass == 0) continue;
    const double m = l.inertia->mass * uniform(rng, 0.6, 1.7), r = uniform(rng, 0.1, 0.2);
    l.inertia = Inertia{
        m, l.inertia->com + uniform_vector(rng, 0.03), {m * r * r, m * r * r, m * r * r, 0, 0, 0}};
  }
  for (JointDescription& j : d.joints) j.damping = j.friction = 0;
  return d;
}

}  // namespace parid::test
