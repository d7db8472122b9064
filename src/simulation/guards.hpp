// Events that end a step: a joint comes to rest or breaks away, reaches a limit, or numbers
// diverge. Each has a margin, positive before and negative after the event; the step is cut where
// the least margin is zero.

#pragma once

#include <string>
#include <vector>

#include "parid/simulation.hpp"
#include "simulation/layer.hpp"
#include "simulation/plant.hpp"

namespace parid::simulation {

struct LimitHit {
  std::string coordinate;
  bool velocity = false;
  double value = 0, limit = 0;
};

class Guards {
 public:
  Guards(Plant&, StopAt);

  // At time t and y in the plant's chart; 0 and above: no event up to there.
  double margin(double t, const double* y);

  // Updates the states of joints at the plant's position. Velocities that a cut step left on the
  // wrong side of zero become zero. Returns false if friction has no solution.
  bool settle();
  bool limit_hit(LimitHit&) const;
  // Whether the initial position violates a limit, which is an error of the user.
  bool outside(const std::vector<double>& q, LimitHit&) const;

 private:
  struct Bound {
    int position, velocity;  // coordinates
    double lower, upper, fastest;
  };
  Plant& plant_;
  bool watch_velocity_;
  std::vector<Bound> bounds_;
  std::vector<double> q_, a_, tau_, taken_;
};

}  // namespace parid::simulation
