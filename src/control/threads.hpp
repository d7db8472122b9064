// The policies on real threads: each has a group of links, neighbours exchange values through
// snapshots (snapshot.hpp), and the host's clock says when a period begins.
//
// What a policy reads of this period its thread waits for; what it reads of earlier ones it takes
// as it is, and where a neighbour is late, as it was before. The robot is simulated by the calling
// thread, once per period, with the torques that are there by then; one that is not there is a
// deadline missed.
//
// A public header: no template, no type of another library.

#pragma once

#include "control/design.hpp"
#include "control/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::control {

struct ThreadOptions {
  int threads = 0;  // 0: as many as there are cores, at most one per link
  double rate = 1000;
  double time = 0;  // s; 0: as long as the motion
  double lost = 1;  // rad, m
  // As of ControlOptions (loop.hpp).
  double position_noise = 0, velocity_noise = 0;
  std::uint64_t seed = 1;
  bool limit_torques = false;
  std::vector<double> start_offset = {};
};

struct ThreadReport {
  int threads = 0;
  long periods = 0;
  long missed = 0;       // of them, with a torque that was not there in time
  long late_starts = 0;  // of all threads' periods, begun when they should have been over
  long older_reads = 0;  // of neighbours' values, older than the policy says
  double mean_step = 0;  // s, of the busiest thread: from measurement to torque
  double longest_step = 0;
  double max_error = 0, final_error = 0;  // rad, m
  bool diverged = false;
  long limited = 0;  // of the periods, with a torque at a motor's limit
};
ThreadReport run_on_threads(const Robot& plant, const LawDesign&, const Trajectory&,
                            const ThreadOptions& = {});

// The same without a clock, a robot or rest: seconds per period when each begins as soon as what it
// reads is there.
double free_running_period(const Robot&, const Policy&, int threads, long periods);

}  // namespace parid::control
