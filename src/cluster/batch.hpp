// Computes one quantity for the rows of an HDF5 file and writes it to another: any number of rows,
// in one process or divided over those that mpirun started. docs/scale.md is the user's guide.
//
//   BatchResult r = run_batch(robot, {.input = "in.h5", .output = "out.h5"});
//
// The output is named OUT.partial until it is complete, with OUT.journal beside it
// (cluster/journal.hpp). A run that was interrupted in any way continues where it stopped. The
// output's bytes do not depend on interruptions, processes or threads.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/file/hdf5.hpp"
#include "cluster/layer.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "runtime/verify/verifier.hpp"

namespace parid::cluster {

struct BatchOptions {
  Quantity quantity = Quantity::inverse_dynamics;
  std::string input, output;
  std::string link;                  // for quantities that need one; empty: the tip
  bool single = false;               // compute in float and write float32
  std::optional<KernelKind> kernel;  // none: compiled for many rows
  int threads = 0;                   // of each process; 0: all available cores
  std::uint64_t block_rows = 0;      // 0: a few megabytes
  double checkpoint = 0.5;           // seconds
  bool overwrite = false;            // an output that is whole
  bool restart = false;              // discard the results of an earlier run
  std::uint64_t verify = 0;          // number of rows to recompute by another method
  std::string version;               // of the program, for the output's attributes
  // Finished and total rows of this process, and total rows of all.
  std::function<void(std::uint64_t done, std::uint64_t mine, std::uint64_t all)> progress;
  std::function<void(const std::string&)> note;
};

struct BatchResult {
  std::uint64_t rows = 0, resumed_rows = 0, rows_not_finite = 0;
  // Rows of this run with a quaternion whose length is not 1 within 1e-6. Only its direction is
  // used.
  std::uint64_t rows_not_unit = 0;
  std::uint64_t bytes_read = 0, bytes_written = 0;  // in this run, by all processes
  std::uint64_t block_rows = 0;
  double seconds = 0, preparing = 0;  // of the stream; before it
  int ranks = 1, threads = 1;
  KernelKind kernel = KernelKind::generic;
  std::string instructions;  // the instruction set
  std::optional<Verification> verified;
};

// An Error that every process throws, so that one of them needs to report it.
struct SharedError : Error {
  using Error::Error;
};

// Runs `work` in each process. If it fails in one, all throw the same SharedError, and none is left
// waiting.
void together(Ranks*, const std::function<void()>& work);

// Throws Error. Finished rows are always kept, and the output is absent or complete. If recomputed
// rows disagree, the output stays OUT.partial.
BatchResult run_batch(const Robot&, const BatchOptions&, Ranks* = nullptr);

}  // namespace parid::cluster
