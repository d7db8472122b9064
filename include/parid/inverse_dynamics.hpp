// Inverse dynamics of one sample: Workspace and the functions that use it.
//
//   Robot robot = Robot::load("panda.urdf");
//   Workspace workspace(robot);
//   inverse_dynamics(robot, workspace, q, v, a, tau);
//
// A public header: no template, no type of another library. Threads may share a Robot; each needs
// its own Workspace. Nothing here allocates after construction, and nothing locks.

#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "parid/export.h"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"

namespace parid {

struct WorkspaceOptions {
  // For one evaluation. More than one pays off for chains of some hundred links whose evaluations
  // follow each other closely (docs/long-chains.md); other robots are always evaluated on one
  // thread.
  int threads = 1;  // 0: number of cores
};

/// How a quantity is computed: by code for any robot; by this robot's program in an interpreter; by
/// this robot's program, compiled by the system's compiler; by this robot's program as machine code
/// that the library generates itself, on x86-64; or by whichever of them is estimated to be the
/// fastest for the number of rows of each call.
enum class KernelKind { generic, interpreted, compiled, machine, automatic };

/// Memory, base motion and external wrenches of evaluations, one sample at a time. Belongs to one
/// thread and one robot.
class PARID_EXPORT Workspace {
 public:
  /// Allocates the memory of inverse_dynamics, and starts the threads. Throws parid::Error for a
  /// number of threads out of range.
  explicit Workspace(const Robot&, const WorkspaceOptions& = {});
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  /// Motion of the base: angular velocity (rad/s), angular acceleration (rad/s²) and linear
  /// acceleration (m/s²) of the root link's origin, in the root link's frame. Holds until it is set
  /// again. Throws parid::Error for numbers that are not finite.
  void set_base_motion(const std::array<double, 3>& angular_velocity,
                       const std::array<double, 3>& angular_acceleration,
                       const std::array<double, 3>& linear_acceleration);

  /// Adds a force (N) and a moment (N m) that the surroundings exert on a link, in the link's frame
  /// at its origin, to those that act already, on the same link too. Holds until clear_wrenches().
  /// Throws parid::Error for an unknown link and for numbers that are not finite.
  void set_wrench(const std::string& link, const std::array<double, 3>& force,
                  const std::array<double, 3>& moment);
  /// Removes all wrenches.
  void clear_wrenches();

  /// Compiles this robot's function of one quantity for one sample in double precision, or loads
  /// it from the user's cache, which takes milliseconds. Afterwards the function of the quantity
  /// (parid/dynamics.hpp, evaluate()) uses it with a stationary base and no external wrenches:
  /// several times as fast, the last bits may differ. `link` is for quantities of a link, the
  /// robot's tip if empty; compiling for another link replaces the first. Without a compiler the
  /// library generates machine code itself (KernelKind::machine); note() gives the reason. Returns
  /// false, and changes nothing, if that is impossible too. Takes about a second for an arm that is
  /// not in the cache. Allocates. Throws parid::Error for an unknown link and for a
  /// quantity that is undefined for this robot, std::invalid_argument for a quantity without
  /// kernels (QuantityInfo::batched).
  bool compile(Quantity, const std::string& link = "");
  /// The same with a kernel of this kind and no other: `machine` takes milliseconds and needs no
  /// compiler, `generic` undoes compile(), `automatic` is the fastest that is ready: compiled if it
  /// is in the user's cache, otherwise machine code or generic, whichever is estimated to be
  /// faster. Throws std::invalid_argument for `interpreted`, which has no function for one sample.
  bool compile(Quantity, KernelKind, const std::string& link = "");
  /// The kind of kernel that evaluates a quantity without external loads.
  KernelKind kernel(Quantity) const;
  /// compile() of inverse dynamics.
  bool compile();
  /// Whether a quantity's function, by default that of inverse dynamics, is compiled or machine
  /// code.
  bool compiled(Quantity) const;
  bool compiled() const;
  const std::string& note() const;

  const Robot& robot() const;

  // The evaluation method: "one link after another", or for a long chain "8 lanes", "8 lanes on
  // 2 threads".
  std::string arrangement() const;

  struct Parts;  // for inverse_dynamics
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// Torques (N m, or N for sliding joints) for the accelerations a at positions q and velocities v:
/// rigid bodies and rotors, gravity, base motion and wrenches; no friction. Sizes: q nq, the others
/// nv. Does not allocate. Throws std::invalid_argument for arrays of other sizes and for a
/// workspace of another robot; numbers that are not finite give results that are not.
PARID_EXPORT void inverse_dynamics(const Robot&, Workspace&, std::span<const double> q,
                                   std::span<const double> v, std::span<const double> a,
                                   std::span<double> tau);
PARID_EXPORT void inverse_dynamics(const Robot&, Workspace&, std::span<const float> q,
                                   std::span<const float> v, std::span<const float> a,
                                   std::span<float> tau);

// Torques with friction by part: `rigid` is the result of inverse_dynamics, `bearing` the bearing
// friction of the joint (viscous, dry and load-dependent), `drive` the losses of its transmission,
// `total` their sum. docs/friction.md has the laws and their parameters in robot files.
struct FrictionTorques {
  std::span<double> rigid, bearing, drive, total;
};

/// Torques with friction; the total alone, or all parts. Sizes, allocation and exceptions as for
/// inverse_dynamics.
PARID_EXPORT void inverse_dynamics_with_friction(const Robot&, Workspace&,
                                                 std::span<const double> q,
                                                 std::span<const double> v,
                                                 std::span<const double> a,
                                                 std::span<double> total);
PARID_EXPORT void inverse_dynamics_with_friction(const Robot&, Workspace&, std::span<const float> q,
                                                 std::span<const float> v, std::span<const float> a,
                                                 std::span<float> total);
PARID_EXPORT void inverse_dynamics_with_friction(const Robot&, Workspace&,
                                                 std::span<const double> q,
                                                 std::span<const double> v,
                                                 std::span<const double> a, const FrictionTorques&);

/// inverse_dynamics by the name of its algorithm (recursive Newton-Euler).
inline void rnea(const Robot& robot, Workspace& workspace, std::span<const double> q,
                 std::span<const double> v, std::span<const double> a, std::span<double> tau) {
  inverse_dynamics(robot, workspace, q, v, a, tau);
}

// The instruction set of the kernels in use: "baseline", "avx2", "avx512".
PARID_EXPORT std::string instruction_set();

}  // namespace parid
