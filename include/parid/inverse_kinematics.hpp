// Inverse kinematics: joint positions for the pose of a link.
//
//   InverseKinematics ik(robot, "link7");             // without a name: the robot's tip
//   IkSolution s = ik.solve(pose, seed);              // position and orientation
//   IkSolution s = ik.solve({0.4, 0.1, 0.3}, seed);   // position only
//   if (!s) puts(s.why.c_str());                      // not reached; s.q is the closest found
//   for (const IkBranch& b : ik.all(pose)) …          // every branch of a closed form
//   ik.solve(poses, seeds, q, reports);               // many at once, over SIMD lanes and threads
//
// Arms with the axes of a PUMA or a Stanford arm are solved in closed form, for any frames and
// offsets in their files; all others by damped least squares with restarts
// (kinematics/damped_step.hpp). Solutions are within the limits of the joints. Poses are those of
// the link in the root link's frame.
//
// A public header: no template, no type of another library. An InverseKinematics is not
// thread-safe; it owns its memory and threads.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/kinematics.hpp"

namespace parid {

struct IkOptions {
  double position_tolerance = 1e-9;  // m
  double angle_tolerance = 1e-9;     // rad
  int attempts = 128;                // maximum number of start postures
  int steps = 40;                    // maximum per attempt
  bool closed_form = true;           // false: always search
  int threads = 0;                   // for many poses; 0: number of cores
};

/// How one solution was found.
struct IkReport {
  bool converged = false;
  double position_error = 0, angle_error = 0;  // m, rad: remaining errors
  int steps = 0, attempts = 0;                 // taken by the search; 0 in closed form
};

struct IkSolution : IkReport {
  std::vector<double> q;  // nq positions; if not converged, the closest found
  std::string why;        // empty if converged

  explicit operator bool() const { return converged; }
};

/// One branch of a closed form. Coordinates that do not move the link are as in the seed.
struct IkBranch {
  int number = 0;  // 0 to 7
  std::vector<double> q;
  bool within_limits = true;
  double position_error = 0, angle_error = 0;
};

class PARID_EXPORT InverseKinematics {
 public:
  /// Of the robot's tip, or of a link by name. Allocates all memory and starts the threads. Throws
  /// parid::Error for an unknown link, and for options out of range.
  explicit InverseKinematics(const Robot&, const IkOptions& = {});
  InverseKinematics(const Robot&, const std::string& link, const IkOptions& = {});
  // Of a tip that the link carries, such as a tool: `offset` is the tip's pose in the link's frame,
  // and the poses and positions that are given are the tip's. Closed forms are the link's. Throws
  // Error for an offset that is no pose.
  InverseKinematics(const Robot&, const std::string& link, const LinkPose& offset,
                    const IkOptions& = {});
  InverseKinematics(InverseKinematics&&) noexcept;
  InverseKinematics& operator=(InverseKinematics&&) noexcept;
  ~InverseKinematics();

  const Robot& robot() const;
  const std::string& link() const;
  LinkPose offset() const;     // of the tip in the link's frame
  std::string solver() const;  // "puma", "stanford" or "numeric"

  // A seed has nq positions. The result is the branch nearest to it, or that of a search from it;
  // without a seed, any. Throws Error if the pose is not finite or not a rotation.
  IkSolution solve(const LinkPose&, std::span<const double> seed = {});
  IkSolution solve(const std::array<double, 3>& position, std::span<const double> seed = {});

  /// All branches that reach the pose, those beyond limits as well; none if it is out of reach.
  /// Allocates the result. Throws parid::Error if the arm has no closed form.
  std::vector<IkBranch> all(const LinkPose&, std::span<const double> seed = {});

  /// Many poses: seeds and q are (N, nq), row-major; without seeds each search chooses its own.
  /// Returns how many converged. A row's answer does not depend on the other rows, nor on the
  /// number of threads. Throws std::invalid_argument for arrays of other sizes.
  std::size_t solve(std::span<const LinkPose> poses, std::span<const double> seeds,
                    std::span<double> q, std::span<IkReport> reports);
  /// The text of IkSolution::why for a row that did not converge. Allocates the result.
  std::string why(const IkReport&) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
