// Reads a text file line by line, in memory that does not grow with the file.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file/input_file.hpp"
#include "base/layer.hpp"
#include "parid/error.hpp"

namespace parid::base {

class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  explicit LineReader(const std::string& path) : file_(path), buffer_(std::size_t{256} << 10) {}

  // The next line without its LF or CRLF and without a leading byte order mark; valid until the
  // next call. False at the end. Throws on NUL bytes and on lines past `longest_line`.
  bool next(std::string_view& line);

  int line() const { return line_; }  // number of the last line returned
  Place place() const { return {file_.name(), line_}; }
  const std::string& file() const { return file_.name(); }
  std::optional<double> share_read() const;  // fraction of the bytes read, if the size is known

 private:
  void fill();
  std::string_view take(std::size_t length, std::size_t past);
  [[noreturn]] void not_text(const char* nul) const;

  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // read but not yet returned
  std::uint64_t read_ = 0;           // total bytes
  std::size_t scanned_ = 0;          // part of it without LF
  int line_ = 0;
  bool at_end_ = false;
};

}  // namespace parid::base
