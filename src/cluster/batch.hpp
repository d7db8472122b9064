// One quantity for the rows of an HDF5 file, written to another: any number of rows, in one process
// or shared by those that mpirun started. docs/scale.md is the user's guide.
//
//   BatchResult r = run_batch(robot, {.input = "in.h5", .output = "out.h5"});
//
// The output is OUT.partial until it is whole; beside it stands OUT.journal (cluster/journal.hpp).
// A run that was ended, in whatever way, goes on where it was. The output's bytes do not depend on
// how often that happened, nor on processes and threads.

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
  std::optional<KernelKind> kernel;  // none: compiled where there are many rows
  int threads = 0;                   // of each process; 0: all cores it may use
  std::uint64_t block_rows = 0;      // 0: a few megabytes
  double checkpoint = 0.5;           // seconds
  bool overwrite = false;            // an output that is whole
  bool restart = false;              // throw away what an earlier run finished
  std::uint64_t verify = 0;          // rows to work out again in another way
  std::string version;               // of the program, for the output's attributes
  // Rows of this process done and to do, and those of all.
  std::function<void(std::uint64_t done, std::uint64_t mine, std::uint64_t all)> progress;
  std::function<void(const std::string&)> note;
};

struct BatchResult {
  std::uint64_t rows = 0, resumed_rows = 0, rows_not_finite = 0;
  // Rows of this run with a quaternion whose length is not 1 within 1e-6. Only its direction
  // counts.
  std::uint64_t rows_not_unit = 0;
  std::uint64_t bytes_read = 0, bytes_written = 0;  // in this run, by all processes
  std::uint64_t block_rows = 0;
  double seconds = 0, preparing = 0;  // of the stream; before it
  int ranks = 1, threads = 1;
  KernelKind kernel = KernelKind::generic;
  std::string instructions;  // the instruction set
  std::optional<Verification> verified;
};

// An Error that every process has, so that one is enough to tell it.
struct SharedError : Error {
  using Error::Error;
};

// Does the work in each process. Where it fails in one, all throw the same SharedError; nobody is
// left waiting.
void together(Ranks*, const std::function<void()>& work);

// Throws Error; whatever happens, rows that were finished are kept, and there is no output or a
// whole one. Where the rows worked out again disagree, the output stays OUT.partial.
BatchResult run_batch(const Robot&, const BatchOptions&, Ranks* = nullptr);

}  // namespace parid::cluster
