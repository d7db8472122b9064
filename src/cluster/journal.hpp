// Records which blocks of an unfinished batch are safely on the disk, so that an interrupted run
// can continue.
//
// A small file beside the output. A text header identifies the batch and ends with its own
// checksum. Then there is one record for each block of rows: zeros if it is not done; else the
// number of its rows that are not finite, a checksum of the rows as written, and a checksum of the
// record. A record is written only after the block's rows have reached the disk. A record that is
// incomplete after a power cut, or was changed otherwise, does not match its checksum: its block
// counts as not done. Processes that share a batch write the records of their own blocks.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cluster/layer.hpp"

namespace parid::cluster {

// Values that must be equal for a batch to continue, as lines of "name value".
using BatchIdentity = std::vector<std::pair<std::string, std::string>>;

// A finished block.
struct BlockRecord {
  std::uint32_t not_finite = 0;  // rows
  std::uint64_t rows_hash = 0;   // of the bytes of the rows, array after array

  bool operator==(const BlockRecord&) const = default;
};

class Journal {
 public:
  // Locks an existing journal without reading it; nothing if there is none. Throws if other
  // processes have it.
  static std::optional<Journal> hold(const std::string& path);
  void read();  // throws where it is damaged

  // Creates a locked journal atomically. `instead_of` is the locked one that it replaces; without
  // it, throws if a journal exists, because another run has just begun.
  static Journal create(const std::string& path, const BatchIdentity&, std::uint64_t blocks,
                        const Journal* instead_of);

  // For processes that share a batch: the owner admits the others, and they join. It stays locked
  // for all others until the last of them has closed it.
  void share();
  static Journal join(const std::string& path);

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const BatchIdentity& identity() const { return identity_; }
  // The name of the first value that differs; empty if all are equal.
  std::string difference(const BatchIdentity&) const;

  // As read, without those unmarked since; nothing for blocks that are not done.
  const std::vector<std::optional<BlockRecord>>& records() const { return records_; }
  std::uint64_t damaged() const { return damaged_; }  // records that did not match their checksums
  bool is_empty() const;                              // no block is done
  void mark(std::uint64_t block, const BlockRecord&);
  void unmark(std::uint64_t block);  // its rows are damaged
  void flush();

 private:
  Journal() = default;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  int descriptor_ = -1;
  BatchIdentity identity_;
  std::uint64_t begin_ = 0;  // where the records are
  // checksum of the header, so that records of another journal do not match
  std::uint64_t header_ = 0;
  std::vector<std::optional<BlockRecord>> records_;
  std::uint64_t damaged_ = 0;
};

}  // namespace parid::cluster
