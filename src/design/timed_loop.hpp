// A control loop with stale data and a time to compute it, linearised about a pose at rest.
//
// Positions and velocities are measured at k T. The torques that follow from them act from
// k T + latency to (k + 1) T + latency. The law is computed torque with the same gains for every
// joint; ages of data are those of the policy. The linearised robot is integrated exactly, and what
// the law remembers is reduced to as few states as determine its torques.
//
// Source   latency: Åström, Wittenmark: Computer-Controlled Systems (1997), section 3.2.
// Differs  the law's gains are not part of its realisation, so that they can be searched.

#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "control/design.hpp"
#include "design/layer.hpp"

namespace parid::design {

struct LoopTiming {
  double period = 0, latency = 0;  // s
};

struct LoopGains {
  double kp = 0, kd = 0;  // 1/s², 1/s

  static LoopGains critical(double kd) { return {kd * kd / 4, kd}; }
  Gains of(int coordinates) const;
};

struct LoopMargins {
  double gain = 0;       // factor of all torques at which the loop becomes unstable; INFINITY: none
  double phase = 0;      // rad, lag of all torques at which it does
  double crossover = 0;  // rad/s, where the phase margin is
};

class TimedLoop {
 public:
  // Throws Error for random policies, and for joints with several degrees of freedom.
  TimedLoop(const Robot& plant, const control::LawDesign&, std::span<const double> q);

  // Per period; below 1 the loop is stable.
  double spectral_radius(const LoopTiming&, const LoopGains&) const;
  // All joints' torques changed alike: by the eigenvalues of the loop's transfer matrix. Of a
  // stable loop.
  LoopMargins margins(const LoopTiming&, const LoopGains&) const;
  // Hz: the lowest frequency at which a joint's response to its own desired position, without the
  // desired velocity and acceleration, is 3 dB below 1; at most half the rate.
  double bandwidth(const LoopTiming&, const LoopGains&) const;
  // One period of all states, (states, states); the same states at every pose if `common` is set:
  // all remembered measurements.
  Eigen::MatrixXd step(const LoopTiming&, const LoopGains&) const;

 private:
  struct Held {  // x⁺ = A x + now u(k − whole) + before u(k − whole − 1)
    Eigen::MatrixXd A, now, before;
    int whole = 0;
    bool split = false;  // `before` is not zero
  };
  Held held(const LoopTiming&) const;
  Eigen::MatrixXd law_inputs(const LoopGains&) const;  // from states to (δq, δv, δa)
  void reduce();
  // The law's and the plant's transfer at e^(j angle).
  Eigen::MatrixXcd law_at(double angle, const LoopGains&) const;
  static Eigen::MatrixXcd plant_at(double angle, const Held&);
  Eigen::MatrixXcd acceleration_at(double angle) const;

  int n_ = 0;
  std::vector<double> A_, B_;  // of the continuous robot
  Eigen::MatrixXd C_;          // from its states to measurements
  // By lag: from (δq, δv, δa) to torques, (n, 3n).
  std::vector<Eigen::MatrixXd> response_;
  Eigen::MatrixXd kept_A_, kept_B_, kept_C_;
};

// The largest gain kd with kp = kd²/4 at which all loops have at least these margins, to 1 %. 0 if
// none has. `guess` is where the search starts; the loops are at poses, and `worst` returns the one
// that limits.
struct MarginWish {
  double gain = 2;        // factor
  double phase = 0.7854;  // rad
};
double largest_gain(std::span<const TimedLoop>, const LoopTiming&, const MarginWish&, double guess,
                    std::size_t* worst = nullptr);

// The largest period up to which all loops are stable with a latency of at most `latency` and at
// most one period: from `from` upwards, to `tolerance`; at most `longest`. 0 if `from` is not
// stable.
double largest_period(std::span<const TimedLoop>, const LoopGains&, double latency, double from,
                      double longest = 10, double tolerance = 1e-3);

}  // namespace parid::design
