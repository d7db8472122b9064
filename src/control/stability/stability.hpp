// Which sampling periods are safe: the lifted discrete-time linearisation of a robot under a
// sampled law.
//
// Over a period T of constant torque the robot's small motions are x⁺ = A_T x + B_T τ, exactly;
// torques are those of response.hpp. Together, with the last measurements as states, they are one
// matrix; the loop is stable where the moduli of its eigenvalues are below 1.
//
// For random policies LinearLoop analyses one realisation, Policy::round periods repeated; what
// holds for all of them is in random_ages.hpp.
//
// A public header: no template, no type of another library.

#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "control/layer.hpp"
#include "control/stability/response.hpp"
#include "motion/trajectory.hpp"

namespace parid::control {

class LinearLoop {
 public:
  // About a pose; the plant may be another robot than the law's model.
  LinearLoop(const Robot& plant, const LawDesign&, std::span<const double> q);
  // About an instant of a motion, as if its coefficients stayed: for one period T alone.
  LinearLoop(const Robot& plant, const LawDesign&, const Trajectory&, double t, double period);

  double spectral_radius(double period) const;  // per control period
  int states() const;

 private:
  void reduce();

  Response response_;
  std::vector<double> A_, B_;  // of the continuous robot: (2n, 2n), (2n, n)
  // What torques depend on of the older measurements, as few states: s⁺ = A s + B x and
  // τ = G_0 x + C s; (r, r), (r, 2n), (n, r) by columns.
  int kept_ = -1;  // r; -1: not reduced
  std::vector<double> kept_A_, kept_B_, kept_C_;
};

struct PeriodRange {
  double shortest = 1e-6, longest = 1;  // s
};

// The first period at which the radius reaches 1, going up from `shortest` by 20 %, looking more
// closely at the last half, and then by bisection to `tolerance`; 0 where even the shortest is not
// safe, `longest` where all are.
double largest_safe_period(const std::function<double(double period)>& radius,
                           const PeriodRange& = {}, double tolerance = 1e-5);
double largest_safe_period(const LinearLoop&, const PeriodRange& = {}, double tolerance = 1e-5);

// The same by simulation: the robot itself, disturbed a little at a pose, and whether that grows.
struct Disturbance {
  double size = 1e-7;  // rad, m
  int periods = 6000;
};
// How fast it grows, per control period: below 1 it dies.
double simulated_growth(const Robot& plant, const LawDesign&, std::span<const double> q,
                        double period, const Disturbance& = {});

// Every policy at every pose for every period, and the largest safe period of each, on all cores.
struct StabilityMap {
  std::vector<double> periods;
  std::size_t poses = 0;
  struct Row {
    Policy policy;
    std::vector<double> radius;  // (poses, periods)
    // By pose: within `tolerance`, 0 where none of the periods is, the last period where all are.
    // For random policies, proven for every realisation (random_ages.hpp), and `radius` above is
    // that of the worst realisation found.
    std::vector<double> safe;
    std::vector<double> unsafe = {};  // random policies: where a realisation is unstable
  };
  std::vector<Row> rows;
};
struct MapOptions {
  int threads = 0;          // 0: all cores
  double tolerance = 1e-3;  // for random policies ten times that
  bool bounds = true;       // false: radii alone
  std::function<void(double share)> progress = {};
};
// poses: (count, nq). Periods must grow.
StabilityMap stability_map(const Robot& plant, const LawDesign&, std::span<const Policy>,
                           std::span<const double> poses, std::span<const double> periods,
                           const MapOptions& = {});

// Seeded poses inside the limits (a turn either way where there are none).
std::vector<double> random_poses(const Robot&, std::size_t count, std::uint64_t seed = 1);

}  // namespace parid::control
