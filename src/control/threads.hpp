// Policies on real threads: each thread computes a group of links, neighbours exchange values
// through snapshots (snapshot.hpp), and the host's clock starts each period.
//
// A thread waits for values of this period that its policy reads. Values of earlier periods are
// read without waiting; if a neighbour is late, an older value is read. The calling thread
// simulates the robot once per period with the torques available by then; a torque that is not
// available counts as a missed deadline.
//
// A public header: no template, no type of another library.

#pragma once

#include "control/design.hpp"
#include "control/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::control {

struct ThreadOptions {
  int threads = 0;  // 0: number of cores, at most one thread per link
  double rate = 1000;
  double time = 0;  // s; 0: as long as the motion
  double lost = 1;  // rad, m
  // As in ControlOptions (loop.hpp).
  double position_noise = 0, velocity_noise = 0;
  std::uint64_t seed = 1;
  bool limit_torques = false;
  std::vector<double> start_offset = {};
};

struct ThreadReport {
  int threads = 0;
  long periods = 0;
  long missed = 0;       // periods with a torque that was not computed in time
  long late_starts = 0;  // thread periods that started after their scheduled end
  long older_reads = 0;  // readings of neighbours' values older than the policy specifies
  double mean_step = 0;  // s, of the busiest thread: from measurement to torque
  double longest_step = 0;
  double max_error = 0, final_error = 0;  // rad, m
  bool diverged = false;
  long limited = 0;  // periods with a torque at its limit
};
ThreadReport run_on_threads(const Robot& plant, const LawDesign&, const Trajectory&,
                            const ThreadOptions& = {});

// The same without a clock and without a simulated robot: seconds per period when each period
// starts as soon as its inputs are available.
double free_running_period(const Robot&, const Policy&, int threads, long periods);

}  // namespace parid::control
