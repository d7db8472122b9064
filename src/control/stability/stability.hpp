// Safe sampling periods from the lifted discrete-time linearisation of a robot under a sampled law.
//
// Over a period T of constant torque the robot's linearised motion is x⁺ = A_T x + B_T τ, exactly;
// torques are those of response.hpp. With the last measurements as states both form one matrix; the
// loop is stable if the moduli of its eigenvalues are below 1.
//
// For random policies LinearLoop analyses one realisation, Policy::round periods repeated;
// random_ages.hpp has the properties of all realisations.
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
  // About a pose; the plant may differ from the law's model.
  LinearLoop(const Robot& plant, const LawDesign&, std::span<const double> q);
  // About an instant of a motion with frozen coefficients, for this period only.
  LinearLoop(const Robot& plant, const LawDesign&, const Trajectory&, double t, double period);

  double spectral_radius(double period) const;  // per control period
  int states() const;

 private:
  void reduce();

  Response response_;
  // Of the continuous robot, by rows: (s, s), (s, n), and (2n, s) from its states to measurements;
  // empty: its states are the measurements.
  std::vector<double> A_, B_, C_;
  // What torques depend on of the older measurements, as few states: s⁺ = A s + B x and
  // τ = G_0 x + C s; (r, r), (r, 2n), (n, r) by columns.
  int kept_ = -1;  // r; -1: not reduced
  std::vector<double> kept_A_, kept_B_, kept_C_;
};

struct PeriodRange {
  double shortest = 1e-6, longest = 1;  // s
};

// The first period at which the radius reaches 1: from `shortest` upwards in steps of 20 %, with a
// finer search of the last half, then bisection to `tolerance`. Returns 0 if the shortest period is
// unsafe, `longest` if all are safe.
double largest_safe_period(const std::function<double(double period)>& radius,
                           const PeriodRange& = {}, double tolerance = 1e-5);
double largest_safe_period(const LinearLoop&, const PeriodRange& = {}, double tolerance = 1e-5);

// The same by simulation of the full robot after a small disturbance at a pose.
struct Disturbance {
  double size = 1e-7;  // rad, m
  int periods = 6000;
};
// Growth factor of the disturbance per control period; below 1 it decays.
double simulated_growth(const Robot& plant, const LawDesign&, std::span<const double> q,
                        double period, const Disturbance& = {});

// Every policy at every pose for every period, and the largest safe period of each, computed on all
// cores.
struct StabilityMap {
  std::vector<double> periods;
  std::size_t poses = 0;
  struct Row {
    Policy policy;
    std::vector<double> radius;  // (poses, periods)
    // By pose, within `tolerance`: 0 if no period is safe, the last period if all are. For random
    // policies, proven for every realisation (random_ages.hpp); `radius` above is then that of the
    // worst realisation found.
    std::vector<double> safe;
    std::vector<double> unsafe = {};  // random policies: period at which a realisation is unstable
  };
  std::vector<Row> rows;
};
struct MapOptions {
  int threads = 0;          // 0: all cores
  double tolerance = 1e-3;  // ten times as large for random policies
  bool bounds = true;       // false: radii alone
  std::function<void(double share)> progress = {};
};
// poses: (count, nq). Periods must be ascending.
StabilityMap stability_map(const Robot& plant, const LawDesign&, std::span<const Policy>,
                           std::span<const double> poses, std::span<const double> periods,
                           const MapOptions& = {});

// By period, the largest radius over the poses.
std::vector<double> worst_radii(const StabilityMap&, std::size_t row);

// One policy at one pose: more precise than a map, and also below all of its periods.
struct PoseStability {
  double safe = 0;  // largest safe period; of a random policy, proven for every realisation
  // Random policies only.
  struct Random {
    int readings = 0;        // number of random readings
    double unsafe = 0;       // a growing realisation was found at this period
    double mean_square = 0;  // the mean square decays up to this period; 0: at none
    // periods up to which realisations of seeds from `seed` on decay, ascending
    std::vector<double> realisations = {};
  };
  std::optional<Random> random = {};
};
PoseStability pose_stability(const Robot& plant, const LawDesign&, std::span<const double> q,
                             const PeriodRange&, std::uint64_t seed = 1);

// `count` periods from a five-hundredth of the exact law's largest safe period to a little above
// it. Throws Error if that law is stable at no period.
std::vector<double> usual_periods(const Robot& plant, LawDesign, std::span<const double> q,
                                  std::size_t count);

// Seeded random poses within the limits (within ±1 turn for joints without limits).
std::vector<double> random_poses(const Robot&, std::size_t count, std::uint64_t seed = 1);

}  // namespace parid::control
