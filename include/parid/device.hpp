// Many samples on an OpenCL device: a GPU, another accelerator, or the CPU by way of an OpenCL
// driver.
//
//   for (const ComputeDevice& d : compute_devices()) std::cout << d.name << "\n";
//   DeviceEngine engine(robot, {.device = "radeon"});
//   engine.inverse_dynamics(N, q, v, a, tau);   // (N, nq), (N, nv), (N, nv) -> (N, nv), row-major
//
// The kernels are the robot's traced programs, as `parid generate --lang opencl` writes them; one
// work item computes one row. libOpenCL is loaded when it is first needed: programs that use none
// of this do not depend on it.
//
// A public header: no template, no type of another library. Results agree with those of an Engine
// to rounding; their last bits depend on the device's compiler.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "parid/row_arguments.hpp"

namespace parid {

/// A device that an OpenCL driver offers.
struct ComputeDevice {
  std::string name;      ///< as the driver reports it
  std::string platform;  ///< the driver
  std::string version;   ///< of OpenCL: "OpenCL 3.0 …"
  std::string kind;      ///< "GPU", "CPU", "accelerator" or "custom"
  bool double_precision = false;
  int compute_units = 0;
  std::uint64_t memory = 0;  ///< bytes of global memory
};

/// All devices of all drivers, in the order in which they are reported; empty if there is none.
/// Allocates the result. Throws Error if there is no libOpenCL; the message says what to install.
PARID_EXPORT std::vector<ComputeDevice> compute_devices();

struct DeviceOptions {
  /// A part of the device's name or platform in any case, or its place in compute_devices(),
  /// counted from 0; empty: the first GPU, or the first device if there is no GPU.
  std::string device = {};
  /// The quantities whose kernels the constructor builds.
  std::vector<Quantity> quantities = {Quantity::inverse_dynamics};
  /// For quantities that need a link; empty: the tip.
  std::string link = {};
  /// Compute in float, with arrays of float, instead of double.
  bool single_precision = false;
  /// Arguments that differ from row to row, as for an Engine.
  RowArguments per_row = {};
  /// Rows of one launch; longer batches take several. The device's buffers have room for them.
  std::size_t launch_rows = 65536;
};

/// Owns a queue, kernels and buffers on one device. Evaluating allocates nothing in this library;
/// drivers may. One call at a time. The base is stationary and there are no external wrenches,
/// except by DeviceOptions::per_row. Rows with angles beyond 64 rad (8 rad in float), where sums of
/// angles lose digits, and with values that are not finite, are computed on the CPU by the generic
/// kernel, as an Engine does.
class PARID_EXPORT DeviceEngine {
 public:
  /// Traces the programs of the quantities and builds them for the device: a second or more. Throws
  /// Error if there is no libOpenCL or no such device, for double precision on a device without it,
  /// for a quantity that is not evaluated over rows, for an unknown link, for a program that is too
  /// long, and if the driver fails; std::invalid_argument for 0 launch_rows.
  explicit DeviceEngine(const Robot&, const DeviceOptions& = {});
  DeviceEngine(DeviceEngine&&) noexcept;
  DeviceEngine& operator=(DeviceEngine&&) noexcept;
  ~DeviceEngine();

  const Robot& robot() const;           ///< as given to the constructor
  const ComputeDevice& device() const;  ///< on which it computes
  bool single_precision() const;

  /// Numbers per row of each input and output array, and names of the inputs, as for an Engine.
  /// Throw Error for quantities that were not given to the constructor.
  std::vector<std::size_t> input_widths(Quantity) const;
  std::vector<std::size_t> output_widths(Quantity) const;
  std::vector<std::string> input_names(Quantity) const;

  /// Computes a quantity that was given to the constructor for `rows` rows: each array holds one
  /// row after another. Inputs and outputs must not overlap. Throws std::invalid_argument for
  /// another number of arrays, for arrays of other sizes and of the other number type; Error for
  /// another quantity and if the driver fails.
  void evaluate(Quantity, std::size_t rows, std::span<const std::span<const double>> in,
                std::span<const std::span<double>> out);
  void evaluate(Quantity, std::size_t rows, std::span<const std::span<const float>> in,
                std::span<const std::span<float>> out);

  /// evaluate() of inverse dynamics. SI units, as for an Engine.
  void inverse_dynamics(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> a, std::span<double> tau);
  void inverse_dynamics(std::size_t rows, std::span<const float> q, std::span<const float> v,
                        std::span<const float> a, std::span<float> tau);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
