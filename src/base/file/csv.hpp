// Tables as text: a header of column names, then one line of numbers for each row.
//
// Read    commas between values; spaces around them, empty lines, `#` comment lines, CRLF and a
//         byte order mark are ignored; names may be in double quotes. Numbers are read the same
//         in every locale and rounded correctly.
// Written with the fewest digits that read back to the same double, bit for bit.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file/atomic_file.hpp"
#include "base/file/table.hpp"
#include "base/layer.hpp"

namespace parid::base {

class ThreadPool;

struct CsvOptions {
  std::string example = "t,q1,v1,a1";  // example of a header, shown if the header is missing
  std::size_t most_values = (std::size_t{8} << 30) / sizeof(double);
  // called with the fraction of bytes read, if the size is known
  std::function<void(double)> progress = {};
  int threads = 0;  // that read a large file, at most; 0: one per core
};

Table read_csv(const std::string& path, const CsvOptions& options = {});  // "-": standard input

// Writes row by row, for tables that do not fit into memory. The file appears at commit().
class CsvWriter {
 public:
  // "-": standard output. rows() uses up to `threads` threads; 0: one per core.
  CsvWriter(const std::string& path, const std::vector<std::string>& columns, int threads = 0);
  ~CsvWriter();
  void row(std::span<const double> values);
  void rows(std::span<const double> values);  // row-major; the same bytes as row by row
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
  std::size_t columns_;
  int threads_;
  std::unique_ptr<ThreadPool> pool_;      // once many rows are written together
  std::vector<std::vector<char>> texts_;  // one per part of a call of rows()
};

void write_csv(const std::string& path, const std::vector<std::string>& columns,
               std::span<const double> data);  // row-major

}  // namespace parid::base
