// Which blocks of an unfinished batch are safely on the disk: what lets a killed run go on.
//
// A small file beside the output. A header of text says whose batch it is; then there is one number of
// four bytes for each block of rows: 0, not done; else one more than the number of its rows that are not
// finite. A number is written after the block's rows have reached the disk, never before, and four bytes
// in their place are written whole or not at all. Processes that share a batch write the numbers of their
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

namespace parid {

// What must be the same for a batch to go on, in lines of "name value".
using BatchIdentity = std::vector<std::pair<std::string, std::string>>;

class Journal {
 public:
  // Locks one that is there, unread; nothing where there is none. Throws where other processes have it.
  static std::optional<Journal> hold(const std::string& path);
  void read();  // throws where it is damaged

  // A new one, locked, whole or not at all. `instead_of` is the held one that it replaces; without,
  // throws where there is one: another run has just begun.
  static Journal create(const std::string& path, const BatchIdentity&, std::uint64_t blocks,
                        const Journal* instead_of);

  // For processes that share a batch: the one that has it lets the others in, and they come. It stays
  // locked to all others until the last of them has gone.
  void share();
  static Journal join(const std::string& path);

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const BatchIdentity& identity() const { return identity_; }
  // The name of the first thing that differs, or nothing.
  std::string difference(const BatchIdentity&) const;

  const std::vector<std::uint32_t>& marks() const { return marks_; }  // as they were when read
  bool is_empty() const;                                              // no block is marked
  void mark(std::uint64_t block, std::uint32_t rows_not_finite);
  void flush();

 private:
  Journal() = default;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  int descriptor_ = -1;
  BatchIdentity identity_;
  std::uint64_t begin_ = 0;  // where the marks are
  std::vector<std::uint32_t> marks_;
};

}  // namespace parid
