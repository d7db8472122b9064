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
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parid {

// What must be the same for a batch to go on, in lines of "name value".
using BatchIdentity = std::vector<std::pair<std::string, std::string>>;

class Journal {
 public:
  // Whole or not at all. The process that creates a journal or opens it alone has it locked from then on.
  static Journal create(const std::string& path, const BatchIdentity&, std::uint64_t blocks);
  enum class Hold { locked, shared };
  static Journal open(const std::string& path, Hold);
  static bool is_held(const std::string& path);  // by another process

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const BatchIdentity& identity() const { return identity_; }
  // The name of the first thing that differs, or nothing.
  std::string difference(const BatchIdentity&) const;

  const std::vector<std::uint32_t>& marks() const { return marks_; }  // as they were when opened
  void mark(std::uint64_t block, std::uint32_t rows_not_finite);
  void flush();

 private:
  Journal() = default;
  void fail(const std::string& what) const;

  std::string path_;
  int descriptor_ = -1;
  BatchIdentity identity_;
  std::uint64_t begin_ = 0;  // where the marks are
  std::vector<std::uint32_t> marks_;
};

}  // namespace parid
