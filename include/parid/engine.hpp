// Many samples at once: rows in, rows out, over SIMD lanes and threads.
//
//   Engine engine(robot);                       // prepares the robot's specialized kernel, then
//                                               cached
//   engine.inverse_dynamics(N, q, v, a, tau);   // (N, nq), (N, nv), (N, nv) -> (N, nv), row-major
//
//   Engine planner(robot, {.quantities = {Quantity::forward_dynamics,
//   Quantity::inverse_gradient}}); planner.forward_dynamics(N, q, v, tau, a);
//
// A public header: no template, no type of another library. For one instruction set and one kind of
// kernel a row's result has the same bits for any number of threads and at any place in the batch.

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "parid/export.h"
#include "parid/inverse_dynamics.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "parid/row_arguments.hpp"
#include "parid/strided.hpp"

namespace parid {

namespace runtime {
struct ExternalLoads;
}

struct EngineOptions {
  int threads = 0;  ///< 0: number of cores
  /// The kind of kernel that the constructor prepares. Without a compiler, or if the program is too
  /// long for it, machine code takes its place; where that is impossible, an interpreter or the
  /// generic kernel. Engine::note() gives the reason.
  KernelKind kernel = KernelKind::compiled;
  /// The quantities that the constructor prepares.
  std::vector<Quantity> quantities = {Quantity::inverse_dynamics};
  /// Prepare specialized kernels for arrays of float too; otherwise those use the generic kernels.
  bool single_precision = false;
  /// Arguments that differ from row to row: further input arrays of evaluate(), in all kinds of
  /// kernels. Functions that take no such arrays throw std::invalid_argument.
  RowArguments per_row = {};
};

/// For long batches.
struct Watch {
  /// Called by the caller's thread, from time to time, with the number of rows done.
  std::function<void(std::size_t)> progress;
  /// Ends the batch early.
  std::stop_token stop;
};

/// Owns its workspaces and threads. Evaluating a prepared quantity allocates nothing, from the
/// first call on; others prepare the generic kernel at their first evaluation. One call at a time.
class PARID_EXPORT Engine {
 public:
  /// Throws Error as prepare() does, and for a link in `per_row` that does not exist or, for
  /// parameters, that no joint moves.
  explicit Engine(const Robot&, const EngineOptions& = {});
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  const Robot& robot() const;  ///< as given to the constructor
  int threads() const;         ///< in use, the caller's included

  /// Prepares a kernel of this kind for one quantity. For a specialized kernel it traces the
  /// robot's program. It then generates machine code, in milliseconds, or compiles and loads the
  /// program, about a second for an arm that is not in the user's cache. Batches use it with a
  /// stationary base and no external wrenches, the generic kernel otherwise. `link` is for
  /// quantities that need one (QuantityInfo::needs_link); empty: the tip. Returns false if another
  /// kind had to be used; note() gives the reason. Throws Error for a quantity that is not
  /// evaluated over rows and for an unknown link.
  bool prepare(Quantity, KernelKind, const std::string& link = "");
  /// prepare() of inverse dynamics with KernelKind::compiled.
  bool compile() { return prepare(Quantity::inverse_dynamics, KernelKind::compiled); }
  /// The kind of kernel that evaluates a quantity now.
  KernelKind kernel(Quantity = Quantity::inverse_dynamics) const;
  /// What determines a compiled kernel, as 32 hexadecimal digits: program, compiler and its
  /// version, flags, and the features of the CPU. If it differs, the last bits of rows may. Empty
  /// for the other kinds, and for arrays of float if those were not prepared.
  std::string build_fingerprint(Quantity = Quantity::inverse_dynamics,
                                bool single_precision = false) const;
  /// Why a kernel is not of the requested kind; otherwise empty.
  const std::string& note() const;

  /// As for Workspace, with its units, frames and exceptions; the same for all rows.
  void set_base_motion(const std::array<double, 3>& angular_velocity,
                       const std::array<double, 3>& angular_acceleration,
                       const std::array<double, 3>& linear_acceleration);
  void set_external_loads(const runtime::ExternalLoads&);  ///< internal type: both at once
  void set_wrench(const std::string& link, const std::array<double, 3>& force,
                  const std::array<double, 3>& moment);

  /// Computes any batched quantity for `rows` rows, from arrays of any layout, in the order of
  /// QuantityInfo::inputs and outputs; inputs that differ by row follow (input_names). Inputs and
  /// outputs must not overlap. `link` is for quantities that need one; empty: the first that was
  /// prepared, or the tip. Returns false if stopped: the rows done by then are written. Throws
  /// std::invalid_argument for another number of arrays, Error for a quantity that is not evaluated
  /// over rows and for an unknown link.
  bool evaluate(Quantity, std::size_t rows, std::span<const StridedInput> in,
                std::span<const StridedOutput> out, const Watch& = {}, std::string_view link = {});
  bool evaluate(Quantity, std::size_t rows, std::span<const StridedInputFloat> in,
                std::span<const StridedOutputFloat> out, const Watch& = {},
                std::string_view link = {});
  /// Numbers per row of each input and output array of a batched quantity. Throws Error for other
  /// quantities.
  std::vector<std::size_t> input_widths(Quantity) const;
  std::vector<std::size_t> output_widths(Quantity) const;
  /// Names of the input arrays of a batched quantity: its own, then those of EngineOptions::per_row
  /// that it depends on. Throws Error for other quantities.
  std::vector<std::string> input_names(Quantity) const;

  /// The functions of parid/dynamics.hpp of the same names, for `rows` rows: each array holds one
  /// row after another, a row as in those functions. Units and frames are theirs. Throws
  /// std::invalid_argument for arrays of other sizes, parid::Error for a quantity that is undefined
  /// for the robot.
  void inverse_dynamics(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> a, std::span<double> tau);
  void inverse_dynamics(std::size_t rows, std::span<const float> q, std::span<const float> v,
                        std::span<const float> a, std::span<float> tau);
  void forward_dynamics(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau, std::span<double> a);
  void mass_matrix(std::size_t rows, std::span<const double> q, std::span<double> M);
  void bias(std::size_t rows, std::span<const double> q, std::span<const double> v,
            std::span<double> tau);
  void gravity(std::size_t rows, std::span<const double> q, std::span<double> tau);
  void inverse_gradient(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> a, std::span<double> dq, std::span<double> dv,
                        std::span<double> da);
  void forward_gradient(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau, std::span<double> dq, std::span<double> dv,
                        std::span<double> dtau);
  /// Of a link by name: rotation (9 numbers per row) and position (3, m) in the root's frame; the
  /// Jacobian (6, nv), linear rows first. Throws parid::Error for an unknown link.
  void kinematics(std::size_t rows, std::span<const double> q, std::string_view link,
                  std::span<double> rotation, std::span<double> position);
  void jacobian(std::size_t rows, std::span<const double> q, std::string_view link,
                std::span<double> J);

  /// Torques with friction; each part of the torque has rows × nv numbers, or the total alone. By
  /// the generic kernel.
  void inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                      std::span<const double> v, std::span<const double> a,
                                      const FrictionTorques&);
  void inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                      std::span<const double> v, std::span<const double> a,
                                      std::span<double> total);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The name of the enumerator. Does not allocate or throw.
PARID_EXPORT const char* name(KernelKind);

}  // namespace parid
