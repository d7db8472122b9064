// Inverse kinematics: joint positions for the pose of a link.
//
//   InverseKinematics ik(robot, "link7");             // without a name: the robot's tip
//   IkSolution s = ik.solve(pose, seed);              // position and orientation
//   IkSolution s = ik.solve({0.4, 0.1, 0.3}, seed);   // position only
//   if (!s) puts(s.why.c_str());                      // not reached; s.q is the closest found
//   for (const IkBranch& b : ik.all(pose)) …          // every branch of a closed form
//   ik.solve(poses, seeds, q, reports);               // many at once, over SIMD lanes and threads
//
// Arms with a spherical wrist or shoulder, with three parallel axes, planar arms, SCARAs and the
// Stanford arm are solved in closed form, for any frames and offsets in their files; all others by
// damped least squares with restarts (kinematics/damped_step.hpp). Seven-axis arms have a closed
// form for a given arm angle or last joint, which all() lists; solve() searches. Angles that a file
// rounds (1.5708) count as right angles, and solutions are then improved by Newton steps on the
// model as it is in the file. Solutions are within the limits of the joints. Poses are those of the
// link in the root link's frame.
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
  int number = 0;  // 0 to 7: bit 0 the arm, bit 1 the elbow, bit 2 the wrist
  std::vector<double> q;
  bool within_limits = true;
  /// The link cannot move in some direction that it can in others, or in infinitely many
  /// configurations near q it is at the pose.
  bool singular = false;
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
  LinkPose offset() const;  // of the tip in the link's frame
  /// How solve() finds solutions: the name of the closed form, or "numeric".
  std::string solver() const;
  /// "puma", "stanford", "spherical_wrist", "three_parallel", "spherical_spherical", "planar";
  /// empty if the chain from the root to the link has no closed form, or if options exclude it.
  /// all() requires one.
  std::string closed_form() const;
  /// What the form is, in words; without a closed form the reason why there is none.
  std::string closed_form_text() const;
  /// What a seven-axis arm has to be given besides the pose: "arm_angle", "last_joint"; or empty.
  std::string redundancy() const;

  // A seed has nq positions. The result is the branch nearest to it, or that of a search from it;
  // without a seed, any. Throws Error if the pose is not finite or not a rotation.
  IkSolution solve(const LinkPose&, std::span<const double> seed = {});
  IkSolution solve(const std::array<double, 3>& position, std::span<const double> seed = {});

  /// All branches that reach the pose, those beyond limits as well; none if it is out of reach.
  /// Allocates the result. Throws parid::Error if the arm has no closed form.
  /// A seven-axis arm keeps the arm angle or the last joint of the seed.
  std::vector<IkBranch> all(const LinkPose&, std::span<const double> seed = {});
  /// The same with the arm angle or the position of the last joint given, in rad. The arm angle
  /// turns the elbow about the line from shoulder to wrist; at 0 the elbow's axis is perpendicular
  /// to this line and to the first axis. Throws parid::Error if the arm is not redundant.
  std::vector<IkBranch> all_with(const LinkPose&, double redundancy,
                                 std::span<const double> seed = {});

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
