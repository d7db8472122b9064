// Streams blocks of rows from one file through an engine into another with four concurrent stages:
// one thread reads, the caller's computes (with the engine's threads), one writes, and one flushes
// written rows to the disk and then updates the journal. Memory is a few blocks for any file size.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/file/hdf5.hpp"
#include "cluster/journal.hpp"
#include "cluster/layer.hpp"
#include "parid/engine.hpp"

namespace parid::cluster {

struct StreamArray {
  std::string name;
  std::uint64_t width = 0;  // numbers per row
};

struct StreamJob {
  Hdf5File* in = nullptr;
  Hdf5File* out = nullptr;
  std::string in_path, out_path;
  std::vector<StreamArray> inputs, outputs;
  std::uint64_t rows = 0, block_rows = 0;
  std::span<const std::uint64_t> blocks;  // those to do, in this order
  Quantity quantity = Quantity::inverse_dynamics;
  double checkpoint = 0.5;                           // seconds between flushes
  std::function<void(std::uint64_t rows)> progress;  // rows computed so far
  std::vector<std::uint64_t> quaternions;            // first column of each quaternion in q
  std::uint64_t* rows_not_unit = nullptr;  // counts rows with a quaternion whose length is not 1
};

// A checksum of a block's rows as stored in a file.
template <class Real>
std::uint64_t rows_hash(Hdf5File&, std::span<const StreamArray>, std::uint64_t first,
                        std::uint64_t rows);

// Returns the number of rows with a result that is not finite. If it throws, the journal lists
// every block that was written before.
template <class Real>
std::uint64_t stream(const StreamJob&, Engine&, Journal&);

extern template std::uint64_t rows_hash<double>(Hdf5File&, std::span<const StreamArray>,
                                                std::uint64_t, std::uint64_t);
extern template std::uint64_t rows_hash<float>(Hdf5File&, std::span<const StreamArray>,
                                               std::uint64_t, std::uint64_t);
extern template std::uint64_t stream<double>(const StreamJob&, Engine&, Journal&);
extern template std::uint64_t stream<float>(const StreamJob&, Engine&, Journal&);

}  // namespace parid::cluster
