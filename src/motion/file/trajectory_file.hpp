// Motions from files: CSV with named or numbered columns, .npy, .npz, .h5.
//
//   CSV   t,q:JOINT…,v:JOINT…,a:JOINT… in any order, or q1…,v1…,a1… in the robot file's joint order
//   .npy  (N, nq + 2 nv): q, v, a side by side
//   .npz  arrays q, v, a and, if known, t
//   .h5   datasets of the same names
//
// A log has measured torques beside them: tau:JOINT… or tau1…, a fourth block, an array tau.

#pragma once

#include <functional>
#include <string>

#include "motion/layer.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::motion {

struct TrajectoryOptions {
  // Compute missing velocities and accelerations by splines.
  bool derive = false;
  // Called with the fraction of a CSV file read so far, if its size is known.
  std::function<void(double)> progress = {};
  // Measured torques are required and read.
  bool torques = false;
  // Called with warnings: "m.csv:3: warning: …; …".
  std::function<void(const std::string&)> warn = {};
  // Threads that read a large CSV file, at most; 0: one per core.
  int threads = 0;
};

// Throws Error with file and line if the file cannot be read or is not a motion of this robot.
SampledTrajectory read_trajectory(const Robot&, const std::string& path,
                                  const TrajectoryOptions& = {});

// Writes the format that read_trajectory reads, with t if it is known: .csv, .npy, .npz or .h5 by
// the path's extension; "-" is CSV to standard output.
void write_trajectory(const Robot&, const SampledTrajectory&, const std::string& path);
// throws Error if the extension is none of them
void check_trajectory_path(const std::string& path);

}  // namespace parid::motion
