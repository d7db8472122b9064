// Which blocks of an unfinished batch are safely on the disk: what lets a killed run go on.
//
// A small file beside the output. A header of text says whose batch it is and ends with a checksum
// of itself. Then there is one record for each block of rows: zeros, not done; else the number of
// its rows that are not finite, a checksum of the rows as they were written, and a checksum of the
// record. A record is written after the block's rows have reached the disk, never before. A record
// that a power cut left half written, or that anything else has changed, does not match its
// checksum: its block counts as not done. Processes that share a batch write the records of their
// own blocks.
//
// batch/ streams rows of HDF5 files through an Engine. It includes run/, method/ and io/.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cluster/layer.hpp"

namespace parid::cluster {

// What must be the same for a batch to go on, in lines of "name value".
using BatchIdentity = std::vector<std::pair<std::string, std::string>>;

// A block that is done.
struct BlockRecord {
  std::uint32_t not_finite = 0;  // rows
  std::uint64_t rows_hash = 0;   // of the bytes of the rows, array after array

  bool operator==(const BlockRecord&) const = default;
};

class Journal {
 public:
  // Locks one that is there, unread; nothing where there is none. Throws where other processes have
  // it.
  static std::optional<Journal> hold(const std::string& path);
  void read();  // throws where it is damaged

  // A new one, locked, whole or not at all. `instead_of` is the held one that it replaces; without,
  // throws where there is one: another run has just begun.
  static Journal create(const std::string& path, const BatchIdentity&, std::uint64_t blocks,
                        const Journal* instead_of);

  // For processes that share a batch: the one that has it lets the others in, and they come. It
  // stays locked to all others until the last of them has gone.
  void share();
  static Journal join(const std::string& path);

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const BatchIdentity& identity() const { return identity_; }
  // The name of the first thing that differs, or nothing.
  std::string difference(const BatchIdentity&) const;

  // As they were when read, less those unmarked since; nothing for blocks that are not done.
  const std::vector<std::optional<BlockRecord>>& records() const { return records_; }
  std::uint64_t damaged() const { return damaged_; }  // records that did not match their checksums
  bool is_empty() const;                              // no block is done
  void mark(std::uint64_t block, const BlockRecord&);
  void unmark(std::uint64_t block);  // its rows turned out to be damaged
  void flush();

 private:
  Journal() = default;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  int descriptor_ = -1;
  BatchIdentity identity_;
  std::uint64_t begin_ = 0;   // where the records are
  std::uint64_t header_ = 0;  // checksum of the header: records of another journal do not match
  std::vector<std::optional<BlockRecord>> records_;
  std::uint64_t damaged_ = 0;
};

}  // namespace parid::cluster
