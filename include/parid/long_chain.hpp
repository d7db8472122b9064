// Quantities of a long chain in logarithmic depth: frames by a scan, composite inertias by a scan,
// forward dynamics by divide and conquer. For machines with a processor for every link, for
// generated hardware, and to compare. On one core the mass matrix is faster than that of
// dynamics.hpp from 64 links on, forward dynamics is many times slower (docs/long-chains.md).
//
// A public header: no template, no type of another library. Belongs to one thread.

#pragma once

#include <memory>
#include <span>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

/// Sizes as in parid/dynamics.hpp and parid/kinematics.hpp; they are not checked. Nothing allocates
/// after construction.
class PARID_EXPORT LongChain {
 public:
  /// Whether the robot is a single path of joints with one coordinate each, without mimic joints,
  /// whose links have a mass and a moment of inertia about every axis.
  static bool covers(const Robot&);

  /// Throws parid::Error unless covers().
  explicit LongChain(const Robot&);
  LongChain(LongChain&&) noexcept;
  LongChain& operator=(LongChain&&) noexcept;
  ~LongChain();

  /// The pose of a link (Robot::find_link) in the root link's frame: rotation, 9 numbers by rows,
  /// and position, 3.
  void pose(std::span<const double> q, int link, std::span<double> rotation,
            std::span<double> position);
  /// The Jacobian (6, nv) of a link's origin, linear rows first, in the root link's axes.
  void jacobian(std::span<const double> q, int link, std::span<double> J);
  void mass_matrix(std::span<const double> q, std::span<double> M);
  void forward_dynamics(std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau, std::span<double> a);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
