// Events that end a step: a joint coming to rest or breaking away, a limit, numbers growing
// without bound. Each has a margin, above zero before and below zero after; the step is cut where
// the least of them is zero.

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

  // At time t and y in the plant's chart; 0 and above: nothing happens up to there.
  double margin(double t, const double* y);

  // Where the plant stands now. Velocities that a cut step left on the wrong side of zero become
  // zero; the ways of joints are settled. False where friction has no answer.
  bool settle();
  bool limit_hit(LimitHit&) const;
  // Starting there is a mistake of the user.
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
